/** Prints every span as a line of JSON on stderr. In production an exporter for OTLP takes the printer's place. */
import { SpanKind, trace } from '@opentelemetry/api';
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';

const printer = {
  export(spans, done) {
    for (const span of spans) {
      const { traceId, spanId } = span.spanContext();
      const { name, attributes, parentSpanContext, duration } = span;
      const ms = duration[0] * 1000 + duration[1] / 1e6;
      const ids = { traceId, spanId, parentSpanId: parentSpanContext?.spanId };
      console.error(JSON.stringify({ name, kind: SpanKind[span.kind], ...ids, ms, attributes }));
    }
    done({ code: 0 });
  },
  shutdown: async () => {},
};

trace.setGlobalTracerProvider(
  new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(printer)] }),
);
