import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { makeWorkplace, runSinete, serve } from '../app/run-sinete.ts';
import { interleave, median, compared, milliseconds, type Benchmark } from './harness.ts';
import type { LoadOrder, LoadReport } from './hold-load.ts';

const DOCUMENTS = 10_000;
const UPLOADS = 200;
const POLLERS = 4;
/** Requests whose 99th percentile is the time on an idle instance. */
const IDLE = 200;

const dataUrl = (text: string): string => `data:text/plain;base64,${Buffer.from(text).toString('base64')}`;

async function post(address: string, body: string, authorization?: string): Promise<Record<string, unknown>> {
  const headers = { 'Content-Type': 'application/json', ...(authorization && { Authorization: authorization }) };
  const answer = await fetch(address, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}

/** Registers an application; answers the value of its header `Authorization`. */
async function register(baseUrl: string, name: string): Promise<string> {
  const about = { name, comments: 'Benchmark', redirect_uris: [`https://${name}.example/`], email: 'a@example.com' };
  const { client_id, client_secret } = await post(`${baseUrl}/v0/oauth/application`, JSON.stringify(about));
  return `Basic ${Buffer.from(`${String(client_id)}:${String(client_secret)}`).toString('base64')}`;
}

/** The 99th percentile: of 100 values the second largest. */
function p99(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? NaN;
}

const small = JSON.stringify({
  type: 'CAdES-attached',
  mode: 'sync',
  documents_source: 'DATA_URL',
  documents: [dataUrl('a small document')],
});

/** The owner with the batch, in a process of its own ending with this one. */
class Load {
  readonly #child = fork(fileURLToPath(new URL('hold-load.ts', import.meta.url)));
  readonly #order: LoadOrder;

  constructor(baseUrl: string, authorization: string) {
    const documents = Array.from({ length: DOCUMENTS }, (_one, index) => dataUrl(`document ${index}`));
    const body = JSON.stringify({ type: 'CAdES-attached', documents_source: 'DATA_URL', documents });
    this.#order = { baseUrl, authorization, body, pollers: POLLERS, uploads: UPLOADS };
  }

  /** Runs `action` again and again while the batch is created, signed and polled; answers its milliseconds. */
  async beside(action: () => Promise<unknown>): Promise<readonly number[]> {
    const [times, reports]: [number[], LoadReport[]] = [[], []];
    const note = (report: LoadReport): void => void reports.push(report);
    this.#child.on('message', note);
    this.#child.send(this.#order);
    const isOver = (): boolean => reports.some(({ state }) => state !== 'loaded');
    while (!isOver()) times.push(await milliseconds(action));
    this.#child.off('message', note);
    const last = reports.at(-1);
    assert.equal(last?.state, 'signed', JSON.stringify(last));
    return times;
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.disconnect();
    await ended;
  }
}

export const benchmark: Benchmark = {
  name: `another owner's small request beside ${DOCUMENTS} polled documents and ${UPLOADS} slow uploads`,
  async run() {
    const place = await makeWorkplace();
    const person = ['--name', 'ANA LIMA', '--cpf', '11144477735'];
    assert.equal((await runSinete(place, ['certificates', 'test-identity', ...person])).code, 0);
    const instance = await serve(place, ['--approve', 'all']);
    const { baseUrl } = instance;
    const load = new Load(baseUrl, await register(baseUrl, 'batches'));
    try {
      const authorization = await register(baseUrl, 'other');
      const sign = async (): Promise<void> => {
        const { status } = await post(`${baseUrl}/signature-service`, small, authorization);
        assert.equal(status, 'SIGNED');
      };
      let requests = 0;
      const times = await interleave({
        beside: async () => {
          const all = await load.beside(sign);
          requests = all.length;
          return p99(all);
        },
        idle: async () => {
          const all: number[] = [];
          while (all.length < IDLE) all.push(await milliseconds(sign));
          return p99(all);
        },
      });
      const detail = `p99 of ${median(times.beside).toFixed(0)} ms against ${median(times.idle).toFixed(0)} ms`;
      return [
        {
          what: "another owner's signature of a small document, p99, against an idle instance",
          ...compared(times, 'beside', 'idle'),
          bound: { atMost: 5 },
          detail: `${detail}; ${requests} requests beside the load in the last round`,
        },
      ];
    } finally {
      await load.stop();
      await instance.stop();
      await place.remove();
    }
  },
};
