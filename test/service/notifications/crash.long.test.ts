import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { personWith } from '../../pki/identities.ts';
import { letTimePass, until } from '../../setup/waits.ts';
import { openWorld } from '../transactions/transaction-world.ts';
import { startReceiver, type Receiver } from './receiver.ts';

const CHILD = fileURLToPath(new URL('crash-child.ts', import.meta.url));
/** Each process starts and flushes; a busy machine makes both slow. */
const PATIENCE = 240_000;

let root: string;
let receiver: Receiver;
let child: ChildProcess | undefined;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'sinete-notifications-'));
  receiver = await startReceiver();
  const world = await openWorld({}, root);
  await world.addKey(await personWith());
  await world.stop();
});
afterEach(async () => {
  await kill();
  await receiver.close();
  rmSync(root, { recursive: true });
});

/** Starts an instance; the answer grows with the TCNs begun. */
function start(count: number): string[] {
  const begun: string[] = [];
  child = spawn(process.execPath, [CHILD, root, `${receiver.origin}/?tcn=`, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout?.on('data', (chunk: Buffer) => {
    for (const [, tcn = ''] of chunk.toString().matchAll(/created ([0-9A-Z]{26})/g)) begun.push(tcn);
  });
  return begun;
}

async function kill(): Promise<void> {
  const running = child;
  if (running?.exitCode !== null || running.signalCode !== null) return;
  const ended = new Promise((resolve) => running.once('close', resolve));
  running.kill('SIGKILL');
  await ended;
}

/** Resolves when the instance has told of everything and has ended by itself. */
async function ended(): Promise<void> {
  const running = child;
  if (running?.exitCode !== null) return;
  const [code] = (await once(running, 'close')) as [number | null];
  expect(code).toBe(0);
}

async function tcnsOfOutbox(): Promise<string[]> {
  const world = await openWorld({}, root);
  try {
    return (await world.storage.notifications.list(500)).map(({ tcn }) => tcn);
  } finally {
    await world.stop();
  }
}

const idsByTcn = (): Map<string, Set<string>> => {
  const all = new Map<string, Set<string>>();
  for (const { path, headers } of receiver.arrivals) {
    const tcn = new URL(path, receiver.origin).searchParams.get('tcn') ?? '';
    all.set(tcn, (all.get(tcn) ?? new Set()).add(String(headers['webhook-id'])));
  }
  return all;
};

describe('an instance killed while notifying', () => {
  it(
    'tells again after the restart, under the same id, the interrupted notification',
    async () => {
      receiver.behave('hang', 'hang', 200);
      const begun = start(1);
      await receiver.arrived(1);
      await kill();
      start(0);
      await receiver.arrived(2);
      await kill();
      start(0);
      await receiver.arrived(3);
      expect([...idsByTcn().keys()]).toEqual(begun);
      expect([...(idsByTcn().get(begun[0] ?? '') ?? [])]).toHaveLength(1);
    },
    PATIENCE,
  );

  it(
    'tells of every transaction at least once, each under one id, however often the instance is killed',
    async () => {
      receiver.behave(500, 200, 'reset', 'hang', 200);
      const begun = start(30);
      for (let kills = 0; kills < 4; kills += 1) {
        const before = receiver.arrivals.length;
        await until(() => receiver.arrivals.length > before, 'another request');
        await letTimePass(Math.random() * 60);
        await kill();
        receiver.behave(200, 500, 'reset', 200);
        if (kills < 3) start(5);
      }
      start(0);
      await ended();
      const told = idsByTcn();
      expect([...told.keys()].sort()).toEqual((await tcnsOfOutbox()).sort());
      for (const tcn of begun) expect(told.get(tcn)?.size).toBe(1);
      for (const ids of told.values()) expect(ids.size).toBe(1);
      expect(new Set([...told.values()].flatMap((ids) => [...ids])).size).toBe(told.size);
    },
    PATIENCE,
  );
});
