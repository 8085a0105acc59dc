/**
 * Traces: which step of which request took how long. The layers describe their steps here, and know nothing of the
 * format or the receiver of traces.
 */

/**
 * The facts that a span may tell, by the names of OpenTelemetry's semantic conventions, or below `sinete.`. No fact
 * names a person, a document, a file, a transaction or a secret: a new one must keep to this.
 */
export interface SpanAttributes {
  readonly 'http.request.method'?: string;
  /** The pattern of the path, such as `/file-transfer/:tcn`. */
  readonly 'http.route'?: string;
  readonly 'http.response.status_code'?: number;
  /** Host name or address of another server. */
  readonly 'server.address'?: string;
  readonly 'server.port'?: number;
  /** The operation of the interface. */
  readonly 'sinete.operation'?: string;
  /** The client went away before the answer was complete. */
  readonly 'sinete.broken'?: boolean;
  /** The kind of the requester: program, site, application, person. */
  readonly 'sinete.requester'?: string;
  readonly 'sinete.documents'?: number;
  /** Milliseconds from the creation of the transaction to this job, the time of an approval included. */
  readonly 'sinete.job.age'?: number;
  /** Number of the claim of a node on the job; above 1, another node had the job before. */
  readonly 'sinete.job.claim'?: number;
  readonly 'sinete.job.outcome'?: string;
  /** Milliseconds from the begin of the job until the document had its turn. */
  readonly 'sinete.queue.time'?: number;
  readonly 'sinete.signature.type'?: string;
  readonly 'sinete.signature.policy'?: string;
  readonly 'sinete.signature.digest'?: string;
  readonly 'sinete.document.size'?: number;
  /** Where the document lies: `small`, `digest`, `kept`, `path`. */
  readonly 'sinete.document.content'?: string;
  /** `file` or `token`. */
  readonly 'sinete.key.source'?: string;
  /** The scheme of a signature with its hash function. */
  readonly 'sinete.key.mechanism'?: string;
  /** Id of a time-stamp server in the settings. */
  readonly 'sinete.tsa'?: string;
}

/** `caller`: of another program, whose wish to record does not count. `record`: of this installation, kept in a row. */
export interface TraceOrigin {
  readonly from: 'caller' | 'record';
  /** W3C Trace Context §3.2; an unreadable value counts as absent. */
  readonly traceParent: string | undefined;
}

/** Options of a span. */
export interface SpanOptions {
  /** Default: `internal`. */
  readonly kind?: 'internal' | 'server' | 'client' | 'consumer';
  readonly attributes?: SpanAttributes;
  /** The span above. Default: the span in work. */
  readonly parent?: TraceOrigin;
}

/** A step that has begun. */
export interface Span {
  /** Renames the span: the route of a request is known later than its begin. */
  rename(name: string): void;
  note(attributes: SpanAttributes): void;
  /** Marks the step as failed, by a code and never by a text. */
  fail(code: string): void;
  end(): void;
  /** Runs `action`: spans that begin in it are below this one. */
  run<Result>(action: () => Result): Result;
}

/** Makes spans. */
export interface Tracer {
  /** False: spans cost nothing and go nowhere. */
  readonly isOn: boolean;
  /** Begins a span. A name is a word of the source text, or the pattern of a route, and never data. */
  start(name: string, options?: SpanOptions): Span;
  /** The span in work, as the value of a `traceparent` header; undefined outside of spans. */
  current(): string | undefined;
}

const noSpan: Span = {
  rename: () => undefined,
  note: () => undefined,
  fail: () => undefined,
  end: () => undefined,
  run: (action) => action(),
};

/** The tracer of an instance without traces. */
export const noTracing: Tracer = { isOn: false, start: () => noSpan, current: () => undefined };

/** Runs `action` in a span, which fails with the code of its error. */
export async function inSpan<Result>(
  tracer: Tracer,
  name: string,
  options: SpanOptions,
  action: (span: Span) => Promise<Result>,
): Promise<Result> {
  if (!tracer.isOn) return action(noSpan);
  const span = tracer.start(name, options);
  try {
    return await span.run(async () => action(span));
  } catch (error) {
    span.fail(errorCodeOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** The code of an error, of its cause, or `UNEXPECTED`; the text may name a file or a person. */
export function errorCodeOf(error: unknown): string {
  for (let one = error; one instanceof Error; one = one.cause) {
    if ('code' in one && typeof one.code === 'string' && /^[A-Z][A-Z0-9_]{1,63}$/.test(one.code)) return one.code;
  }
  return 'UNEXPECTED';
}
