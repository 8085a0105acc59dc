/** The tracer of the product over the SDK of OpenTelemetry; the only file that makes spans of it. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Link,
  type Span as OtelSpan,
  type SpanContext,
  type Tracer as OtelTracer,
} from '@opentelemetry/api';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
  type Resource,
} from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  SamplingDecision,
  TracerProvider,
  type Sampler,
  type SamplingResult,
} from '@opentelemetry/sdk-trace';
import type { ServiceLog, Span, SpanAttributes, SpanOptions, Tracer } from '../../service/monitoring/index.ts';
import type { ConfiguredTracing } from '../config/tracing.ts';
import { withoutSecrets } from '../log/log.ts';
import { product } from '../product.ts';
import type { Receiver } from './open-receiver.ts';
import { OtlpExporter } from './otlp-exporter.ts';
import type { Tracing } from './tracing.ts';
import { dropUndefined } from '../../values/drop-undefined.ts';

/** Most spans in memory before they are sent; more are dropped. A span takes about a kilobyte. */
export const MOST_WAITING = 2048;
const BATCH = 512;
const BETWEEN_BATCHES = 5000;
/** Longer than the exporter's own limit, so that there is one batch on its way at a time. */
const BATCH_TIMEOUT = 15_000;
/** Milliseconds for the remaining spans at the end of a process without a limit of its own. */
const USUAL_PATIENCE = 1000;
const LONGEST_TEXT = 128;

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const;

/**
 * Decides for a whole trace. A span above, in this process or kept in a row, has decided. A caller may say that its trace
 * is not recorded; that its trace is recorded does not count, and neither does its trace id, because both are chosen by
 * strangers: the configured share is drawn.
 */
class ShareSampler implements Sampler {
  readonly #share: number;

  constructor(share: number) {
    this.#share = share;
  }

  shouldSample(context: Context): SamplingResult {
    const above = trace.getSpanContext(context);
    const isSampled = above === undefined || (above.traceFlags & TraceFlags.SAMPLED) !== 0;
    const isOurs = above !== undefined && above.isRemote !== true;
    const isKept = isSampled && (isOurs || Math.random() < this.#share);
    return { decision: isKept ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD };
  }

  toString(): string {
    return `ShareSampler{${this.#share}}`;
  }
}

/** Traces of an instance, sent in batches. */
export class OpenTelemetry implements Tracing {
  readonly tracer: Tracer;
  readonly #provider: TracerProvider;
  readonly #exporter: OtlpExporter;
  #closing: Promise<void> | undefined;

  constructor(configuration: ConfiguredTracing, receiver: Receiver) {
    this.#exporter = new OtlpExporter(receiver);
    this.#provider = new TracerProvider({
      resource: resourceOf(configuration),
      sampler: new ShareSampler(configuration.sample),
      spanLimits: { attributeValueLengthLimit: LONGEST_TEXT },
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: this.#exporter,
          maxQueueSize: MOST_WAITING,
          maxExportBatchSize: BATCH,
          scheduledDelayMillis: BETWEEN_BATCHES,
          exportTimeoutMillis: BATCH_TIMEOUT,
        }),
      ],
    });
    this.tracer = new SpanMaker(this.#provider.getTracer('sinete', product.version));
  }

  reportTo(log: Pick<ServiceLog, 'warn' | 'info'>): void {
    this.#exporter.reportTo(log);
  }

  async close(patience = USUAL_PATIENCE): Promise<void> {
    this.#closing ??= this.#end(patience);
    await this.#closing;
  }

  async #end(patience: number): Promise<void> {
    this.#exporter.hurry();
    const timer = setTimeout(() => void this.#exporter.shutdown(), patience);
    // A failure is in the log.
    await this.#provider.shutdown().catch(() => undefined);
    clearTimeout(timer);
    await this.#exporter.shutdown();
  }
}

/** The attributes of the instance: `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_SERVICE_NAME` count below the configuration. */
function resourceOf({ service, node }: ConfiguredTracing): Resource {
  const preset = resourceFromAttributes({ 'service.name': 'sinete', 'service.instance.id': randomUUID() });
  const chosen = { 'service.name': service, 'service.instance.id': node };
  return defaultResource()
    .merge(preset)
    .merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] }))
    .merge(resourceFromAttributes({ ...chosen, 'service.version': product.version }));
}

/** The span of the running operation. Asynchronous calls of the operation see the same span. */
const inWork = new AsyncLocalStorage<OtelSpan>();

class SpanMaker implements Tracer {
  readonly isOn = true;
  readonly #tracer: OtelTracer;

  constructor(tracer: OtelTracer) {
    this.#tracer = tracer;
  }

  start(name: string, { kind = 'internal', attributes = {}, parent }: SpanOptions = {}): Span {
    const present = inWork.getStore();
    const above = parent === undefined ? present : originOf(parent);
    const context = above === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, above);
    const options = { kind: kinds[kind], attributes: safeAttributes(attributes), links: linksTo(present, above) };
    return new SpanInWork(this.#tracer.startSpan(name, options, context));
  }

  current(): string | undefined {
    const context = inWork.getStore()?.spanContext();
    return context && `00-${context.traceId}-${context.spanId}-0${context.traceFlags & TraceFlags.SAMPLED}`;
  }
}

/** A span as the layers see it. */
class SpanInWork implements Span {
  readonly #span: OtelSpan;

  constructor(span: OtelSpan) {
    this.#span = span;
  }

  rename(name: string): void {
    this.#span.updateName(name);
  }

  note(attributes: SpanAttributes): void {
    this.#span.setAttributes(safeAttributes(attributes));
  }

  fail(code: string): void {
    this.#span.setAttributes({ 'error.type': code }).setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    this.#span.end();
  }

  run<Result>(action: () => Result): Result {
    return inWork.run(this.#span, action);
  }
}

/** A second net under the rule of `SpanAttributes`: a text that looks like a TCN, a CPF or a CNPJ is masked. */
function safeAttributes(attributes: SpanAttributes): Record<string, string | number | boolean> {
  const entries = Object.entries(dropUndefined(attributes)) as readonly (readonly [
    string,
    string | number | boolean,
  ])[];
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? withoutSecrets(value) : value]),
  );
}

/** W3C Trace Context §3.2.2, of the only version 00. */
const traceParentForm = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The span that a text names; undefined for an absent or unreadable one. */
function originOf({ from, traceParent = '' }: NonNullable<SpanOptions['parent']>): OtelSpan | undefined {
  const [, traceId, spanId, flags] = traceParentForm.exec(traceParent) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  const context: SpanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
    isRemote: from === 'caller',
  };
  return trace.wrapSpanContext(context);
}

/** A job below its create request is linked to the request that started it, such as an approval. */
function linksTo(present: OtelSpan | undefined, above: OtelSpan | undefined): Link[] {
  const context = present?.spanContext();
  if (context === undefined || above === present || context.traceId === above?.spanContext().traceId) return [];
  return [{ context }];
}
