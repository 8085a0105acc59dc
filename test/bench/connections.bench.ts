import assert from 'node:assert/strict';
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { makeWorkplace, runSinete, serve } from '../app/run-sinete.ts';
import { interleave, median, compared, milliseconds, type Benchmark, type BenchLine, type Rounds } from './harness.ts';
import type { PollOrder, PollReport } from './hold-polls.ts';

const REQUESTS = 300;
const LONG_POLLS = 700;
/** The number of requests behind the median time without a flood or polls. */
const ALONE = 20;
/** Requests between the end of the polls and the next measurement. */
const SETTLING = 5;
const FLOOD = { connections: 20_000, atOnce: 6000 } as const;

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

/** Milliseconds of the requests, each on its own connection and all at once, or in sequence on a single connection. */
async function onConnections(address: string, kind: 'own' | 'one'): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const took = await milliseconds(async () =>
    Promise.all(Array.from({ length: REQUESTS }, async () => get(address, kind === 'own' ? false : agent))),
  );
  agent.destroy();
  return took;
}

/** A program beside this file, in a process of its own ending with this one. */
const forkProgram = (name: string): ChildProcess => fork(fileURLToPath(new URL(name, import.meta.url)));

/** The program holding long polls. */
class PollHolder {
  readonly #child = forkProgram('hold-polls.ts');

  async order(order: PollOrder | 'leave'): Promise<PollReport> {
    const told = once(this.#child, 'message');
    this.#child.send(order);
    const [report] = (await told) as [PollReport];
    return report;
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.disconnect();
    await ended;
  }
}

/**
 * The median milliseconds of health checks while long polls are opened, each after the connection of the one before.
 */
async function healthBesidePolls(baseUrl: string, tcn: string, holder: PollHolder): Promise<number> {
  let isOpening = true;
  const opening = holder
    .order({ address: `${baseUrl}/signature-service/${tcn}?wait=60`, polls: LONG_POLLS })
    .finally(() => (isOpening = false));
  const times: number[] = [];
  while (isOpening) times.push(await timed(`${baseUrl}/health-check`));
  assert.deepEqual(await opening, { open: LONG_POLLS, ended: 0 }, 'every poll waits');
  await timed(`${baseUrl}/health-check`);
  assert.deepEqual(await holder.order('leave'), { open: 0, ended: 0 }, 'every poll waited');
  // The instance has seen the end of the polls when it answers again.
  for (let settled = 0; settled < SETTLING; settled += 1) await timed(`${baseUrl}/health-check`);
  return median(times);
}

/** The median milliseconds of `ALONE` requests in sequence. */
async function alone(address: string): Promise<number> {
  const times: number[] = [];
  while (times.length < ALONE) times.push(await timed(address));
  return median(times);
}

/**
 * Milliseconds of requests while long polls are opened, and alone: at this instance, and at a server of `node:http`
 * doing nothing else, as the lower bound for anything of ours.
 */
async function besidePolls(
  baseUrl: string,
  tcn: string,
): Promise<Rounds<'polls' | 'alone' | 'barePolls' | 'bareAlone'>> {
  const holder = new PollHolder();
  const bare = forkProgram('bare-server.ts');
  try {
    const [bareUrl] = (await once(bare, 'message')) as [string];
    return await interleave({
      polls: async () => healthBesidePolls(baseUrl, tcn, holder),
      alone: async () => alone(`${baseUrl}/health-check`),
      barePolls: async () => healthBesidePolls(bareUrl, tcn, holder),
      bareAlone: async () => alone(`${bareUrl}/health-check`),
    });
  } finally {
    await holder.stop();
    bare.disconnect();
  }
}

/** The median milliseconds of a request of the owner while another user floods the listener. */
async function besideFlood(baseUrl: string): Promise<number> {
  const program = fileURLToPath(new URL('../attacks/flood-connections.ts', import.meta.url));
  const words = [program, new URL(baseUrl).port, String(FLOOD.connections), String(FLOOD.atOnce)];
  // The program itself becomes another user, and fails where not allowed.
  const attacker = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  let isOver = false;
  const told = (attacker.stdout === null ? Promise.resolve('') : text(attacker.stdout)).finally(() => (isOver = true));
  await Promise.race([once(attacker, 'message'), told]);
  const times: number[] = [];
  while (!isOver) times.push(await timed(`${baseUrl}/user`));
  const outcomes = JSON.parse(await told) as Readonly<Record<string, number>>;
  const kinds = Object.keys(outcomes).filter((kind) => !/^(closed|HTTP\/1\.1 40[38])/.test(kind));
  assert.deepEqual(kinds, [], 'nothing is answered to another user');
  assert.ok((outcomes.closed ?? 0) > FLOOD.connections / 2, 'the flood came from another user');
  return median(times);
}

async function openTransaction(baseUrl: string): Promise<string> {
  const body = JSON.stringify({ type: 'CAdES-attached', documents_source: 'UPLOAD_REFERENCE' });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${baseUrl}/signature-service`, { method: 'POST', headers, body });
  assert.equal(answer.status, 201);
  return String(((await answer.json()) as { readonly tcn?: unknown }).tcn);
}

export const benchmark: Benchmark = {
  name: 'connections: many of the owner, long polls, and a flood by another user',
  async run() {
    assert.equal(process.getuid?.(), 0, 'only root can become another user');
    const place = await makeWorkplace();
    const person = ['--name', 'ANA LIMA', '--cpf', '11144477735'];
    assert.equal((await runSinete(place, ['certificates', 'test-identity', ...person])).code, 0);
    const instance = await serve(place);
    const { baseUrl } = instance;
    try {
      const user = `${baseUrl}/user`;
      const many = await interleave({
        own: async () => onConnections(user, 'own'),
        one: async () => onConnections(user, 'one'),
      });
      const tcn = await openTransaction(baseUrl);
      const health = await besidePolls(baseUrl, tcn);
      const lines: BenchLine[] = [
        {
          what: `${REQUESTS} requests on ${REQUESTS} connections at once against on one connection`,
          ...compared(many, 'own', 'one'),
          bound: { atMost: 4 },
          detail: `${median(many.own).toFixed(0)} ms against ${median(many.one).toFixed(0)} ms`,
        },
        {
          what: `health while ${LONG_POLLS} long polls are opened against health alone`,
          ...compared(health, 'polls', 'alone'),
          bound: { atMost: 5 },
          detail: `${median(health.polls).toFixed(1)} ms against ${median(health.alone).toFixed(1)} ms`,
        },
        {
          what: 'the same of a bare node:http server',
          ...compared(health, 'barePolls', 'bareAlone'),
          detail: `${median(health.barePolls).toFixed(1)} ms against ${median(health.bareAlone).toFixed(1)} ms`,
        },
      ];
      const quiet = await alone(user);
      const flood = await besideFlood(baseUrl);
      const what = `a request of the owner while another user opens ${FLOOD.connections} connections against alone`;
      const detail = `${flood.toFixed(1)} ms against ${quiet.toFixed(1)} ms`;
      return [...lines, { what, ratio: flood / quiet, bound: { atMost: 20 }, detail }];
    } finally {
      await instance.stop();
      await place.remove();
    }
  },
};
