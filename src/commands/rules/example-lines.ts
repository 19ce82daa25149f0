/** Examples as lines: a request with its head, or an answer with what it answers. */
import { displayJson } from '../../client/display.js';
import { JSON_TYPE } from '../../client/request.js';
import type { Example, Explanation } from '../../explain/example.js';
import { answerText, requestOf } from '../../explain/judge.js';
import { METHOD_TOOLS_CALL } from '../../protocol/constants.js';
import { isArray, type JsonValue } from '../../protocol/messages.js';
import { wrapped as wrap } from '../help.js';

const WIDTH = 96;
/** Of a character that is repeated very often. */
const SHOWN_OF_RUN = 20;

/** Configuration that the examples are judged under, when it is not the default. */
export function settingLines({ route, config }: Explanation): readonly string[] {
  const keys = { ...config, ...(route !== undefined && { routes: [route] }) };
  return Object.keys(keys).length === 0 ? [] : [`under ${displayJson(keys)}`];
}

export function requestLines({ request, sealedFor }: Example): readonly string[] {
  const { headers, body } = requestOf(request);
  return [
    ...(sealedFor === undefined
      ? []
      : ['the state was sealed for', ...prettyLines(JSON.stringify(sealedFor))]),
    'POST /mcp',
    ...headers.map(([name, value]) => `${name}: ${value}`),
    '',
    ...(request?.body === undefined ? prettyLines(body.toString()) : wrapped(shortened(body.toString()))),
  ];
}

export function answerLines({ request, answer }: Example): readonly string[] {
  const { method = METHOD_TOOLS_CALL, capabilities = {}, meta } = request ?? {};
  const asked = meta === undefined ? '' : `, with ${displayJson(meta)} in _meta`;
  const lines = [
    ...wrapped(`in answer to ${method} of a client that declares ${displayJson(capabilities)}${asked}`),
  ];
  if (answer === undefined) return lines;
  const { type = JSON_TYPE, event, body } = answer;
  if (event !== undefined)
    lines.push(event === 'first' ? 'as the first event of a stream' : 'as an event of a stream');
  if (type !== JSON_TYPE) lines.push(`Content-Type: ${type}`);
  return [...lines, ...(body === undefined ? prettyLines(answerText(answer)) : [body])];
}

/** JSON as people write it: what fits a line stays on one; long texts are cut. */
export function prettyLines(json: string): readonly string[] {
  const value = JSON.parse(json, (_, inner) => (typeof inner === 'string' ? shortened(inner) : inner));
  return pretty(value as JsonValue, '', '').split('\n');
}

function pretty(value: JsonValue, before: string, indent: string): string {
  const inline = JSON.stringify(value).replace(/"(?:[^"\\]|\\.)*"|[:,]/g, (token) =>
    token.length > 1 ? token : `${token} `,
  );
  if (
    typeof value !== 'object' ||
    value === null ||
    indent.length + before.length + inline.length <= WIDTH - 12
  )
    return before + inline;
  const [open, close] = isArray(value) ? '[]' : '{}';
  const inner = `${indent}  `;
  const items = isArray(value)
    ? value.map((item) => pretty(item, '', inner))
    : Object.entries(value).map(([name, item]) => pretty(item, `${JSON.stringify(name)}: `, inner));
  return `${before}${open}\n${items.map((item) => inner + item).join(',\n')}\n${indent}${close}`;
}

function shortened(text: string): string {
  const run = /(.)\1{80,}/.exec(text);
  if (run === null) return text;
  const { index, 0: repeated } = run;
  return `${text.slice(0, index + SHOWN_OF_RUN)}…${text.slice(index + repeated.length)}`;
}

/** So that a line fits most terminals. */
export function wrapped(text: string): readonly string[] {
  return wrap(text, WIDTH);
}
