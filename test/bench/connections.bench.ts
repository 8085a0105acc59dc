import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { makeWorkplace, serve } from '../app/run-sinete.ts';
import { interleave, median, medianRatio, milliseconds, type Benchmark, type BenchLine } from './harness.ts';

const REQUESTS = 300;
const LONG_POLLS = 700;
/** Requests that are measured without a flood. */
const ALONE = 50;
const FLOOD = { connections: 20_000, atOnce: 6000 } as const;
const nobody = 65534;

/** Sends a GET and waits for the end of its answer; without `agent` on a connection of its own. */
async function get(address: string, agent: Agent | false = false): Promise<number> {
  return new Promise((resolve, reject) => {
    request(address, { agent }, (answer) => {
      answer.resume().once('end', () => {
        resolve(answer.statusCode ?? 0);
      });
    })
      .once('error', reject)
      .end();
  });
}

async function timed(address: string): Promise<number> {
  return milliseconds(async () => {
    assert.equal(await get(address), 200);
  });
}

/** Milliseconds of the requests, each on its own connection and all at once, or one after another on one connection. */
async function onConnections(address: string, kind: 'own' | 'one'): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const took = await milliseconds(async () =>
    Promise.all(Array.from({ length: REQUESTS }, async () => get(address, kind === 'own' ? false : agent))),
  );
  agent.destroy();
  return took;
}

/** The median milliseconds of health checks while long polls are opened, one after another as they connect. */
async function healthBesidePolls(baseUrl: string, tcn: string): Promise<number> {
  const leave = new AbortController();
  let isOpening = true;
  const opening = (async () => {
    for (let opened = 0; opened < LONG_POLLS; opened += 1) {
      const poll = request(`${baseUrl}/signature-service/${tcn}?wait=30`, { agent: false, signal: leave.signal });
      poll.on('error', () => undefined);
      poll.end();
      await new Promise((resolve) => poll.once('socket', (socket) => socket.once('connect', resolve)));
    }
    isOpening = false;
  })();
  const times: number[] = [];
  while (isOpening) times.push(await timed(`${baseUrl}/health-check`));
  await opening;
  leave.abort();
  return median(times);
}

/** The median milliseconds of a request of the owner while another user floods the listener. */
async function besideFlood(baseUrl: string): Promise<number> {
  const program = fileURLToPath(new URL('../attacks/flood-connections.ts', import.meta.url));
  const words = [program, new URL(baseUrl).port, String(FLOOD.connections), String(FLOOD.atOnce)];
  const attacker = spawn(process.execPath, words, { uid: nobody, gid: nobody, stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve) => attacker.once('spawn', resolve));
  const times: number[] = [];
  while (attacker.exitCode === null) times.push(await timed(`${baseUrl}/user`));
  return median(times);
}

async function openTransaction(baseUrl: string): Promise<string> {
  const body = JSON.stringify({ type: 'CAdES-attached', documents_source: 'UPLOAD_REFERENCE' });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${baseUrl}/signature-service`, { method: 'POST', headers, body });
  return String(((await answer.json()) as { readonly tcn?: unknown }).tcn);
}

export const benchmark: Benchmark = {
  name: 'connections: many of the owner, long polls, and a flood by another user',
  async run() {
    const place = await makeWorkplace();
    const instance = await serve(place);
    const { baseUrl } = instance;
    try {
      const user = `${baseUrl}/user`;
      const many = await interleave({
        own: async () => onConnections(user, 'own'),
        one: async () => onConnections(user, 'one'),
      });
      const tcn = await openTransaction(baseUrl);
      const health = await interleave({
        polls: async () => healthBesidePolls(baseUrl, tcn),
        alone: async () => timed(`${baseUrl}/health-check`),
      });
      const lines: BenchLine[] = [
        {
          what: `${REQUESTS} requests on ${REQUESTS} connections at once against on one connection`,
          ratio: medianRatio(many, 'own', 'one'),
          bound: { atMost: 4 },
          detail: `${median(many.own).toFixed(0)} ms against ${median(many.one).toFixed(0)} ms`,
        },
        {
          what: `health while ${LONG_POLLS} long polls are opened against health alone`,
          ratio: medianRatio(health, 'polls', 'alone'),
          bound: { atMost: 5 },
          detail: `${median(health.polls).toFixed(1)} ms against ${median(health.alone).toFixed(1)} ms`,
        },
      ];
      // Only root can become another user.
      if (process.getuid?.() !== 0) return lines;
      const before: number[] = [];
      while (before.length < ALONE) before.push(await timed(user));
      const alone = median(before);
      const flood = await besideFlood(baseUrl);
      const what = `a request of the owner while another user opens ${FLOOD.connections} connections against alone`;
      const detail = `${flood.toFixed(1)} ms against ${alone.toFixed(1)} ms`;
      return [...lines, { what, ratio: flood / alone, bound: { atMost: 20 }, detail }];
    } finally {
      await instance.stop();
      await place.remove();
    }
  },
};
