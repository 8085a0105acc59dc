import type { Request, RequestHandler, Response } from 'express';
import { ServiceError } from '../../service/errors/index.ts';
import { TRANSACTIONS_A_PAGE, type Transactions, type TransactionView } from '../../service/transactions/index.ts';
import { identifyBearer, readCredentials, type CredentialServices } from '../authorization/credentials.ts';
import { aliasSightOf, siteOf, type GuardParts } from '../guard-request.ts';
import type { Life } from '../life.ts';
import { transactionHead } from './signature-service.ts';
import { identifyListOwner } from './transaction-lists.ts';

/** Milliseconds between two pings; the caller's permission is checked again before each ping. */
const pingInterval = 15_000;
/** Maximum number of unread bytes of a client before its stream is ended. */
const backlog = 256 * 1024;
/** Maximum number of changed transactions read by one query. */
const readAtOnce = 200;
/** Transactions whose last sent state a stream remembers, so that no state is sent twice. */
const remembered = 2000;
const streamsOverall = 200;
const streamsPerCaller = 20;

/** Event id of the last event in the stream of a single transaction. */
const lastId = 'final';

/** Services of event streams. */
export interface EventParts {
  readonly transactions: Transactions;
  readonly services: CredentialServices;
  readonly consent: Pick<GuardParts['consent'], 'scopesOf'>;
  readonly now: () => Date;
  readonly life: Life;
}

/**
 * `GET /signature-service/events`: the caller's own transactions as server-sent events (HTML Living Standard §9.2). The
 * stream begins with the transactions that wait and, with `Last-Event-ID`, those finished since that event.
 */
export function streamOwnTransactions(parts: EventParts, streams = new StreamCounter()): RequestHandler {
  const { transactions, services, now } = parts;
  return async (request, response) => {
    const caller = await identifyListOwner(services, request, response);
    if (endHead(request, response)) return;
    const leave = streams.enter(caller);
    const stream = new EventStream(response, {
      read: async (tcns) => transactions.overview(tcns, caller),
      idOf: () => String(now().getTime()),
      isPermitted: async () => isPermitted(parts, request, response),
    });
    stream.follow(parts, () => true, leave);
    const since = readTime(request.get('Last-Event-ID'));
    const limit = TRANSACTIONS_A_PAGE;
    const waiting = await transactions.list(caller, { status: 'WAITING', limit });
    const finished =
      since === undefined ? [] : (await transactions.list(caller, { finishedSince: since, limit })).transactions;
    // Each transaction is read once more, so that an older state is never sent after a newer one.
    for (const { tcn } of [...finished, ...waiting.transactions].toReversed()) stream.look(tcn);
  };
}

/**
 * `GET /signature-service/<tcn>/events`: one transaction, from its present state to its end; then the stream ends. A
 * client that reconnects after the end gets 204, which stops further reconnects.
 */
export function streamTransaction(parts: EventParts, streams = new StreamCounter()): RequestHandler<{ tcn: string }> {
  const { transactions } = parts;
  return async (request, response) => {
    const { tcn } = request.params;
    const read = async (): Promise<readonly TransactionView[]> => transactions.overview([tcn]);
    const [first] = await read();
    if (first === undefined) throw new ServiceError('TRANSACTION_NOT_FOUND', 'No transaction has this TCN.');
    if (first.finishedAt !== null && request.get('Last-Event-ID') === lastId) {
      response.status(204).end();
      return;
    }
    if (endHead(request, response)) return;
    const leave = streams.enter(siteOf(response) ?? tcn);
    const stream = new EventStream(response, {
      read,
      idOf: ({ finishedAt }) => (finishedAt === null ? 'waiting' : lastId),
      isPermitted: async () => isPermitted(parts, request, response),
      endsWith: ({ finishedAt }) => finishedAt !== null,
    });
    stream.follow(parts, (changed) => changed === tcn, leave);
    stream.look(tcn);
  };
}

function endHead(request: Request, response: Response): boolean {
  if (request.method === 'HEAD') response.set('Content-Type', 'text/event-stream').end();
  return request.method === 'HEAD';
}

/** The time in an event's id: milliseconds since 1970. */
function readTime(id: string | undefined): Date | undefined {
  return id !== undefined && /^\d{1,15}$/.test(id) ? new Date(Number(id)) : undefined;
}

