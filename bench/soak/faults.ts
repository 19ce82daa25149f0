/** Traffic to an upstream that fails, and what the client is told of it. */
import { result, said } from './messages.js';
import type { Expected, Scenario, Traffic } from './traffic.js';

function failed(status: number, message: string): Expected {
  return { status, outcome: 'upstream_failed', error: { code: -32_603, message } };
}

const CLOSED = 'the upstream closed the connection';
const UNREADABLE: Expected = {
  status: 502,
  outcome: 'upstream_failed',
  error: { code: -32_603, rule: 'response-readable' },
};

function refusedBy(rule: string, status = 200): Expected {
  const outcome = status === 502 ? 'upstream_failed' : 'refused_outbound';
  return { status, outcome, error: { code: -32_603, rule } };
}

/** What the upstream does, and what comes of it. */
const FAULTS: readonly (readonly [act: string, expected: Expected])[] = [
  ['reset-before-head', failed(502, CLOSED)],
  ['close-before-head', failed(502, CLOSED)],
  ['reset-in-head', failed(502, CLOSED)],
  ['reset-in-body', failed(502, CLOSED)],
  ['close-in-chunks', failed(502, CLOSED)],
  ['reset-in-event', failed(502, CLOSED)],
  ['end-before-event', failed(502, 'the upstream ended its stream without a response')],
  ['garbage', failed(502, 'the upstream did not answer in HTTP')],
  ['status 500 text/plain', { status: 500, outcome: 'rpc_error', text: 'Something broke.' }],
  ['status 503 text/plain', { status: 503, outcome: 'rpc_error', text: 'Something broke.' }],
  ['status 302 text/plain', UNREADABLE],
  ['status 200 text/html', UNREADABLE],
  ['half-json', UNREADABLE],
  ['twice-named', UNREADABLE],
  ['bad-utf8', UNREADABLE],
  ['empty', UNREADABLE],
  ['bad-zip', UNREADABLE],
  ['wrong-id', refusedBy('response-answers-request', 502)],
  ['server-request', refusedBy('no-server-request')],
  ['server-request-in-stream', refusedBy('no-server-request')],
  ['secret-form', refusedBy('form-asks-no-credential')],
  ['nested-form', refusedBy('form-schema-flat')],
];

async function fault(traffic: Traffic): Promise<void> {
  const [act, expected] = FAULTS[traffic.below(FAULTS.length)] ?? ['', { status: 0 }];
  const capabilities = { elicitation: { form: {} } };
  const asking = traffic.call('judged', traffic.id(), act, { capabilities });
  await traffic.exchange(`upstream: ${act}`, asking, expected);
}

async function slow(traffic: Traffic): Promise<void> {
  const id = traffic.id();
  const act = traffic.pick(['slow 300', 'slow 1500', 'in-pieces 40']);
  const text = result(id, said('Booked.'));
  const asking = traffic.call('sealed', id, act, { args: { text: 'Booked.' } });
  await traffic.exchange('upstream: slow', asking, { status: 200, outcome: 'ok', text });
}

async function silent(traffic: Traffic): Promise<void> {
  const [act, message] = traffic.pick([
    ['silent', 'the upstream did not answer in time'],
    ['stalled', 'the upstream stopped in the middle of its answer'],
  ]);
  await traffic.exchange('upstream: silent', traffic.call('judged', traffic.id(), act), failed(504, message));
}

/** What was sent before the connection broke stays sent; the stream's last event says that it broke. */
async function brokenStream(traffic: Traffic): Promise<void> {
  const id = traffic.id();
  const asking = traffic.call('judged', id, 'broken-stream', { meta: { progressToken: 'p' } });
  await traffic.exchange('upstream: broken stream', asking, {
    status: 200,
    outcome: 'upstream_failed',
    events: [
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}',
      JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_603, message: CLOSED } }),
    ],
  });
}

async function dead(traffic: Traffic): Promise<void> {
  const expected = failed(502, 'the upstream cannot be reached');
  await traffic.exchange('upstream: dead', traffic.call('dead', traffic.id(), 'never'), expected);
}

export const FAULTY: readonly Scenario[] = [
  { kind: 'upstream: fault', weight: 8, run: fault },
  { kind: 'upstream: slow', weight: 2, run: slow },
  { kind: 'upstream: silent', weight: 0.3, run: silent },
  { kind: 'upstream: broken stream', weight: 1, run: brokenStream },
  { kind: 'upstream: dead', weight: 0.5, run: dead },
];
