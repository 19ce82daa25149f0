/** A route's configuration for the server that was audited, with the reason for each line. */
import { display, displayJson } from '../client/display.js';
import { REVISION } from '../protocol/constants.js';
import { elicitationMode, elicitationsOf } from '../protocol/elicitations.js';
import { findFormFault } from '../protocol/forms.js';
import type { InputRequest } from '../protocol/input-requests.js';
import { has } from '../protocol/messages.js';
import { elicitedArguments } from './compare.js';
import type { Known, Question } from './known.js';
import { type Report, rowsOf } from './report.js';

/** One line of the file and why it is there; a line without a reason goes with the one before. */
type Line = readonly [text: string, why?: string];

/** Variable that the suggested file takes its key from. */
export const KEY_VARIABLE = 'MRTR_SEAL_KEY';
const MOST_NAME = 64;

/** YAML. `url` is where the server is; `report` says what it breaks today. */
export function suggestConfig(url: URL, known: Known, report: Report): string {
  const profile = fitsZe(known) ? 'ze' : 'spec';
  const lines: Line[] = [
    ['routes:'],
    [`  - path: ${pathOf(url)}`, 'where clients connect to the gateway: the same path as on the server'],
    [`    upstream: ${quoted(url.href)}`, 'the server that was checked'],
    [`    profile: ${profile}`, profileReason(known, profile)],
    ...stateLines(known),
    ...toolLines(known),
    ...legacyLines(known),
  ];
  const text = lines.flatMap(([line, why]) =>
    why === undefined ? [line] : [`${indentOf(line)}# ${why}`, line],
  );
  return `${[...heading(report), ...text, ...sealLines(known), ...brokenLines(report)].join('\n')}\n`;
}

function heading({ server, exchanges, called, tools }: Report): readonly string[] {
  const name = server === undefined ? 'a server that does not name itself' : display(server.name, MOST_NAME);
  return [
    `# Suggested by \`mrtr-gateway check --suggest\` for ${name}: ${exchanges} exchanges, ${called} of ${tools} tools called.`,
    '# Check it with `mrtr-gateway validate FILE`, and run it with `mrtr-gateway --config FILE`.',
  ];
}

/** Every question that there can be was seen, as far as a client can tell, and each is one that Ze's own manner allows. */
function fitsZe(known: Known): boolean {
  const { questions, tasksAsk } = known;
  return calledAll(known) && questions.length > 0 && !tasksAsk && questions.every(isZes);
}

function calledAll({ callable, tools }: Known): boolean {
  return callable.length === tools.length;
}

function isZes({ asked, requestState }: Question): boolean {
  return requestState === undefined && asked.length === 1 && asked.every(isPlainForm);
}

function isPlainForm(request: InputRequest): boolean {
  const stated = request.params !== undefined && has(request.params, 'mode');
  const [form] = elicitationsOf('form', [request]);
  return stated && elicitationMode(request) === 'form' && form !== undefined && isPlain(form.value);
}

function isPlain(schema: Parameters<typeof findFormFault>[0]): boolean {
  return findFormFault(schema, 'plain') === undefined;
}

function profileReason(known: Known, profile: string): string {
  if (!calledAll(known)) return 'not every tool was called: all that the revision allows gets through';
  if (known.questions.length === 0)
    return 'no tool asked for input: all that the revision allows gets through';
  return profile === 'ze'
    ? 'whatever it was seen asking is one plain form without a requestState: nothing wider need get through'
    : 'it was seen asking in more ways than one plain form without a requestState';
}

function issuesStates({ questions }: Known): boolean {
  return questions.some(({ requestState }) => requestState !== undefined);
}

function stateLines(known: Known): readonly Line[] {
  if (issuesStates(known))
    return [
      [
        '    requestState: seal',
        'it issues requestStates: they leave encrypted, and open only for their caller and call',
      ],
    ];
  if (known.questions.length > 0 && calledAll(known))
    return [
      [
        '    requestState: forbid',
        'it asks without a requestState, so that no retry has any business carrying one',
      ],
    ];
  return [
    [
      '    requestState: relay',
      'not all is known of its requestStates; seal protects them, forbid keeps them out',
    ],
  ];
}

function toolLines(known: Known): readonly Line[] {
  const elicited = [...elicitedArguments(known)].filter(([tool]) => tool !== '__proto__');
  if (elicited.length === 0) return [];
  const tools = elicited.map(
    ([tool, names]): Line => [
      `      ${quoted(tool)}: { elicits: [${names.map(quoted).join(', ')}] }`,
      'asked the user for an argument that its input schema has',
    ],
  );
  return [
    ['    tools:', 'arguments that clients without form mode must give, and others need not'],
    ...tools,
  ];
}

function legacyLines({ versions }: Known): readonly Line[] {
  const others = versions.filter((version) => version !== REVISION);
  if (others.length === 0) return [];
  return [
    [
      '    legacy: refuse',
      'it names earlier revisions too, under which none of these rules would hold; `pass` lets their clients through',
    ],
  ];
}

function sealLines(known: Known): readonly string[] {
  if (!issuesStates(known)) return [];
  return [
    'seal:',
    `  # every gateway in front of this server needs the same key: export ${KEY_VARIABLE}=$(mrtr-gateway keygen)`,
    `  keys: ['\${${KEY_VARIABLE}}']`,
  ];
}

/** Rules that the server breaks today stand as comments: what lets them pass is a decision. */
function brokenLines(report: Report): readonly string[] {
  const broken = rowsOf(report, 'fail');
  if (broken.length === 0) return [];
  return [
    '',
    '# The server breaks these today. The gateway refuses what breaks a rule of its own; to let it pass for now, and',
    '# have it counted and logged, set the rule to report: rules: { RULE: report }',
    ...broken.map(({ rule, evidence }) => `#   ${rule}: ${evidence[0]?.message ?? ''}`),
  ];
}

function pathOf({ pathname }: URL): string {
  return quoted(pathname);
}

/** JSON's text is YAML's too. A reference to a variable is none when it is doubled. */
function quoted(text: string): string {
  return displayJson(text.replaceAll('${', '$$$${'));
}

function indentOf(line: string): string {
  return /^ */.exec(line)?.[0] ?? '';
}
