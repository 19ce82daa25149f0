import { context, SpanStatusCode, trace } from '@opentelemetry/api';
import { AlwaysOffSampler, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGateway } from '../../src/index.js';
import { serve, startServer } from '../library/mount.js';
import { call, callTool, FORM, open, post, requestHeaders, requestText } from '../support/client.js';
import { type GatewayConfig, startGateway, startPair } from '../support/pair.js';
import { collectSpans, type Spans, type SpansOptions } from '../support/spans.js';
import {
  errorReply,
  type ReplyFunction,
  resultReply,
  sseEvent,
  sseReply,
  type UpstreamRequest,
} from '../support/upstream.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const CALLER = `00-${TRACE}-${PARENT}-01`;
const done: ReplyFunction = (request) => resultReply(request, { resultType: 'complete', content: [] });

function spans(options: SpansOptions = {}): Spans {
  const collected = collectSpans(options);
  onTestFinished(() => collected.remove());
  return collected;
}

async function traced(reply: ReplyFunction = done, config: GatewayConfig = {}, options: SpansOptions = {}) {
  const collected = spans(options);
  const pair = await startPair(reply, {
    ...config,
    route: { name: 'ze', requestState: 'forbid', ...config.route },
  });
  return { ...pair, spans: collected };
}

type Traced = Awaited<ReturnType<typeof traced>>;

/** The only spans of their kinds, after the first exchange has ended. */
async function both({ gateway, spans }: Traced): Promise<{ server: ReadableSpan; client: ReadableSpan }> {
  await gateway.ended(0);
  const [server, client] = [only(spans.of('server')), only(spans.of('client'))];
  return { server, client };
}

function only(found: readonly ReadableSpan[]): ReadableSpan {
  const [span, ...others] = found;
  if (span === undefined || others.length > 0) throw new Error(`${found.length} spans instead of one`);
  return span;
}

function traceparentOf(span: ReadableSpan, flags = '01'): string {
  const { traceId, spanId } = span.spanContext();
  return `00-${traceId}-${spanId}-${flags}`;
}

const fieldOf = ({ rawHeaders }: UpstreamRequest, name: string) =>
  rawHeaders.filter((_, index) => rawHeaders[index - 1]?.toLowerCase() === name && index % 2 === 1);

