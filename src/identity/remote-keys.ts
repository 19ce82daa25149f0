/** An authorization server's keys by URL: cached, fetched anew when a token names an unknown one, kept while the server is away. */
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from 'jose';

/** The keys cannot be had: nothing is known of the token. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

export interface RemoteKeysOptions {
  readonly timeoutMs?: number;
  /** How long fetched keys are used without asking again. */
  readonly maxAgeMs?: number;
  /** Least time between two fetches for a key that is not among the known ones. */
  readonly cooldownMs?: number;
  /** Least time between a fetch that failed and the next. */
  readonly retryMs?: number;
  /** How long known keys are used while newer ones cannot be fetched. */
  readonly staleMs?: number;
  readonly clock?: () => number;
}

const MAX_BYTES = 1_048_576;

const STANDARD = {
  timeoutMs: 5_000,
  maxAgeMs: 600_000,
  cooldownMs: 30_000,
  retryMs: 5_000,
  staleMs: 3_600_000,
  clock: Date.now,
};

export function remoteKeys(url: URL, options: RemoteKeysOptions = {}): JWTVerifyGetKey {
  const { timeoutMs, maxAgeMs, cooldownMs, retryMs, staleMs, clock } = { ...STANDARD, ...options };
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let failedAt = Number.NEGATIVE_INFINITY;
  const fetchKeys: typeof fetch = async (input, init) => {
    if (clock() < failedAt + retryMs) throw new KeysUnavailable('the keys could not be fetched a moment ago');
    try {
      const set = await readKeySet(await fetch(input, init));
      fetchedAt = clock();
      return Response.json(set);
    } catch (error) {
      failedAt = clock();
      throw error;
    }
  };
  const remote = createRemoteJWKSet(url, {
    timeoutDuration: timeoutMs,
    cacheMaxAge: maxAgeMs,
    cooldownDuration: cooldownMs,
    [customFetch]: fetchKeys as never,
  });
  return async (header, token) => {
    try {
      return await remote(header, token);
    } catch (error) {
      if (isAboutToken(error)) throw error;
      const stale = clock() < fetchedAt + maxAgeMs + staleMs ? remote.jwks() : undefined;
      if (stale === undefined) throw new KeysUnavailable('the keys cannot be fetched', { cause: error });
      return fromStale(stale, header, token);
    }
  };
}

/** Only a whole key set counts as fetched: anything else is a failure, whatever its status. */
async function readKeySet({ status, body }: Response): Promise<JSONWebKeySet> {
  if (status !== 200 || body === null) {
    await body?.cancel();
    throw new KeysUnavailable('the keys were not answered with 200');
  }
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body) {
    length += part.length;
    if (length > MAX_BYTES) throw new KeysUnavailable('the keys are too long');
    parts.push(part);
  }
  const set = JSON.parse(Buffer.concat(parts).toString('utf8')) as JSONWebKeySet;
  createLocalJWKSet(set);
  return set;
}

/** A key that is not among the stale ones may be among those that cannot be fetched. */
async function fromStale(stale: JSONWebKeySet, ...[header, token]: Parameters<JWTVerifyGetKey>) {
  try {
    return await createLocalJWKSet(stale)(header, token);
  } catch (error) {
    if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
    throw new KeysUnavailable('the keys cannot be fetched', { cause: error });
  }
}

/** The keys were had, and none is the one; anything else is the fault of who should have sent them. */
function isAboutToken(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported ||
    error instanceof errors.JOSEAlgNotAllowed
  );
}
