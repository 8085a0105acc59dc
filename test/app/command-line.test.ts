import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTextPdf } from '../../src/app/demo/write-text-pdf.ts';
import { parseCertificate, readIcpBrasilIdentity } from '../../src/signing/index.ts';
import { createTestAuthority, issueTestPerson, writePkcs12 } from '../../src/test-authority/index.ts';
import { runProgram, runTool } from '../oracles/run-program.ts';
import type { SystemTool } from '../setup/system-packages.ts';
import { makeWorkplace, runSinete, spawnSinete, type Workplace } from './run-sinete.ts';

let place: Workplace;
const fileOf = (name: string): string => join(place.folder, name);

beforeAll(async () => {
  place = await makeWorkplace();
  const authority = await createTestAuthority({ keyKind: 'ec-p256' });
  const person = await issueTestPerson(authority, { name: 'ANA LIMA', cpf: '11144477735', keyKind: 'ec-p256' });
  await writeFile(fileOf('ana.p12'), await writePkcs12(person, 'segredo', { friendlyName: 'ana' }));
  await writeFile(fileOf('password'), 'segredo\n', { mode: 0o600 });
  const pdf = writeTextPdf({ title: 'Olá', paragraphs: ['Texto.'], footer: 'x' }, new Date());
  await writeFile(fileOf('a.pdf'), pdf);
  await writeFile(fileOf('b.txt'), 'conteúdo');
});
afterAll(async () => place.remove());

/** The answer of a foreign program. */
async function judge(program: SystemTool, ...words: readonly string[]): Promise<string> {
  return runTool(program, words, { folder: place.folder });
}

