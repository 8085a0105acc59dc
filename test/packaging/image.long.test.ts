import { spawn, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { freePort } from '../app/run-sinete.ts';
import { assembleImage } from '../dist/pack-product.ts';
import { plainRequest } from '../http/start-test-server.ts';
import { runTool } from '../oracles/run-program.ts';
import { refreshProductWindow } from '../setup/built-window.ts';
import { itNeeding } from '../setup/needs.ts';
import { systemTool } from '../setup/system-packages.ts';
import { until } from '../setup/waits.ts';

/** The user of the image. */
const sinete = 10_001;
const patience = 15 * 60_000;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-image-'));
});
afterAll(async () => {
  await buildah('rm', '--all');
  await buildah('rmi', '--all', '--force');
  rmSync(folder, { recursive: true });
});

/** The storage of the images is in the folder of the test. */
const storage = (): readonly string[] => [
  ...['--storage-driver', 'vfs', '--root', join(folder, 'store'), '--runroot', join(folder, 'run')],
];

const buildah = async (...words: readonly string[]): Promise<string> => runTool('buildah', [...storage(), ...words]);

const folderOf = (name: string): string => {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
};

/** An image of a minimal Debian, from the package mirrors of this machine: no registry is asked. */
async function buildBase(): Promise<void> {
  const place = folderOf('base');
  const [, codename = ''] = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? [];
  const settings = readdirSync('/etc/apt/apt.conf.d').map((name) => join('/etc/apt/apt.conf.d', name));
  const network = settings.filter((path) => /^Acquire\b/m.test(readFileSync(path, 'utf8')));
  const usual = readdirSync('/etc/apt', { recursive: true, encoding: 'utf8' }).filter((path) =>
    /^(sources\.list|sources\.list\.d\/(debian|ubuntu)\.sources)$/.test(path),
  );
  await runTool('mmdebstrap', [
    ...['--mode=root', '--variant=minbase', '--quiet', ...network.map((path) => `--aptopt=${path}`)],
    ...[codename, join(place, 'root.tar'), ...usual.map((path) => join('/etc/apt', path))],
  ]);
  writeFileSync(join(place, 'Containerfile'), 'FROM scratch\nADD root.tar /\n');
  await buildah('bud', '--isolation', 'chroot', '--quiet', '--tag', 'debian', place);
}

async function buildImage(): Promise<void> {
  await refreshProductWindow();
  const npm = process.env['npm_execpath'];
  if (npm === undefined) throw new Error('npm tells its place to what it runs: run it by "npm run test:all".');
  const place = folderOf('image');
  assembleImage(place, npm);
  const base = ['--build-arg', 'BASE=localhost/debian'];
  await buildah('bud', '--isolation', 'chroot', '--quiet', ...base, '--tag', 'sinete', place);
}

/** The configuration and the master key, which belongs to root, as an administrator hands them to a container. */
async function writeSettings(container: string, port: number): Promise<string> {
  const place = folderOf('etc');
  const listener = `host = "127.0.0.1"\nport = ${port}\nbehind_proxy = true\ntrusted_proxies = ["127.0.0.1"]\n`;
  writeFileSync(join(place, 'sinete.toml'), `public_url = "https://sign.example"\n[[listen]]\n${listener}`);
  await buildah(
    ...['run', '--isolation', 'chroot', '--user', '0', '--volume', `${place}:/etc/sinete`, container],
    ...['sinete', 'master-key', 'make', '/etc/sinete/master.key'],
  );
  chownSync(join(place, 'master.key'), 0, sinete);
  chmodSync(join(place, 'master.key'), 0o440);
  return place;
}

/** Ends a command that a failed test has left, with the processes of its container. */
function endGroup({ pid, exitCode }: ChildProcess): void {
  if (exitCode === null && pid !== undefined) process.kill(-pid, 'SIGKILL');
}

itNeeding('root')(
  'the image is built without a registry, serves as its own user with a key of root, and ends in order',
  async () => {
    await buildBase();
    await buildImage();
    const container = (await buildah('from', 'localhost/sinete')).trim();
    const inspected = JSON.parse(await buildah('inspect', container)) as { OCIv1: { config: Record<string, unknown> } };
    const { config } = inspected.OCIv1;
    expect(config).toMatchObject({ User: `${sinete}:${sinete}`, Entrypoint: ['sinete'], Cmd: ['serve'] });
    const port = await freePort();
    const [settings, data] = [await writeSettings(container, port), folderOf('data')];
    chownSync(data, sinete, sinete);
    chmodSync(data, 0o700);
    const child = spawn(
      systemTool('buildah'),
      [
        ...[...storage(), 'run', '--isolation', 'chroot', '--env', 'SINETE_MASTER_KEY_FILE=/etc/sinete/master.key'],
        // Not at the place of the image's own volume: which of the two buildah mounts last is left to chance.
        ...['--env', 'SINETE_DATA=/srv/sinete', '--volume', `${data}:/srv/sinete`],
        ...['--volume', `${settings}:/etc/sinete:ro`, container],
        ...['sinete', 'serve', '--config', '/etc/sinete/sinete.toml'],
      ],
      { stdio: ['ignore', 'pipe', 'pipe'], detached: true },
    );
    onTestFinished(() => endGroup(child));
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    await until(() => output.includes('Ctrl+C stops.') || child.exitCode !== null, 'it runs');
    expect(child.exitCode, output).toBeNull();
    expect(output).not.toContain('runs as root');
    const ready = await plainRequest({ port }, { path: '/ready', headers: { Host: 'sign.example' } });
    expect([ready.status, ready.body]).toEqual([200, '{"status":"READY"}']);
    // The folder of the master key cannot be written, and need not be.
    const health = await plainRequest({ port }, { path: '/health-check', headers: { Host: 'sign.example' } });
    expect(health.body).not.toContain('mark of the database cannot be written');
    const { pid } = JSON.parse(readFileSync(join(data, 'instance.json'), 'utf8')) as { pid: number };
    process.kill(pid, 'SIGTERM');
    expect(await ended, output).toBe(0);
  },
  patience,
);
