/** Traffic in which nothing goes wrong: calls, lists, bodies of all sizes, and what is no call at all. */
import { createHash } from 'node:crypto';
import { FORM } from '../../test/support/client.js';
import { SMALL_LIMIT, TOKENS } from './generations.js';
import { ACT, discovery, failure, filling, result, said, toolList } from './messages.js';
import type { Scenario, Traffic } from './traffic.js';

const REVISION = '2026-07-28';
const SENTENCES = ['Booked.', 'A table for two at eight, by the window.', filling(600)] as const;

function small(kind: string, weight: number, routes: readonly [string, ...string[]]): Scenario {
  const run = async (traffic: Traffic) => {
    const id = traffic.id();
    const text = traffic.pick(SENTENCES);
    const asking = traffic.call(traffic.pick(routes), id, 'say', { args: { text } });
    const began = performance.now();
    await traffic.exchange(kind, asking, { status: 200, outcome: 'ok', text: result(id, said(text)) });
    traffic.tally.took(performance.now() - began);
  };
  return { kind, weight, run };
}

async function toolError(traffic: Traffic): Promise<void> {
  const id = traffic.id();
  const text = result(id, said('The table is taken.', { isError: true }));
  const expected = { status: 200, outcome: 'tool_error', text };
  await traffic.exchange('tool error', traffic.call('plain', id, 'fail'), expected);
}

async function rpcError(traffic: Traffic): Promise<void> {
  const id = traffic.id();
  const text = failure(id, -32_602, 'Unknown tool');
  await traffic.exchange('JSON-RPC error', traffic.call('sealed', id, 'error'), {
    status: 200,
    outcome: 'rpc_error',
    text,
  });
}

async function notify(traffic: Traffic): Promise<void> {
  const { headers } = traffic.call('sealed', 1, 'accept', { method: 'notifications/cancelled' });
  const body = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}';
  const asking = { route: 'sealed', path: '/sealed', headers, body };
  await traffic.exchange('notification', asking, { status: 202, outcome: 'ok', text: '' });
}

/** A list that the gateway rewrites for who asks. */
async function rewrittenList(traffic: Traffic): Promise<void> {
  const id = traffic.id();
  const asked = traffic.random() < 0.5;
  const length = traffic.pick([3, 3, 3, 200]);
  const options = { method: 'tools/list', capabilities: asked ? FORM : {} };
  const act = `list ${length} ${asked ? 'required' : 'free'}`;
  const text = result(id, toolList(length, asked ? undefined : ['command'], 'private'));
  await traffic.exchange('list, rewritten', traffic.call('ze', id, act, options), {
    status: 200,
    outcome: 'ok',
    text,
  });
}

async function list(traffic: Traffic): Promise<void> {
  const id = traffic.id();
  const asking = traffic.call('plain', id, 'list 200 free', { method: 'tools/list' });
  const text = result(id, toolList(200, undefined, 'public'));
  await traffic.exchange('list', asking, { status: 200, outcome: 'ok', text });
}

async function discover(traffic: Traffic): Promise<void> {
  const id = traffic.id();
  const asking = traffic.call('plain', id, 'discover', { method: 'server/discover' });
  await traffic.exchange('discovery, rewritten', asking, {
    status: 200,
    outcome: 'ok',
    text: result(id, discovery(REVISION)),
  });
}

/** Larger than the limit of every other configuration, now and then. */
async function bigRequest(traffic: Traffic): Promise<void> {
  const bytes = traffic.pick([300_000, 1_048_576, 2_500_000]);
  const asking = traffic.call('sealed', traffic.id(), 'digest', { args: { text: filling(bytes) } });
  const digest = createHash('sha256')
    .update(asking.body ?? '')
    .digest('hex');
  await traffic.exchange('big request', asking, (even) =>
    even && Buffer.byteLength(asking.body ?? '') > SMALL_LIMIT
      ? { status: 413, outcome: 'refused_inbound', error: { code: -32_600, rule: 'body-within-limit' } }
      : { status: 200, outcome: 'ok', holds: ({ result: got }) => JSON.stringify(got).includes(digest) },
  );
}

async function bigResult(traffic: Traffic): Promise<void> {
  const bytes = traffic.pick([200_000, 1_048_576, 4_194_304]);
  const id = traffic.id();
  const act = traffic.random() < 0.3 ? 'big-zipped' : 'big';
  const text = result(id, said(filling(bytes)));
  await traffic.exchange('big result', traffic.call('plain', id, `${act} ${bytes}`), {
    status: 200,
    outcome: 'ok',
    text,
  });
}

async function named(traffic: Traffic): Promise<void> {
  const id = traffic.id();
  const token = traffic.pick([TOKENS.ada, TOKENS.grace, 'nobody']);
  const known = token === TOKENS.ada || token === TOKENS.grace;
  const headers = { authorization: `Bearer ${token}` };
  const args = { text: 'Booked.' };
  const asking = traffic.call('named', id, known ? 'say' : 'never', { args, headers });
  await traffic.exchange(
    known ? 'call with a token' : 'call with a wrong token',
    asking,
    known
      ? { status: 200, outcome: 'ok', text: result(id, said('Booked.')) }
      : { status: 401, outcome: 'refused_inbound', error: { code: -32_600 } },
  );
}

/** A route that every other configuration has. */
async function extra(traffic: Traffic): Promise<void> {
  const id = traffic.id();
  const asking = traffic.call('extra', id, 'say', { args: { text: 'Booked.' } });
  await traffic.exchange('route that comes and goes', asking, (even) =>
    even
      ? { status: 404, error: { code: -32_600, message: 'not found' } }
      : { status: 200, outcome: 'ok', text: result(id, said('Booked.')) },
  );
}

async function page(traffic: Traffic): Promise<void> {
  const headers = { [ACT]: 'page' };
  const asking = { route: 'judged', method: 'GET', path: '/docs/page', headers };
  await traffic.exchange('page, passed through', asking, { status: 200, text: '<p>How to book</p>' });
}

async function preflight(traffic: Traffic): Promise<void> {
  const headers = {
    [ACT]: 'never',
    origin: 'http://localhost:3000',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'mcp-name',
  };
  const asking = { route: 'judged', method: 'OPTIONS', path: '/judged', headers };
  await traffic.exchange('preflight', asking, { status: 204, text: '' });
}

export const CALLS: readonly Scenario[] = [
  small('small call', 40, ['plain', 'sealed', 'ze']),
  { kind: 'tool error', weight: 2, run: toolError },
  { kind: 'JSON-RPC error', weight: 2, run: rpcError },
  { kind: 'notification', weight: 2, run: notify },
  { kind: 'list, rewritten', weight: 3, run: rewrittenList },
  { kind: 'list', weight: 1, run: list },
  { kind: 'discovery', weight: 1, run: discover },
  { kind: 'big request', weight: 0.4, run: bigRequest },
  { kind: 'big result', weight: 0.4, run: bigResult },
  { kind: 'call with a token', weight: 2, run: named },
  { kind: 'route that comes and goes', weight: 2, run: extra },
  { kind: 'page', weight: 1, run: page },
  { kind: 'preflight', weight: 1, run: preflight },
];
