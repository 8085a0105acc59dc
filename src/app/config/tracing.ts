import { AppError } from '../app-error.ts';
import type { Values } from './values.ts';

/** Where traces go, and what is recorded. */
export interface ConfiguredTracing {
  /** Address that receives OTLP over HTTP, with its path. */
  readonly endpoint: string;
  /** File with further headers of the requests, which may be secrets. */
  readonly headersFile?: string;
  /** Share of the requests that are recorded, 0 to 1. */
  readonly sample: number;
  /** `service.name`; absent: of `OTEL_SERVICE_NAME`, else `sinete`. */
  readonly service?: string;
  /** `service.instance.id`; absent: a random one for each start. */
  readonly node?: string;
  /** Callers whose `traceparent` is continued. */
  readonly callers: Values['tracing.callers'];
}

/**
 * The traces of an instance; empty without an endpoint, and where `OTEL_SDK_DISABLED` is `true`. An address without a
 * path gets that of OTLP. Throws `AppError` for a key without effect.
 */
export function tracingOf(
  values: Values,
  environment: Readonly<Record<string, string | undefined>>,
): { readonly tracing?: ConfiguredTracing } {
  const endpoint = values['tracing.endpoint'];
  const headersFile = values['tracing.headers_file'];
  if (endpoint === undefined) {
    if (headersFile === undefined) return {};
    throw new AppError(2, 'The key "tracing.headers_file" needs "tracing.endpoint".');
  }
  if (environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return {};
  const url = new URL(endpoint);
  if (url.pathname === '/') url.pathname = '/v1/traces';
  return {
    tracing: {
      endpoint: url.href,
      sample: values['tracing.sample'],
      callers: values['tracing.callers'],
      headersFile,
      service: values['tracing.service'],
      node: values['tracing.node'],
    },
  };
}
