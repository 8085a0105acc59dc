import { AsyncLocalStorage } from 'node:async_hooks';

/** The service's log for an operator. No secret, no whole TCN, no personal data. */
export interface ServiceLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** A TCN for logs: enough to tell transactions apart, too little to use. */
export function shortTcn(tcn: string): string {
  return `${tcn.slice(0, 6)}…`;
}

const work = new AsyncLocalStorage<string>();

/** Id of the request behind the present work; undefined for work without a request. */
export const requestInWork = (): string | undefined => work.getStore();

/** Runs `action`, and all of its work, on behalf of a request. */
export const onBehalfOf = <Result>(requestId: string, action: () => Result): Result => work.run(requestId, action);

const mostRemembered = 10_000;

/**
 * Which request a transaction came with, so that what is done for it later, in other requests or in none, is told under
 * the id of the one that asked for the signature. Kept in memory: after a restart the log tells of the transaction only.
 */
export class Correlation {
  readonly #requests = new Map<string, string>();

  /** Remembers the request that is being answered as the one that `tcn` came with. */
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
