/** Private documents are signed, extended and reported on; no other user may read the results. */
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestAuthority, issueTestPerson, writePkcs12 } from '../../src/test-authority/index.ts';
import { buildPdf, onePage } from '../signing/pdf/build-pdf.ts';
import { makeWorkplace, runSinete, type Workplace } from '../app/run-sinete.ts';
import { startRealInstance, type RealInstance } from '../interface/real-instance.ts';

/** Rights of documents under usual umasks; `file-rights.test.ts` has the other pairs. */
const rows = [
  { umask: '022', mode: '600' },
  { umask: '000', mode: '640' },
  { umask: '077', mode: '644' },
];

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;
const read = (text: string): number => Number.parseInt(text, 8);

let before: number;
beforeEach(() => {
  before = process.umask(0o022);
});
afterEach(() => {
  process.umask(before);
});

describe('the result of a command', () => {
  let place: Workplace;
  let count = 0;
  beforeAll(async () => {
    place = await makeWorkplace();
    const words = ['certificates', 'test-identity', '--name', 'Maria da Silva', '--cpf', '529.982.247-25'];
    expect((await runSinete(place, words)).code).toBe(0);
  });
  afterAll(async () => place.remove());

  /** A folder with a text and a PDF of these rights. */
  async function folderOf(mode: string): Promise<string> {
    count += 1;
    const folder = join(place.folder, String(count));
    await mkdir(folder);
    for (const [name, content] of [
      ['list.txt', 'salaries'],
      ['list.pdf', buildPdf(onePage())],
    ] as const) {
      await writeFile(join(folder, name), content);
      await chmod(join(folder, name), read(mode));
    }
    return folder;
  }

  async function run(umask: string, ...words: readonly string[]): Promise<string> {
    process.umask(read(umask));
    const { code, stdout, stderr } = await runSinete(place, words);
    process.umask(before);
    expect(code, stdout + stderr).toBeLessThan(2);
    return stdout;
  }

  it.each(rows)(
    'has the rights $mode of its document at most, with the umask $umask: beside, -o, --out, replaced',
    async ({ umask, mode }) => {
      const folder = await folderOf(mode);
      await mkdir(join(folder, 'out'));
      const [text, pdf] = [join(folder, 'list.txt'), join(folder, 'list.pdf')];
      await writeFile(join(folder, 'old.p7m'), 'old');
      await chmod(join(folder, 'old.p7m'), 0o666);
      await run(umask, 'sign', '--approve-here', text, pdf);
      await run(umask, 'sign', '--approve-here', text, '-o', join(folder, 'named.p7m'));
      await run(umask, 'sign', '--approve-here', text, '--force', '-o', join(folder, 'old.p7m'));
      await run(umask, 'sign', '--approve-here', text, pdf, '--out', join(folder, 'out'));
      const results = (await readdir(folder, { recursive: true })).filter((name) => !['out', 'list.txt', 'list.pdf'].includes(name)); // prettier-ignore
      expect(results).toHaveLength(6);
      for (const name of results) {
        expect([name, (await modeOf(join(folder, name))).toString(8)]).toEqual([name, (read(mode) & ~read(umask)).toString(8)]); // prettier-ignore
      }
    },
  );

  it.each(rows)(
    'has the rights $mode of its document at most, with the umask $umask: revision and reports',
    async ({ umask, mode }) => {
      const folder = await folderOf(mode);
      const signed = join(folder, 'list-signed.pdf');
      await run('000', 'sign', '--approve-here', join(folder, 'list.pdf'));
      expect(await modeOf(signed)).toBe(read(mode));
      const reports = ['report.html', 'report.pdf', 'report.json'];
      for (const report of reports) await run(umask, 'validate', signed, '--report', join(folder, report));
      await run(umask, 'validate', signed, '--extract-revision', '1');
      for (const name of [...reports, 'list-signed-revision-1.pdf']) {
        expect([name, (await modeOf(join(folder, name))).toString(8)]).toEqual([name, (read(mode) & ~read(umask)).toString(8)]); // prettier-ignore
      }
    },
  );

  it('replaces a report for everybody by a report for the owner alone', async () => {
    const folder = await folderOf('600');
    await run('022', 'sign', '--approve-here', join(folder, 'list.pdf'));
    await writeFile(join(folder, 'report.json'), '{}');
    await chmod(join(folder, 'report.json'), 0o666);
    await run('022', 'validate', join(folder, 'list-signed.pdf'), '--report', join(folder, 'report.json'));
    expect(await modeOf(join(folder, 'report.json'))).toBe(0o600);
  });

  it('is for its owner alone without a document, under the umask 000', async () => {
    const umask = '000';
    const folder = await folderOf('644');
    process.umask(read(umask));
    const { code } = await runSinete(place, ['sign', '--approve-here', '-', '-o', join(folder, 'input.p7m')], {
      input: 'text',
    });
    expect(code).toBe(0);
    await run(umask, 'audit', 'export', join(folder, 'audit.jsonl'));
    await run(umask, 'renewals', 'report', join(folder, 'renewals.json'));
    for (const name of ['input.p7m', 'audit.jsonl', 'renewals.json']) {
      expect([name, await modeOf(join(folder, name))]).toEqual([name, 0o600]);
    }
  });
});

describe('the result of a request', () => {
  let instance: RealInstance;
  let folder: string;
  beforeAll(async () => {
    const place = await makeWorkplace();
    folder = place.folder;
    instance = await startRealInstance({ approve: 'all' });
    const { 'user-interface': calls } = instance.sinete.handlers;
    const person = await issueTestPerson(await createTestAuthority(), { name: 'ANA LIMA', cpf: '11144477735' });
    await calls['certificates.import']({ file: (await writePkcs12(person, 'x')).toString('base64'), password: 'x' });
  });
  afterAll(async () => instance.stop());

  const sign = async (json: object): Promise<readonly unknown[]> => {
    const { status, content } = await instance.send('POST', '/signature-service', {
      json: { type: 'CMS-attached', mode: 'sync', ...json },
    });
    expect([status, content.status]).toEqual([201, 'SIGNED']);
    return content.documents as readonly unknown[];
  };

  it.each(rows)('has the rights $mode of its document at most, with the umask $umask', async ({ umask, mode }) => {
    const name = `api-${umask}-${mode}`;
    await writeFile(join(folder, name), 'salaries');
    await chmod(join(folder, name), read(mode));
    process.umask(read(umask));
    const documents = [{ data: join(folder, name) }];
    await sign({ documents_source: 'FILE_PATH', documents });
    await sign({ documents_source: 'FILE_PATH', documents_destination: 'FILE_PATH', documents: [{ data: join(folder, name), destination_file_name: join(folder, `${name}.named`) }] }); // prettier-ignore
    for (const result of [`${name}.p7m`, `${name}.named`]) {
      expect([result, (await modeOf(join(folder, result))).toString(8)]).toEqual([result, (read(mode) & ~read(umask)).toString(8)]); // prettier-ignore
    }
  });

  it('is for its owner alone when the document was sent', async () => {
    process.umask(0);
    const place = join(folder, 'sent.p7m');
    await sign({ documents_source: 'DATA_URL', documents_destination: 'FILE_PATH', documents: [{ data: 'data:,x', destination_file_name: place }] }); // prettier-ignore
    expect(await modeOf(place)).toBe(0o600);
    expect((await readFile(place)).length).toBeGreaterThan(100);
  });
});
