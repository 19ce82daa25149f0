/** What a token says, as text: a line of JSON, and after it the server's own string as it was written. */
import type { StateToken } from '../engine/state.js';
import type { AskedInput, AskedKind } from '../protocol/asked.js';
import type { JsonObject } from '../protocol/messages.js';
import { parseJson } from '../protocol/parse.js';

const KINDS: readonly AskedKind[] = ['elicitation_form', 'elicitation_url', 'sampling', 'roots'];

type Line = readonly [
  issuedAt: number,
  lifetime: number,
  sinceFirst: number,
  round: number,
  route: string,
  method: string,
  target: string,
  principal: string,
  params: string,
  answered: string,
  ...asked: (readonly [key: string, kind: number, schema?: JsonObject])[],
];

export function encodeState(token: StateToken): string {
  const { issuedAt, expiresAt, firstAt, round, route, method, target, principal, params, answered } = token;
  const asked = token.asked.map(({ key, kind, schema }) =>
    schema === undefined
      ? ([key, KINDS.indexOf(kind)] as const)
      : ([key, KINDS.indexOf(kind), schema] as const),
  );
  const line: Line = [
    issuedAt,
    expiresAt - issuedAt,
    issuedAt - firstAt,
    round,
    route,
    method,
    target,
    principal,
    params,
    answered,
    ...asked,
  ];
  return token.inner === undefined ? JSON.stringify(line) : `${JSON.stringify(line)}\n${token.inner}`;
}

/** The text is one of `encodeState`: it was authenticated, and its version is this one's. */
export function decodeState(text: string): StateToken {
  const end = text.indexOf('\n');
  const line = parseJson(end < 0 ? text : text.slice(0, end)) as unknown as Line;
  const [
    issuedAt,
    lifetime,
    sinceFirst,
    round,
    route,
    method,
    target,
    principal,
    params,
    answered,
    ...asked
  ] = line;
  return {
    issuedAt,
    expiresAt: issuedAt + lifetime,
    firstAt: issuedAt - sinceFirst,
    round,
    route,
    method,
    target,
    principal,
    params,
    answered,
    asked: asked.map(decodeAsked),
    inner: end < 0 ? undefined : text.slice(end + 1),
  };
}

function decodeAsked([key, kind, schema]: readonly [string, number, JsonObject?]): AskedInput {
  return { key, kind: KINDS[kind] as AskedKind, schema };
}
