/** The lines that a probe is driven by. */
import type { Said } from '../../client/answering.js';
import { EVERY_CHANGE } from '../../client/listen.js';
import { suggestion } from '../../config/nearest.js';
import { isObject, type JsonObject } from '../../protocol/messages.js';
import { parseJson } from '../../protocol/parse.js';

export type Listed = 'tools' | 'prompts' | 'resources' | 'templates';

export type Directive =
  | { readonly kind: 'tool' | 'prompt'; readonly name: string; readonly args: JsonObject }
  | { readonly kind: 'read'; readonly uri: string }
  | { readonly kind: 'list'; readonly what: Listed }
  | { readonly kind: 'discover' | 'help' | 'quit' }
  | { readonly kind: 'listen'; readonly forMs: number; readonly filter: JsonObject }
  /** Without an id: the task that was begun last. */
  | { readonly kind: 'task'; readonly id: string | undefined }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'state'; readonly state: string }
  | { readonly kind: 'elicit-answer'; readonly said: Said | 'omit' }
  | { readonly kind: 'sample-answer'; readonly said: string }
  | { readonly kind: 'roots-answer'; readonly uris: readonly string[] };

/** A line that is no directive; the sentence is for whoever wrote it. */
export interface Misread {
  readonly problem: string;
}

type Read = (rest: string) => Directive | Misread;

interface Kind {
  readonly form: string;
  readonly says: string;
  readonly read: Read;
}

/** By the word that a line begins with. The order is that of the help. */
const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  [
    '@',
    {
      form: '@TOOL [{json}]',
      says: 'calls a tool and answers what it asks',
      read: named('tool', '@TOOL {json}'),
    },
  ],
  [
    'elicit-answer',
    {
      form: 'elicit-answer accept|decline|cancel|omit [value]',
      says: 'queues an answer to the next elicitation: plain text for a form of one field, JSON for several',
      read: readElicitAnswer,
    },
  ],
  ['sample-answer', { form: 'sample-answer TEXT', says: 'queues an answer to sampling', read: readSample }],
  ['roots-answer', { form: 'roots-answer [URI …]', says: 'queues an answer to roots/list', read: readRoots }],
  [
    'state',
    {
      form: 'state TEXT',
      says: 'makes the next request carry a requestState that nobody issued',
      read: (state) => (state === '' ? misread('state TEXT') : { kind: 'state', state }),
    },
  ],
  [
    'list',
    { form: 'list [tools|prompts|resources|templates]', says: 'lists them, every page', read: readList },
  ],
  ['discover', { form: 'discover', says: 'asks what the server is', read: alone('discover') }],
  [
    'read',
    {
      form: 'read URI',
      says: 'reads a resource',
      read: (uri) => (uri === '' ? misread('read URI') : { kind: 'read', uri }),
    },
  ],
  [
    'prompt',
    { form: 'prompt NAME [{json}]', says: 'gets a prompt', read: named('prompt', 'prompt NAME {json}') },
  ],
  [
    'listen',
    {
      form: 'listen SECONDS [{filter}]',
      says: 'subscribes to changes for so long, while the lines after it run',
      read: readListen,
    },
  ],
  [
    'task',
    {
      form: 'task [ID]',
      says: 'follows a task to its end, by default the last one that was begun',
      read: (id) => ({ kind: 'task', id: id === '' ? undefined : id }),
    },
  ],
  ['wait', { form: 'wait 2s', says: 'waits; also 200ms', read: readWait }],
  ['help', { form: 'help', says: 'lists these directives', read: alone('help') }],
  ['quit', { form: 'quit', says: 'ends the probe', read: alone('quit') }],
]);

export const DIRECTIVE_ROWS: readonly (readonly [string, string])[] = [
  ...[...KINDS.values()].map(({ form, says }) => [form, says] as const),
  ['# comment', 'is not read'],
];

/** Undefined: nothing to do. */
export function parseDirective(line: string): Directive | Misread | undefined {
  const text = line.trim();
  if (text === '' || text.startsWith('#')) return undefined;
  if (text.startsWith('@')) return KINDS.get('@')?.read(text.slice(1));
  const [word = ''] = text.split(/\s/, 1);
  const kind = KINDS.get(word);
  if (kind !== undefined) return kind.read(text.slice(word.length).trim());
  return { problem: `not a directive${suggestion(word, KINDS.keys()) || '; `help` lists them'}` };
}

function named(kind: 'tool' | 'prompt', form: string): Read {
  return (rest) => {
    const [name = ''] = rest.split(/\s/, 1);
    if (name === '' || name.startsWith('{')) return misread(form);
    const text = rest.slice(name.length).trim();
    const args = text === '' ? {} : parseJson(text);
    return isObject(args) ? { kind, name, args } : { problem: `the arguments are no JSON object: ${form}` };
  };
}

function alone(kind: 'discover' | 'help' | 'quit'): Read {
  return (rest) => (rest === '' ? { kind } : { problem: `${kind} stands alone` });
}

function readElicitAnswer(rest: string): Directive | Misread {
  const [action = ''] = rest.split(/\s/, 1);
  const value = rest.slice(action.length).trim();
  if (action === 'omit' && value === '') return { kind: 'elicit-answer', said: 'omit' };
  if (action === 'accept')
    return { kind: 'elicit-answer', said: { action, value: value === '' ? undefined : value } };
  if ((action === 'decline' || action === 'cancel') && value === '')
    return { kind: 'elicit-answer', said: { action } };
  return misread('elicit-answer accept [value] | decline | cancel | omit');
}

function readSample(said: string): Directive | Misread {
  return said === '' ? misread('sample-answer TEXT') : { kind: 'sample-answer', said };
}

function readRoots(rest: string): Directive {
  return { kind: 'roots-answer', uris: rest.split(/\s+/).filter((uri) => uri !== '') };
}

function readList(rest: string): Directive | Misread {
  const what = rest === '' ? 'tools' : rest;
  if (what === 'tools' || what === 'prompts' || what === 'resources' || what === 'templates')
    return { kind: 'list', what };
  return misread('list [tools|prompts|resources|templates]');
}

function readListen(rest: string): Directive | Misread {
  const [time = ''] = rest.split(/\s/, 1);
  const forMs = durationOf(time);
  const text = rest.slice(time.length).trim();
  const filter = text === '' ? EVERY_CHANGE : parseJson(text);
  if (forMs === undefined || !isObject(filter)) return misread('listen SECONDS [{filter}]');
  return { kind: 'listen', forMs, filter };
}

function readWait(rest: string): Directive | Misread {
  const ms = durationOf(rest);
  return ms === undefined ? misread('wait 2s') : { kind: 'wait', ms };
}

const MAX_MS = 86_400_000;

/** `2s`, `200ms`, `1.5`: seconds when no unit is named. */
function durationOf(text: string): number | undefined {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)(ms|s)?$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  return Math.min(Number(digits) * (unit === 'ms' ? 1 : 1_000), MAX_MS);
}

function misread(form: string): Misread {
  return { problem: `expected: ${form}` };
}
