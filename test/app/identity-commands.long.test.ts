import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Secret } from 'otpauth';
import { toString as drawQrCode } from 'qrcode';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runProgram } from '../oracles/run-program.ts';
import { makeWorkplace, runSinete, serve, type ServingProcess, type Workplace } from './run-sinete.ts';
import { oneTimeCode } from './one-time-code.ts';

const entry = fileURLToPath(new URL('../../src/app/sinete.js', import.meta.url));
const ana = '11144477735';

/** Enrols with the command line: reads the secret shown, and answers with the code of this secret. */
async function enrol(
  workplace: Workplace,
  words: readonly string[] = [],
): Promise<{ stdout: string; stderr: string; secret: string }> {
  return new Promise((resolve, reject) => {
    const parameters = [entry, 'users', 'add', '--name', 'Ana Lima', '--username', '111.444.777-35', ...words];
    const child = spawn(process.execPath, parameters, { env: { ...plain(), ...workplace.environment } });
    let stdout = '';
    let stderr = '';
    let secret = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      const found = /Secret: ([A-Z2-7 ]+)\n/.exec(stderr)?.[1];
      if (found === undefined || secret !== '') return;
      secret = found.replaceAll(' ', '');
      child.stdin.end(`${oneTimeCode(secret, -1)}\n`);
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve({ stdout, stderr, secret });
      else reject(new Error(`It ended with ${String(code)}: ${stderr}`));
    });
  });
}

function plain(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !/^(SINETE_|NODE_|VITEST)/.test(name));
  return Object.fromEntries(entries);
}

