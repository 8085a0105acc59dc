/** A client of the cluster repeating requests refused for the moment, or broken off. */
import { randomBytes, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { letTimePass } from '../setup/waits.ts';
import { buildPdf, onePage } from '../signing/pdf/build-pdf.ts';
import { PUBLIC_HOST, type Service } from './start-cluster.ts';

/** Milliseconds between two attempts. */
const PAUSE = 200;
/** Answers of a proxy or a node unable to answer for the moment. */
const FOR_THE_MOMENT = new Set([502, 503, 504]);

/** An answer with its whole body. */
export interface ClusterAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/** A transaction told by the interface. */
export interface TransactionAnswer {
  readonly tcn: string;
  readonly status: string;
  readonly documents: readonly {
    readonly id: string;
    readonly status: string;
    readonly checksum?: string;
    readonly result: string | null;
  }[];
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** One request to nginx, or directly to a node: the node takes this computer for its proxy. */
export async function askOnce(port: number, path: string, sent: Sent = {}): Promise<ClusterAnswer> {
  const { method = 'GET', headers = {}, body } = sent;
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': String(body.length) };
    const asked = request(
      { host: '127.0.0.1', port, method, path, headers: { Host: PUBLIC_HOST, ...length, ...headers } },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.once('error', reject);
        answer.once('close', () => {
          if (answer.complete) resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(parts) });
          else reject(new Error('The answer was broken off.'));
        });
      },
    );
    asked.once('error', reject);
    asked.end(body);
  });
}

/** The form of sending a kind of document. */
export type Work = 'cms' | 'pades' | 'upload';

/** Sends transactions through nginx in sequence. */
export class ClusterClient {
  readonly #service: Service;
  readonly #callback: string;
  #authorization = '';
  /** Requests sent again. */
  repeated = 0;

  constructor(service: Service, callback: string) {
    this.#service = service;
    this.#callback = callback;
  }

  /** Obtains a token for all later requests. */
  async begin(): Promise<void> {
    const { clientId: client_id, clientSecret: client_secret } = this.#service.application;
    const body = JSON.stringify({ grant_type: 'client_credentials', client_id, client_secret, lifetime: 604_800 });
    const headers = { 'Content-Type': 'application/json' };
    const answer = await this.ask('/oauth', { method: 'POST', headers, body: Buffer.from(body) });
    this.#authorization = `Bearer ${(JSON.parse(answer.body.toString()) as { access_token: string }).access_token}`;
  }

  /** Creates a transaction with `count` documents and waits for its end. */
  async sign(work: Work, count: number): Promise<TransactionAnswer> {
    const { tcn } = work === 'upload' ? await this.#upload(count) : await this.#create(bodyOf(work, count));
    for (;;) {
      const answer = await this.ask(`/signature-service/${tcn}?wait=5`);
      const transaction = JSON.parse(answer.body.toString()) as TransactionAnswer;
      if (transaction.status !== 'WAITING') return transaction;
    }
  }

  /** Repeats a request until the answer; rejects for a lasting refusal. */
  async ask(path: string, sent: Sent = {}, alsoGood: readonly number[] = []): Promise<ClusterAnswer> {
    const own: Readonly<Record<string, string>> =
      this.#authorization === '' ? {} : { Authorization: this.#authorization };
    const headers = { ...own, ...sent.headers };
    for (;;) {
      const answer = await askOnce(this.#service.port, path, { ...sent, headers }).catch(() => undefined);
      if (answer !== undefined) {
        if (answer.status < 300 || alsoGood.includes(answer.status)) return answer;
        if (!FOR_THE_MOMENT.has(answer.status)) {
          throw new Error(`${path.split('/')[1] ?? ''} answered ${answer.status}: ${answer.body.toString()}`);
        }
      }
      this.repeated += 1;
      await letTimePass(PAUSE);
    }
  }

  async #create(body: object): Promise<TransactionAnswer> {
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() };
    const text = JSON.stringify({ ...body, notification_callback: this.#callback });
    const answer = await this.ask('/signature-service', { method: 'POST', headers, body: Buffer.from(text) });
    return JSON.parse(answer.body.toString()) as TransactionAnswer;
  }

  async #upload(count: number): Promise<TransactionAnswer> {
    const created = await this.#create({ type: 'CMS', documents_source: 'UPLOAD_REFERENCE' });
    const form = new FormData();
    for (let index = 0; index < count; index++) form.append(`document[${index}]`, new Blob([randomBytes(5_000_000)]));
    const encoded = new Response(form);
    const headers = { 'Content-Type': encoded.headers.get('Content-Type') ?? '' };
    const body = Buffer.from(await encoded.arrayBuffer());
    // 409: an earlier attempt was stored, although its answer was lost.
    await this.ask(`/file-transfer/${created.tcn}/eot`, { method: 'POST', headers, body }, [409]);
    return created;
  }
}

function bodyOf(work: 'cms' | 'pades', count: number): object {
  const documents = Array.from({ length: count }, () => ({ data: work === 'cms' ? text() : pdf() }));
  return { type: work === 'cms' ? 'CMS' : 'PAdES', documents_source: 'DATA_URL', documents };
}

/** Up to 64 kB, most documents much less. */
function text(): string {
  const bytes = randomBytes(Math.ceil(64_000 * Math.random() ** 3));
  return `data:application/octet-stream;base64,${bytes.toString('base64')}`;
}

function pdf(): string {
  const bytes = buildPdf({ ...onePage(), 6: { dictionary: '', data: randomBytes(100_000) } });
  return `data:application/pdf;base64,${bytes.toString('base64')}`;
}
