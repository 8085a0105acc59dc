/** Sends spans as OTLP's JSON (OpenTelemetry Protocol 1.x, `ExportTraceServiceRequest`, with Protobuf's mapping to JSON). */
import { setTimeout as pause } from 'node:timers/promises';
import { ExportResultCode, type ExportResult } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { errorCodeOf, type ServiceLog } from '../../service/monitoring/index.ts';
import type { Receiver } from './open-receiver.ts';
import type { HrTime, Link } from '@opentelemetry/api';

type AnyValue = { readonly stringValue: string } | { readonly boolValue: boolean } | NumberValue;
type NumberValue = { readonly intValue: string } | { readonly doubleValue: number };

/** 64-bit integers are text in JSON. */
const nanoseconds = ([seconds, rest]: HrTime): string => String(BigInt(seconds) * 1_000_000_000n + BigInt(rest));

/** Attributes of this program are texts, numbers and booleans. */
function valueOf(value: unknown): AnyValue {
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value !== 'number') return { stringValue: String(value) };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

const attributesOf = (attributes: object | undefined): readonly unknown[] =>
  Object.entries(attributes ?? {}).map(([key, value]) => ({ key, value: valueOf(value) }));

const linkOf = ({ context, attributes }: Link): unknown => ({
  traceId: context.traceId,
  spanId: context.spanId,
  attributes: attributesOf(attributes),
});

/** The flags of W3C, and whether the span above is of another program (`SpanFlags` of the protocol). */
const flagsOf = (traceFlags: number, isRemote: boolean | undefined): number =>
  traceFlags | 0x100 | (isRemote === true ? 0x200 : 0);

function spanOf(span: ReadableSpan): unknown {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceId,
    spanId,
    parentSpanId: span.parentSpanContext?.spanId ?? '',
    flags: flagsOf(traceFlags, span.parentSpanContext?.isRemote),
    name: span.name,
    // The protocol counts from 1, with 0 for an unknown kind.
    kind: span.kind + 1,
    startTimeUnixNano: nanoseconds(span.startTime),
    endTimeUnixNano: nanoseconds(span.endTime),
    attributes: attributesOf(span.attributes),
    droppedAttributesCount: span.droppedAttributesCount,
    links: span.links.map(linkOf),
    status: { code: span.status.code, message: span.status.message },
  };
}

/** The body of one request; all spans are of the same instance. */
function encodeSpans(spans: readonly ReadableSpan[]): Buffer {
  const [first] = spans;
  const { name, version } = first?.instrumentationScope ?? { name: 'sinete' };
  const resource = { attributes: attributesOf(first?.resource.attributes) };
  const scopeSpans = [{ scope: { name, version: version ?? '' }, spans: spans.map(spanOf) }];
  return Buffer.from(JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] }));
}

/** Milliseconds for one request, and for all attempts at one batch. */
const REQUEST_TIMEOUT = 5000;
const BATCH_TIMEOUT = 10_000;
/** Milliseconds before the second attempt, and before the third and last one. */
const PAUSES = [1000, 2000];
const MOST_ANSWER_BYTES = 64 * 1024;
/** Statuses after which the same batch may be sent again (OTLP specification, "Retryable Response Codes"). */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Sends batches of spans to the receiver. A batch that cannot be sent is lost: traces never wait for their receiver. The
 * log tells the begin and the end of a failure, and not each lost batch.
 */
export class OtlpExporter implements SpanExporter {
  readonly #receiver: Receiver;
  readonly #end = new AbortController();
  #mayRetry = true;
  #log: Pick<ServiceLog, 'warn' | 'info'> | undefined;
  #lost = 0;

  constructor(receiver: Receiver) {
    this.#receiver = receiver;
  }

  reportTo(log: Pick<ServiceLog, 'warn' | 'info'>): void {
    this.#log = log;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#send(encodeSpans(spans)).then(
      () => {
        if (this.#lost > 0) this.#log?.info({ removed: this.#lost }, 'traces are sent again; earlier spans are lost');
        this.#lost = 0;
        done({ code: ExportResultCode.SUCCESS });
      },
      (error: unknown) => {
        if (this.#lost === 0) this.#log?.warn({ code: errorCodeOf(error), error }, 'traces cannot be sent');
        this.#lost += spans.length;
        done({ code: ExportResultCode.FAILED });
      },
    );
  }

  /** From now on each batch has one attempt. */
  hurry(): void {
    this.#mayRetry = false;
  }

  /** Ends the requests under way. */
  async shutdown(): Promise<void> {
    this.#end.abort();
    await this.#receiver.http.close();
  }

  async #send(body: Buffer): Promise<void> {
    const signal = AbortSignal.any([this.#end.signal, AbortSignal.timeout(BATCH_TIMEOUT)]);
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#post(body, signal).catch((error: unknown) => ({ error, mayRetry: true }));
      if (outcome === undefined) return;
      const delay = PAUSES[attempt];
      if (!outcome.mayRetry || !this.#mayRetry || delay === undefined || signal.aborted) throw outcome.error;
      await pause(delay, undefined, { signal, ref: false });
    }
  }

  /** Undefined when the receiver has the batch. */
  async #post(body: Buffer, signal: AbortSignal): Promise<{ error: unknown; mayRetry: boolean } | undefined> {
    const { url, headers, http } = this.#receiver;
    const { status } = await http.send({
      method: 'POST',
      url,
      contentType: 'application/json',
      headers,
      body,
      discardBody: true,
      timeout: REQUEST_TIMEOUT,
      maxBytes: MOST_ANSWER_BYTES,
      signal,
    });
    if (status >= 200 && status < 300) return undefined;
    const error = Object.assign(new Error(`The receiver answered ${status}.`), { code: `HTTP_${status}` });
    return { error, mayRetry: RETRYABLE.has(status) };
  }
}
