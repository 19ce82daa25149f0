/** Judges a request and its answer without HTTP: `npx tsx examples/judge-offline.ts` prints what they break. */
import { fileURLToPath } from 'node:url';
import {
  clientMessageOf,
  compile,
  type Exchange,
  evaluate,
  type Finding,
  HeaderFields,
  loadObject,
  type RoutePolicy,
  readCapabilities,
  readInputRequests,
  readRequest,
  readResponse,
  serverMessageOf,
} from 'mrtr-gateway';

/** The rules of a route, compiled from the same keys as the configuration file's. */
export function policyOf(route: Record<string, unknown>): RoutePolicy {
  const { config } = loadObject({ routes: [{ upstream: 'http://127.0.0.1:9718/mcp', ...route }] });
  const [first] = compile(config).routes;
  if (first === undefined) throw new Error('a configuration has at least one route');
  return first.policy;
}

/** Everything that a request breaks, up to and with the first finding that would refuse it. */
export function judgeRequest(policy: RoutePolicy, body: Buffer, headers: HeaderFields): readonly Finding[] {
  const reading = readRequest(body);
  const parsed = evaluate(policy.rules.parse, { reading, legacy: false });
  if (parsed.refusal !== undefined) return parsed.findings;
  return evaluate(policy.rules.inbound, exchangeOf(policy, body, headers)).findings;
}

/** The same for the answer to a request that was let through. */
export function judgeAnswer(exchange: Exchange, body: Buffer, status = 200): readonly Finding[] {
  const reading = readResponse(body);
  const message = reading.fault === undefined ? serverMessageOf(reading) : undefined;
  const asked = readInputRequests(message, false);
  const input = { exchange, position: 'body', status, reading, message, asked, acknowledged: false } as const;
  return evaluate(exchange.policy.rules.outbound, input).findings;
}

export function exchangeOf(policy: RoutePolicy, body: Buffer, headers: HeaderFields): Exchange {
  const message = clientMessageOf(readRequest(body));
  const capabilities = readCapabilities(message.meta);
  const facts = { now: Date.now(), principal: undefined, state: undefined };
  return { policy, headers, message, capabilities, legacy: false, facts };
}

function main(): void {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  };
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'book', _meta } };
  const headers = new HeaderFields([
    ...['MCP-Protocol-Version', '2026-07-28'],
    ...['Mcp-Method', 'tools/call'],
    ...['Mcp-Name', 'look'],
  ]);
  const form = { type: 'object', properties: { port: { $ref: '#/port' } } };
  const params = { mode: 'form', message: 'Which port?', requestedSchema: form };
  const inputRequests = { port: { method: 'elicitation/create', params } };
  const answer = { jsonrpc: '2.0', id: 1, result: { resultType: 'input_required', inputRequests } };
  const ze = policyOf({ profile: 'ze' });
  const body = Buffer.from(JSON.stringify(request));
  const findings = [
    ...judgeRequest(ze, body, headers),
    ...judgeAnswer(exchangeOf(ze, body, headers), Buffer.from(JSON.stringify(answer))),
  ];
  for (const { rule, violation } of findings) console.log(`${rule.id} ${violation.at}: ${violation.message}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
