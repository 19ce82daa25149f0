import type { CommandWords, Values } from './words.js';

export function bashScript(commands: readonly CommandWords[]): string {
  return `# bash completion of mrtr-gateway. In ~/.bashrc: source <(mrtr-gateway completion bash)
_mrtr_gateway() {
  local IFS=$'\\n' current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" at="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
${pathCases(commands)}
    esac
  done
  COMPREPLY=()
  case "$at $before" in
${commands.flatMap(optionCases).join('\n')}
  esac
  case "$at" in
${commands.map(commandCase).join('\n')}
  esac
}
complete -F _mrtr_gateway mrtr-gateway
`;
}

/** Which words lead from one command to the next; the same in zsh. */
export function pathCases(commands: readonly CommandWords[]): string {
  return commands
    .filter(({ path }) => path !== '')
    .map(({ path }) => `      " ${path}") at=" ${path}" ;;`)
    .join('\n');
}

function optionCases({ path, options }: CommandWords): readonly string[] {
  const at = path === '' ? '' : ` ${path}`;
  return options
    .filter(({ takesValue }) => takesValue)
    .map(
      ({ flag, values }) =>
        `    "${at} ${flag}") ${values === undefined ? '' : `${generated(values)}; `}return ;;`,
    );
}

function commandCase({ path, options, commands, values }: CommandWords): string {
  const flags = options.map(({ flag }) => flag).join(' ');
  const words = [...commands.map(([name]) => name), ...(Array.isArray(values) ? values : [])].join(' ');
  const other = values === 'file' ? generated('file') : generated(words.split(' '));
  return `    "${path === '' ? '' : ` ${path}`}") if [[ $current == -* ]]; then ${generated(flags.split(' '))}; else ${other}; fi ;;`;
}

/** One word a line, as IFS has it. */
function generated(values: Values): string {
  if (values === 'file') return `compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current"))`;
  return `COMPREPLY=($(compgen -W $'${values.join('\\n')}' -- "$current"))`;
}
