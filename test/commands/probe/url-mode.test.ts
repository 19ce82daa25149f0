/** A URL elicitation from beginning to end: consent is not completion, and the server alone knows which it is. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { startGateway } from '../../support/pair.js';
import { type Probed, probe } from '../../support/probe.js';
import { startUrlFixture, type UrlFixture, type UrlFixtureOptions } from '../../support/url-fixture.js';

const SEALED = { requestState: 'seal' };

describe.each(['at the server itself', 'through the gateway'])('a page, %s', (way) => {
  async function walk(
    script: readonly string[],
    options: UrlFixtureOptions = {},
    flags: readonly string[] = ['--elicit', 'form,url'],
  ): Promise<Probed & { readonly fixture: UrlFixture }> {
    const fixture = await startUrlFixture(options);
    onTestFinished(() => fixture.close());
    const url =
      way === 'at the server itself' ? fixture.url : (await startGateway(fixture.url, { route: SEALED })).url;
    return { ...(await probe([url, '--json', ...flags], script)), fixture };
  }
  const kinds = ({ events }: Probed) => events.map(({ event }) => event);

  it('is asked for with its host and its whole URL, and never opened', async () => {
    const fixture = await startUrlFixture();
    onTestFinished(() => fixture.close());
    const { out, code } = await probe([fixture.url, '--elicit', 'url'], ['@connect']);
    const { host } = new URL(fixture.url);
    expect(out).toMatch(
      /^< input_required, with a requestState\n {2}connect_account: elicitation\/create url$/m,
    );
    expect(out).toContain(
      `    Connect your account, then come back.\n    host: ${host}\n    url: http://${host}/connect?account=`,
    );
    expect([code, fixture.opened]).toEqual([1, []]);
  });

  it('that the user consented to and did not finish is asked for again', async () => {
    const run = await walk(['elicit-answer accept', '@connect']);
    expect(kinds(run)).toEqual([
      'request',
      'input_required',
      'answer',
      'request',
      'input_required',
      'note',
      'end',
    ]);
    expect(run.events[2].answer).toEqual({ action: 'accept' });
    const [first, second] = [run.events[1], run.events[4]];
    expect(second.requests).toEqual(first.requests);
    expect(run.events[3].params).toMatchObject({
      inputResponses: { connect_account: { action: 'accept' } },
      requestState: expect.any(String),
    });
    expect([run.code, run.fixture.tooEarly(), run.fixture.opened]).toEqual([1, 1, []]);
  });

  it('that the user finishes at last completes the call', async () => {
    const run = await walk(
      ['elicit-answer accept', 'elicit-answer accept', 'elicit-answer accept', '@connect'],
      {
        finishesAfter: 2,
      },
    );
    expect(kinds(run).filter((event) => event === 'input_required')).toHaveLength(3);
    expect(run.events.at(-2)).toMatchObject({
      event: 'result',
      result: { content: [{ text: 'connected' }] },
    });
    expect([run.code, run.fixture.tooEarly(), run.fixture.opened.length]).toEqual([0, 2, 1]);
    const ids = run.events.filter(({ event }) => event === 'request').map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(['decline', 'cancel'])('that the user answers with %s ends the call', async (action) => {
    const run = await walk([`elicit-answer ${action}`, '@connect']);
    expect(run.events.at(-2).result.content).toEqual([{ type: 'text', text: `not connected: ${action}` }]);
    expect([run.code, run.fixture.opened]).toEqual([1, []]);
  });

  it.each(['decline', 'cancel'])(
    'can still be answered with %s when it is asked for again',
    async (action) => {
      const run = await walk(['elicit-answer accept', `elicit-answer ${action}`, '@connect']);
      expect(run.events.at(-2).result.content).toEqual([{ type: 'text', text: `not connected: ${action}` }]);
    },
  );

  it('is not asked for of a client that declares form alone', async () => {
    const run = await walk(['@connect'], {}, ['--elicit', 'form']);
    expect(kinds(run)).toEqual(['request', 'error', 'end']);
    expect(run.events[1]).toMatchObject({ code: -32021 });
    expect(run.code).toBe(3);
  });
});
