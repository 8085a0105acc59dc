import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTextPdf } from '../../src/app/demo/write-text-pdf.ts';
import { runProgram, runTool, type ProgramResult } from '../oracles/run-program.ts';
import { makeWorkplace, runSinete, serve, spawnSinete, type ServingProcess, type Workplace } from './run-sinete.ts';

const entry = join(import.meta.dirname, '../../src/app/sinete.js');

let place: Workplace;
const fileOf = (name: string): string => join(place.folder, name);

/** Runs a line of bash with `sinete` for the command line. */
async function shell(line: string): Promise<ProgramResult> {
  const script = `set -o pipefail; sinete() { "$NODE" "$ENTRY" "$@"; }; ${line}`;
  const environment = { ...place.environment, NODE: process.execPath, ENTRY: entry };
  return runProgram('bash', ['-c', script], { folder: place.folder, environment });
}

beforeAll(async () => {
  place = await makeWorkplace();
  const made = await runSinete(place, 'certificates test-identity --name ANA --cpf 11144477735 --key p256'.split(' '));
  expect(made, made.stderr).toMatchObject({ code: 0 });
  const pdf = writeTextPdf({ title: 'Olá', paragraphs: ['Texto.'], footer: 'x' }, new Date());
  await writeFile(fileOf('a.pdf'), pdf);
  await writeFile(fileOf('b.txt'), 'conteúdo');
  await mkdir(fileOf('inside'));
});
afterAll(async () => place.remove());

const verified = async (file: string): Promise<string> =>
  runTool('openssl', ['cms', '-verify', '-noverify', '-inform', 'DER', '-in', fileOf(file)]);

describe.each(['without', 'with'])('pipes %s a running instance', (how) => {
  let instance: ServingProcess | undefined;
  beforeAll(async () => {
    if (how === 'with') instance = await serve(place);
  });
  afterAll(async () => instance?.stop());

  it('sign standard input and write standard output', async () => {
    const piped = await shell('cat a.pdf | sinete sign - -y > piped.pdf');
    expect(piped, piped.errors).toMatchObject({ code: 0, output: '' });
    expect(piped.errors).toContain('✔ - → -');
    expect(await runTool('pdfsig', [fileOf('piped.pdf')])).toContain('Signature is Valid');
    const text = await shell('sinete sign - -y --type CMS < b.txt > piped.p7m');
    expect(text, text.errors).toMatchObject({ code: 0 });
    expect(await verified('piped.p7m')).toBe('conteúdo');
  });

  it('validate and extend standard input', async () => {
    await shell('sinete sign a.pdf -y -f -o signed.pdf');
    const judged = await shell('cat signed.pdf | sinete validate - --json');
    expect(JSON.parse(judged.output)).toMatchObject([{ file: '-' }]);
    const none = await shell('printf nothing | sinete extend - --level B-T -o none.pdf --json');
    expect([none.code, JSON.parse(none.output)]).toMatchObject([1, [{ file: '-', result: null }]]);
  });

  it('name the result with -o, and replace a file with --force only', async () => {
    const result = fileOf(`named-${how}.p7m`);
    expect(await runSinete(place, ['sign', 'b.txt', '-y', '-o', result])).toMatchObject({ code: 0 });
    const before = await readFile(result);
    const refused = await runSinete(place, ['sign', 'b.txt', '-y', '-o', result]);
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('--force replaces it')]);
    expect(await readFile(result)).toEqual(before);
    expect(await runSinete(place, ['sign', 'b.txt', '-y', '-f', '-o', result])).toMatchObject({ code: 0 });
    expect(await readFile(result)).not.toEqual(before);
    expect(await verified(`named-${how}.p7m`)).toBe('conteúdo');
    expect((await readdir(place.folder)).filter((name) => name.endsWith('.draft'))).toEqual([]);
  });
});

