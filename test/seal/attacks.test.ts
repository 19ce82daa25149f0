/** What somebody tried who wanted in, each as it was tried: through a gateway in front of a server that believes everything. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { startUpstream, type Upstream } from '../support/upstream.js';
import { type Ask, answer, asking, book, FORM, startSealing, tokenOf } from './asking.js';

const REFUSED = 'invalid params: params.requestState is not valid for this request';

async function sealed(config: Parameters<typeof startSealing>[1] = {}, ...asks: readonly Ask[]) {
  const upstream = await startUpstream(asking(...asks));
  onTestFinished(() => upstream.close());
  return { upstream, url: (await startSealing(upstream.url, config)).url };
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
