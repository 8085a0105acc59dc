/** Spans in OTLP's JSON (OpenTelemetry Protocol 1.x, `ExportTraceServiceRequest`, with Protobuf's mapping to JSON). */
import type { HrTime, Link } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';

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
export function encodeSpans(spans: readonly ReadableSpan[]): Buffer {
  const [first] = spans;
  const { name, version } = first?.instrumentationScope ?? { name: 'sinete' };
  const resource = { attributes: attributesOf(first?.resource.attributes) };
  const scopeSpans = [{ scope: { name, version: version ?? '' }, spans: spans.map(spanOf) }];
  return Buffer.from(JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] }));
}