describe('sinete users and sinete applications', { timeout: 180_000 }, () => {
  let workplace: Workplace;

  beforeEach(async () => {
    workplace = await makeWorkplace();
  });
  afterEach(async () => workplace.remove());

  it('enrols a person with a QR code and a first code, lists and removes the person', async () => {
    const { stdout, stderr } = await enrol(workplace, ['--json']);
    const [uri = ''] = /^otpauth:.*$/m.exec(stderr) ?? [];
    expect(stderr).toContain(await drawQrCode(uri, { type: 'terminal', small: true }));
    const added = JSON.parse(stdout) as { account: { username: string }; recovery_codes: string[] };
    expect(added.account).toMatchObject({ name: 'Ana Lima', username: ana });
    expect(added.recovery_codes).toHaveLength(10);
    expect((await runSinete(workplace, ['users'])).stdout).toMatch(/11144477735\s+Ana Lima\s+yes, 10 recovery codes/);
    const unasked = await runSinete(workplace, ['users', 'remove', ana]);
    expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining(workplace.data) as string });
    expect((await runSinete(workplace, ['users', 'remove', '111.444.777-35', '--yes'])).code).toBe(0);
    expect((await runSinete(workplace, ['users', 'list'])).stdout).toContain('Nobody is enrolled');
    expect((await runSinete(workplace, ['users', 'remove', ana])).code).toBe(1);
  });

  it('enrols for a script, with the address in a new file, with the present code still unused', async () => {
    const file = join(workplace.folder, 'ana.txt');
    const words = ['users', 'add', '--name', 'Ana Lima', '--username', ana, '--otpauth-file', file, '--json'];
    const { code, stdout, stderr } = await runSinete(workplace, words);
    expect([code, stderr, JSON.parse(stdout)]).toMatchObject([0, '', { account: { username: ana } }]);
    const uri = await readFile(file, 'utf8');
    const secret = new URL(uri.trim()).searchParams.get('secret') ?? '';
    expect(stdout).not.toContain(secret);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const again = await runSinete(workplace, words);
    expect([again.code, await readFile(file, 'utf8')]).toEqual([2, uri]);

    const instance = await serve(workplace, []);
    try {
      const body = new URLSearchParams({ username: ana, password: oneTimeCode(secret, 0) });
      const answer = await fetch(`${instance.baseUrl}/user`, { method: 'POST', body });
      expect(answer.status).toBe(201);
    } finally {
      await instance.stop();
    }
  });

  it('leaves no file of a person after a failed enrolment', async () => {
    const file = join(workplace.folder, 'nobody.txt');
    const words = ['users', 'add', '--name', 'Ana', '--username', '11144477734', '--otpauth-file', file];
    expect((await runSinete(workplace, words)).code).toBe(2);
    expect(existsSync(file)).toBe(false);
  });

  it('keeps nobody for a wrong first code or an impossible number', async () => {
    const words = ['users', 'add', '--name', 'Ana', '--username'];
    const wrong = await runSinete(workplace, [...words, ana], { input: '000000\n' });
    expect([wrong.code, wrong.stdout]).toEqual([1, '']);
    expect(wrong.stderr).toContain('otpauth://totp/Sinete');
    expect((await runSinete(workplace, [...words, '11144477734'])).code).toBe(2);
    expect((await runSinete(workplace, ['users', '--json'])).stdout).toContain('"enrolled": []');
  });

  it('registers, renames and removes an application, and changes its secrets', async () => {
    const words = [
      'applications',
      'add',
      'Portal',
      '--redirect',
      'https://a.example/',
      '--redirect',
      'https://b.example/',
    ];
    const added = await runSinete(workplace, [...words, '--json']);
    const secrets = JSON.parse(added.stdout) as Readonly<
      Record<'client_id' | 'client_secret' | 'webhook_secret', string>
    >;
    const { client_id: clientId, client_secret: clientSecret } = secrets;
    expect(secrets.webhook_secret).toMatch(/^whsec_/);
    expect(clientSecret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect((await runSinete(workplace, ['applications', 'rename', clientId, 'Gate'])).code).toBe(0);
    const limit = ['applications', 'limit', clientId];
    const limited = await runSinete(workplace, [
      ...limit,
      '--documents-per-day',
      '5',
      '--hours',
      '08:00-18:00',
      '--json',
    ]);
    expect(JSON.parse(limited.stdout)).toMatchObject({ limits: { documents_per_day: 5, hours: '08:00-18:00' } });
    expect((await runSinete(workplace, [...limit, '--hours', 'always'])).code).not.toBe(0);
    expect((await runSinete(workplace, limit)).stdout).toContain('none');
    const listed = await runSinete(workplace, ['applications']);
    expect(listed.stdout).toMatch(new RegExp(`${clientId}\\s+Gate\\s+https://a.example/ https://b.example/`));
    expect(listed.stdout).not.toContain(clientSecret);
    const rotated = await runSinete(workplace, ['applications', 'rotate', clientId]);
    expect(rotated.stdout).toContain('Client secret:');
    expect(rotated.stdout).not.toContain(clientSecret);
    expect((await runSinete(workplace, ['applications', 'remove', clientId])).code).toBe(0);
    expect((await runSinete(workplace, ['applications', 'remove', clientId])).code).toBe(1);
    expect((await runSinete(workplace, ['applications', 'add', 'No way back'])).code).toBe(2);
  });
});

describe('sinete admin tokens', { timeout: 180_000 }, () => {
  it('makes a token shown once, lists its administrator, and revokes the token', async () => {
    const workplace = await makeWorkplace();
    try {
      const added = await runSinete(workplace, ['admin', 'tokens', 'add', 'ops', '--scope', 'monitor', 'users']);
      expect(added.code).toBe(0);
      const [token = ''] = added.stdout.split('\n', 1);
      expect(token).toMatch(/^sinete_admin_[\w-]{43}$/);
      const listed = await runSinete(workplace, ['admin', 'tokens']);
      expect(listed.stdout).toMatch(/ops\s+monitor users/);
      expect(listed.stdout).not.toContain(token);
      expect((await runSinete(workplace, ['admin', 'tokens', 'add', 'other'])).code).toBe(2);
      expect((await runSinete(workplace, ['admin', 'tokens', 'revoke', 'ops'])).code).toBe(0);
      expect((await runSinete(workplace, ['admin', 'tokens', 'revoke', 'ops'])).code).toBe(1);
    } finally {
      await workplace.remove();
    }
  });
});

