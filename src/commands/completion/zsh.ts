import { pathCases } from './bash.js';
import type { CommandWords, Values } from './words.js';

export function zshScript(commands: readonly CommandWords[]): string {
  return `#compdef mrtr-gateway
# zsh completion of mrtr-gateway. In ~/.zshrc, after compinit: source <(mrtr-gateway completion zsh)
_mrtr_gateway() {
  local at="" i
  local -a options commands
  for ((i = 2; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
${pathCases(commands)}
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${commands.flatMap(optionCases).join('\n')}
  esac
  case "$at" in
${commands.map(commandCase).join('\n')}
  esac
}
compdef _mrtr_gateway mrtr-gateway
`;
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
  const flags = options.map(({ flag, says }) => described(flag, says)).join(' ');
  const names = commands.map(([name, says]) => described(name, says)).join(' ');
  return `    "${path === '' ? '' : ` ${path}`}")
      if [[ $PREFIX == -* ]]; then options=(${flags}); _describe option options
      else ${names === '' ? ':' : `commands=(${names}); _describe command commands`}${values === undefined ? '' : `; ${generated(values)}`}
      fi ;;`;
}

function generated(values: Values): string {
  return values === 'file' ? '_files' : `compadd -- ${values.map(quoted).join(' ')}`;
}

function described(word: string, says: string): string {
  return quoted(`${word.replaceAll(':', '\\:')}:${says}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
