import { spawn } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runSinete, serve, makeWorkplace, type ServingProcess, type Workplace } from '../app/run-sinete.ts';
import { runTool } from '../oracles/run-program.ts';
import { itNeeding } from '../setup/needs.ts';
import { until } from '../setup/waits.ts';

const nobody = 65534;
let workplace: Workplace;
let instance: ServingProcess;
let impostors: Server[] = [];

beforeAll(async () => {
  workplace = await makeWorkplace();
  const person = ['--name', 'ANA LIMA', '--cpf', '11144477735'];
  await runSinete(workplace, ['certificates', 'test-identity', ...person]);
  instance = await serve(workplace, ['--approve', 'all']);
}, 120_000);
afterEach(() => {
  for (const server of impostors.splice(0)) server.close();
  impostors = [];
});
afterAll(async () => {
  await instance.stop();
  await workplace.remove();
});

const port = (): number => Number(new URL(instance.baseUrl).port);
const head = (method: string, path: string): string => `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\n`;

/** Sends requests by hand as another user; answers the status lines, empty for a closed connection. */
async function asNobody(call: Readonly<Record<string, unknown>>): Promise<string[]> {
  const program = fileURLToPath(new URL('raw-caller.ts', import.meta.url));
  const words = [program, JSON.stringify({ port: port(), ...call })];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  return JSON.parse(await text(child.stdout)) as string[];
}

const refused = (answer: string): boolean => answer === '' || answer.startsWith('HTTP/1.1 403');

async function applications(): Promise<unknown[]> {
  const { stdout } = await runSinete(workplace, ['applications', 'list', '--json']);
  return JSON.parse(stdout) as unknown[];
}

describe('another user of the computer', () => {
  const paths = [
    '/user',
    '/selected-user',
    '/selected-user/certificates',
    '/application',
    '/dashboard',
    '/health-check',
  ];
  const others = [
    '/metrics',
    '/',
    '/ui/',
    '/docs',
    '/docs/guide/',
    '/openapi.json',
    '/signature-service/x',
    '/file-transfer/x/0',
    '/certificate/info',
  ];

  // Only root can become another user.
  itNeeding('root')('reads nothing at any address', async () => {
    const texts = [...paths, ...others].map((path) => `${head('GET', path)}Connection: close\r\n\r\n`);
    const answers = await asNobody({ texts });
    expect([answers.length, answers.every(refused)]).toEqual([paths.length + others.length, true]);
  });

  // Only root can become another user.
  itNeeding('root')('finds the instance, and posts nothing', async () => {
    const found = await asNobody({ texts: [`${head('GET', '/.well-known/sinete')}Connection: close\r\n\r\n`] });
    expect(found).toEqual(['HTTP/1.1 200 OK']);
    const body = 'username=52998224725&password=123456';
    const type = 'Content-Type: application/x-www-form-urlencoded';
    const request = `${head('POST', '/user')}${type}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
    expect((await asNobody({ texts: [request] })).every(refused)).toBe(true);
  });

  // Only root can become another user.
  itNeeding('root').each([
    ['another loopback address', { from: '127.0.0.9' }],
    ['0.0.0.0', { host: '0.0.0.0' }],
    ['a half-closed connection', { end: 'half-close' }],
    ['127.0.0.2, where nobody listens', { host: '127.0.0.2' }],
    ['::1, where nobody listens', { host: '::1' }],
  ] as const)('is refused by %j', async ([, call]) => {
    const answers = await asNobody({ texts: [`${head('GET', '/user')}Connection: close\r\n\r\n`], ...call });
    expect(answers.every(refused)).toBe(true);
  });

  // Only root can become another user.
  itNeeding('root')('is not taken for root by closing its connection behind a whole request', async () => {
    const before = await applications();
    const plain = `${head('GET', '/user')}Connection: close\r\n\r\n`;
    const application = { name: 'Evil', email: 'e@evil.example', redirect_uris: ['https://evil.example/'] };
    const body = JSON.stringify({ ...application, client_id: 'evil0', client_secret: 'a secret of evil' });
    for (const padding of [1000, 160_000, 190_000]) {
      const length = body.length + padding;
      const request = `${head('POST', '/v0/oauth/application')}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;
      // Plain requests keep the instance busy while the others are closed.
      const [answers] = await Promise.all([
        asNobody({ texts: [request], padding, times: 5, end: 'half-close' }),
        asNobody({ texts: [plain], times: 60 }),
        asNobody({ texts: [request], padding, times: 5, end: 'close' }),
      ]);
      expect(answers.every(refused)).toBe(true);
    }
    expect(await applications()).toEqual(before);
  });

  // Rights of POSIX.
  itNeeding('Linux')('can enter no folder of the instance, and read no file of it', async () => {
    const folders = [workplace.data, join(workplace.folder, 'keys')];
    for (const folder of folders) expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(workplace.data)) {
      expect([name, (await stat(join(workplace.data, name))).mode & 0o077]).toEqual([name, 0]);
    }
    expect((await stat(join(workplace.folder, 'keys', 'master.key'))).mode & 0o777).toBe(0o600);
  });

  // Only root can become another user.
  itNeeding('root')('reads neither environment nor descriptors of the instance', async () => {
    const { pid } = JSON.parse(await readFile(join(workplace.data, 'instance.json'), 'utf8')) as { pid: number };
    for (const path of [`/proc/${pid}/environ`, `/proc/${pid}/fd/0`, join(workplace.data, 'instance.json')]) {
      await expect(runTool('bash', ['-c', 'cat "$0"', path], { user: nobody })).rejects.toThrow();
    }
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    expect(line).not.toMatch(/key|pass|pin|secret/i);
  });
});

