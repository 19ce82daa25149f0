/** What single values must look like. Each check returns a sentence that never repeats the value. */
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { HOP_BY_HOP } from '../protocol/http.js';
import { arrayMember, has, isObject, type JsonValue } from '../protocol/messages.js';
import { isLoopbackHost } from '../protocol/origins.js';
import { parseKey } from '../seal/key.js';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;
const PATH = /^\/[A-Za-z0-9._~!$&'()*+,=:@/-]*$/;
const FIELD_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const FIELD_VALUE = /^[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/;
const RESERVED_FIELD =
  /^(content-.*|x-forwarded-.*|mcp-.*|accept|accept-encoding|expect|forwarded|traceparent|tracestate|via)$/;
const MAX_PATH = 256;

export type Fault = (text: string) => string | undefined;

export const nameFault: Fault = (text) =>
  NAME.test(text) ? undefined : 'expected 1 to 63 letters, digits, `.`, `_` or `-`, a letter or digit first';

/** A pathname that every server reads alike. */
function pathFault(text: string): string | undefined {
  if (!text.startsWith('/')) return 'must start with /';
  if (text.length > MAX_PATH) return `must not be longer than ${MAX_PATH} characters`;
  if (/[?#]/.test(text)) return 'must be a path alone, without query or fragment';
  if (/[%;\\]/.test(text)) return 'must not contain %, ; or \\';
  if (text.includes('//')) return 'must not contain //';
  if (/\/\.{1,2}(\/|$)/.test(text)) return 'must not contain . or .. segments';
  return PATH.test(text) ? undefined : 'must not contain spaces or characters that a URL would encode';
}

export const mcpPathFault: Fault = (text) =>
  pathFault(text) ?? (text !== '/' && text.endsWith('/') ? 'must not end with /' : undefined);

export const passThroughFault: Fault = (text) =>
  pathFault(text) ?? (text === '/' ? 'would pass everything: name a path or a prefix below /' : undefined);

export const originFault: Fault = (text) => {
  if (text === 'null') return 'the origin null stands for nobody in particular and cannot be allowed';
  if (text.includes('*')) return 'wildcards are not supported: name each origin';
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\\\s]+$/.test(text))
    return 'expected a serialized origin, for example https://app.example.com';
  if (!/^https?:/.test(text)) return text === text.toLowerCase() ? undefined : 'expected lower case';
  return readUrl(text)?.origin === text
    ? undefined
    : 'expected the origin as browsers send it: lower case, without the default port';
};

export const publicUrlFault: Fault = (text) => {
  const fault = urlFault(text);
  if (fault !== undefined) return fault;
  return text.includes('?') ? 'must not have a query' : undefined;
};

/** An absolute http or https URL without credentials and fragment. */
export const urlFault: Fault = (text) => {
  const url = readUrl(text);
  if (url === undefined || !/^https?:\/\//i.test(text) || /[\s\\]/.test(text))
    return 'expected an absolute http or https URL, for example http://127.0.0.1:9718/mcp';
  if (url.username !== '' || url.password !== '' || /^[^/]*\/\/[^/?#]*@/.test(text))
    return 'must not contain credentials; send them with upstream.headers';
  return text.includes('#') ? 'must not have a fragment' : undefined;
};

export function readUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** Fields that the gateway itself writes or that must not be forged. */
export const fieldNameFault: Fault = (text) => {
  const name = text.toLowerCase();
  if (!FIELD_NAME.test(text)) return 'is not the name of an HTTP header field';
  if (HOP_BY_HOP.has(name) || RESERVED_FIELD.test(name)) return 'is a field that the gateway writes itself';
  return undefined;
};

export const fieldValueFault: Fault = (text) =>
  FIELD_VALUE.test(text)
    ? undefined
    : 'is not a legal header value (control characters, leading or trailing space)';

export const certificateFault: Fault = (text) => {
  try {
    new X509Certificate(text);
    return undefined;
  } catch {
    return 'expected a certificate in PEM form';
  }
};

export const privateKeyFault: Fault = (text) => {
  try {
    createPrivateKey(text);
    return undefined;
  } catch {
    return 'expected an unencrypted private key in PEM form';
  }
};

export const sealKeyFault: Fault = (text) =>
  parseKey(text) === undefined ? 'expected a 256-bit key as `mrtr-gateway keygen` prints it' : undefined;

export const redisUrlFault: Fault = (text) => {
  const url = readUrl(text);
  return url !== undefined && /^rediss?:$/.test(url.protocol) && url.hostname !== ''
    ? undefined
    : 'expected a redis:// or rediss:// URL, for example redis://127.0.0.1:6379/0';
};

export const tokenHashFault: Fault = (text) =>
  /^sha256:[0-9a-f]{64}$/.test(text)
    ? undefined
    : 'expected the hash of a token as `mrtr-gateway keygen --token` prints it';

export const scopeFault: Fault = (text) =>
  /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(text) ? undefined : 'expected a single scope without spaces';

/** Where tokens come from, and the keys to check them with: over the network only with TLS. */
export const issuerFault: Fault = (text) => {
  const fault = urlFault(text);
  if (fault !== undefined) return fault.startsWith('expected') ? EXPECTED_HTTPS : fault;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || isLoopbackHost(hostname) ? undefined : EXPECTED_HTTPS;
};
const EXPECTED_HTTPS = 'expected an https URL, for example https://auth.example.com';

export const jwksFault: Fault = (text) => {
  if (!text.trimStart().startsWith('{')) return issuerFault(text);
  return isKeySet(text) ? undefined : 'expected a JSON Web Key Set of public keys';
};

function isKeySet(text: string): boolean {
  try {
    const set = JSON.parse(text) as JsonValue;
    const keys = isObject(set) ? arrayMember(set, 'keys') : undefined;
    return keys?.every(isPublicKey) === true;
  } catch {
    return false;
  }
}

/** Throws for a key that is none; keys of kinds that nothing is known of are left alone. */
function isPublicKey(key: JsonValue): boolean {
  if (!isObject(key) || !has(key, 'kty') || has(key, 'd') || has(key, 'k')) return false;
  if (['RSA', 'EC', 'OKP'].includes(String(key.kty)))
    createPublicKey({ key: key as Record<string, string>, format: 'jwk' });
  return true;
}
