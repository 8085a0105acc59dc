import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { smallDisk } from '../anomalies/small-disk.ts';
import { serve, type Workplace } from '../app/run-sinete.ts';
import { knownWords } from '../setup/shell-text.ts';
import { systemTool } from '../setup/system-packages.ts';
import { until } from '../setup/waits.ts';
import { workplaceWithKey } from './kills.ts';
import type { Tally } from './run-faults.ts';
import { fateOf, healthOf, judge, newRequest, send, type Acknowledged, type Sent } from './signed-documents.ts';

const entry = fileURLToPath(new URL('../../src/app/sinete.js', import.meta.url));

/** An instance limited by a line of the shell before its start. */
interface LimitedInstance {
  readonly baseUrl: string;
  /** Whether the instance lived until then, in spite of the system. */
  stop(): Promise<boolean>;
}

export async function serveLimited(workplace: Workplace, limit: string): Promise<LimitedInstance> {
  const environment = { ...process.env, ...workplace.environment };
  const words = ['-c', `${limit}; exec "$@"`, 'limited', process.execPath, entry, 'serve', '--port', '0'];
  const child = spawn(systemTool('bash'), knownWords(words), {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  const state = { hasEnded: false };
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  const ended = new Promise<NodeJS.Signals | null>((resolve) => {
    child.once('close', (_code, signal) => {
      state.hasEnded = true;
      resolve(signal);
    });
  });
  await until(() => output.includes('Ctrl+C stops.') || state.hasEnded, 'the instance runs');
  if (state.hasEnded) throw new Error(`It ended: ${output}`);
  const { port } = JSON.parse(readFileSync(join(workplace.data, 'instance.json'), 'utf8')) as { port: number };
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.kill('SIGTERM');
      return (await ended) !== 'SIGKILL';
    },
  };
}

/** The answers of requests at once, without refused or broken answers. */
export async function sendAll(baseUrl: string, requests: readonly Sent[]): Promise<readonly Acknowledged[]> {
  const sent = await Promise.all(requests.map(async (request) => send(baseUrl, request).catch(() => undefined)));
  return sent.filter((one) => one !== undefined);
}

/**
 * A hundred requests at once with 96 file descriptors (Linux); refused requests do not count, acknowledged requests do.
 */
export async function limitDescriptors(): Promise<Tally> {
  const workplace = await workplaceWithKey();
  try {
    const instance = await serveLimited(workplace, 'ulimit -n 96');
    const requests = Array.from({ length: 100 }, (_one, index) => newRequest(index));
    const acknowledged = await sendAll(instance.baseUrl, requests);
    const fates = await judge(instance.baseUrl, acknowledged);
    await instance.stop();
    return { name: '96 descriptors', cases: 100, acknowledged: acknowledged.length, doubled: 0, hidden: 0, ...fates };
  } finally {
    await workplace.remove();
  }
}

/** A disk filling while documents are signed, a kill, a start on the full disk, and room again; needs root. */
export async function fillDisk(): Promise<Tally> {
  const disk = smallDisk(16);
  if (disk === undefined) throw new Error('A small disk cannot be mounted: run this as root.');
  const workplace = await workplaceWithKey(join(disk.root, 'data'));
  const acknowledged: Acknowledged[] = [];
  let hidden = 0;
  try {
    const instance = await serve(workplace);
    for (let index = 0, refused = 0; refused < 8; index++) {
      if (index === 40) disk.fill();
      const one = await send(instance.baseUrl, newRequest(index));
      if (one === undefined) refused++;
      else acknowledged.push(one);
    }
    await instance.stop('SIGKILL');
    disk.fill();
    const next = await serve(workplace);
    const fates = await Promise.all(acknowledged.map(async (one) => fateOf(next.baseUrl, one)));
    const unread = fates.filter((fate) => fate !== 'good' && fate !== 'waiting').length;
    if ((await healthOf(next.baseUrl)).ok) hidden++;
    disk.makeRoom();
    await until(async () => {
      const one = await send(next.baseUrl, newRequest(0));
      if (one !== undefined) acknowledged.push(one);
      return one !== undefined;
    }, 'documents are taken again');
    const { lost, mixedUp } = await judge(next.baseUrl, acknowledged);
    await next.stop();
    const counts = { acknowledged: acknowledged.length, lost: lost + unread, mixedUp, doubled: 0, hidden };
    return { name: 'a full disk', cases: acknowledged.length + 8, ...counts };
  } finally {
    disk.remove();
    await workplace.remove();
  }
}

/** Two hundred uploads of a byte a second, while small documents are signed. */
export async function trickleUploads(): Promise<Tally> {
  const workplace = await workplaceWithKey();
  const instance = await serve(workplace);
  const sockets: Socket[] = [];
  const answered = new Set<Socket>();
  try {
    const { hostname, port } = new URL(instance.baseUrl);
    const response = await fetch(`${instance.baseUrl}/signature-service`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ type: 'CAdES', documents_source: 'UPLOAD_REFERENCE' }),
    });
    const { tcn } = (await response.json()) as { readonly tcn: string };
    for (let index = 0; index < 200; index++) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined).once('data', () => answered.add(socket));
      const head = `POST /file-transfer/${tcn}/continue HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Length: 100000\r\n`;
      socket.write(`${head}Content-Type: application/octet-stream\r\n\r\n`);
      sockets.push(socket);
    }
    const timer = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write('x');
    }, 1000);
    const acknowledged: Acknowledged[] = [];
    for (let index = 0; index < 40; index++) {
      const one = await send(instance.baseUrl, newRequest(index));
      if (one !== undefined) acknowledged.push(one);
    }
    await until(() => answered.size === sockets.length, 'every slow upload is refused');
    clearInterval(timer);
    const fates = await judge(instance.baseUrl, acknowledged);
    const refused = 40 - acknowledged.length;
    return {
      name: '200 slow uploads',
      cases: 240,
      acknowledged: acknowledged.length,
      doubled: 0,
      hidden: refused,
      ...fates,
    };
  } finally {
    for (const socket of sockets) socket.destroy();
    await instance.stop();
    await workplace.remove();
  }
}
