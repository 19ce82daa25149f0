/** What tracing costs an exchange: `node --expose-gc --max-semi-space-size=256 --import tsx bench/tracing.ts`. */
import { trace } from '@opentelemetry/api';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { Tracing } from '../src/adapters/trace.js';
import { compile } from '../src/config/compile.js';
import { loadObject } from '../src/config/load.js';
import type { Exchange } from '../src/engine/exchange.js';
import { Ledger } from '../src/engine/ledger.js';
import type { ExchangeSummary, Observer } from '../src/engine/observer.js';
import { NO_CAPABILITIES } from '../src/protocol/capabilities.js';
import { HeaderFields } from '../src/protocol/headers.js';
import { readClientMessage } from '../src/protocol/messages.js';
import { traceContextOf } from '../src/protocol/trace.js';

const ROUNDS = 1_000_000;
const config = { routes: [{ upstream: 'http://127.0.0.1:9718/mcp', profile: 'ze' }] };
const [route] = compile(loadObject(config).config).routes;
if (route === undefined) throw new Error('a configuration has at least one route');
const headers = new HeaderFields(['content-type', 'application/json', 'mcp-method', 'tools/call']);
const envelope = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ze_execute' } };
const exchange: Exchange = {
  ...{ policy: route.policy, headers, capabilities: NO_CAPABILITIES, legacy: false },
  message: readClientMessage(envelope, () => '1'),
  facts: { now: 0, principal: undefined, state: undefined },
};
const ledger = new Ledger(route.policy, {} as Observer);
const summary: ExchangeSummary = {
  ...{ route: route.policy, exchange, outcome: 'ok', status: 200, durationMs: 9, upstreamMs: 8 },
  ...{ policyMs: 0.1, traceparent: undefined, decisions: [], stream: false },
};
const tracing = new Tracing((error) => console.error(error));
const { upstream } = route;

function passOne(): void {
  ledger.trace = traceContextOf(headers);
  ledger.trace ??= traceContextOf(headers, exchange.message.meta);
  tracing.begin(exchange, ledger);
  tracing.forward(exchange, upstream, ledger);
  tracing.end(summary, ledger.trace);
}

function measure(what: string, rounds: number): void {
  for (let round = 0; round < rounds / 10; round += 1) passOne();
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const began = performance.now();
  for (let round = 0; round < rounds; round += 1) passOne();
  const microseconds = (1000 * (performance.now() - began)) / rounds;
  const bytes = (process.memoryUsage().heapUsed - before) / rounds;
  console.log(`${what}: ${microseconds.toFixed(2)} µs, ${bytes.toFixed(1)} bytes an exchange`);
}

measure('no SDK', ROUNDS);
const nothing = { onStart: () => {}, onEnd: () => {}, forceFlush: async () => {}, shutdown: async () => {} };
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [nothing] }));
measure('an SDK that keeps nothing', ROUNDS / 10);
