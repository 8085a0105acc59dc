/** Clients that go on signing while a store of the product is away, and their answers meanwhile. */
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { letTimePass } from '../../setup/waits.ts';

/** Transactions of each client, and documents of a transaction. */
const TRANSACTIONS = 10;
const DOCUMENTS = 3;
/** Milliseconds between a refusal and the next try; the product tries its store again meanwhile. */
const PAUSE = 100;

export interface OutageTransaction {
  readonly tcn: string;
  readonly status: string;
  readonly documents: readonly { readonly status: string; readonly result: string | null }[];
}

/** Long documents are files or objects, short documents rows of the database. */
const contentOf = (name: string, isLong: boolean): string => name.repeat(isLong ? 20_000 : 1);

export class OutageClients {
  /** Answers of 503 in order. */
  readonly refused: { readonly code: unknown; readonly retryAfter: string | null }[] = [];
  readonly finished: OutageTransaction[] = [];
  /** TCNs of notifications in order. */
  readonly notified: string[] = [];
  readonly count: number;
  #baseUrls: readonly string[] = [];
  #asked = 0;
  readonly #receiver: Server;

  constructor(count: number) {
    this.count = count;
    this.#receiver = createServer((request, response) => {
      this.notified.push(new URL(request.url ?? '', 'http://localhost').searchParams.get('tcn') ?? '');
      request.resume();
      response.end();
    });
  }

  /** The number of all transactions, and of all documents. */
  get total(): { readonly transactions: number; readonly documents: number } {
    const transactions = this.count * TRANSACTIONS;
    return { transactions, documents: transactions * DOCUMENTS };
  }

  /** Starts the receiver of notifications. */
  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#receiver.listen(0, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    await new Promise((resolve) => this.#receiver.close(resolve));
  }

  /** Signs all transactions; each request goes to the next instance. */
  async run(baseUrls: readonly string[]): Promise<void> {
    this.#baseUrls = baseUrls;
    await Promise.all(Array.from({ length: this.count }, async (_, client) => this.#runClient(client)));
  }

  /** Repeats a request until no longer refused for the moment. Rejects for every other refusal than 503. */
  async ask(path: string, init: RequestInit = {}, alsoGood: readonly number[] = []): Promise<Response> {
    for (;;) {
      const answer = await fetch(`${this.#baseUrls[this.#asked++ % this.#baseUrls.length] ?? ''}${path}`, init);
      if (answer.ok || alsoGood.includes(answer.status)) return answer;
      const problem = (await answer.json()) as { readonly code: unknown };
      if (answer.status !== 503) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(problem)}`);
      this.refused.push({ code: problem.code, retryAfter: answer.headers.get('Retry-After') });
      await letTimePass(PAUSE);
    }
  }

  async #runClient(client: number): Promise<void> {
    for (let number = 0; number < TRANSACTIONS; number++) {
      const name = `${client}.${number}`;
      const transaction = await this.#collect(
        await (number % 2 === 0 ? this.#sendInline(name) : this.#sendUpload(name)),
      );
      for (const { result } of transaction.documents) {
        const answer = await this.ask(new URL(result ?? '').pathname);
        const [first] = new Uint8Array(await answer.arrayBuffer());
        if (first !== 0x30) throw new Error('The result is no signature in DER.');
      }
      this.finished.push(transaction);
    }
  }

  async #create(source: object): Promise<OutageTransaction> {
    const callback = `http://127.0.0.1:${(this.#receiver.address() as AddressInfo).port}/?tcn=`;
    const body = { type: 'CAdES-attached', ...source, notification_callback: callback };
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() };
    const answer = await this.ask('/signature-service', { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()) as OutageTransaction;
  }

  async #sendInline(name: string): Promise<string> {
    const documents = Array.from({ length: DOCUMENTS }, (_, index) => ({
      data: `data:text/plain,${contentOf(`${name}.${index}.`, false)}`,
    }));
    return (await this.#create({ documents_source: 'DATA_URL', documents })).tcn;
  }

  async #sendUpload(name: string): Promise<string> {
    const { tcn } = await this.#create({ documents_source: 'UPLOAD_REFERENCE' });
    const form = new FormData();
    for (let index = 0; index < DOCUMENTS; index++) {
      form.append(`document[${index}]`, new Blob([contentOf(`${name}.${index}.`, true)]), `${index}.txt`);
    }
    // 409: an earlier attempt was stored, although its answer was 503.
    await this.ask(`/file-transfer/${tcn}/eot`, { method: 'POST', body: form }, [409]);
    return tcn;
  }

  async #collect(tcn: string): Promise<OutageTransaction> {
    for (;;) {
      const answer = await this.ask(`/signature-service/${tcn}?wait=5`);
      const transaction = (await answer.json()) as OutageTransaction;
      if (transaction.status !== 'WAITING') return transaction;
    }
  }
}
