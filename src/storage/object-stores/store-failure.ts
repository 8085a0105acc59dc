import { ServiceError } from '../../service/errors/index.ts';

/** The store and the action that failed. */
export interface FailedAction {
  /** The store's id, known to its owner. */
  readonly store: string;
  readonly action: 'read' | 'write' | 'look';
}

/** Converts errors of a store, its SDK and the network to the service's errors. A `ServiceError` stays unchanged. */
export function asStoreFailure(error: unknown, { store, action }: FailedAction): ServiceError {
  if (error instanceof ServiceError) return error;
  const code = codeOf(error);
  const refuse = (detail: string): ServiceError => new ServiceError('STORE_REFUSED', detail, { cause: error });
  if (code === 'CANCELLED') return new ServiceError('SIGNING_FAILED', 'The request was withdrawn.', { cause: error });
  if (code === 'NETWORK_REFUSED') {
    return refuse(`The object store ${store} leads to a private network that its endpoint does not name.`);
  }
  if (code === 'NoSuchBucket' || /bucket does not exist/i.test(messageOf(error))) {
    return refuse(`The bucket of the object store ${store} is not there: check its settings.`);
  }
  const status = statusOf(error);
  if (status === 401 || status === 403) {
    return refuse(`The object store ${store} does not allow this: check its credentials and rights.`);
  }
  if (status === 404) {
    return action === 'read'
      ? new ServiceError('DOCUMENT_UNREADABLE', 'There is no such object: check its address.', { cause: error })
      : refuse(`The bucket of the object store ${store} is not there: check its settings.`);
  }
  return action === 'write' && (status === 409 || status === 412) ? objectExists(error) : unavailable(store, error);
}

/** The refusal to overwrite an object. */
export function objectExists(cause?: unknown): ServiceError {
  return new ServiceError('DESTINATION_EXISTS', 'An object is already at the destination: it is not replaced.', {
    cause,
  });
}

/** The error for a temporary failure. */
export function unavailable(store: string, cause: unknown): ServiceError {
  const message = `The object store ${store} does not answer well now: try again later, or test it.`;
  return new ServiceError('STORE_UNAVAILABLE', message, { cause, retryAfter: 10 });
}

/** The error for a failed test of the store, with the store's answer. */
export function unavailableBecause(store: string, error: ServiceError): ServiceError {
  if (error.code !== 'STORE_UNAVAILABLE') return error;
  const message = `The object store ${store} does not answer well: ${reasonOf(error.cause)}. Check its address, and whether its server runs.`;
  return new ServiceError('STORE_UNAVAILABLE', message, { cause: error.cause, retryAfter: 10 });
}

/** Uses only status or code: texts of servers and SDKs may contain anything. */
function reasonOf(error: unknown): string {
  for (let one = error; one instanceof Error; one = one.cause) {
    const status = statusOf(one);
    if (status !== undefined) return `it answered ${status}`;
    const code = codeOf(one);
    if (/^[A-Z][A-Z0-9_]+$/.test(code)) return `nothing came (${code})`;
  }
  return 'what came is no answer of such a store';
}

/** True if the store does not support the request. */
export function isNotImplemented(error: unknown): boolean {
  return statusOf(error) === 501 || codeOf(error) === 'NotImplemented';
}

/** True if the error means that the object does not exist. */
export function isNotFound(error: unknown): boolean {
  return statusOf(error) === 404 && codeOf(error) !== 'NoSuchBucket';
}

/** The HTTP status in an error of either SDK. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { $metadata, code, status } = error as {
    readonly $metadata?: { readonly httpStatusCode?: unknown };
    readonly code?: unknown;
    readonly status?: unknown;
  };
  const found = [$metadata?.httpStatusCode, code, status].find((one) => typeof one === 'number');
  return typeof found === 'number' ? found : undefined;
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.name;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');
