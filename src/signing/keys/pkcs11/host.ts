/**
 * The child process of one PKCS#11 module: the only place where a vendor's driver runs. It may crash or hang; the
 * parent (`supervisor.ts`) expects that.
 *
 * Requests for one token run one after the other; requests for different tokens overlap when the driver allows it. The
 * process never outlives its parent: it ends when the channel closes, and `host-watchdog.ts` ends the process while a
 * driver hangs.
 */
import { writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { Worker } from 'node:worker_threads';
import { openBinding } from './cryptoki/open-binding.ts';
import { hostFailure, toCryptokiError } from './errors.ts';
import { openHostChannel } from './host-channel.ts';
import { HostModule } from './host-module.ts';
import { requestSchema, type HostReply, type HostRequest, type Operation } from './protocol.ts';

const POLL_MILLISECONDS = 1_500;

function end(): never {
  // `process.exit` would wait for a thread blocked by a hanging driver.
  process.kill(process.pid, 'SIGKILL');
  throw new Error('unreachable');
}

const channel = openHostChannel();

function say(reply: HostReply): void {
  channel.send(reply);
}

/** The driver; undefined until the parent sends its path. */
let driver: HostModule | undefined;
/** The last request of each token; the next request waits for the last. */
const lanes = new Map<string, Promise<void>>();
let running = 0;
let loaded = false;
/** True as soon as the compiled code of this process is in its folder, for the next such process. */
let isCodeKept = false;

function loadedDriver(): HostModule {
  if (driver === undefined) throw hostFailure('usage', 'probe', 'no driver');
  return driver;
}

async function perform(id: number, operation: Operation): Promise<unknown> {
  switch (operation.op) {
    case 'binding':
      await openBinding();
      return {};
    case 'probe':
      driver ??= new HostModule(await openBinding(), operation);
      return driver.probe(operation);
    case 'slots':
      return loadedDriver().slots();
    case 'certificates':
      return loadedDriver().contents(operation.tokenSerial);
    case 'login':
      loadedDriver().login(operation.tokenSerial, operation.pin);
      return {};
    case 'logout':
      loadedDriver().logout(operation.tokenSerial);
      return {};
    case 'sign':
      await loadedDriver().sign(operation, (outcomes) => say({ kind: 'signatures', id, outcomes }));
      return {};
    case 'close':
      loadedDriver().close();
      return {};
  }
}

async function answer({ id, operation }: HostRequest): Promise<void> {
  running++;
  say({ kind: 'started', id });
  try {
    const result = await perform(id, operation);
    if (operation.op === 'probe') loaded = true;
    say({ kind: 'done', id, result });
  } catch (error) {
    say({ kind: 'failed', id, failure: toCryptokiError(error, operation.op).failure });
  } finally {
    running--;
  }
}

function laneOf(operation: Operation): string | undefined {
  switch (operation.op) {
    case 'sign':
      return operation.key.tokenSerial;
    case 'certificates':
    case 'login':
    case 'logout':
      return operation.tokenSerial;
    case 'binding':
    case 'probe':
    case 'slots':
    case 'close':
      return undefined;
  }
}

function receive(message: unknown): void {
  const parsed = requestSchema.safeParse(message);
  // Invalid messages mean a broken installation. The parent notices the end of this process.
  if (!parsed.success) end();
  const request = parsed.data;
  const lane = laneOf(request.operation);
  if (lane === undefined) {
    void answer(request);
    return;
  }
  lanes.set(
    lane,
    (lanes.get(lane) ?? Promise.resolve()).then(() => answer(request)),
  );
}

function poll(): void {
  if (running > 0) return;
  if (!isCodeKept) {
    // Node writes compiled code when a process ends by itself, and this process is always killed.
    flushCompileCache();
    isCodeKept = true;
  }
  if (!loaded) return;
  try {
    const slots = loadedDriver().pollChanges();
    if (slots !== undefined) say({ kind: 'slots', slots });
  } catch {
    // The driver cannot answer now, so the next poll will tell.
  }
}

/**
 * Excludes the memory of this process from core files where the kernel allows this (core(5), Linux), because a memory
 * image of the token process could hold a PIN. A shell that starts the process also sets the size of core files to
 * zero; Electron starts the process without a shell.
 */
function forbidMemoryImage(): void {
  if (process.platform !== 'linux') return;
  try {
    writeFileSync('/proc/self/coredump_filter', '0');
  } catch {
    // Without /proc there is no such setting, and the process runs without the exclusion.
  }
}

forbidMemoryImage();
channel.onMessage(receive);
channel.onClose(end);
setInterval(poll, POLL_MILLISECONDS);
new Worker(new URL('./host-watchdog.ts', import.meta.url), { workerData: { parent: process.ppid } }).unref();
