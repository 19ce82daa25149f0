/** Checks on sealing and on who may call that look at more than one key. */
import {
  arrayMember,
  has,
  isObject,
  type JsonObject,
  member,
  objectMember,
  stringMember,
} from '../protocol/messages.js';
import { keyId, parseKey } from '../seal/key.js';
import { AUTH_KEYS, AUTH_MODES, type AuthMode } from './auth-schema.js';
import type { DraftRoute } from './draft.js';
import { type KeyPath, pathText } from './key-path.js';
import { shapeAt } from './keys.js';

type Report = (at: KeyPath, message: string) => void;

const STATE_RULE = 'request-state-accepted';

/** `explicit`: what was not written is not meant, as in a file; flags and objects may stand for a key of the process's own. */
export function checkSeal(
  root: JsonObject,
  routes: readonly DraftRoute[],
  explicit: boolean,
  report: Report,
): void {
  const seal = objectMember(root, 'seal') ?? {};
  checkKeys(arrayMember(seal, 'keys') ?? [], report);
  const sealing = routes.filter(({ requestState }) => requestState === 'seal');
  const [first] = sealing;
  const keyless = (arrayMember(seal, 'keys') ?? []).length === 0 && seal.ephemeral !== true;
  if (explicit && keyless && first !== undefined)
    report(
      ['seal', 'keys'],
      `is required, since ${pathText(first.at)} seals states: name a key (mrtr-gateway keygen), or set seal.ephemeral: true for one process that may forget, or another requestState for the route`,
    );
  for (const { source, at } of sealing) {
    if (source.mode === 'report')
      report([...at, 'requestState'], 'seal changes messages, which mode report never does: use relay');
    const severity = stringMember(objectMember(source, 'rules') ?? {}, STATE_RULE);
    if (severity !== undefined && severity !== 'enforce')
      report(
        [...at, 'rules', STATE_RULE],
        'cannot be softened where requestState is seal: the upstream would get a token that it never sent',
      );
  }
}

function checkKeys(keys: readonly unknown[], report: Report): void {
  const seen = new Map<string, number>();
  for (const [index, text] of keys.entries()) {
    const key = typeof text === 'string' ? parseKey(text) : undefined;
    if (key === undefined) continue;
    const first = seen.get(keyId(key));
    if (first === undefined) seen.set(keyId(key), index);
    else report(['seal', 'keys', index], `is the key of seal.keys[${first}] too`);
  }
}

export function checkAuth(root: JsonObject, { source, at, upstream }: DraftRoute, report: Report): void {
  const auth = objectMember(source, 'auth') ?? {};
  const mode = readMode(auth);
  const here = [...at, 'auth'];
  if (mode === undefined) return;
  for (const [name, modes] of AUTH_KEYS) {
    if (!modes.includes(mode) && isOwn(auth, name))
      report([...here, name], `has no meaning in mode ${mode}, only in ${modes.join(' and ')}`);
  }
  if (mode === 'bearer' && Object.keys(objectMember(auth, 'tokens') ?? {}).length === 0)
    report([...here, 'tokens'], 'is required in mode bearer');
  if (has(auth, 'proxyHeader') && (arrayMember(root, 'trustedProxies') ?? []).length === 0)
    report([...here, 'proxyHeader'], 'needs trustedProxies: nobody else is believed');
  if (mode === 'passthrough' && has(auth, 'claim') && isReplaced(upstream, auth))
    report(
      [...here, 'claim'],
      `would be verified by nobody, since upstream.headers sends another ${credentialOf(auth)}`,
    );
  if (mode !== 'jwt') return;
  for (const name of ['issuer', 'jwks']) {
    if (!has(auth, name)) report([...here, name], 'is required in mode jwt');
  }
  if (!has(root, 'publicUrl'))
    report(
      ['publicUrl'],
      `is required, since ${pathText(here)} has mode jwt: clients look for the metadata below it`,
    );
}

function isReplaced(upstream: JsonObject, auth: JsonObject): boolean {
  const names = Object.keys(objectMember(upstream, 'headers') ?? {});
  return names.some((name) => name.toLowerCase() === credentialOf(auth));
}

function credentialOf(auth: JsonObject): string {
  return (stringMember(auth, 'credential') ?? 'authorization').toLowerCase();
}

/** Something else than what is there without being written. */
function isOwn(auth: JsonObject, name: string): boolean {
  const standard = shapeAt(['routes', 0, 'auth', name])?.default;
  return has(auth, name) && JSON.stringify(member(auth, name)) !== JSON.stringify(standard);
}

function readMode(auth: JsonObject): AuthMode | undefined {
  if (!isObject(auth)) return undefined;
  return AUTH_MODES.find((mode) => mode === (auth.mode ?? 'passthrough'));
}