describe('the command line on a data folder unused by any instance', () => {
  it('imports a PKCS#12 file with the password from a file, and keeps the identity', async () => {
    const added = await runSinete(place, ['certificates', 'add', 'ana.p12', '--password-file', 'password']);
    expect(added, added.stderr).toMatchObject({ code: 0 });
    expect(added.stdout).toContain('ANA LIMA');
    const listed = await runSinete(place, ['certificates', '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { holder: 'ANA LIMA', taxpayer_number: '***.444.777-**', is_test: true },
    ]);
  });

  it('takes the password from standard input, and refuses a wrong password without keeping anything', async () => {
    const wrong = await spawnSinete(place, ['certificates', 'add', 'ana.p12'], { input: 'errado' });
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toMatch(/password/i);
    expect(wrong.stderr + wrong.stdout).not.toContain('errado');
  });

  it('works to the end when nobody reads its output', async () => {
    const { code, stderr } = await spawnSinete(place, ['certificates', '--json'], { closeOutput: true });
    expect([code, stderr]).toEqual([0, '']);
  });

  it('shows one certificate with its PEM, readable by openssl', async () => {
    const shown = await runSinete(place, ['certificates', 'show', 'ANA LIMA:11144477735']);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain('no legal value');
    const pem = shown.stdout.slice(shown.stdout.indexOf('-----BEGIN'));
    await writeFile(fileOf('shown.pem'), pem);
    const subject = await judge('openssl', 'x509', '-noout', '-subject', '-in', fileOf('shown.pem'));
    expect(subject).toContain('ANA LIMA');
  });

  it('signs the possible documents, tells the others, and exits with 1', async () => {
    const signed = await runSinete(place, ['sign', 'a.pdf', 'b.txt', 'none.txt', '--out', '.', '--approve-here']);
    expect(signed.code, signed.stderr).toBe(1);
    expect(signed.stdout).toMatch(/✔ .*a\.pdf → .*a-signed\.pdf/);
    expect(signed.stdout).toMatch(/✔ .*b\.txt → .*b\.txt\.p7m/);
    expect(signed.stdout).toMatch(/✘ .*none\.txt: .*DOCUMENT_UNREADABLE/);
    expect(signed.stderr).toContain('1 of 3');
    const report = await judge('pdfsig', fileOf('a-signed.pdf'));
    expect(report).toContain('Signature is Valid');
    const verify = ['cms', '-verify', '-noverify', '-inform', 'DER', '-in', fileOf('b.txt.p7m')];
    expect(await judge('openssl', ...verify)).toBe('conteúdo');
  });

  it('replaces nothing', async () => {
    const before = await readFile(fileOf('b.txt.p7m'));
    const again = await runSinete(place, ['sign', 'b.txt', '--approve-here', '--json']);
    expect(again.code).toBe(1);
    expect(JSON.parse(again.stdout)).toMatchObject([{ status: 'ERROR', error: { code: 'DESTINATION_EXISTS' } }]);
    expect(await readFile(fileOf('b.txt.p7m'))).toEqual(before);
  });

  it('signs detached with the given hash and type, in any spelling', async () => {
    await mkdir(fileOf('out'));
    const words = ['sign', 'b.txt', '--type', 'cms-DETACHED', '--hash', 'sha-512', '--out', 'out', '--approve-here'];
    const signed = await runSinete(place, [...words, '--json']);
    expect(JSON.parse(signed.stdout)).toMatchObject([{ status: 'SIGNED', result: fileOf('out/b.txt.p7s') }]);
    const verify = ['cms', '-verify', '-noverify', '-inform', 'DER', '-in', fileOf('out/b.txt.p7s')];
    expect(await judge('openssl', ...verify, '-content', fileOf('b.txt'))).toBe('conteúdo');
  });

  it('does not sign when nobody can be asked', async () => {
    const asked = await runSinete(place, ['sign', 'a.pdf', '--out', 'out']);
    expect(asked).toMatchObject({ code: 2 });
    expect(asked.stderr).toContain('--approve-here');
    expect(existsSync(fileOf('out/a-signed.pdf'))).toBe(false);
  });

  it('makes test identities sharing their authority across runs', async () => {
    const make = async (name: string): Promise<string> => {
      const made = await runSinete(place, [
        'certificates',
        'test-identity',
        '--name',
        name,
        '--cpf',
        '11144477735',
        '--json',
      ]);
      expect(made.code, made.stderr).toBe(0);
      const [{ alias }] = JSON.parse(made.stdout) as [{ alias: string }];
      const shown = await runSinete(place, ['certificates', 'show', alias, '--json']);
      return JSON.stringify((JSON.parse(shown.stdout) as { chain: unknown }).chain);
    };
    expect(await make('RUI BARBOSA')).toBe(await make('CLARICE LISPECTOR'));
  });

  it("writes all of ICP-Brasil's data on a person into a test identity", async () => {
    const person = ['--name', 'ADA LIMA', '--cpf', '529.982.247-25', '--birth-date', '1980-02-29'];
    const cards = ['--nis', '12345678901', '--rg', '1234/SSP/SP', '--voter-id', '5678/012/0345/São Paulo/SP'];
    const made = await runSinete(place, ['certificates', 'test-identity', ...person, ...cards, '--json']);
    const [{ alias }] = JSON.parse(made.stdout) as [{ alias: string }];
    const { stdout } = await runSinete(place, ['certificates', 'show', alias, '--json']);
    const { pem } = JSON.parse(stdout) as { pem: string };
    expect(readIcpBrasilIdentity(parseCertificate(new X509Certificate(pem).raw))).toMatchObject({
      kind: 'person',
      cpf: '52998224725',
      birthDate: '1980-02-29',
      nis: '12345678901',
      rg: { number: '1234', issuer: 'SSP', state: 'SP' },
      voterId: { number: '000000005678', zone: '012', section: '0345', municipality: 'SAO PAULO', state: 'SP' },
    });
    expect(await runSinete(place, ['certificates', 'remove', alias, '--yes'])).toMatchObject({ code: 0 });
  });

  it('makes a test identity of a company with letters in its CNPJ, with its responsible person', async () => {
    const company = ['--name', 'EMPRESA DE TESTE', '--cnpj', '12.ABC.345/01DE-35'];
    const person = ['--responsible', 'ADA LIMA', '--cpf', '529.982.247-25', '--birth-date', '1980-02-29'];
    const make = ['certificates', 'test-identity'];
    expect(await runSinete(place, [...make, ...company, '--cpf', '529.982.247-25'])).toMatchObject({ code: 2 });
    expect(await runSinete(place, [...make, '--name', 'ANA LIMA', ...person])).toMatchObject({ code: 2 });
    const wrong = ['--name', 'EMPRESA DE TESTE', '--cnpj', '12.ABC.345/01DE-36'];
    expect(await runSinete(place, [...make, ...wrong, ...person])).toMatchObject({ code: 2 });
    const made = await runSinete(place, [...make, ...company, ...person, '--json']);
    const [{ alias }] = JSON.parse(made.stdout) as [{ alias: string }];
    const { stdout } = await runSinete(place, ['certificates', 'show', alias, '--json']);
    const { pem } = JSON.parse(stdout) as { pem: string };
    expect(readIcpBrasilIdentity(parseCertificate(new X509Certificate(pem).raw))).toMatchObject({
      kind: 'company',
      cnpj: '12ABC34501DE35',
      companyName: 'EMPRESA DE TESTE',
      responsibleName: 'ADA LIMA',
      cpf: '52998224725',
      birthDate: '1980-02-29',
    });
    expect(await runSinete(place, ['certificates', 'remove', alias, '--yes'])).toMatchObject({ code: 0 });
  });

  it('says a name is ambiguous or unknown, removes, and sets a default', async () => {
    const none = await runSinete(place, ['certificates', 'remove', 'NINGUEM']);
    expect(none.code).toBe(1);
    const unasked = await runSinete(place, ['certificates', 'remove', 'RUI BARBOSA:11144477735']);
    expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') as string });
    for (const fact of ['RUI BARBOSA', place.data]) expect(unasked.stderr).toContain(fact);
    expect(unasked.stderr).toMatch(/SHA-256 +[0-9A-Fa-f:]{64,}/);
    const removed = await runSinete(place, ['certificates', 'remove', 'RUI BARBOSA:11144477735', '--yes']);
    const chosen = await runSinete(place, ['certificates', 'set-default', 'ANA LIMA:11144477735']);
    expect([removed.code, chosen.code]).toEqual([0, 0]);
    const listed = JSON.parse((await runSinete(place, ['certificates', 'list', '--json'])).stdout) as { alias: string; is_default: boolean }[]; // prettier-ignore
    expect(listed.map((one) => [one.alias, one.is_default])).toEqual([
      ['ANA LIMA:11144477735', true],
      ['CLARICE LISPECTOR:11144477735', false],
    ]);
  });

  it.each([
    [['bogus'], 2, /unknown command/],
    [['trust', 'lst'], 2, /unknown command 'lst' of 'trust'\n\(Did you mean list\?\)/],
    [['certificates', 'qqqqqq'], 2, /unknown command 'qqqqqq'[^]*Its commands are list, /],
    [
      ['applications', 'add', 'Shop', '--redirect', 'no-address'],
      2,
      /Correct these fields: redirect_uris.*redirect_uris.*: .{10}/,
    ],
    [['tsa', 'list', 'x'], 2, /too many arguments for 'list'/],
    [['sign'], 2, /missing required argument/],
    [['sign', 'a.pdf', '--type', 'XAdES'], 2, /not a signature type/],
    [['sign', 'a.pdf', '--hash', 'sha1'], 2, /SHA256/],
    [['sign', 'a.pdf', '--pin-file', 'none.txt'], 2, /none\.txt cannot be read/],
    [['sign', 'a.pdf', '--password-file', 'none.txt'], 2, /none\.txt cannot be read/],
    // No folder can be made below a file.
    [['demo', '--out', join(import.meta.filename, 'demo')], 2, /The folder .*demo cannot be made/],
    [['serve', '--port', 'x'], 2, /not a port/],
    [['serve', '--approve', 'nobody'], 2, /Allowed choices/],
    [['certificates', 'add', 'none.p12'], 2, /cannot be read/],
    [
      ['certificates', 'show', 'missing.cer'],
      2,
      /There is no such file, and no certificate of this name: missing\.cer/,
    ],
    [['certificates', 'show', 'nobody'], 1, /certificate/],
    [['certificates', 'test-identity', '--name', 'ANA', '--cpf', '123'], 2, /CPF/],
    [['master-key', 'make', '/dev/null'], 2, /never replaced/],
    [
      ['certificates', 'test-identity', '--name', 'ANA', '--cpf', '52998224725', '--rg', '1'],
      2,
      /number\/issuer\/state/,
    ],
    [['modules', 'add', 'none.so'], 1, /^/],
    [['link'], 3, /No instance/],
    [['desktop'], 3, /runtime/],
  ] as const)('ends %j with %i', async (words, code, message) => {
    const outcome = await runSinete(place, words, { isRefused: true });
    expect(outcome.stderr).toMatch(message);
    expect(outcome.code).toBe(code);
  });

  it('refuses to keep a key without a place to keep it', async () => {
    const environment = { SINETE_SECRET_STORE_MODE: 'memory', SINETE_DATA: fileOf('memory') };
    const words = ['certificates', 'test-identity', '--name', 'ANA', '--cpf', '11144477735'];
    const outcome = await runSinete(place, words, { environment });
    expect(outcome.code).toBe(3);
    expect(outcome.stderr).toContain('key-file');
  });

  it('tells the health of the installation', async () => {
    const outcome = await runSinete(place, ['doctor', '--json']);
    const report = JSON.parse(outcome.stdout) as { checks: { id: string; ok: boolean }[]; instance: null };
    expect(report.instance).toBeNull();
    expect(report.checks.find(({ id }) => id === 'database')?.ok).toBe(true);
  });
});

