/** Answers that are no 2xx: errors of JSON-RPC, of OAuth, or text. */
import type { ClientMessage } from './client-message.js';
import { mediaTypeOf } from './head.js';
import { type Fate, hasVariantAnywhere, refuse, removedCode, type Waiting } from './outbound.js';
import { depthOf, readTree, repeatsName, textOf } from './slow-json.js';
import { folded, hasVariant, isMap, isText, type Json, namesIn, own } from './values.js';

const FORBIDDEN = ['result', 'method', 'inputRequests'];

export function errorFates(
  { status, head, body }: { status: number; head: readonly string[]; body: Uint8Array },
  { message }: Waiting,
): readonly Fate[] {
  const type = mediaTypeOf(head)?.type;
  if (status < 400 || type === 'text/event-stream') return [refuse('response-readable')];
  const text = textOf(body);
  if (text === undefined)
    return type === 'application/json' ? [refuse('response-readable')] : [SENT, refuse('response-readable')];
  if (text === '') return [{ kind: 'send', text }];
  const tree = readTree(text);
  if (tree === undefined) {
    const sent: Fate = { kind: 'send', text };
    return type === 'application/json' || text.startsWith('\ufeff')
      ? [sent, refuse('response-readable')]
      : [sent];
  }
  const value = JSON.parse(text) as Json;
  if (repeatsName(tree) || depthOf(tree) > 512 || carriesForbidden(value))
    return [refuse('response-readable')];
  const sent: Fate = { kind: 'send', text: withId(text, value, message.idText) };
  const rpc = own(value, 'jsonrpc') === '2.0' && isMap(own(value, 'error'));
  // Another protocol's errors may use the names in their own way.
  const open = hasVariantAnywhere(value) || !isMap(value) ? [refuse('response-readable')] : [];
  return [...open, ...(rpc ? rpcFates(value, sent, message) : [sent])];
}

const SENT: Fate = { kind: 'send', text: '' };

function rpcFates(value: Json, sent: Fate, message: ClientMessage): readonly Fate[] {
  const error = own(value, 'error');
  if (hasVariant(value, namesIn('JSONRPCErrorResponse')) || hasVariant(error, namesIn('Error')))
    return [refuse('response-readable')];
  const id = own(value, 'id') ?? null;
  if (message.isRequest && id !== null && id !== message.id) return [refuse('response-answers-request')];
  if (removedCode(own(error, 'code')) === 'yes') return [refuse('no-removed-message')];
  const proper = Number.isInteger(own(error, 'code')) && isText(own(error, 'message'));
  return proper ? [sent] : [sent, refuse('response-readable', 'response-answers-request')];
}

function carriesForbidden(value: Json): boolean {
  if (Array.isArray(value)) return value.some(carriesForbidden);
  return isMap(value) && Object.keys(value).some((name) => FORBIDDEN.map(folded).includes(folded(name)));
}

/** Without the request's id the client cannot tell what failed. */
function withId(text: string, value: Json, id: string | undefined): string {
  const rpc = own(value, 'jsonrpc') === '2.0' && isMap(own(value, 'error'));
  if (!rpc || id === undefined || (own(value, 'id') ?? null) !== null) return text;
  const given = /^(\s*\{(?:.*,)?\s*"id"\s*:\s*)null/s.exec(text)?.[1];
  return given === undefined
    ? text.replace('{', `{"id":${id},`)
    : `${given}${id}${text.slice(given.length + 'null'.length)}`;
}
