import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { passphraseAsker } from '../../src/app/cli/secret-input.ts';
import { notifySupervisor } from '../../src/app/cli/notify-supervisor.ts';
import { readConfiguration } from '../../src/app/config/config.ts';
import { findRunningInstance } from '../../src/app/cli/core-client.ts';
import { readHealth } from '../../src/app/doctor/health.ts';
import { describeCheck } from '../../src/service/checks/index.ts';
import { startSinete, type Sinete } from '../../src/app/instance/start-sinete.ts';
import { smallDisk, type FullDisk } from '../anomalies/small-disk.ts';
import { itNeeding } from '../setup/needs.ts';
import { shellProgram } from '../setup/shell-text.ts';
import { until } from '../setup/waits.ts';
import { freePort } from './run-sinete.ts';

let folder: string;
let running: Sinete[];
let disk: FullDisk | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-honest-'));
  running = [];
  disk = undefined;
});
afterEach(async () => {
  for (const sinete of running) await sinete.stop();
  disk?.remove();
  rmSync(folder, { recursive: true });
});

const keyFile = (): string => join(folder, 'keys', 'master.key');

async function start(
  data = join(folder, 'data'),
  options: { port?: number; freeSpace?: number } = {},
): Promise<Sinete> {
  const environment = {
    SINETE_SECRET_STORE_MODE: 'key-file',
    SINETE_SECRET_STORE_KEY_FILE: keyFile(),
    SINETE_APPROVE: 'all',
    SINETE_LIMITS_FREE_SPACE: String(options.freeSpace ?? 0),
  };
  const configuration = await readConfiguration({ dataFolder: data, environment });
  const sinete = await startSinete({ dataFolder: data, configuration: { ...configuration, port: options.port ?? 0 } });
  running.push(sinete);
  return sinete;
}

async function stop(sinete: Sinete): Promise<void> {
  running = running.filter((one) => one !== sinete);
  await sinete.stop();
}

const addKey = async (sinete: Sinete): Promise<unknown> =>
  sinete.handlers['user-interface']['certificates.makeTestIdentity']({ name: 'ANA LIMA', cpf: '11144477735' });

/** An instance with a sealed key, stopped. */
async function madeBefore(): Promise<void> {
  const sinete = await start();
  await addKey(sinete);
  await stop(sinete);
}

const secretCheck = async ({ core }: Sinete) => {
  const check = (await readHealth(core)).find(({ id }) => id === 'secret-store');
  return check === undefined ? undefined : { ...check, ...describeCheck(check) };
};

describe('the master key at a start', () => {
  it('is missing: the start ends with the sentence, and works when the file is back', async () => {
    await madeBefore();
    const key = readFileSync(keyFile());
    rmSync(keyFile());
    await expect(start()).rejects.toMatchObject({ code: 'SECRET_STORE_UNAVAILABLE', message: /master key is gone/ });
    expect(existsSync(keyFile())).toBe(false);
    writeFileSync(keyFile(), key, { mode: 0o600 });
    expect(await secretCheck(await start())).toMatchObject({ outcome: 'ok' });
  });

  it('belongs to another installation: the start ends with the sentence', async () => {
    await madeBefore();
    writeFileSync(keyFile(), `sinete-master-key-1:${Buffer.alloc(32, 7).toString('base64url')}\n`);
    await expect(start()).rejects.toMatchObject({ code: 'SECRET_UNREADABLE', message: /not the key of this data/ });
  });

  it('belongs to another installation, and the folder is of a version without a sealed test value', async () => {
    const sinete = await start();
    await addKey(sinete);
    await sinete.core.storage.settings.remove('secret_store.check');
    await stop(sinete);
    const own = readFileSync(keyFile());
    writeFileSync(keyFile(), `sinete-master-key-1:${Buffer.alloc(32, 7).toString('base64url')}\n`);
    await expect(start()).rejects.toMatchObject({ code: 'SECRET_UNREADABLE' });
    writeFileSync(keyFile(), own);
    const again = await start();
    expect(await again.core.storage.settings.read('secret_store.check')).toEqual(expect.any(String));
  });

  it('is lost while the instance runs: health says so', async () => {
    const sinete = await start();
    await addKey(sinete);
    // An answer of the health check is shared for a moment.
    await expect.poll(() => secretCheck(sinete)).toMatchObject({ outcome: 'ok' });
    const key = readFileSync(keyFile());
    rmSync(keyFile());
    await expect
      .poll(() => secretCheck(sinete))
      .toMatchObject({ outcome: 'problem', message: expect.stringMatching(/gone/) as string });
    writeFileSync(keyFile(), `sinete-master-key-1:${Buffer.alloc(32, 7).toString('base64url')}\n`, { mode: 0o600 });
    await expect
      .poll(() => secretCheck(sinete))
      .toMatchObject({
        outcome: 'problem',
        message: expect.stringMatching(/another key/) as string,
      });
    writeFileSync(keyFile(), key);
    await expect.poll(() => secretCheck(sinete)).toMatchObject({ outcome: 'ok' });
  });
});