describe('a program taking the port of a killed instance', () => {
  it('gets neither calls nor keys of the command line, although it knows the id of the instance', async () => {
    const place = await makeWorkplace();
    const victim = await serve(place);
    const address = new URL(victim.baseUrl);
    const about = await (await fetch(`${victim.baseUrl}/.well-known/sinete`)).text();
    await victim.stop('SIGKILL');
    const seen: string[] = [];
    const impostor = createServer((request, response) => {
      seen.push(`${request.method ?? ''} ${request.url ?? ''}`);
      response.end(about);
    });
    impostors.push(impostor);
    await new Promise<void>((resolve) => impostor.listen(Number(address.port), '127.0.0.1', resolve));
    const listed = await runSinete(place, ['users', 'list', '--json']);
    expect(listed.code).toBe(0);
    const link = await runSinete(place, ['link']);
    expect(link).toMatchObject({ code: 3, stderr: expect.stringContaining('No instance is running') as string });
    expect(seen).toEqual([]);
    await place.remove();
  });
});

describe('a page showing the window or the authorize page', () => {
  it.each([
    ['in no frame', '/ui/', 'content-security-policy', "frame-ancestors 'none'"],
    ['in no frame of an old browser', '/ui/', 'x-frame-options', 'DENY'],
    ['with no handle to the window', '/ui/', 'cross-origin-opener-policy', 'same-origin'],
    ['with no script of another origin', '/ui/', 'content-security-policy', "script-src 'self'"],
    ['with no frame around an error', '/oauth/authorize', 'content-security-policy', "frame-ancestors 'none'"],
    ['with no answer in a cache', '/oauth/authorize', 'cache-control', 'no-store'],
    ['with no guessing of types', '/', 'x-content-type-options', 'nosniff'],
  ])('does so %s', async (_how, path, header, value) => {
    await until(() => instance.output().includes('Window:') || instance.output().includes('not built'), 'it runs');
    const answer = await fetch(`${instance.baseUrl}${path}`);
    expect(answer.headers.get(header)).toContain(value);
  });
});
