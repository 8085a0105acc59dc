/**
 * The child process of one PKCS#11 module: the only place where a vendor's driver runs, and the only file that
 * imports pkcs11js. It may crash or hang; the parent (`supervisor.ts`) expects that.
 *
 * Requests for one token run one after the other; requests for different tokens overlap when the driver allows it.
 * The process never outlives its parent: it ends when the channel closes, and `host-watchdog.ts` ends it when a
 * hanging driver keeps it from noticing.
 */
import { Worker } from 'node:worker_threads';
import pkcs11js from 'pkcs11js';
import { toCryptokiError } from './errors.ts';
import { openHostChannel } from './host-channel.ts';
import { HostModule } from './host-module.ts';
import { forbidMemoryImage } from './memory-image.ts';
import { requestSchema, type HostReply, type HostRequest, type Operation } from './protocol.ts';

const POLL_MILLISECONDS = 1_500;

function end(): never {
  // Not `process.exit`: it waits for a thread that a hanging driver never gives back.
  process.kill(process.pid, 'SIGKILL');
  throw new Error('unreachable');
}

const channel = openHostChannel();

function say(reply: HostReply): void {
  channel.send(reply);
}

const module = new HostModule(new pkcs11js.PKCS11(), pkcs11js.CK_PARAMS_RSA_PSS);
/** The last request of each token; the next one waits for it. */
const lanes = new Map<string, Promise<void>>();
let running = 0;
let loaded = false;

async function perform(id: number, operation: Operation): Promise<unknown> {
  switch (operation.op) {
    case 'probe':
      return module.probe(operation.path);
    case 'slots':
      return module.slots();
    case 'certificates':
      return module.contents(operation.tokenSerial);
    case 'login':
      module.login(operation.tokenSerial, operation.pin);
      return {};
    case 'logout':
      module.logout(operation.tokenSerial);
      return {};
    case 'sign':
      await module.sign(operation, (outcomes) => say({ kind: 'signatures', id, outcomes }));
      return {};
    case 'close':
      module.close();
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
    case 'probe':
    case 'slots':
    case 'close':
      return undefined;
  }
}

function receive(message: unknown): void {
  const parsed = requestSchema.safeParse(message);
  // A parent that speaks another language is a broken installation; it sees this process end.
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
  if (!loaded || running > 0) return;
  try {
    const slots = module.pollChanges();
    if (slots !== undefined) say({ kind: 'slots', slots });
  } catch {
    // The driver cannot say now; the next look tells.
  }
}

forbidMemoryImage();
channel.onMessage(receive);
channel.onClose(end);
setInterval(poll, POLL_MILLISECONDS);
new Worker(new URL('./host-watchdog.ts', import.meta.url), { workerData: { parent: process.ppid } }).unref();
