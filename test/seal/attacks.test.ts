/** What somebody tried who wanted in, each as it was tried: through a gateway in front of a server that believes everything. */
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startUpstream, type Upstream } from '../support/upstream.js';
import { type Ask, answer, asking, book, FORM, startSealing, tokenOf } from './asking.js';

const REFUSED = 'invalid params: params.requestState is not valid for this request';

afterEach(() => {
  vi.useRealTimers();
});

async function sealed(config: Parameters<typeof startSealing>[1] = {}, ...asks: readonly Ask[]) {
  const upstream = await startUpstream(asking(...asks));
  onTestFinished(() => upstream.close());
  return { upstream, url: (await startSealing(upstream.url, config)).url };
}

async function sealedUpstream(): Promise<Upstream> {
  const upstream = await startUpstream(asking());
  onTestFinished(() => upstream.close());
  return upstream;
}

function later(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
}

const reached = ({ requests }: Upstream) => requests.length;

describe('an answer outside the form', () => {
  it.each<[string, object]>([
    ['as it is', { ask: { action: 'accept', content: { seats: 99 } } }],
    [
      'in another letter case beside a good one',
      { ask: { action: 'accept', content: { seats: 1, Seats: 99 } } },
    ],
    ['in letters that fold to it', { ask: { action: 'accept', content: { seats: 1, ſeats: 99 } } }],
    [
      'under another key that some servers take for it',
      {
        ask: { action: 'accept', content: { seats: 1 } },
        ASK: { action: 'accept', content: { seats: 99 } },
      },
    ],
  ])('does not reach the server %s', async (_, inputResponses) => {
    const { url, upstream } = await sealed();
    const { status, message } = await answer(url, await tokenOf(url), { params: { inputResponses } });
    expect([status, message.error.data.rule]).toEqual([400, 'answer-matches-schema']);
    expect(reached(upstream)).toBe(1);
  });

  it('does not come without its state in another shape, where the route seals always', async () => {
    const rules = { 'input-responses-shape': 'off' };
    const { url, upstream } = await sealed(
      { seal: { always: true }, route: { rules } },
      { inputRequests: { ask: FORM } },
    );
    for (const inputResponses of [[{ action: 'accept' }], 'accept']) {
      const { message } = await book(url, { params: { inputResponses } });
      expect(message.error.message).toBe(REFUSED);
    }
    expect(reached(upstream)).toBe(0);
  });
});

describe('a forged state', () => {
  it.each(['request_state', 'request-state', 'RequestState'])(
    'does not reach a server that takes it under the name %s',
    async (name) => {
      const { url, upstream } = await sealed();
      const token = await tokenOf(url);
      for (const params of [{ [name]: 'forged' }, { requestState: token, [name]: 'forged' }]) {
        expect((await book(url, { id: 2, params })).message.error.code).toBe(-32700);
      }
      expect(reached(upstream)).toBe(1);
    },
  );
});

describe('an approved argument', () => {
  it('is not exchanged for one under another spelling by sending both the other way round', async () => {
    const { url, upstream } = await sealed();
    const { message } = await book(url, {}, { Amount: 1000, amount: 1 });
    const more = {
      requestState: message.result.requestState,
      inputResponses: { ask: { action: 'decline' } },
    };
    const turned = await book(url, { id: 2, params: more }, { amount: 1, Amount: 1000 });
    expect(turned.message.error.message).toBe(REFUSED);
    expect(reached(upstream)).toBe(1);
    expect((await book(url, { id: 3, params: more }, { Amount: 1000, amount: 1 })).status).toBe(200);
  });
});

describe('a state that opens once', () => {
  it('does not open again because the gateway was started anew', async () => {
    const { url, upstream } = await sealed({ seal: { singleUse: true } });
    const token = await tokenOf(url);
    expect((await answer(url, token)).status).toBe(200);
    later(1);
    for (const [storeFailure, status] of [
      ['refuse', 503],
      ['allow', 200],
    ] as const) {
      const anew = await startSealing(upstream.url, { seal: { singleUse: true, storeFailure } });
      expect((await answer(anew.url, token, { id: 3 })).status).toBe(status);
    }
    expect(reached(upstream)).toBe(3);
  });
});

describe('a state of a server that helps whoever wants in', () => {
  /** Gateways of one ring and one route name, each in front of its own server. */
  async function apart(...publicUrls: readonly (string | undefined)[]) {
    const upstreams = await Promise.all(publicUrls.map(() => sealedUpstream()));
    const gateways = publicUrls.map((publicUrl, index) =>
      startSealing((upstreams[index] as Upstream).url, {
        ...(publicUrl !== undefined && { publicUrl, allowedHosts: ['127.0.0.1'] }),
      }),
    );
    return { upstreams, urls: (await Promise.all(gateways)).map(({ url }) => url) };
  }

  it('does not open at the gateway of another server, which clients know by another URL', async () => {
    const { urls, upstreams } = await apart(
      'https://mine.example.com',
      'https://yours.example.com',
      undefined,
    );
    const token = await tokenOf(urls[0] as string);
    for (const other of [1, 2]) {
      expect((await answer(urls[other] as string, token)).message.error.message).toBe(REFUSED);
      expect(reached(upstreams[other] as Upstream)).toBe(0);
    }
  });

  it('opens at another gateway that clients know by the same URL', async () => {
    const { urls } = await apart('https://mine.example.com', 'https://mine.example.com/');
    const token = await tokenOf(urls[0] as string);
    expect((await answer(urls[1] as string, token)).status).toBe(200);
  });
});
