/** An OpenTelemetry SDK that keeps every finished span in memory, registered for the length of a test file. */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  type ContextManager,
  context,
  ROOT_CONTEXT,
  SpanKind,
  trace,
} from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  type Sampler,
  SimpleSpanProcessor,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';

/** Carries the active context through promises and callbacks. */
class AsyncContexts implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();

  active(): Context {
    return this.#storage.getStore() ?? ROOT_CONTEXT;
  }

  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    active: Context,
    run: F,
    thisArg?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.#storage.run(active, () => run.apply(thisArg, args));
  }

  bind<T>(_: Context, target: T): T {
    return target;
  }

  enable(): this {
    return this;
  }

  disable(): this {
    this.#storage.disable();
    return this;
  }
}

export interface Spans {
  readonly all: () => readonly ReadableSpan[];
  /** Those of this kind, in the order in which they ended. */
  readonly of: (kind: 'server' | 'client') => readonly ReadableSpan[];
  readonly remove: () => void;
}

export interface SpansOptions {
  readonly sampler?: Sampler;
  readonly processor?: SpanProcessor;
}

export function collectSpans({ sampler, processor }: SpansOptions = {}): Spans {
  const exporter = new InMemorySpanExporter();
  const spanProcessors = [processor ?? new SimpleSpanProcessor(exporter)];
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors, ...(sampler && { sampler }) }));
  context.setGlobalContextManager(new AsyncContexts());
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT };
  return {
    all: () => exporter.getFinishedSpans(),
    of: (kind) => exporter.getFinishedSpans().filter((span) => span.kind === kinds[kind]),
    remove: () => {
      trace.disable();
      context.disable();
    },
  };
}
