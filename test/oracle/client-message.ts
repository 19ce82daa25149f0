/** A message of the client, and what it declares: every rule on it or on its answer reads it so. */
import { memberOf, readTree, type Tree, textOf } from './slow-json.js';
import { holdsName, isMap, isText, type Json, type JsonMap, META, mapOf, own, TASKS } from './values.js';

export type Profile = 'spec' | 'ze';

/** A request or notification that was read. */
export interface ClientMessage {
  readonly value: JsonMap;
  readonly method: string;
  readonly isRequest: boolean;
  /** The id as it was written; undefined when there is none that can be answered. */
  readonly id: Json | undefined;
  readonly idText: string | undefined;
  readonly params: JsonMap;
  readonly meta: JsonMap;
  readonly capabilities: JsonMap;
}

export function messageOf(body: Uint8Array): ClientMessage {
  const text = textOf(body) ?? '';
  const tree = readTree(text);
  const whole: Json = tree === undefined ? {} : (JSON.parse(text) as Json);
  const value = isMap(whole) ? whole : {};
  const id = own(value, 'id');
  const params = mapOf(value, 'params');
  const meta = mapOf(params, '_meta');
  return {
    value,
    method: isText(own(value, 'method')) ? (own(value, 'method') as string) : '',
    isRequest: holdsName(value, 'id'),
    id: isText(id) || Number.isInteger(id) ? id : undefined,
    idText: idTextOf(memberOf(tree, 'id')),
    params,
    meta,
    capabilities: mapOf(meta, `${META}clientCapabilities`),
  };
}

export function declaresTasks({ capabilities }: ClientMessage): boolean {
  return isMap(own(mapOf(capabilities, 'extensions'), TASKS));
}

function idTextOf(tree: Tree | undefined): string | undefined {
  if (tree?.kind === 'string') return JSON.stringify(tree.value);
  return tree?.kind === 'number' ? tree.lexeme : undefined;
}
