/**
 * Child process of `other-owner.bench.ts`: an owner with a batch of 10,000 documents, callers that poll all of its
 * pages, and uploads that are just fast enough not to be ended. A process of its own, so that its work does not count as
 * the server's.
 */
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/** The order to begin a batch; any other message is the order to leave. */
export interface LoadOrder {
  readonly baseUrl: string;
  /** Value of the header `Authorization`. */
  readonly authorization: string;
  /** Body of the create request. */
  readonly body: string;
  readonly pollers: number;
  readonly uploads: number;
}

/** `loaded`: the uploads hang and the batch is polled. `signed`: every document of the batch is signed. */
export type LoadReport =
  | { readonly state: 'loaded' }
  | { readonly state: 'signed' | 'failed'; readonly polls: number; readonly detail: string };

/** More than the least speed of 30 KiB in 30 seconds. */
const TRICKLE = { bytes: 700, interval: 500 };
const UPLOAD_LENGTH = 100_000_000;

interface Answer {
  readonly tcn: string;
  readonly status: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly documents: readonly { readonly id: string }[];
}

const agent = new Agent({ keepAlive: true });

async function send(
  { baseUrl, authorization }: LoadOrder,
  method: string,
  path: string,
  body?: string,
): Promise<Answer> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { Authorization: authorization, 'Content-Type': 'application/json' };
    request(`${baseUrl}${path}`, { method, headers, agent }, resolve).once('error', reject).end(body);
  });
  const content = await text(answer);
  if ((answer.statusCode ?? 500) >= 300) throw new Error(`${answer.statusCode} ${content}`);
  return JSON.parse(content) as Answer;
}

/** Uploads that trickle; a place that an upload loses is taken by the next upload. */
class SlowUploads {
  readonly #order: LoadOrder;
  readonly #tcn: string;
  readonly #open = new Set<Socket>();
  readonly #timer: NodeJS.Timeout;

  constructor(order: LoadOrder, tcn: string) {
    this.#order = order;
    this.#tcn = tcn;
    for (let opened = 0; opened < order.uploads; opened += 1) this.#begin();
    const bytes = Buffer.alloc(TRICKLE.bytes, 'x');
    this.#timer = setInterval(() => {
      for (const socket of this.#open) if (socket.writable) socket.write(bytes);
    }, TRICKLE.interval);
  }

  end(): void {
    clearInterval(this.#timer);
    for (const socket of this.#open) {
      socket.removeAllListeners('close').on('error', () => undefined);
      socket.destroy();
    }
  }

  #begin(): void {
    const { hostname, port } = new URL(this.#order.baseUrl);
    const socket = connect(Number(port), hostname);
    this.#open.add(socket);
    const head = [
      `POST /file-transfer/${this.#tcn}/continue HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      `Authorization: ${this.#order.authorization}`,
      'Content-Type: application/octet-stream',
      `Content-Length: ${UPLOAD_LENGTH}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket
      .on('error', () => undefined)
      .resume()
      .once('close', () => {
        this.#open.delete(socket);
        this.#begin();
      });
  }
}

/** Asks for every page of the batch until all of its documents are final; answers the number of requests. */
async function poll(order: LoadOrder, tcn: string): Promise<number> {
  let polls = 0;
  for (;;) {
    let after: string | undefined;
    let answer: Answer;
    do {
      const page = after === undefined ? '' : `&documents_after=${after}`;
      answer = await send(order, 'GET', `/signature-service/${tcn}?wait=10${page}`);
      polls += 1;
      after = answer.documents.at(-1)?.id;
    } while (answer.documents.length > 0 && answer.status === 'WAITING');
    if (answer.status !== 'WAITING') return polls;
  }
}

async function load(order: LoadOrder): Promise<void> {
  const open = JSON.stringify({ type: 'CAdES-attached', documents_source: 'UPLOAD_REFERENCE' });
  const uploads = new SlowUploads(order, (await send(order, 'POST', '/signature-service', open)).tcn);
  try {
    const { tcn } = await send(order, 'POST', '/signature-service', order.body);
    process.send?.({ state: 'loaded' } satisfies LoadReport);
    const polls = await Promise.all(Array.from({ length: order.pollers }, async () => poll(order, tcn)));
    const { status, counts } = await send(order, 'GET', `/signature-service/${tcn}`);
    const report = { polls: polls.reduce((sum, count) => sum + count, 0), detail: JSON.stringify(counts) };
    process.send?.({ state: status === 'SIGNED' ? 'signed' : 'failed', ...report } satisfies LoadReport);
  } finally {
    uploads.end();
  }
}

process.on('message', (order: LoadOrder) => {
  load(order).catch((error: unknown) => {
    process.send?.({ state: 'failed', polls: 0, detail: String(error) } satisfies LoadReport);
  });
});
process.once('disconnect', () => process.exit());