describe('secrets of people and applications', () => {
  let workplace: Workplace;
  let instance: ServingProcess;
  const planted = new Map<string, string>();

  beforeAll(async () => {
    workplace = await makeWorkplace();
    instance = await serve(workplace);
  });
  afterAll(async () => {
    await instance.stop();
    await workplace.remove();
  });

  const post = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${instance.baseUrl}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  it('are in no file of the data folder, no log and no process list, during their use', async () => {
    const { stdout, secret } = await enrol(workplace, ['--json']);
    const [recovery = '', spent = ''] = (JSON.parse(stdout) as { recovery_codes: string[] }).recovery_codes;
    planted.set('TOTP secret, base32', secret);
    planted.set('TOTP secret, bytes', Buffer.from(Secret.fromBase32(secret).bytes).toString('latin1'));
    planted.set('recovery code', recovery);
    planted.set('recovery code that was used', spent);
    planted.set('recovery code as it is hashed', spent.replaceAll('-', ''));
    const about = { name: 'Portal', comments: '', email: 'a@b.example', redirect_uris: ['https://portal.example/'] };
    const registered = (await (
      await post('/v0/oauth/application', { ...about, client_secret: 'planted-client-secret-1' })
    ).json()) as Record<string, string>;
    const { client_id: id = '', client_secret: clientSecret = '', webhook_secret: webhook = '' } = registered;
    planted.set('client secret', clientSecret);
    planted.set('webhook secret', webhook);
    const password = { grant_type: 'password', username: ana, password: oneTimeCode(secret, 0) };
    const token = (await (await post('/oauth', password)).json()) as { access_token: string };
    planted.set('access token', token.access_token);
    const basic = Buffer.from(`${ana}:${spent}`).toString('base64');
    const session = { Authorization: `Basic ${basic}`, 'X-Session-Options': 'return_access_token=true' };
    const created = await post('/signature-service', { type: 'CMS' }, session);
    planted.set('session token', created.headers.get('x-session-token') ?? 'no token came');
    planted.set('Basic credentials', basic);
    const application = Buffer.from(`${id}:${clientSecret}`).toString('base64');
    await post('/signature-service', {}, { Authorization: `Sinete ${application}` });
    planted.set('Sinete credentials', application);
    await post('/signature-service', {}, { Authorization: 'Bearer planted-bearer-token' });
    planted.set('unknown token', 'planted-bearer-token');
    await post('/oauth', { grant_type: 'password', username: ana, password: 'planted-wrong-code' });
    planted.set('wrong code', 'planted-wrong-code');
    expect([...planted.values()].filter((value) => value === '' || value.startsWith('no token'))).toEqual([]);

    const places = await everyPlace();
    expect(places.has('sinete.db') && places.has('sinete.log')).toBe(true);
    const found = [...places].flatMap(([place, content]) =>
      [...planted].filter(([, value]) => content.includes(value)).map(([name]) => `${name} in ${place}`),
    );
    expect(found).toEqual([]);
  });

  /** Files of the data folder, the output of the instance, and the command lines of all processes. */
  async function everyPlace(): Promise<Map<string, string>> {
    const names = await readdir(workplace.data, { recursive: true, withFileTypes: true });
    const files = names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
    const contents = await Promise.all(
      files.map(async (path) => [path.slice(workplace.data.length + 1), await readFile(path, 'latin1')] as const),
    );
    const processes = await runProgram('ps', ['-eo', 'args', '-ww']);
    return new Map([
      ...contents,
      ['what was printed', instance.output()],
      ['the process list', JSON.stringify(processes)],
    ]);
  }

  it('do not open again after guessing, also when the instance starts anew', async () => {
    const guess = { grant_type: 'password', username: ana, password: '000000' };
    const statuses: number[] = [];
    for (let tries = 0; tries < 6; tries += 1) statuses.push((await post('/oauth', guess)).status);
    expect(statuses.at(-1)).toBe(429);
    await instance.stop();
    instance = await serve(workplace);
    const answer = await post('/oauth', guess);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