describe('names outside UTF-8', () => {
  const entry = fileURLToPath(new URL('../../src/app/sinete.js', import.meta.url));

  /** Bash makes the byte 0xE9 of `$'caf\\xe9'`: é in Latin-1. */
  const run = async (script: string) =>
    runProgram('bash', ['-c', script, process.execPath, entry], {
      folder: place.folder,
      onlyEnvironment: { PATH: process.env.PATH ?? '', ...place.environment },
    });

  it('are told as such, with the remedy, and not as missing files', async () => {
    const { code, errors } = await run(`printf x > $'caf\\xe9.txt'; "$0" "$1" sign $'caf\\xe9.txt'`);
    expect([code, errors]).toEqual([2, expect.stringMatching(/"caf\uFFFD.txt" is not UTF-8: rename the file/)]);
  });

  it('never become the data folder of another name', async () => {
    const { code, errors } = await run(`export SINETE_DATA=$'caf\\xe9'; "$0" "$1" certificates list`);
    expect([code, errors]).toEqual([2, expect.stringMatching(/The name of the data folder .* is not UTF-8/)]);
    expect(existsSync(fileOf('caf\uFFFD'))).toBe(false);
  });
});

describe('the entry', () => {
  it("runs under the checkout's own Node when started by an old Node", async () => {
    // An old Node is known by its version: the entry looks at nothing else.
    const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });`;
    const tell = `process.on('exit', () => console.error('left by ' + process.versions.node));`;
    const outcome = await spawnSinete(place, ['--version'], {
      nodeWords: ['--import', `data:text/javascript,${encodeURIComponent(pretend + tell)}`],
    });
    expect(outcome).toEqual({ code: 0, stdout: '0.9.0\n', stderr: 'left by 20.20.2\n' });
  });
});
