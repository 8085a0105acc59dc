/** A collector of traces on this computer, with strict decoding of OTLP's JSON. */
import { z } from 'zod';
import type { ConfiguredTracing } from '../../../src/app/config/tracing.ts';
import { startReceiver, type Receiver } from '../../service/notifications/receiver.ts';

const value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({
    intValue: z
      .string()
      .regex(/^-?\d+$/)
      .transform(Number),
  }),
  z.strictObject({ doubleValue: z.number() }),
]);
const attributes = z
  .array(z.strictObject({ key: z.string(), value }))
  .transform((list) => Object.fromEntries(list.map(({ key, value: one }) => [key, Object.values(one)[0] as unknown])));
const traceId = z.string().regex(/^[0-9a-f]{32}$/);
const spanId = z.string().regex(/^[0-9a-f]{16}$/);
const nanoseconds = z.string().regex(/^\d{19}$/);
const span = z.strictObject({
  traceId,
  spanId,
  parentSpanId: z.union([spanId, z.literal('')]),
  /** Sampled; below a span of this program, or of another. */
  flags: z.union([z.literal(0x101), z.literal(0x301)]),
  name: z.string(),
  kind: z.number().int().min(1).max(5),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes,
  droppedAttributesCount: z.literal(0),
  links: z.array(z.strictObject({ traceId, spanId, attributes })),
  status: z.strictObject({ code: z.number().int().min(0).max(2) }),
});
const body = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.literal('sinete'), version: z.string() }),
          spans: z.array(span),
        }),
      ),
    }),
  ),
});

export type ReceivedSpan = z.output<typeof span>;

export interface Collector extends Receiver {
  /** The configuration sending traces here. */
  readonly tracing: ConfiguredTracing;
  /** All spans received. */
  spans(): readonly ReceivedSpan[];
  /** The attributes of the sending instance. */
  resource(): Readonly<Record<string, unknown>>;
  /** The span of this name; throws unless there is exactly one, or a single one with this parent. */
  span(name: string, parent?: ReceivedSpan): ReceivedSpan;
}

export async function startCollector(): Promise<Collector> {
  const receiver = await startReceiver();
  const bodies = () => receiver.arrivals.map((arrival) => body.parse(JSON.parse(arrival.body)));
  const spans = (): readonly ReceivedSpan[] =>
    bodies().flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
    );
  return {
    ...receiver,
    tracing: { endpoint: `${receiver.origin}/v1/traces`, sample: 1, callers: 'loopback' },
    spans,
    resource: () => bodies()[0]?.resourceSpans[0]?.resource.attributes ?? {},
    span(name, parent) {
      const found = spans().filter(
        (one) => one.name === name && (parent === undefined || one.parentSpanId === parent.spanId),
      );
      const [first] = found;
      if (first !== undefined && found.length === 1) return first;
      const all = spans().map((one) => `${one.spanId} below ${one.parentSpanId || 'none'}: ${one.name}`);
      throw new Error(`There are ${found.length} spans "${name}" of:\n${all.join('\n')}`);
    },
  };
}