describe('a destination other than a regular file', () => {
  it('gets the result, and is not replaced, also with --force', async () => {
    await runTool('mkfifo', [fileOf('pipe')]);
    for (const force of ['', ' -f']) {
      const piped = await shell(`cat pipe > from-pipe.p7m & sinete sign b.txt -y -o pipe${force} && wait`);
      expect(piped, piped.errors).toMatchObject({ code: 0 });
      expect(await verified('from-pipe.p7m')).toBe('conteúdo');
    }
    expect((await stat(fileOf('pipe'))).isFIFO()).toBe(true);
    const shown = await shell('sinete sign b.txt -y -o /dev/stdout | cat > from-stdout.p7m');
    expect(shown, shown.errors).toMatchObject({ code: 0 });
    expect(await verified('from-stdout.p7m')).toBe('conteúdo');
  });

  it('is named when full, or a folder', async () => {
    // The name of a full device, expendable for the test.
    await symlink('/dev/full', fileOf('full'));
    const full = await runSinete(place, ['sign', 'b.txt', '-y', '-f', '-o', fileOf('full')]);
    expect(full).toMatchObject({ code: 3, stderr: expect.stringContaining('full: the disk is full.') as string });
    expect(await readlink(fileOf('full'))).toBe('/dev/full');
    const folder = await runSinete(place, ['sign', 'b.txt', '-y', '-f', '-o', fileOf('inside')]);
    expect(folder).toMatchObject({ code: 2, stderr: expect.stringContaining('is a folder: name a file') as string });
  });
});

describe('a mistake on the command line', () => {
  it.each([
    [['sign', 'b.txt', '--policy', 'B-Q'], /"B-Q" is no policy/],
    [['sign', 'b.txt', '--certificate', 'nobody'], /no certificate "nobody". Use one of "ANA/],
    [['sign', 'b.txt', '--tsa', 'nowhere'], /no time-stamp server "nowhere"/],
    [['sign', 'b.txt', '--out', 'nowhere'], /nowhere is not there/],
    [['sign', 'b.txt', 'a.pdf', '-o', 'x'], /One result has a name/],
    [['sign', 'b.txt', '-o', '-', '--json'], /Standard output takes/],
    [['sign', '-', '-'], /give one file/],
    [['sign', 'file://elsewhere/b.txt'], /names no file that can be opened here/],
  ] as const)('%j is told with 2, although the result already exists', async (words, message) => {
    await writeFile(fileOf('b.txt.p7m'), 'kept');
    const outcome = await runSinete(place, [...words, '-y']);
    expect([outcome.code, outcome.stderr]).toEqual([2, expect.stringMatching(message)]);
    expect(await readFile(fileOf('b.txt.p7m'), 'utf8')).toBe('kept');
  });
});

describe('files outside of the folders of the configuration', () => {
  it('are opened by the command line itself, and the instance gets the bytes', async () => {
    await writeFile(fileOf('data/sinete.toml'), `[files]\nroots = ['${fileOf('inside')}']\n`);
    const instance = await serve(place);
    try {
      const over = await fetch(`${instance.baseUrl}/signature-service`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ type: 'CMS', documents_source: 'FILE_PATH', documents: fileOf('b.txt') }),
      });
      expect(await over.json()).toMatchObject({ code: expect.stringMatching(/NOT_ALLOWED/) as string });
      const url = `file://${fileOf('b.txt')}`;
      const signed = await spawnSinete(place, ['sign', url, '-y', '-o', fileOf('outside.p7m')]);
      expect(signed, signed.stderr).toMatchObject({ code: 0 });
      expect(await verified('outside.p7m')).toBe('conteúdo');
      const own = await runSinete(place, ['sign', fileOf('data/sinete.toml'), '-y', '-o', fileOf('own.p7m')]);
      expect([own.code, own.stderr + own.stdout]).toEqual([1, expect.stringContaining('no place for documents')]);
      expect(existsSync(fileOf('own.p7m'))).toBe(false);
    } finally {
      await instance.stop();
    }
  });
});
