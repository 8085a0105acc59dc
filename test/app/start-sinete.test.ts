import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfiguration, type Configuration } from '../../src/app/config/config.ts';
import { findRunningInstance } from '../../src/app/cli/core-client.ts';
import { startSinete, type Sinete } from '../../src/app/instance/start-sinete.ts';

let folder: string;
let running: Sinete[];
let squatters: Server[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-start-'));
  running = [];
  squatters = [];
});
afterEach(async () => {
  for (const sinete of running) await sinete.stop();
  for (const squatter of squatters) squatter.close();
  await rm(folder, { recursive: true });
});

async function start(changes: Partial<Configuration> = {}): Promise<Sinete> {
  const configuration = await readConfiguration({
    dataFolder: folder,
    environment: { SINETE_SECRET_STORE_MODE: 'memory' },
  });
  const sinete = await startSinete({ dataFolder: folder, configuration: { ...configuration, port: 0, ...changes } });
  running.push(sinete);
  return sinete;
}

async function stop(sinete: Sinete): Promise<void> {
  running = running.filter((one) => one !== sinete);
  await sinete.stop();
}

const person = { name: 'ANA LIMA', cpf: '11144477735' };

describe('an instance', () => {
  it('answers at its address and says the same in its file, until its stop', async () => {
    const sinete = await start();
    const found = await findRunningInstance(folder);
    expect(found?.baseUrl).toBe(sinete.baseUrl);
    const home = await sinete.handlers['user-interface']['home.read']({});
    expect(home).toMatchObject({
      dataFolder: folder,
      addresses: { signing: sinete.baseUrl, assistant: sinete.baseUrl },
      secretStore: { kind: 'memory' },
      counts: { SIGNED: 0, WAITING: 0, ERROR: 0 },
    });
    await stop(sinete);
    expect(existsSync(join(folder, 'instance.json'))).toBe(false);
    expect(await findRunningInstance(folder)).toBeUndefined();
  });

  it('does not share its data folder', async () => {
    await start();
    await expect(start()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  });

  it('is not found by a damaged file', async () => {
    await start();
    await writeFile(join(folder, 'instance.json'), 'damaged');
    expect(await findRunningInstance(folder)).toBeUndefined();
  });

  it('names the taken port', async () => {
    const squatter = createServer();
    squatters.push(squatter);
    await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve));
    const address = squatter.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    await expect(start({ port })).rejects.toThrow(String(port));
  });

  it('forgets keys sealed under a master key in memory, and the authority as well', async () => {
    const first = await start();
    await first.handlers['user-interface']['certificates.makeTestIdentity'](person);
    expect(await first.handlers['user-interface']['certificates.list']({})).toHaveLength(1);
    await stop(first);
    const second = await start();
    expect(await second.handlers['user-interface']['certificates.list']({})).toEqual([]);
    const made = await second.handlers['user-interface']['certificates.makeTestIdentity'](person);
    expect(made).toMatchObject({ holder: 'ANA LIMA', isTest: true, isDefault: false });
  });

  it('tells listeners of keys and transactions', async () => {
    const sinete = await start();
    const told: string[] = [];
    const leave = sinete.onEvent(({ name }) => told.push(name));
    const calls = sinete.handlers['user-interface'];
    await calls['certificates.makeTestIdentity'](person);
    const created = await calls['sign.create']({ type: 'CMS-attached', digest: 'sha256', files: [{ name: 'a.txt' }] });
    expect(created).toMatchObject({
      waitingFor: 'upload',
      requesterKind: 'user-interface',
      documents: [{ name: 'a.txt' }],
    });
    leave();
    await calls['certificates.makeTestIdentity']({ ...person, name: 'OUTRA' });
    expect(told).toEqual(['keys-changed', 'transaction-changed']);
  });

  it('waits for approval when the window signs, and names results when ready', async () => {
    const sinete = await start();
    const calls = sinete.handlers['user-interface'];
    await calls['certificates.makeTestIdentity'](person);
    const source = join(folder, '..', `${folder.split('/').at(-1) ?? ''}-a.txt`);
    const destination = `${source}.p7m`;
    await writeFile(source, 'texto');
    const files = [{ path: source, destination }];
    const created = await calls['sign.paths']({ type: 'CAdES-attached', digest: 'sha256', files });
    expect(created.waitingFor).toBe('approval');
    expect((await calls['home.read']({})).waiting).toHaveLength(1);
    await calls['approvals.decide']({ tcn: created.tcn, decision: 'approve' });
    let done = await calls['transactions.read']({ tcn: created.tcn });
    for (let tries = 0; done.status === 'WAITING' && tries < 10; tries += 1) {
      await sinete.core.transactions.query(created.tcn, { waitSeconds: 5 });
      done = await calls['transactions.read']({ tcn: created.tcn });
    }
    expect(done.documents).toMatchObject([{ status: 'SIGNED', resultName: destination.split('/').at(-1) }]);
    expect((await readFile(destination)).length).toBeGreaterThan(1000);
    await rm(source);
    await rm(destination);
  });

  it('refuses impossible requests, in words for people', async () => {
    const calls = (await start()).handlers['user-interface'];
    const none = 'x'.repeat(4);
    await expect(calls['certificates.describe']({ alias: none })).rejects.toMatchObject({ code: 'KEY_NOT_FOUND' });
    await expect(calls['certificates.import']({ file: 'AAAA', password: '' })).rejects.toMatchObject({
      code: 'PKCS12_MALFORMED',
    });
    await expect(calls['modules.remove']({ id: none })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(calls['modules.retry']({ id: none })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await calls['modules.add']({ path: '/none.so' })).toMatchObject({ works: false });
    expect(await calls['modules.list']({})).toEqual([]);
  });
});
