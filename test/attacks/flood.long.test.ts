import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { makeWorkplace, runSinete, serve, type ServingProcess, type Workplace } from '../app/run-sinete.ts';
import { itNeeding } from '../setup/needs.ts';

/** Connections of the attacker: in all, and at a time. */
const CONNECTIONS = 20_000;
const AT_ONCE = 6000;
const MEGABYTE = 2 ** 20;

let workplace: Workplace;
let instance: ServingProcess;

beforeAll(async () => {
  workplace = await makeWorkplace();
  const person = ['--name', 'ANA LIMA', '--cpf', '11144477735'];
  const made = await runSinete(workplace, ['certificates', 'test-identity', ...person]);
  if (made.code !== 0) throw new Error(made.stderr);
  instance = await serve(workplace, ['--approve', 'all']);
}, 120_000);

afterAll(async () => {
  await instance.stop();
  await workplace.remove();
});

/** Bytes of memory of the instance: at this moment, and at most so far. */
async function memory(): Promise<{ readonly now: number; readonly peak: number }> {
  const { pid } = JSON.parse(await readFile(join(workplace.data, 'instance.json'), 'utf8')) as { pid: number };
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const read = (name: string): number => Number(new RegExp(`${name}:\\s*(\\d+) kB`).exec(status)?.[1]) * 1024;
  return { now: read('VmRSS'), peak: read('VmHWM') };
}

/** A synchronous signature of the owner on a connection of its own; answers the status of the document. */
async function sign(): Promise<string> {
  const body = { type: 'CMS', documents_source: 'DATA_URL', documents: 'data:text/plain,hello', mode: 'sync' };
  const headers = { 'Content-Type': 'application/json', Connection: 'close' };
  const answer = await fetch(`${instance.baseUrl}/signature-service`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  const { documents } = (await answer.json()) as { documents?: { status: string }[] };
  return `${answer.status} ${documents?.[0]?.status ?? ''}`;
}

describe('another user who floods the listener', () => {
  // Only root can become another user.
  itNeeding('root')(
    'neither stops a request of the owner, nor fills the memory, nor is let in',
    async () => {
      for (let warm = 0; warm < 20; warm += 1) expect(await sign()).toBe('201 SIGNED');
      const rest = await memory();
      const program = fileURLToPath(new URL('flood-connections.ts', import.meta.url));
      const words = [program, new URL(instance.baseUrl).port, String(CONNECTIONS), String(AT_ONCE)];
      const attacker = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
      let isOver = false;
      const told = text(attacker.stdout).finally(() => (isOver = true));
      const answers: string[] = [];
      while (!isOver) answers.push(await sign());
      const outcomes = JSON.parse(await told) as Record<string, number>;
      expect(new Set(answers)).toEqual(new Set(['201 SIGNED']));
      // 408: Node gave up waiting for a head sent too slowly by this user.
      expect(Object.keys(outcomes).filter((one) => !/^(closed|HTTP\/1\.1 40[38])/.test(one))).toEqual([]);
      expect(outcomes.closed).toBeGreaterThan(CONNECTIONS / 2);
      expect(((await memory()).peak - rest.now) / MEGABYTE).toBeLessThan(300);
      expect(await sign()).toBe('201 SIGNED');
    },
    600_000,
  );
});
