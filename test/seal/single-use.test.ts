import { describe, expect, it, onTestFinished } from 'vitest';
import type { Gateway } from '../support/pair.js';
import { describeWith } from '../support/programs.js';
import { type RedisServer, startRedis } from '../support/redis.js';
import { type Gate, gate, startUpstream } from '../support/upstream.js';
import { answer, asking, startSealing, tokenOf } from './asking.js';

const USED = {
  error: { code: -32602, message: 'invalid params: params.requestState is not valid for this request' },
};

async function once(seal: object = {}): Promise<{ gateway: Gateway; url: string; reached: () => number }> {
  const upstream = await startUpstream(asking());
  onTestFinished(() => upstream.close());
  const gateway = await startSealing(upstream.url, { seal: { singleUse: true, ...seal } });
  return { gateway, url: gateway.url, reached: () => upstream.requests.length };
}

const verdictsOf = ({ told }: Gateway) =>
  told.filter(({ event }) => event === 'stateReceived').map(({ args }) => args[1]);

describe('a state that opens once', () => {
  it('opens once, with whatever id it comes', async () => {
    const { url, gateway, reached } = await once();
    const token = await tokenOf(url);
    expect((await answer(url, token)).status).toBe(200);
    for (const id of [2, 3]) {
      const { status, message } = await answer(url, token, { id });
      expect(status).toBe(400);
      expect(message).toMatchObject(USED);
    }
    expect(reached()).toBe(2);
    expect(verdictsOf(gateway)).toEqual(['accepted', 'reused', 'reused']);
  });

  it('opens for one of many at the same time', async () => {
    const { url, reached } = await once();
    const token = await tokenOf(url);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => answer(url, token, { id: index + 2 })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(reached()).toBe(2);
  });

  it('is not spent by an answer that is refused', async () => {
    const { url } = await once();
    const token = await tokenOf(url);
    const wrong = { ask: { action: 'accept', content: { seats: 'two' } } };
    const refused = await answer(url, token, { params: { inputResponses: wrong } });
    expect(refused.message.error.data.rule).toBe('answer-matches-schema');
    expect((await answer(url, token, { id: 3 })).status).toBe(200);
  });

  it('opens as often as it is sent where the route does not say so', async () => {
    const { url } = await once({ singleUse: false });
    const token = await tokenOf(url);
    for (const id of [2, 3, 4]) expect((await answer(url, token, { id })).status).toBe(200);
  });

  it('gives the server of each round a state of its own to spend', async () => {
    const { url } = await once();
    const [one, other] = [await tokenOf(url), await tokenOf(url)];
    expect((await answer(url, one)).status).toBe(200);
    expect((await answer(url, other)).status).toBe(200);
  });
});

describe('without the store that remembers', () => {
  const redis = 'redis://127.0.0.1:1';

  it('a retry is refused as the gateway’s own trouble, and can be tried again', async () => {
    const { url, gateway, reached } = await once({ redis });
    const { status, headers, message } = await answer(url, await tokenOf(url));
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect(message).toEqual({
      jsonrpc: '2.0',
      id: 2,
      error: {
        code: -32603,
        message: 'whether requestState was used before cannot be found out at the moment',
      },
    });
    expect(reached()).toBe(1);
    expect(verdictsOf(gateway)).toEqual(['unavailable']);
    expect((await gateway.ended(1)).outcome).toBe('refused_inbound');
  });

  it('a retry passes where the route says so', async () => {
    const { url, gateway } = await once({ redis, storeFailure: 'allow' });
    expect((await answer(url, await tokenOf(url))).status).toBe(200);
    expect(verdictsOf(gateway)).toEqual(['accepted']);
  });
});

describeWith(['redis-server', 'valkey-server'], 'gateways that remember in Redis', (program) => {
  /** `back` opens when the first gateway is connected again. */
  async function pair(): Promise<{ server: RedisServer; urls: readonly [string, string]; back: Gate }> {
    const server = await startRedis(program);
    onTestFinished(() => server.stop());
    const upstream = await startUpstream(asking());
    onTestFinished(() => upstream.close());
    const config = { seal: { singleUse: true, redis: server.url } };
    const back = gate();
    let connected = 0;
    const warn = (_: object, message: string) => {
      if (message.endsWith('is connected')) connected += 1;
      if (connected === 2) back.open();
    };
    const logger = { info: () => undefined, error: () => undefined, warn };
    const one = await startSealing(upstream.url, config, { logger });
    const other = await startSealing(upstream.url, config);
    return { server, urls: [one.url, other.url], back };
  }

  it('open a state once, whichever of them it is sent to', async () => {
    const { urls } = await pair();
    const [one, other] = urls;
    const token = await tokenOf(one);
    expect((await answer(other, token)).status).toBe(200);
    for (const url of urls) expect((await answer(url, token, { id: 3 })).message).toMatchObject(USED);
  });

  it('open a state for one of many at the same time', async () => {
    const { urls } = await pair();
    const token = await tokenOf(urls[0]);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => answer(urls[index % 2] as string, token, { id: index + 2 })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('refuse while the store is away, and open when it is back', async () => {
    const { server, urls, back } = await pair();
    const [url] = urls;
    const token = await tokenOf(url);
    await server.stop();
    expect((await answer(url, token)).status).toBe(503);
    await server.start();
    await back.opened;
    expect((await answer(url, token, { id: 3 })).status).toBe(200);
  });
});
