/** A form, field by field; what was said is shown before it is sent (client/elicitation#user-interaction-model). */
import type { Answer } from '../../client/call.js';
import { display, displayJson, displayLines } from '../../client/display.js';
import { type Field, typedValue } from '../../client/fields.js';
import type { JsonObject, JsonValue } from '../../protocol/messages.js';
import { parseJson } from '../../protocol/parse.js';
import { controlOf, type Person } from './ask.js';
import type { Line } from './lines.js';
import { fieldTitle } from './questions.js';

type Given = { readonly value: JsonValue | undefined } | { readonly control: Answer };
type Read = { readonly value: JsonValue } | { readonly fault: string };

const WAYS_OUT =
  '  Enter alone takes the default or leaves out. /decline refuses; /cancel, Esc or Ctrl-D dismisses; /omit retries without.';

export async function askForm(person: Person, fields: readonly Field[]): Promise<Answer> {
  person.say(person.paint.dim(WAYS_OUT));
  let before: JsonObject = {};
  for (;;) {
    const content: [string, JsonValue][] = [];
    for (const field of fields) {
      const given = await askField(person, field, before[field.name] ?? field.default);
      if ('control' in given) return given.control;
      if (given.value !== undefined) content.push([field.name, given.value]);
    }
    before = Object.fromEntries(content);
    const answer = await review(person, before);
    if (answer !== 'edit') return answer;
  }
}

async function review({ lines, say }: Person, content: JsonObject): Promise<Answer | 'edit'> {
  say('  This is what is sent:');
  const entries = Object.entries(content);
  for (const [name, value] of entries) say(`    ${display(name, 200)}: ${displayJson(value)}`);
  if (entries.length === 0) say('    nothing but that you accept');
  for (;;) {
    const line = await lines.next('[y] send  [e] edit  [n] decline  [c] cancel > ');
    const control = controlOf(line);
    if (control !== undefined) return control;
    const letter = typeof line === 'string' ? '' : line.text.trim().toLowerCase();
    if (letter === 'y' || letter === 'yes') return { result: { action: 'accept', content } };
    if (letter === 'e') return 'edit';
    if (letter === 'n' || letter === 'no') return { result: { action: 'decline' } };
    if (letter === 'c') return { result: { action: 'cancel' } };
    say('  Please answer y, e, n or c.');
  }
}

async function askField(
  { lines, say, paint }: Person,
  field: Field,
  standard: JsonValue | undefined,
): Promise<Given> {
  say(`  ${paint.bold(fieldTitle({ ...field, options: [] }))}`);
  for (const line of displayLines(field.description ?? '', 2_000)) if (line !== '') say(`    ${line}`);
  for (const [index, { value, title }] of field.options.entries())
    say(
      `    ${index + 1}) ${display(title ?? value, 200)}${title === undefined ? '' : ` = ${display(value, 200)}`}`,
    );
  const shown = standard === undefined ? '' : ` [${displayJson(standard)}]`;
  for (;;) {
    const line = await lines.next(`${display(field.name, 60)}${shown}> `);
    const control = controlOf(line);
    if (control !== undefined) return { control };
    const text = textOf(line);
    if (text === '' && standard !== undefined) return { value: standard };
    if (text === '' && !field.required) return { value: undefined };
    const read = text === '' ? { fault: 'it is required; "" stands for empty text' } : readValue(field, text);
    if ('value' in read) return { value: read.value };
    say(paint.warn(`    ${read.fault}${field.bounds.length === 0 ? '' : ` (${field.bounds.join(', ')})`}`));
  }
}

/** `//decline` is the text `/decline`. */
function textOf(line: Line): string {
  return typeof line === 'string' ? '' : line.text.replace(/^\/\//, '/');
}

function readValue(field: Field, text: string): Read {
  if (field.type === 'other') return readJson(text);
  const value =
    field.type === 'choices' ? text.split(/[\s,]+/).map((one) => chosen(field, one)) : one(field, text);
  const fault = field.fault(value);
  return fault === undefined ? { value } : { fault };
}

function one(field: Field, text: string): JsonValue {
  if (field.type === 'choice') return chosen(field, text.trim());
  if (text === '""') return '';
  return typedValue(field, text);
}

/** By number, or by value; an option may itself be called `2`. */
function chosen({ options }: Field, text: string): string {
  if (options.some(({ value }) => value === text)) return text;
  return (/^\d+$/.test(text) ? options[Number(text) - 1]?.value : undefined) ?? text;
}

function readJson(text: string): Read {
  const value = parseJson(text);
  return value === undefined
    ? { fault: 'the revision has no such field: only JSON can answer it' }
    : { value };
}
