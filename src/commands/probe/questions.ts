/** What a server asks for, as lines for people. */
import { display, displayJson, displayLines } from '../../client/display.js';
import { type Field, readFields } from '../../client/fields.js';
import { METHOD_ELICIT } from '../../protocol/constants.js';
import { elicitationMode } from '../../protocol/elicitations.js';
import type { InputRequest } from '../../protocol/input-requests.js';
import { stringMember } from '../../protocol/messages.js';

/** `ze_execute_command: elicitation/create form` */
export function questionTitle(request: InputRequest): string {
  const mode = elicitationMode(request);
  const method = display(request.method ?? 'no method', 100);
  return `${display(request.key, 200)}: ${method}${mode === undefined ? '' : ` ${mode}`}`;
}

export function questionLines(request: InputRequest): readonly string[] {
  const { params = {} } = request;
  const mode = elicitationMode(request);
  if (request.method !== METHOD_ELICIT) return [displayJson(request.params ?? request.value)];
  const message = displayLines(stringMember(params, 'message') ?? '', 5_000);
  if (mode === 'url') return [...message, ...urlLines(stringMember(params, 'url') ?? '')];
  return [...message, ...readFields(request).map((field) => `${fieldTitle(field)}${described(field)}`)];
}

/** `command (ze command): text, required` */
export function fieldTitle(field: Field): string {
  const title = field.title === undefined ? '' : ` (${display(field.title, 200)})`;
  const words: readonly string[] = [
    field.type === 'other' ? 'not a field that the revision allows' : field.type,
    field.required ? 'required' : 'optional',
    ...field.bounds,
  ];
  const options = field.options.map(({ value, title: name }) =>
    name === undefined ? display(value, 100) : `${display(value, 100)} (${display(name, 100)})`,
  );
  const among = options.length === 0 ? '' : ` of ${options.join(' | ')}`;
  const standard = field.default === undefined ? '' : `, by default ${displayJson(field.default)}`;
  return `${display(field.name, 200)}${title}: ${words[0]}${among}, ${words.slice(1).join(', ')}${standard}`;
}

function described({ description }: Field): string {
  return description === undefined ? '' : `  ${display(description, 500)}`;
}

/** The host apart, since that is what decides whom the user would trust; the whole URL after it. */
export function urlLines(text: string): readonly string[] {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return [
    `host: ${url === undefined ? 'none, this is no URL' : display(url.host === '' ? url.protocol : url.host, 300)}`,
    `url: ${display(text, 5_000)}`,
    ...(url === undefined ? [] : urlWarnings(url).map((warning) => `warning: ${warning}`)),
  ];
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

function urlWarnings(url: URL): readonly string[] {
  const warnings: string[] = [];
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname)))
    warnings.push('it is not https');
  if (url.username !== '' || url.password !== '') warnings.push('what stands before the @ is not the host');
  if (/(^|\.)xn--/.test(url.hostname)) warnings.push('the host name has letters that may look like others');
  if (/^(\d+\.){3}\d+$|^\[/.test(url.hostname) && !LOOPBACK.test(url.hostname))
    warnings.push('the host is an address without a name');
  return warnings;
}
