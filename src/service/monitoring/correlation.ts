import { AsyncLocalStorage } from 'node:async_hooks';

/** The service's log for an operator. No secret, no whole TCN, no personal data. */
export interface ServiceLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** A shortened TCN for logs: long enough to distinguish transactions, too short to use. */
export function shortTcn(tcn: string): string {
  return `${tcn.slice(0, 6)}…`;
}

const work = new AsyncLocalStorage<string>();

/** Id of the request that the present work belongs to; undefined for work without a request. */
export const requestInWork = (): string | undefined => work.getStore();

/** Runs `action`, and all work that it starts, under the id of a request. */
export const onBehalfOf = <Result>(requestId: string, action: () => Result): Result => work.run(requestId, action);

const mostRemembered = 10_000;

/**
 * Remembers which request created a transaction, so that later work for the transaction is logged under the id of that
 * request. Kept in memory: after a restart the log names only the transaction.
 */
export class Correlation {
  readonly #requests = new Map<string, string>();

  /** Remembers the present request as the one that created `tcn`. */
  remember(tcn: string): void {
    const request = requestInWork();
    if (request === undefined) return;
    this.#requests.set(tcn, request);
    const [oldest] = this.#requests.size > mostRemembered ? this.#requests.keys() : [];
    if (oldest !== undefined) this.#requests.delete(oldest);
  }

  run<Result>(tcn: string, action: () => Result): Result {
    const request = this.#requests.get(tcn);
    return request === undefined ? action() : onBehalfOf(request, action);
  }

  forget(tcn: string): void {
    this.#requests.delete(tcn);
  }
}
