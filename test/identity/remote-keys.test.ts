import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, jwtVerify, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeysUnavailable, remoteKeys } from '../../src/identity/remote-keys.js';

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;

/** Bodies that no text is. */
const CUT = 'cut';
const ENDLESS = 'endless';

let server: Server;
let url: URL;
let answer: { readonly status: number; readonly body: string };
let fetched: number;
let now: number;
let pairs: Pair[];

beforeEach(async () => {
  pairs = await Promise.all(['a', 'b'].map(() => generateKeyPair('ES256', { extractable: true })));
  fetched = 0;
  now = 1_000_000;
  server = createServer((_, response) => {
    fetched += 1;
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    if (answer.body === CUT) response.write('{"keys":[', () => response.destroy());
    else if (answer.body === ENDLESS) pour(response);
    else response.end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`);
  answer = { status: 200, body: await setOf(0) };
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

function pour(response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write(' '.repeat(65_536)));
  };
  response.on('drain', more);
  more();
}

async function setOf(...indices: number[]): Promise<string> {
  const keys: JWK[] = [];
  for (const index of indices)
    keys.push({ ...(await exportJWK((pairs[index] as Pair).publicKey)), kid: `key-${index}`, alg: 'ES256' });
  return JSON.stringify({ keys });
}

async function signedBy(index: number): Promise<string> {
  return new SignJWT({ sub: 'ada' })
    .setProtectedHeader({ alg: 'ES256', kid: `key-${index}` })
    .sign((pairs[index] as Pair).privateKey);
}

const STANDARD = { maxAgeMs: 600_000, cooldownMs: 0, clock: () => now };

describe('the keys of an authorization server', () => {
  it('are fetched once for any number of tokens', async () => {
    const keys = remoteKeys(url, STANDARD);
    await Promise.all([signedBy(0), signedBy(0)].map(async (token) => jwtVerify(await token, keys)));
    await jwtVerify(await signedBy(0), keys);
    expect(fetched).toBe(1);
  });

  it('are fetched anew when a token names one that is not among them', async () => {
    const keys = remoteKeys(url, STANDARD);
    await jwtVerify(await signedBy(0), keys);
    answer = { status: 200, body: await setOf(0, 1) };
    await jwtVerify(await signedBy(1), keys);
    expect(fetched).toBe(2);
  });

  it('are not fetched anew for every unknown name', async () => {
    const keys = remoteKeys(url, { ...STANDARD, cooldownMs: 30_000 });
    await jwtVerify(await signedBy(0), keys);
    for (let times = 0; times < 5; times += 1) {
      await expect(jwtVerify(await signedBy(1), keys)).rejects.toMatchObject({
        code: 'ERR_JWKS_NO_MATCHING_KEY',
      });
    }
    expect(fetched).toBe(1);
  });

  const BROKEN = [
    ['answers with an error', { status: 500, body: '{}' }],
    ['redirects', { status: 302, body: '' }],
    ['answers with something else', { status: 200, body: '<html>' }],
    ['answers with no key set', { status: 200, body: '{"keys":{}}' }],
    ['breaks off', { status: 200, body: CUT }],
    ['answers without an end', { status: 200, body: ENDLESS }],
  ] as const;

  it.each(BROKEN)(
    'are unavailable when the server %s, and are not asked for at once again',
    async (_, broken) => {
      const keys = remoteKeys(url, STANDARD);
      answer = broken;
      for (let times = 0; times < 3; times += 1)
        await expect(jwtVerify(await signedBy(0), keys)).rejects.toThrow(KeysUnavailable);
      expect(fetched).toBe(1);
    },
  );

  it.each(BROKEN)('are not used for longer because the server %s', async (_, broken) => {
    const keys = remoteKeys(url, { ...STANDARD, maxAgeMs: 0, staleMs: 60_000 });
    await jwtVerify(await signedBy(0), keys);
    answer = broken;
    now += 50_000;
    await jwtVerify(await signedBy(0), keys);
    now += 20_000;
    await expect(jwtVerify(await signedBy(0), keys)).rejects.toThrow(KeysUnavailable);
  });

  it('are unavailable when there is no server', async () => {
    const nowhere = new URL('http://127.0.0.1:1/jwks');
    await expect(jwtVerify(await signedBy(0), remoteKeys(nowhere, STANDARD))).rejects.toThrow(
      KeysUnavailable,
    );
  });

  it('are asked for again only a while after it failed', async () => {
    const keys = remoteKeys(url, { ...STANDARD, retryMs: 5_000 });
    answer = { status: 503, body: '' };
    await expect(jwtVerify(await signedBy(0), keys)).rejects.toThrow(KeysUnavailable);
    await expect(jwtVerify(await signedBy(0), keys)).rejects.toThrow(KeysUnavailable);
    expect(fetched).toBe(1);
    answer = { status: 200, body: await setOf(0) };
    now += 5_000;
    await jwtVerify(await signedBy(0), keys);
    expect(fetched).toBe(2);
  });

  it('serve on for a while when newer ones cannot be fetched', async () => {
    const keys = remoteKeys(url, { ...STANDARD, maxAgeMs: 0, staleMs: 60_000 });
    await jwtVerify(await signedBy(0), keys);
    answer = { status: 503, body: '' };
    await jwtVerify(await signedBy(0), keys);
    expect(fetched).toBe(2);
    // Whether it is a good one cannot be known.
    await expect(jwtVerify(await signedBy(1), keys)).rejects.toThrow(KeysUnavailable);
    now += 60_001;
    await expect(jwtVerify(await signedBy(0), keys)).rejects.toThrow(KeysUnavailable);
  });
});
