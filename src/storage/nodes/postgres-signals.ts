import type { Client, PoolConfig } from 'pg';
import type { NodeMessage, NodeSignals } from '../../service/transactions/index.ts';
import { openSealed, seal } from '../secrets/index.ts';
import { MessageOrder } from './message-order.ts';

const CHANNEL = 'sinete_nodes';
/** Milliseconds during which messages are collected. */
const GATHER = 15;
const BETWEEN_ATTEMPTS = 500;
/** Milliseconds between two looks because of messages that do not count. */
const BETWEEN_LOOKS = 1000;
/** Maximum number of entries of a message: PostgreSQL takes 8,000 bytes, and an entry is shorter than 60. */
const MOST_ENTRIES = 80;

/** A message on the wire, with the name of its node and its number (`MessageOrder`). */
interface Envelope extends NodeMessage {
  readonly from: string;
  readonly number: number;
}

/**
 * Messages between the nodes on a database, by NOTIFY. Every user of the database server may listen and notify, and a
 * TCN is a capability: messages are encrypted and authenticated under the nodes' own key, and count once.
 */
export class PostgresSignals implements NodeSignals {
  readonly #connect: () => Promise<Client>;
  readonly #node: string;
  readonly #order = new MessageOrder();
  #key: Buffer | undefined;
  readonly #listeners = new Set<(message: NodeMessage) => void>();
  #client: Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;
  #gathering: NodeJS.Timeout | undefined;
  #isClosed = false;
  readonly #changed = new Set<string>();
  readonly #jobs = new Set<string>();
  readonly #holds = new Map<string, 'paused' | 'cancelled' | null>();
  readonly #stale = new Set<string>();
  readonly #spent = new Map<string, number>();

  private constructor(connect: () => Promise<Client>, node: string) {
    this.#connect = connect;
    this.#node = node;
  }

  /** Rejects with the failure to connect. */
  static async open(config: PoolConfig, node: string): Promise<PostgresSignals> {
    const { default: pg } = await import('pg');
    const signals = new PostgresSignals(async () => {
      const client = new pg.Client(config);
      client.on('error', () => undefined);
      await client.connect();
      return client;
    }, node);
    await signals.#listen();
    return signals;
  }

  /** Without the key nothing is sent or understood. */
  useKey(key: Buffer): void {
    this.#key = key;
  }

  listen(listener: (message: NodeMessage) => void): void {
    this.#listeners.add(listener);
  }

  tell({ changed = [], jobs = [], holds = [], stale = [], spent = [] }: NodeMessage): void {
    for (const tcn of changed) this.#changed.add(tcn);
    for (const tcn of jobs) this.#jobs.add(tcn);
    for (const [tcn, hold] of holds) this.#holds.set(tcn, hold);
    for (const name of stale) this.#stale.add(name);
    for (const [client, requests] of spent) this.#spent.set(client, (this.#spent.get(client) ?? 0) + requests);
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.#send();
    }, GATHER).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#looking);
    clearTimeout(this.#gathering);
    this.#send();
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
  }

  async #listen(): Promise<void> {
    const client = await this.#connect();
    client.once('end', () => {
      if (this.#client !== client) return;
      this.#client = undefined;
      this.#listenLater();
    });
    client.on('notification', ({ payload }) => {
      this.#receive(payload ?? '');
    });
    try {
      // A message concerns a commit that is already flushed, so its own commit need not be.
      await client.query('set synchronous_commit = off');
      await client.query(`listen ${CHANNEL}`);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    if (this.#isClosed) await client.end();
    else this.#client = client;
  }

  #listenLater(): void {
    if (this.#isClosed) return;
    this.#retry = setTimeout(() => {
      this.#listen().then(
        () => {
          this.#pass({ missed: true });
        },
        () => {
          this.#listenLater();
        },
      );
    }, BETWEEN_ATTEMPTS).unref();
  }

  #send(): void {
    for (const changed of inParts(this.#changed)) this.#notify({ changed });
    for (const jobs of inParts(this.#jobs)) this.#notify({ jobs });
    for (const holds of inParts(this.#holds)) this.#notify({ holds });
    for (const stale of inParts(this.#stale)) this.#notify({ stale });
    for (const spent of inParts(this.#spent)) this.#notify({ spent });
    for (const gathered of [this.#changed, this.#jobs, this.#holds, this.#stale, this.#spent]) gathered.clear();
  }

  #notify(message: NodeMessage): void {
    if (this.#key === undefined) return;
    const envelope: Envelope = { from: this.#node, number: this.#order.next(), ...message };
    const payload = seal(this.#key, Buffer.from(JSON.stringify(envelope)), CHANNEL).toString('base64');
    // A lost message is harmless: a node reads the present state when its connection is back.
    this.#client?.query('select pg_notify($1, $2)', [CHANNEL, payload]).catch(() => undefined);
  }

  #receive(payload: string): void {
    const text = this.#key === undefined ? undefined : openMessage(this.#key, payload);
    if (text === undefined) return;
    const { from, number, ...message } = JSON.parse(text) as Envelope;
    if (from === this.#node) return;
    if (this.#order.isNew(from, number)) this.#pass(message);
    else this.#lookAgain();
  }

  /** The message of a node whose clock is wrong may be true, so that all nodes look for themselves. */
  #lookAgain(): void {
    this.#looking ??= setTimeout(() => {
      this.#looking = undefined;
      this.#pass({ missed: true });
    }, BETWEEN_LOOKS).unref();
  }

  #pass(message: NodeMessage): void {
    for (const listener of this.#listeners) listener(message);
  }
}

function inParts<One>(gathered: Iterable<One>): readonly (readonly One[])[] {
  const entries = [...gathered];
  const parts: One[][] = [];
  for (let start = 0; start < entries.length; start += MOST_ENTRIES) {
    parts.push(entries.slice(start, start + MOST_ENTRIES));
  }
  return parts;
}

/** Undefined for a message that was not written by a node. */
function openMessage(key: Buffer, payload: string): string | undefined {
  try {
    return openSealed(key, Buffer.from(payload, 'base64'), CHANNEL).toString('utf8');
  } catch {
    return undefined;
  }
}
