import { chmod, cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findRunningInstance, postToInstance } from '../../src/app/cli/channel-client.ts';
import { readConfiguration } from '../../src/app/config/config.ts';
import { identifyFolder } from '../../src/app/instance/folder-identity.ts';
import { readInstanceFile, writeInstanceFile, type InstanceFile } from '../../src/app/instance/instance-file.ts';
import { startSinete, type Sinete } from '../../src/app/instance/start-sinete.ts';
import { runTool } from '../oracles/run-program.ts';
import { itNeeding } from '../setup/needs.ts';

let place = '';
let running: Sinete[] = [];
let impostors: Server[] = [];
const runtimeBefore = process.env.XDG_RUNTIME_DIR;

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'sinete-channel-'));
});

afterEach(async () => {
  if (runtimeBefore === undefined) delete process.env.XDG_RUNTIME_DIR;
  else process.env.XDG_RUNTIME_DIR = runtimeBefore;
  for (const sinete of running.splice(0)) await sinete.stop();
  for (const server of impostors.splice(0)) server.close();
  running = [];
  impostors = [];
  await rm(place, { recursive: true, force: true });
});

async function start(folder: string): Promise<Sinete> {
  const configuration = await readConfiguration({
    dataFolder: folder,
    environment: { SINETE_SECRET_STORE_MODE: 'memory' },
  });
  const sinete = await startSinete({ dataFolder: folder, configuration: { ...configuration, port: 0 } });
  running.push(sinete);
  return sinete;
}

async function instanceFile(folder: string): Promise<InstanceFile> {
  const file = await readInstanceFile(folder);
  if (file === undefined) throw new Error('The instance has written no file.');
  return file;
}

const home = { call: 'home.read', input: {} };

describe('the local channel of an instance', () => {
  it('is a socket of the owner alone in the data folder, and leads to the calls of the command line', async () => {
    const folder = join(place, 'data');
    const sinete = await start(folder);
    const { channel } = await instanceFile(folder);
    expect(dirname(channel)).toBe(folder);
    expect((await stat(channel)).mode & 0o777).toBe(0o600);
    const found = await findRunningInstance(folder);
    expect(found?.baseUrl).toBe(sinete.baseUrl);
    const answer = await postToInstance(found!, '/ui/rpc', home);
    expect(answer).toMatchObject({ status: 200, body: { ok: true, value: { dataFolder: folder } } });
    const { link } = (await postToInstance(found!, '/ui/links', {})).body as { link: string };
    expect(link.startsWith(`${sinete.baseUrl}/ui/#key=`)).toBe(true);
    await running.pop()?.stop();
    expect(existsSync(channel)).toBe(false);
  });

  it('serves the interface to native programs, which need no port', async () => {
    const folder = join(place, 'data');
    const sinete = await start(folder);
    const { channel } = await instanceFile(folder);
    const url = 'http://localhost/dashboard';
    expect(JSON.parse(await runTool('curl', ['-s', '--unix-socket', channel, url]))).toBeInstanceOf(Object);
    expect(sinete.baseUrl).not.toContain('localhost');
  });

  it('lies in a 0700 folder below XDG_RUNTIME_DIR when the path of the data folder is too long', async () => {
    process.env.XDG_RUNTIME_DIR = place;
    const folder = join(place, 'long'.repeat(30));
    await start(folder);
    const { channel } = await instanceFile(folder);
    expect(dirname(dirname(channel))).toBe(place);
    expect((await stat(dirname(channel))).mode & 0o777).toBe(0o700);
    expect(await findRunningInstance(folder)).toBeDefined();
    await running.pop()?.stop();
    expect(existsSync(dirname(channel))).toBe(false);
  });

  it('takes the place of a socket that a killed instance has left behind', async () => {
    const folder = join(place, 'data');
    await mkdir(folder, { mode: 0o700 });
    await writeFile(join(folder, 'channel.sock'), '');
    await start(folder);
    expect(await findRunningInstance(folder)).toBeDefined();
  });

  // Only root can become another user.
  itNeeding('root')('refuses another user, even where the rights of its folders were lost', async () => {
    const folder = join(place, 'data');
    await start(folder);
    const { channel } = await instanceFile(folder);
    const ask = async (): Promise<string> =>
      runTool('curl', ['-s', '-o', '/dev/null', '-w', '%{http_code}', '--unix-socket', channel, 'http://x/user'], {
        user: 65534,
      }).catch(() => 'no connection');
    expect(await ask()).toBe('no connection');
    for (const path of [place, folder]) await chmod(path, 0o755);
    await chmod(channel, 0o666);
    expect(await ask()).toBe('403');
  });
});

describe('a command for a data folder', () => {
  it('does not reach the instance of the original from a copy of the folder, and removes the copied record', async () => {
    const [original, copy] = [join(place, 'c1'), join(place, 'c2')];
    await start(original);
    await mkdir(copy, { mode: 0o700 });
    await cp(join(original, 'instance.json'), join(copy, 'instance.json'));
    expect(await findRunningInstance(copy)).toBeUndefined();
    expect(existsSync(join(copy, 'instance.json'))).toBe(false);
    expect((await findRunningInstance(original))?.folder.path).toBe(original);
  });

  it('does not believe a record whose folder was written into it, because the instance confirms the folder', async () => {
    const [original, copy] = [join(place, 'c1'), join(place, 'c2')];
    await start(original);
    await mkdir(copy, { mode: 0o700 });
    await writeInstanceFile(copy, { ...(await instanceFile(original)), folder: await identifyFolder(copy) });
    expect(await findRunningInstance(copy)).toBeUndefined();
    expect(await findRunningInstance(original)).toBeDefined();
  });

  it('removes the record of an instance that has ended', async () => {
    const folder = join(place, 'data');
    await start(folder);
    const file = await instanceFile(folder);
    await running.pop()?.stop();
    await writeInstanceFile(folder, file);
    expect(await findRunningInstance(folder)).toBeUndefined();
    expect(existsSync(join(folder, 'instance.json'))).toBe(false);
  });

  it('sends nothing but a challenge to a program that has taken the channel', async () => {
    const folder = join(place, 'data');
    await start(folder);
    const file = await instanceFile(folder);
    await running.pop()?.stop();
    await writeInstanceFile(folder, file);
    const seen: string[] = [];
    const impostor = createServer((request, response) => {
      seen.push(`${request.method ?? ''} ${request.url?.split('?')[0] ?? ''}`);
      response.end(JSON.stringify({ instance: file.instance, proof: 'x', nonce: 'x', folder: file.folder }));
    });
    impostors.push(impostor);
    await new Promise<void>((resolve) => impostor.listen(file.channel, resolve));
    expect(await findRunningInstance(folder)).toBeUndefined();
    await expect(postToInstance({ ...file, baseUrl: '' }, '/ui/rpc', home)).rejects.toMatchObject({ exitCode: 3 });
    expect(seen).toEqual(['GET /.well-known/sinete', 'GET /.well-known/sinete']);
    expect(await readFile(join(folder, 'instance.json'), 'utf8')).toContain(file.instance);
  });
});
