/** Spans of exchanges, through the OpenTelemetry API: none, at next to no cost, unless somebody registered an SDK. */
import {
  type Context,
  context,
  createTraceState,
  type Link,
  type ProxyTracerProvider,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { Exchange } from '../engine/exchange.js';
import type { Ledger } from '../engine/ledger.js';
import type { ExchangeSummary } from '../engine/observer.js';
import type { Upstream } from '../engine/plan.js';
import type { TraceContext } from '../protocol/trace.js';
import {
  clientEnding,
  type Ending,
  messageAttributes,
  serverEnding,
  spanName,
  unreadAttributes,
  upstreamAttributes,
} from './trace-attributes.js';

const SCOPE = 'mrtr-gateway';

export type TraceFields = Pick<TraceContext, 'traceparent' | 'tracestate'>;

/** The two spans of one exchange: the client's call, and the gateway's own call to the upstream. */
interface ExchangeSpans {
  readonly tracer: Tracer;
  readonly server: Span;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Holds the server's span. */
  readonly context: Context;
  client?: { readonly span: Span; readonly startedAt: number };
}

/** Where exchanges get their spans. What an SDK throws is told to `logError` and disturbs no exchange. */
export class Tracing {
  readonly #spans = new WeakMap<Exchange, ExchangeSpans>();
  #provider: object | undefined;
  #tracer: Tracer | undefined;

  constructor(readonly logError: (error: unknown) => void) {}

  /** The message is read: its exchange gets a span, if anybody wants one, and a trace. */
  begin(exchange: Exchange, ledger: Ledger): void {
    const tracer = this.#registered();
    if (tracer === undefined) return;
    this.#guarded(() => {
      const options = { attributes: messageAttributes(exchange), startTime: Date.now() - ledger.elapsedMs };
      const spans = startServer(tracer, spanName(exchange), options, ledger.trace);
      ledger.trace ??= { ...fieldsOf(spans.server), inMessage: false };
      this.#spans.set(exchange, spans);
    });
  }

  /** The upstream is called: what goes along in place of the caller's trace. */
  forward(exchange: Exchange, upstream: Upstream, ledger: Ledger): TraceFields | undefined {
    const spans = this.#tracer && this.#spans.get(exchange);
    if (spans === undefined) return undefined;
    return this.#guarded(() => {
      const startedAt = spans.startedAt + ledger.elapsedMs;
      const attributes = { ...messageAttributes(exchange), ...upstreamAttributes(upstream) };
      const options = { kind: SpanKind.CLIENT, attributes, startTime: startedAt };
      const span = spans.tracer.startSpan(spanName(exchange), options, spans.context);
      spans.client = { span, startedAt };
      return fieldsOf(span);
    });
  }

  /** `caller` is the trace of an exchange that ended before its message was read. */
  end(summary: ExchangeSummary | undefined, caller: TraceContext | undefined): void {
    const tracer = this.#registered();
    if (tracer === undefined || summary === undefined) return;
    this.#guarded(() => {
      const begun = summary.exchange && this.#spans.get(summary.exchange);
      const { client, server, startedAt } = begun ?? startUnread(tracer, summary, caller);
      if (client !== undefined)
        endSpan(client.span, clientEnding(summary), client.startedAt + (summary.upstreamMs ?? 0));
      endSpan(server, serverEnding(summary), startedAt + summary.durationMs);
    });
  }

  /** The registered provider's tracer, asked for anew only when another one has been registered. */
  #registered(): Tracer | undefined {
    const proxy = trace.getTracerProvider() as Partial<ProxyTracerProvider>;
    const provider = proxy.getDelegate?.() ?? proxy;
    if (provider !== this.#provider) {
      this.#provider = provider;
      this.#tracer = (proxy.getDelegateTracer ?? proxy.getTracer)?.call(proxy, SCOPE);
    }
    return this.#tracer;
  }

  #guarded<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.logError(error);
      return undefined;
    }
  }
}

function startServer(
  tracer: Tracer,
  name: string,
  options: SpanOptions & { readonly startTime: number },
  caller: TraceContext | undefined,
): ExchangeSpans {
  const { parent, links } = lineage(caller);
  const server = tracer.startSpan(name, { ...options, kind: SpanKind.SERVER, links }, parent);
  return { tracer, server, startedAt: options.startTime, context: trace.setSpan(parent, server) };
}

/** An exchange that ended before its message was read gets its span afterwards. */
function startUnread(
  tracer: Tracer,
  summary: ExchangeSummary,
  caller: TraceContext | undefined,
): ExchangeSpans {
  const { exchange, route, durationMs } = summary;
  const name = exchange === undefined ? `POST ${route.path}` : spanName(exchange);
  const attributes = exchange === undefined ? unreadAttributes(summary) : messageAttributes(exchange);
  return startServer(tracer, name, { attributes, startTime: Date.now() - durationMs }, caller);
}

/** Under the host application's span when that goes on with the caller's trace; else under the caller's, linked to it. */
function lineage(caller: TraceContext | undefined): { parent: Context; links: Link[] } {
  const active = context.active();
  const ambient = trace.getSpanContext(active);
  const remote = caller && remoteOf(caller);
  if (remote === undefined || remote.traceId === ambient?.traceId) return { parent: active, links: [] };
  const links = ambient === undefined ? [] : [{ context: ambient }];
  return { parent: trace.setSpanContext(active, remote), links };
}

function remoteOf({ traceparent, tracestate }: TraceContext): SpanContext {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return tracestate === undefined ? remote : { ...remote, traceState: createTraceState(tracestate) };
}

function fieldsOf(span: Span): TraceFields {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext();
  const flags = traceFlags.toString(16).padStart(2, '0');
  return {
    traceparent: `00-${traceId}-${spanId}-${flags}`,
    tracestate: traceState?.serialize() || undefined,
  };
}

function endSpan(span: Span, { attributes, failed, description }: Ending, endTime: number): void {
  span.setAttributes(attributes);
  if (failed)
    span.setStatus({
      code: SpanStatusCode.ERROR,
      ...(description !== undefined && { message: description }),
    });
  span.end(endTime);
}