describe('the passphrase of the master key', () => {
  it('comes from a file that only its owner may read', async () => {
    const path = join(folder, 'passphrase');
    const asker = passphraseAsker({ mode: 'passphrase', keyFile: '', passphraseFile: '', passphraseFrom: path });
    writeFileSync(path, 'correct horse\n', { mode: 0o600 });
    expect(await asker()).toBe('correct horse');
    chmodSync(path, 0o644);
    await expect(asker()).rejects.toMatchObject({ exitCode: 3, message: expect.stringMatching(/chmod 600/) as string });
  });
});

describe('a start failing after the port is bound', () => {
  it('frees the port and the data folder', async () => {
    const data = join(folder, 'data');
    await stop(await start());
    // Renaming over a folder with content fails for every user.
    cpSync(join(data, 'sinete.db'), join(data, 'instance.json', 'content'), { recursive: true });
    const port = await freePort();
    await expect(start(data, { port })).rejects.toMatchObject({ exitCode: 3, message: /refused a call \(E[A-Z]+\)/ });
    const probe = createServer();
    await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(port, '127.0.0.1', resolve));
    await new Promise((resolve) => probe.close(resolve));
    rmSync(join(data, 'instance.json'), { recursive: true });
    await start(data, { port });
  });
});

describe('a start on a full disk', () => {
  itNeeding('root').each(['killed', 'stopped'])(
    'gives signed documents, refuses new ones, and signs with room again (%s)',
    async (end) => {
      disk = smallDisk(6);
      if (disk === undefined) throw new Error('A small disk cannot be mounted here.');
      const first = await start();
      await addKey(first);
      const [certificate] = await first.handlers['user-interface']['certificates.list']({});
      const request = {
        certificate_alias: certificate?.alias,
        type: 'CMS',
        documents_source: 'DATA_URL',
        mode: 'sync',
        documents: 'data:text/plain,hello',
      };
      const create = async (sinete: Sinete) =>
        fetch(`${sinete.baseUrl}/signature-service`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(request),
        });
      const made = await create(first);
      const answer = (await made.json()) as {
        readonly tcn: string;
        readonly documents: readonly { readonly id: string }[];
      };
      expect([made.status, answer]).toMatchObject([201, {}]);
      const data = join(disk.root, 'data');
      // A copy of the folder of a running instance is what a kill leaves.
      if (end === 'killed') cpSync(join(folder, 'data'), data, { recursive: true });
      await stop(first);
      if (end === 'stopped') cpSync(join(folder, 'data'), data, { recursive: true });
      chmodSync(data, 0o700);
      disk.fill();
      const sinete = await start(data);
      const result = await fetch(`${sinete.baseUrl}/file-transfer/${answer.tcn}/${answer.documents[0]?.id ?? ''}`);
      expect([result.status, (await result.arrayBuffer()).byteLength > 500]).toEqual([200, true]);
      const refused = await create(sinete);
      expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining('STORAGE_FULL')]);
      disk.makeRoom();
      await until(async () => (await create(sinete)).status === 201, 'documents are taken again');
      await until(async () => (await findRunningInstance(data)) !== undefined, 'the instance is found');
    },
  );
});

describe('a supervisor', () => {
  it('is told through its own command, and nothing is run without one', async () => {
    const command = join(folder, 'notify');
    const told = join(folder, 'told');
    writeFileSync(command, shellProgram(`echo "$@" >> '${told}'`), { mode: 0o755 });
    notifySupervisor('STOPPING=1', {}, command);
    notifySupervisor('READY=1', { NOTIFY_SOCKET: '/run/none' }, command);
    await until(() => existsSync(told) && readFileSync(told, 'utf8') !== '', 'it was told');
    expect(readFileSync(told, 'utf8')).toBe(`--pid=${process.pid} READY=1\n`);
  });
});