describe('an exchange', () => {
  it('has a span for the client’s call and one for the gateway’s, named and described by the conventions', async () => {
    const pair = await traced();
    await callTool(pair.url, 'book', { secret: 'value' }, { id: 'seven' });
    const { server, client } = await both(pair);
    const common = {
      'mcp.method.name': 'tools/call',
      'mcp.protocol.version': '2026-07-28',
      'gen_ai.tool.name': 'book',
      'gen_ai.operation.name': 'execute_tool',
      'jsonrpc.request.id': 'seven',
      'network.protocol.name': 'http',
      'network.protocol.version': '1.1',
      'network.transport': 'tcp',
      'mrtr_gateway.route': 'ze',
    };
    expect(server.name).toBe('tools/call book');
    expect(server.attributes).toEqual({ ...common, 'mrtr_gateway.outcome': 'ok' });
    expect(client.name).toBe('tools/call book');
    const port = Number(new URL(pair.upstream.url).port);
    expect(client.attributes).toEqual({ ...common, 'server.address': '127.0.0.1', 'server.port': port });
    for (const { status } of [server, client]) expect(status.code).toBe(SpanStatusCode.UNSET);
    expect(server.instrumentationScope.name).toBe('mrtr-gateway');
  });

  it('goes on with the caller’s trace, and the upstream with the gateway’s span', async () => {
    const pair = await traced();
    await callTool(pair.url, 'book', {}, { headers: { traceparent: CALLER, tracestate: 'a=1' } });
    const { server, client } = await both(pair);
    expect(server.parentSpanContext).toMatchObject({ traceId: TRACE, spanId: PARENT, isRemote: true });
    expect(client.parentSpanContext).toMatchObject({ traceId: TRACE, spanId: server.spanContext().spanId });
    const request = await pair.upstream.request(0);
    expect(fieldOf(request, 'traceparent')).toEqual([traceparentOf(client)]);
    expect(fieldOf(request, 'tracestate')).toEqual(['a=1']);
    expect((await pair.gateway.ended(0)).traceparent).toBe(CALLER);
  });

  it('goes on with the trace that the message names, in the message and in the field', async () => {
    const pair = await traced();
    const body = requestText('tools/call', {
      params: { name: 'book', arguments: { number: 1 } },
      meta: { traceparent: CALLER, tracestate: 'a=1', other: 7 },
    }).replace('"number":1', '"number": 12345678901234567890');
    await post(pair.url, body, requestHeaders('tools/call', { params: { name: 'book' } }));
    const { server, client } = await both(pair);
    expect(server.parentSpanContext).toMatchObject({ traceId: TRACE, spanId: PARENT });
    const request = await pair.upstream.request(0);
    expect(fieldOf(request, 'traceparent')).toEqual([traceparentOf(client)]);
    expect(fieldOf(request, 'tracestate')).toEqual(['a=1']);
    expect(request.text).toBe(body.replace(CALLER, traceparentOf(client)));
  });

  it.each([
    ['none', undefined],
    ['a malformed one', '00-zz'],
  ])('begins a trace where the caller names %s, which the audit log names', async (_, traceparent) => {
    const pair = await traced();
    await callTool(pair.url, 'book', {}, { headers: { traceparent } });
    const { server, client } = await both(pair);
    expect(server.parentSpanContext).toBeUndefined();
    expect(fieldOf(await pair.upstream.request(0), 'traceparent')).toEqual([traceparentOf(client)]);
    expect((await pair.gateway.ended(0)).traceparent).toBe(traceparentOf(server));
  });

  it('tells the upstream when its trace is not kept', async () => {
    const pair = await traced(done, {}, { sampler: new AlwaysOffSampler() });
    await callTool(pair.url, 'book', {}, { headers: { traceparent: CALLER } });
    await pair.gateway.ended(0);
    expect(pair.spans.all()).toEqual([]);
    expect(fieldOf(await pair.upstream.request(0), 'traceparent')).toEqual([
      expect.stringMatching(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`)),
    ]);
  });

  it('ends its inner span within the outer one', async () => {
    const pair = await traced();
    await callTool(pair.url, 'book');
    const { server, client } = await both(pair);
    const ms = ([seconds, nanoseconds]: readonly [number, number]) => seconds * 1e3 + nanoseconds / 1e6;
    expect(ms(server.startTime)).toBeLessThanOrEqual(ms(client.startTime));
    expect(ms(client.startTime)).toBeLessThan(ms(client.endTime));
    expect(ms(client.endTime)).toBeLessThanOrEqual(ms(server.endTime) + 0.01);
  });

  it('spans a stream to its end', async () => {
    const pair = await traced((request) =>
      sseReply([
        sseEvent({ jsonrpc: '2.0', id: request.json().id, result: { resultType: 'complete', content: [] } }),
      ]),
    );
    await callTool(pair.url, 'book');
    const { server } = await both(pair);
    expect(server.attributes).toMatchObject({ 'mrtr_gateway.outcome': 'ok' });
  });
});

describe('the name of a span', () => {
  it.each([
    ['tools/call', { name: 'book' }, 'tools/call book'],
    ['prompts/get', { name: 'greet' }, 'prompts/get greet'],
    ['resources/read', { uri: 'file:///a' }, 'resources/read'],
    ['tasks/get', { taskId: 'secret' }, 'tasks/get'],
    ['tools/list', {}, 'tools/list'],
    ['invented/secret', {}, 'other'],
  ])('of %s %j is %s', async (method, params, name) => {
    const pair = await traced();
    await call(pair.url, method, { params });
    await pair.gateway.ended(0);
    expect(pair.spans.all().map((span) => span.name)).toContain(name);
    expect(JSON.stringify(pair.spans.all().map(({ name, attributes }) => [name, attributes]))).not.toContain(
      'secret',
    );
  });

  it('is bounded and escaped', async () => {
    const pair = await traced();
    const name = `\u202e${'x'.repeat(5000)}`;
    const headers = { 'mcp-name': `=?base64?${Buffer.from(name).toString('base64')}?=` };
    await callTool(pair.url, name, {}, { headers });
    const { server } = await both(pair);
    expect(server.name).toBe(`tools/call \\u{202e}${'x'.repeat(127)}…`);
    expect(server.attributes['gen_ai.tool.name']).toBe(server.name.slice('tools/call '.length));
  });

  it('says nothing of a URI’s user, query and fragment', async () => {
    const pair = await traced();
    await call(pair.url, 'resources/read', { params: { uri: 'https://me:pw@a.example/x?token=1#2' } });
    const { server } = await both(pair);
    expect(server.attributes['mcp.resource.uri']).toBe('https://a.example/x');
  });
});

describe('the end of an exchange', () => {
  const ended = async (pair: Traced) => {
    await pair.gateway.ended(0);
    const [server, client] = [only(pair.spans.of('server')), pair.spans.of('client')[0]];
    const told = ({ attributes, status }: ReadableSpan) => [
      attributes['error.type'],
      status.code,
      status.message,
    ];
    return { server: told(server), client: client && told(client), attributes: server.attributes };
  };
  const ERROR = SpanStatusCode.ERROR;
  const UNSET = SpanStatusCode.UNSET;

  it('refused inbound has a rule, a code and the gateway’s own sentence, and no call to the upstream', async () => {
    const pair = await traced();
    await callTool(pair.url, 'book', {}, { params: { requestState: 'canary' } });
    const { server, client, attributes } = await ended(pair);
    expect(server).toEqual([
      '-32602',
      ERROR,
      expect.stringMatching(/^invalid params: params\.requestState is not/),
    ]);
    expect(client).toBeUndefined();
    expect(attributes).toMatchObject({
      'mrtr_gateway.outcome': 'refused_inbound',
      'mrtr_gateway.rule': 'request-state-accepted',
      'rpc.response.status_code': '-32602',
    });
  });

  it('refused outbound leaves the upstream’s span as it was', async () => {
    const requestedSchema = { type: 'object', properties: { password: { type: 'string' } } };
    const ask = { method: 'elicitation/create', params: { mode: 'form', message: 'm', requestedSchema } };
    const pair = await traced((request) =>
      resultReply(request, { resultType: 'input_required', inputRequests: { a: ask } }),
    );
    await callTool(pair.url, 'book', {}, { capabilities: FORM });
    const { server, client, attributes } = await ended(pair);
    expect(server).toEqual(['-32603', ERROR, expect.any(String)]);
    expect(client).toEqual([undefined, UNSET, undefined]);
    expect(attributes).toMatchObject({ 'mrtr_gateway.rule': 'form-asks-no-credential' });
  });

  it('refused before its message was read is a span of HTTP', async () => {
    const pair = await traced();
    const headers = { ...requestHeaders('tools/call', { params: { name: 'book' } }), traceparent: CALLER };
    await post(pair.url, '{"canary":', headers);
    const { server, attributes } = await ended(pair);
    expect(server).toEqual(['-32700', ERROR, expect.any(String)]);
    expect(attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/mcp',
      'http.response.status_code': 400,
      'mrtr_gateway.rule': 'json-unambiguous',
    });
    const span = only(pair.spans.all());
    expect([span.name, span.parentSpanContext?.spanId]).toEqual(['POST /mcp', PARENT]);
  });

  it('names what was reported and let pass', async () => {
    const pair = await traced((request) => resultReply(request, { content: [] }));
    await callTool(pair.url, 'book');
    const { server, attributes } = await ended(pair);
    expect(server).toEqual([undefined, UNSET, undefined]);
    expect(attributes['mrtr_gateway.reported']).toEqual(['result-type-present']);
  });

  it('with a tool’s error says so', async () => {
    const pair = await traced((request) =>
      resultReply(request, { resultType: 'complete', isError: true, content: [] }),
    );
    await callTool(pair.url, 'book');
    const { server, client } = await ended(pair);
    expect([server, client]).toEqual(Array(2).fill(['tool_error', ERROR, undefined]));
  });

  it('with an error of the upstream has its code, and not its message', async () => {
    const pair = await traced((request) => errorReply(request, 400, { code: -32602, message: 'canary' }));
    await callTool(pair.url, 'book');
    const { server, client } = await ended(pair);
    expect([server, client]).toEqual(Array(2).fill(['-32602', ERROR, undefined]));
  });

  it('without an upstream says why', async () => {
    const collected = spans();
    const gateway = await startGateway('http://127.0.0.1:1/mcp', { route: { requestState: 'forbid' } });
    await callTool(gateway.url, 'book');
    await gateway.ended(0);
    expect(only(collected.of('server')).attributes['error.type']).toBe('-32603');
    expect(only(collected.of('client')).attributes['error.type']).toBe('connect');
  });

  it('whose answer is not readable says so', async () => {
    const pair = await traced(() => ({ headers: { 'content-type': 'text/html' }, body: '<html>' }));
    await callTool(pair.url, 'book');
    const { server, client } = await ended(pair);
    expect([server[0], client?.[0]]).toEqual(['-32603', 'invalid']);
  });

  it('whose client left says so', async () => {
    const pair = await traced(() => ({ never: true }));
    const leave = new AbortController();
    const left = open(pair.url, 'tools/call', { params: { name: 'book' }, signal: leave.signal }).catch(
      () => undefined,
    );
    await pair.upstream.request(0);
    leave.abort();
    await left;
    const { server, client } = await ended(pair);
    expect([server[0], client?.[0]]).toEqual(['client_gone', 'client_gone']);
  });

  it('over a limit has the status for its error', async () => {
    const pair = await traced(() => ({ never: true }), { limits: { exchanges: 1 } });
    const leave = new AbortController();
    const first = open(pair.url, 'tools/call', { params: { name: 'book' }, signal: leave.signal }).catch(
      () => undefined,
    );
    await pair.upstream.request(0);
    await callTool(pair.url, 'book');
    const { server } = await ended(pair);
    expect(server.slice(0, 2)).toEqual(['503', ERROR]);
    leave.abort();
    await first;
  });
});

describe('tracing', () => {
  it('links to the span of the host application, and stands under it where that goes on with the same trace', async () => {
    const collected = spans();
    const upstream = await startServer();
    const gateway = createGateway({
      routes: [{ path: '/mcp', upstream: upstream.url, requestState: 'forbid' }],
    });
    onTestFinished(() => gateway.close());
    const tracer = trace.getTracer('host');
    const host = await serve((req, res) => {
      const own = tracer.startSpan('POST /mcp');
      context.with(trace.setSpan(context.active(), own), () => gateway(req, res));
      own.end();
    });
    const ended = async (headers: Record<string, string>) => {
      await callTool(`${host}/mcp`, 'book', {}, { headers });
      await expect.poll(() => collected.of('server').length).toBeGreaterThan(0);
    };
    await ended({});
    const [hostSpan] = collected.all().filter(({ name }) => name === 'POST /mcp');
    expect(collected.of('server')[0]?.parentSpanContext?.spanId).toBe(hostSpan?.spanContext().spanId);
    await callTool(`${host}/mcp`, 'book', {}, { headers: { traceparent: CALLER } });
    await expect.poll(() => collected.of('server').length).toBe(2);
    const linked = collected.of('server')[1];
    expect(linked?.parentSpanContext?.spanId).toBe(PARENT);
    expect(linked?.links).toHaveLength(1);
  });

  it('disturbs no exchange when the SDK throws, and says so', async () => {
    const fault = () => {
      throw new Error('a broken SDK');
    };
    const processor = { onStart: fault, onEnd: fault, forceFlush: async () => {}, shutdown: async () => {} };
    const pair = await traced(done, {}, { processor });
    const { message } = await callTool(pair.url, 'book', {}, { headers: { traceparent: CALLER } });
    expect(message.result.content).toEqual([]);
    await pair.gateway.ended(0);
    expect(pair.gateway.errors.length).toBeGreaterThan(0);
    expect(fieldOf(await pair.upstream.request(0), 'traceparent')).toEqual([CALLER]);
  });

  it('begins with the SDK, and ends with it', async () => {
    const { url, upstream } = await startPair(done);
    await callTool(url, 'book');
    const collected = collectSpans();
    await callTool(url, 'book');
    collected.remove();
    await callTool(url, 'book');
    expect(collected.of('server')).toHaveLength(1);
    const sent = upstream.requests.map((request) => fieldOf(request, 'traceparent').length);
    expect(sent).toEqual([0, 1, 0]);
  });
});

describe('without an SDK', () => {
  const sent = async (meta: object, headers: Record<string, string> = {}) => {
    const { url, upstream } = await startPair(done);
    const text = requestText('tools/call', { params: { name: 'book' }, meta: { ...meta } });
    await post(url, text, requestHeaders('tools/call', { params: { name: 'book' }, headers }));
    const request = await upstream.request(0);
    expect(request.text).toBe(text);
    return [fieldOf(request, 'traceparent'), fieldOf(request, 'tracestate')];
  };

  it('the caller’s fields pass as they are, also those that are malformed', async () => {
    expect(await sent({}, { traceparent: CALLER, tracestate: 'a=1' })).toEqual([[CALLER], ['a=1']]);
    expect(await sent({ traceparent: CALLER }, { traceparent: '00-zz' })).toEqual([['00-zz'], []]);
  });

  it('what the message alone names becomes fields, unless it is malformed', async () => {
    expect(await sent({ traceparent: CALLER, tracestate: 'a=1' })).toEqual([[CALLER], ['a=1']]);
    expect(await sent({ traceparent: CALLER, tracestate: 'a\n' })).toEqual([[CALLER], []]);
    expect(await sent({ traceparent: '00-zz', tracestate: 'a=1' })).toEqual([[], []]);
    expect(await sent({ traceparent: CALLER }, { tracestate: 'b=2' })).toEqual([[CALLER], []]);
  });
});
