import { mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writePkcs12 } from '../../src/test-authority/index.ts';
import { runTool } from '../oracles/run-program.ts';
import { personWith } from '../pki/identities.ts';
import { buildPdf, onePage } from '../signing/pdf/build-pdf.ts';
import { makeWorkplace, runSinete, type CommandOutcome, type Workplace } from './run-sinete.ts';

/** Each verb gets unreadable or unwritable files among good files: the good files are worked on. */

let place: Workplace;
let socket: Server;
const fileOf = (name: string): string => join(place.folder, name);
const pdf = buildPdf(onePage());

/** A word for the command line, and the sentence of its line. */
const impossible: readonly (readonly [kind: string, word: string, sentence: RegExp])[] = [
  ['a file that is not there', 'none.pdf', /There is no such file/],
  ['a folder', 'folder.pdf', /This is a folder/],
  ['a pipe', 'pipe.pdf', /This is a pipe/],
  ['a socket', 'socket.pdf', /This is a socket/],
  ['a device', '/dev/zero', /This is a device/],
  ['a link that leads nowhere', 'lost.pdf', /symbolic link leads nowhere/],
  ['a loop of links', 'loop.pdf', /loop of symbolic links/],
  ['a path through a file', 'good.pdf/page.pdf', /a part of its path is a file/],
  ['a name longer than a disk keeps', `${'n'.repeat(300)}.pdf`, /longer than this computer allows/],
  ['a path longer than the system takes', `${'d/'.repeat(2100)}a.pdf`, /longer than this computer allows/],
  ['a file of the data folder', 'data/inside.pdf', /no place for documents|carries no signature|cannot|not allowed/i],
  ['a file without bytes', 'empty.pdf', /not a PDF but an empty file/],
];

beforeAll(async () => {
  place = await makeWorkplace();
  const file = await writePkcs12(await personWith({ name: 'ANA LIMA' }), 'segredo');
  await Promise.all([
    writeFile(fileOf('ana.p12'), file),
    writeFile(fileOf('password'), 'segredo\n', { mode: 0o600 }),
    writeFile(fileOf('good.pdf'), pdf),
    writeFile(fileOf('letter.txt'), 'Prezada Ana'),
    writeFile(fileOf('empty.pdf'), ''),
    mkdir(fileOf('folder.pdf')),
    symlink('nowhere', fileOf('lost.pdf')),
    symlink('loop.pdf', fileOf('loop.pdf')),
  ]);
  await runTool('mkfifo', [fileOf('pipe.pdf')]);
  socket = createServer();
  await new Promise<void>((resolve) => socket.listen(fileOf('socket.pdf'), resolve));
  const added = await runSinete(place, ['certificates', 'add', 'ana.p12', '--password-file', 'password']);
  expect(added.code, added.stderr).toBe(0);
  await writeFile(join(place.data, 'inside.pdf'), pdf);
}, 120_000);
afterAll(async () => {
  await new Promise((resolve) => socket.close(resolve));
  await place.remove();
});

const lineOf = (outcome: CommandOutcome, word: string): string => {
  const lines = `${outcome.stdout}\n${outcome.stderr}`.split('\n');
  return lines.find((line) => line.includes(word) && !line.startsWith('✔')) ?? outcome.stdout + outcome.stderr;
};

describe('a useless file among good files', () => {
  const results = ['good-signed.pdf', 'letter.txt.p7m'];

  it.each(impossible)('%s does not stop sign', async (_kind, word, sentence) => {
    for (const name of results) await rm(fileOf(name), { force: true });
    const outcome = await runSinete(place, ['sign', '-y', 'good.pdf', word, 'letter.txt']);
    expect(outcome.code).toBe(1);
    expect(lineOf(outcome, word)).toMatch(sentence);
    expect(await readdir(place.folder)).toEqual(expect.arrayContaining(results));
  });

  it('all together do not stop sign, and each has its line in the order of the words', async () => {
    for (const name of results) await rm(fileOf(name), { force: true });
    const words = impossible.map(([, word]) => word);
    const { stdout } = await runSinete(place, ['sign', '-y', '--json', 'good.pdf', ...words, 'letter.txt']);
    const rows = JSON.parse(stdout) as readonly { readonly file: string; readonly status: string }[];
    expect(rows.map(({ status }) => status)).toEqual(['SIGNED', ...words.map(() => 'ERROR'), 'SIGNED']);
    expect(rows.map(({ file }) => file)).toEqual(
      ['good.pdf', ...words, 'letter.txt'].map((word) => (word.startsWith('/') ? word : fileOf(word))),
    );
  });

  it.each(impossible)('%s does not stop validate', async (_kind, word) => {
    const outcome = await runSinete(place, ['validate', '--offline', word, 'letter.txt.p7m']);
    expect(outcome.code).toBe(1);
    expect(outcome.stdout).toContain('letter.txt.p7m: ');
    expect(outcome.stdout).toContain('ANA LIMA');
    expect(outcome.stderr).not.toContain('unforeseen');
  });

  it.each(impossible)('%s does not stop extend', async (_kind, word) => {
    const outcome = await runSinete(place, ['extend', '--level', 'B-T', word, 'letter.txt.p7m']);
    expect(outcome.stderr).not.toContain('unforeseen');
    const lines = outcome.stdout.split('\n').filter((line) => /^[✔✘]/u.test(line));
    expect(lines, outcome.stdout + outcome.stderr).toHaveLength(2);
  });

  it.each(impossible)('%s does not stop a counter-signature', async (_kind, word) => {
    await rm(fileOf('letter.txt-countersigned.p7m'), { force: true });
    await runSinete(place, ['sign', '-y', '--countersign', word, 'letter.txt.p7m']);
    expect(await readdir(place.folder)).toContain('letter.txt-countersigned.p7m');
  });
});

describe('names of results', () => {
  it.each([
    ['letters', `${'n'.repeat(245)}.pdf`],
    ['letters of two bytes', `${'ç'.repeat(124)}.pdf`],
    ['a text whose extension stays', `${'t'.repeat(250)}.txt`],
  ])('are shortened where %s fill the name of the document', async (_title, name) => {
    await writeFile(fileOf(name), name.endsWith('.pdf') ? pdf : 'texto');
    const { code, stdout, stderr } = await runSinete(place, ['sign', '-y', name]);
    expect(code, stderr).toBe(0);
    const [, result = ''] = / → (.*)$/m.exec(stdout) ?? [];
    expect(result).toMatch(name.endsWith('.pdf') ? /[nç]-signed\.pdf$/ : /t\.txt\.p7m$/);
    expect((await readFile(result)).length).toBeGreaterThan(100);
  });

  it('get a number where two folders have files of the same name', async () => {
    for (const folder of ['um', 'dois', 'saida']) await mkdir(fileOf(folder));
    await writeFile(fileOf('um/a.pdf'), pdf);
    await writeFile(fileOf('dois/a.pdf'), pdf);
    const { code, stdout } = await runSinete(place, ['sign', '-y', 'um/a.pdf', 'dois/a.pdf', '--out', 'saida']);
    expect(code, stdout).toBe(0);
    expect((await readdir(fileOf('saida'))).toSorted()).toEqual(['a-signed (2).pdf', 'a-signed.pdf']);
    const again = await runSinete(place, ['sign', '-y', 'um/a.pdf', 'dois/a.pdf', '--out', 'saida', '--force']);
    expect(again.code, again.stdout).toBe(0);
    expect(await readdir(fileOf('saida'))).toHaveLength(2);
  });
});
