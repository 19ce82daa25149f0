/** What an input request asks a user for, when it is an elicitation (client/elicitation#elicitation-requests). */
import { METHOD_ELICIT } from './constants.js';
import type { InputRequest } from './input-requests.js';
import { has, type JsonObject, type JsonValue, member } from './messages.js';

/** `unknown`: the mode is stated and is none that the revision defines. */
export type StatedMode = 'form' | 'url' | 'unknown';

/** How a client reads the entry: an absent mode is form. Undefined when the entry is no elicitation. */
export function elicitationMode(request: InputRequest): StatedMode | undefined {
  if (request.method !== METHOD_ELICIT) return undefined;
  if (request.params === undefined || !has(request.params, 'mode')) return 'form';
  const mode = member(request.params, 'mode');
  return mode === 'form' || mode === 'url' ? mode : 'unknown';
}

/** An elicitation of one mode with the member that makes it one: `requestedSchema` of a form, `url` of a URL elicitation. */
export interface Elicitation {
  /** JSON Pointer to the value in the message. */
  readonly at: string;
  readonly params: JsonObject;
  /** The member, whatever its type. */
  readonly value: JsonValue;
}

const CARRIERS = { form: 'requestedSchema', url: 'url' } as const;

/** The elicitations of a mode that carry what the mode is about; others are not well formed, which is judged elsewhere. */
export function elicitationsOf(mode: 'form' | 'url', asked: readonly InputRequest[]): readonly Elicitation[] {
  const name = CARRIERS[mode];
  const found: Elicitation[] = [];
  for (const request of asked) {
    const { params } = request;
    if (elicitationMode(request) !== mode || params === undefined) continue;
    const value = member(params, name);
    if (value !== undefined) found.push({ at: `${request.at}/params/${name}`, params, value });
  }
  return found;
}