/** True if a running stream may continue: its token is not revoked, and its site still has a grant. */
async function isPermitted({ services, consent }: EventParts, request: Request, response: Response): Promise<boolean> {
  const site = siteOf(response);
  if (site !== undefined && consent.scopesOf(site) === undefined) return false;
  if (readCredentials(request.get('Authorization')).kind !== 'bearer') return true;
  try {
    await identifyBearer(services, request, response);
    return true;
  } catch {
    return false;
  }
}

/** Limits the number of open streams; further requests are refused with `BUSY`. */
export class StreamCounter {
  readonly #byCaller = new Map<string, number>();
  #overall = 0;

  /** Counts a stream of this caller; answers the function that ends the count. */
  enter(caller: string): () => void {
    const own = this.#byCaller.get(caller) ?? 0;
    if (own >= streamsPerCaller || this.#overall >= streamsOverall) {
      const detail = `Too many event streams are open: at most ${streamsPerCaller} for a caller. Close one of them.`;
      throw new ServiceError('BUSY', detail, { retryAfter: 30 });
    }
    this.#overall++;
    this.#byCaller.set(caller, own + 1);
    return () => {
      this.#overall--;
      const left = (this.#byCaller.get(caller) ?? 1) - 1;
      if (left <= 0) this.#byCaller.delete(caller);
      else this.#byCaller.set(caller, left);
    };
  }
}

interface StreamParts {
  /** Reads the present states of these transactions, as far as the stream may show them. */
  readonly read: (tcns: readonly string[]) => Promise<readonly TransactionView[]>;
  readonly idOf: (view: TransactionView) => string;
  readonly isPermitted: () => Promise<boolean>;
  /** True if this state is the last of the stream; by default no state is. */
  readonly endsWith?: (view: TransactionView) => boolean;
}

/** A stream of states: several changes of a transaction between two reads are sent as one event. */
class EventStream {
  readonly #response: Response;
  readonly #parts: StreamParts;
  readonly #changed = new Set<string>();
  readonly #told = new Map<string, string>();
  #isLooking = false;

  constructor(response: Response, parts: StreamParts) {
    this.#response = response;
    this.#parts = parts;
    response.status(200).set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
    response.flushHeaders();
    response.write('retry: 2000\n\n');
  }

  /** Sends changes of the chosen transactions until the client disconnects or the instance ends; then calls `leave`. */
  follow(
    { transactions, life }: Pick<EventParts, 'transactions' | 'life'>,
    isChosen: (tcn: string) => boolean,
    leave: () => void,
  ): void {
    const ping = setInterval(() => void this.#ping(), pingInterval);
    const stop = transactions.onChange((tcn) => {
      if (isChosen(tcn)) this.look(tcn);
    });
    // Ends the stream after a loss of messages: the client reconnects by itself, and its new stream begins with the
    // missed changes.
    const unmissed = transactions.onMissed(() => this.#response.end());
    const unfollow = life.onEnd(() => this.#response.end());
    const end = (): void => {
      clearInterval(ping);
      stop();
      unmissed();
      unfollow();
      leave();
    };
    if (this.#response.closed) end();
    else this.#response.once('close', end);
  }

  /** Reads the transaction soon, and sends its state if the state is new. */
  look(tcn: string): void {
    this.#changed.add(tcn);
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#lookAtAll()
      .catch(() => this.#response.destroy())
      .finally(() => (this.#isLooking = false));
  }

  #tell(view: TransactionView): void {
    if (this.#response.writableEnded || this.#response.destroyed) return;
    const head = JSON.stringify(transactionHead(view, aliasSightOf(this.#response)));
    if (this.#told.get(view.tcn) === head) return;
    this.#told.delete(view.tcn);
    this.#told.set(view.tcn, head);
    const [oldest] = this.#told.keys();
    if (this.#told.size > remembered && oldest !== undefined) this.#told.delete(oldest);
    if (this.#response.writableLength > backlog) {
      this.#response.destroy();
      return;
    }
    this.#response.write(`id: ${this.#parts.idOf(view)}\nevent: transaction\ndata: ${head}\n\n`);
    if (this.#parts.endsWith?.(view) === true) this.#response.end();
  }

  async #lookAtAll(): Promise<void> {
    while (this.#changed.size > 0 && !this.#response.destroyed) {
      const tcns = [...this.#changed].slice(0, readAtOnce);
      for (const tcn of tcns) this.#changed.delete(tcn);
      for (const view of await this.#parts.read(tcns)) this.#tell(view);
    }
  }

  async #ping(): Promise<void> {
    if (this.#response.writableEnded || this.#response.destroyed) return;
    if (await this.#parts.isPermitted()) this.#response.write(': ping\n\n');
    else this.#response.end();
  }
}
