import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { archiveCalls, chooseResultPaths, readArchive } from '../../src/app/calls/archive.ts';
import { settingsCalls } from '../../src/app/calls/settings.ts';
import { buildUiCalls } from '../../src/app/calls/ui-calls.ts';
import { sendLocalDocument } from '../../src/app/calls/ui-documents.ts';
import { openCore, requesters, type Core } from '../../src/app/compose/open-core.ts';
import { writeTextPdf } from '../../src/app/demo/write-text-pdf.ts';
import { readConfiguration } from '../../src/app/config/config.ts';
import { documentsFolder } from '../../src/app/config/documents-folder.ts';
import type { FileStamp } from '../../src/ui-contract/stamp-calls.ts';
import { runTool } from '../oracles/run-program.ts';
import { buildPdf, emptySignatureField, withFields } from '../signing/pdf/build-pdf.ts';
import { showPage } from '../signing/pdf/pictures.ts';
import type { CallHandlers, CallInput, UiTransaction } from '../../src/ui-contract/ui-contract.ts';

const november = (): Date => new Date('2026-11-22T15:00:00Z');
const documents = (): string => '/home/maria/Documentos';

describe('the place of signed files', () => {
  let dataFolder: string;
  beforeEach(() => (dataFolder = mkdtempSync(join(tmpdir(), 'sinete-archive-'))));
  afterEach(() => rmSync(dataFolder, { recursive: true }));

  const open = async (environment: Readonly<Record<string, string>> = {}) => ({
    dataFolder,
    configuration: await readConfiguration({ dataFolder, environment, policyFile: join(dataFolder, 'none.toml') }),
    now: november,
  });

  it('has names in the language of the window until somebody chooses', async () => {
    const core = await open();
    expect(await readArchive(core, 'pt-BR', documents)).toEqual({
      place: 'beside',
      folder: '/home/maria/Documentos/Assinados',
      current: '/home/maria/Documentos/Assinados/2026-11',
      byMonth: true,
      suffix: '-assinado',
      chosen: { folder: false, suffix: false },
      fixed: [],
    });
    expect(await readArchive(core, 'en', documents)).toMatchObject({
      folder: '/home/maria/Documentos/Signed',
      suffix: '-signed',
    });
  });

  it('counts at once when the window changes it, and leaves the settings of the network alone', async () => {
    const core = await open();
    const network = settingsCalls(core);
    await network['settings.changeNetwork']({ proxy: null, noProxy: ['intranet.example'], allow: [] });
    const calls = archiveCalls(core);
    const wanted = { place: 'folder', folder: '/srv/assinados', byMonth: false, suffix: ' (ok)' } as const;
    expect(await calls['archive.change']({ language: 'en', ...wanted })).toMatchObject({
      ...wanted,
      current: '/srv/assinados',
      chosen: { folder: true, suffix: true },
    });
    expect(await network['settings.read']({})).toMatchObject({ network: { noProxy: ['intranet.example'] } });
    await network['settings.changeNetwork']({ proxy: null, noProxy: [], allow: [] });
    expect(await archiveCalls(await open())['archive.read']({ language: 'en' })).toMatchObject(wanted);
    const usual = await calls['archive.change']({ language: 'en', ...wanted, folder: null, suffix: null });
    expect(usual).toMatchObject({ suffix: '-signed', chosen: { folder: false, suffix: false } });
  });

  it('gives way to the configuration, which the window does not change', async () => {
    const core = await open({ SINETE_ARCHIVE_FOLDER: '/srv/company', SINETE_ARCHIVE_SUFFIX: '_ok' });
    const calls = archiveCalls(core);
    const input = { language: 'en', place: 'folder', folder: '/other', byMonth: true, suffix: '-mine' } as const;
    expect(await calls['archive.change'](input)).toMatchObject({
      place: 'folder',
      folder: '/srv/company',
      suffix: '_ok',
      fixed: ['archive.folder', 'archive.suffix'],
    });
  });

  it.each([
    ['a folder that is not absolute', { folder: 'Assinados' }],
    ['an end of names with a separator', { suffix: '/../x' }],
    ['an end of names with a dot at its end', { suffix: '-ok.' }],
    ['an empty end of names', { suffix: '' }],
  ])('refuses %s, and keeps nothing of it', async (_name, change) => {
    const core = await open();
    const input = { language: 'en', place: 'folder', folder: '/srv', byMonth: true, suffix: '-x', ...change } as const;
    await expect(archiveCalls(core)['archive.change'](input)).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
    expect(existsSync(join(dataFolder, 'chosen-settings.json'))).toBe(false);
  });

  it('keeps names of results short enough for a disk, and plain', async () => {
    const core = await open();
    const folder = join(dataFolder, 'signed');
    const place = { kind: 'folder', folder, language: 'pt-BR' } as const;
    const names = [`${'ã'.repeat(130)}.pdf`, '..\\..\\x.pdf', 'nota.txt'];
    const files = names.map((name) => ({ name }));
    const [long = '', ...others] = await chooseResultPaths(core, place, 'PAdES', files);
    const name = long.slice(folder.length + 1);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(240);
    expect(name).toMatch(/^ã+-assinado\.pdf$/);
    expect(others).toEqual([join(folder, 'x-assinado.pdf'), join(folder, 'nota.txt-assinado.pdf')]);
    expect(existsSync(folder)).toBe(true);
  });

  it('keeps the folder signed, and never a folder above the archive', async () => {
    const core = await open();
    const folder = join(dataFolder, 'signed');
    const place = { kind: 'folder', folder, language: 'pt-BR' } as const;
    const folders = ['Contratos/2026', '../../etc', 'C:\\x', '', undefined];
    const files = folders.map((own) => ({ name: 'a.pdf', folder: own }));
    const below = ['Contratos/2026', 'etc', 'C:/x', '', ''];
    expect(await chooseResultPaths(core, place, 'PAdES', files)).toEqual(
      below.map((own) => join(folder, own, 'a-assinado.pdf')),
    );
    expect(existsSync(join(folder, 'Contratos/2026'))).toBe(true);
  });
});

describe('the documents folder of a user', () => {
  it('is the one of user-dirs.dirs, else Documents in the home folder', () => {
    const home = mkdtempSync(join(tmpdir(), 'sinete-home-'));
    const here = { platform: 'linux', environment: {}, home } as const;
    try {
      expect(documentsFolder(here)).toBe(join(home, 'Documents'));
      mkdirSync(join(home, '.config'));
      const write = (value: string): void =>
        writeFileSync(join(home, '.config', 'user-dirs.dirs'), `# made by a program\nXDG_DOCUMENTS_DIR="${value}"\n`);
      write('$HOME/Documentos');
      expect(documentsFolder(here)).toBe(join(home, 'Documentos'));
      write('/srv/docs');
      expect(documentsFolder(here)).toBe('/srv/docs');
      write('$HOME/');
      expect(documentsFolder(here)).toBe(join(home, 'Documents'));
      expect(documentsFolder({ ...here, platform: 'darwin' })).toBe(join(home, 'Documents'));
    } finally {
      rmSync(home, { recursive: true });
    }
  });
});

describe('what the window signs', () => {
  let folder: string;
  let core: Core;
  let calls: CallHandlers;
  let alias: string;

  const reopen = async (): Promise<void> => {
    const environment = {
      SINETE_SECRET_STORE_MODE: 'key-file',
      SINETE_SECRET_STORE_KEY_FILE: join(folder, 'master.key'),
      SINETE_ARCHIVE_FOLDER: join(folder, 'Assinados'),
    };
    const configuration = await readConfiguration({ dataFolder: join(folder, 'data'), environment });
    core = await openCore({ dataFolder: join(folder, 'data'), configuration });
    calls = buildUiCalls(core, requesters['user-interface'], () => '');
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sinete-archive-core-'));
    await reopen();
    ({ alias } = await calls['certificates.makeTestIdentity']({ name: 'Maria Silva', cpf: '52998224725' }));
  });
  afterAll(async () => {
    await core.close();
    rmSync(folder, { recursive: true });
  });

  const finish = async ({ tcn }: UiTransaction): Promise<UiTransaction> => {
    await calls['approvals.decide']({ tcn, decision: 'approve' });
    for (let round = 0; round < 20; round += 1) {
      const { status } = await core.transactions.query(tcn, { waitSeconds: 5 });
      if (status !== 'WAITING') break;
    }
    return calls['transactions.read']({ tcn });
  };

  const upload = async (place: CallInput<'sign.create'>['place'], names: readonly string[]): Promise<UiTransaction> => {
    const files = names.map((name) => ({ name }));
    const made = await calls['sign.create']({ type: 'CAdES-attached', alias, digest: 'sha256', place, files });
    for (const [index, name] of names.entries()) {
      const source = { kind: 'content', name, content: Buffer.from(`text ${index}`) } as const;
      const end = index === names.length - 1;
      const { signal } = new AbortController();
      await sendLocalDocument(core.transactions, { tcn: made.tcn, source, end, onProgress: () => undefined, signal });
    }
    return finish(made);
  };

  const month = (): string => {
    const now = new Date();
    return `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}`;
  };

  it('is a file in the folder of the month that stays, and a taken name gets a number', async () => {
    const place = { kind: 'folder', language: 'pt-BR' } as const;
    const first = await upload(place, ['carta.txt', 'carta.txt']);
    const second = await upload(place, ['carta.txt']);
    const inMonth = (name: string): string => join(folder, 'Assinados', month(), name);
    const names = ['carta.txt.p7m', 'carta.txt (2).p7m', 'carta.txt (3).p7m'];
    const found = [...first.documents, ...second.documents];
    expect(found).toMatchObject(
      names.map((resultName) => ({ status: 'SIGNED', resultName, resultPath: inMonth(resultName), lifetime: null })),
    );
    for (const { resultPath, resultSize } of found) expect(readFileSync(resultPath ?? '').length).toBe(resultSize);
    await core.close();
    await reopen();
    const again = await calls['transactions.read']({ tcn: first.tcn });
    expect(again.documents).toMatchObject([{ resultPath: inMonth(names[0] ?? ''), lifetime: null }, {}]);
  });

  it('is found by each name, and told to be there, changed or gone', async () => {
    const place = { kind: 'folder', language: 'pt-BR' } as const;
    await upload(
      place,
      Array.from({ length: 12 }, (_, index) => `lote-${index}.txt`),
    );
    const { total, documents } = await calls['history.documents']({ text: 'lote-7', offset: 0, limit: 50 });
    expect([total, documents.map(({ document, batch }) => [document.name, batch])]).toEqual([1, [['lote-7.txt', 12]]]);
    const { document, tcn } = documents[0]!;
    const which = { tcn, documentId: document.id };
    const path = document.resultPath ?? '';
    const byPerson = await calls['history.documents']({ text: 'maria 529.982.247-25 lote-7', offset: 0, limit: 50 });
    expect(byPerson).toMatchObject({
      total: 1,
      documents: [{ signer: { name: 'Maria Silva', number: '***.982.247-**' } }],
    });
    const byHash = { text: document.resultChecksum?.slice(0, 12), offset: 0, limit: 50 };
    expect((await calls['history.documents'](byHash)).documents).toMatchObject([{ document: { name: 'lote-7.txt' } }]);
    const signed = readFileSync(path);
    expect(await calls['results.content'](which)).toEqual({
      name: 'lote-7.txt.p7m',
      data: signed.toString('base64'),
    });
    expect(await calls['history.presence'](which)).toEqual({ state: 'there' });
    writeFileSync(path, Buffer.concat([signed.subarray(0, -1), Buffer.from('x')]));
    expect(await calls['history.presence'](which)).toEqual({ state: 'changed' });
    rmSync(path);
    expect(await calls['history.presence'](which)).toEqual({ state: 'missing' });
    const [kept] = (await upload(undefined, ['guardado.txt'])).documents;
    const keptHere = (await calls['history.documents']({ text: 'guardado', offset: 0, limit: 1 })).documents[0]!;
    expect(await calls['history.presence']({ tcn: keptHere.tcn, documentId: kept!.id })).toEqual({ state: 'kept' });
  });

  it('is extended in its place or beside it, and History leads to the longer-lived file', async () => {
    await calls['testServices.run']({});
    const path = join(folder, 'contrato.pdf');
    writeFileSync(path, writeTextPdf({ title: 'Contrato', paragraphs: ['Texto.'], footer: 'x' }, new Date()));
    const place = { kind: 'beside', language: 'pt-BR' } as const;
    const made = await calls['sign.paths']({ type: 'PAdES', alias, digest: 'sha256', place, files: [{ path }] });
    const { tcn, documents } = await finish(made);
    const [{ id: documentId, resultPath }] = documents as [UiTransaction['documents'][number]];
    const signed = readFileSync(resultPath ?? '');
    const extension = { tcn, documentId, level: 'B-T' } as const;

    // A record proves the file as it stands.
    writeFileSync(`${resultPath ?? ''}.er`, 'a record');
    await expect(calls['history.extend']({ ...extension, place: 'replace' })).rejects.toMatchObject({
      code: 'DOCUMENT_CHANGE_FORBIDDEN',
    });
    expect(readFileSync(resultPath ?? '').equals(signed)).toBe(true);
    rmSync(`${resultPath ?? ''}.er`);

    const replaced = await calls['history.extend']({ ...extension, place: 'replace' });
    expect(replaced.path).toBe(resultPath);
    const longer = readFileSync(resultPath ?? '');
    expect([longer.length, longer.subarray(0, signed.length).equals(signed)]).toEqual([replaced.size, true]);
    expect(await calls['history.presence']({ tcn, documentId })).toEqual({ state: 'there' });

    const beside = await calls['history.extend']({ ...extension, place: 'beside' });
    expect(beside.path).toBe((resultPath ?? '').replace('.pdf', '-B-T.pdf'));
    expect(readFileSync(resultPath ?? '').equals(longer)).toBe(true);
    const [now] = (await calls['transactions.read']({ tcn })).documents;
    expect(now).toMatchObject({ resultPath: beside.path, resultSize: beside.size, revision: 2 });
    expect(await calls['history.presence']({ tcn, documentId })).toEqual({ state: 'there' });
  });

  it('is extended with the password of its PDF only', async () => {
    await calls['testServices.run']({});
    const plain = join(folder, 'aberto.pdf');
    const path = join(folder, 'protegido.pdf');
    writeFileSync(plain, writeTextPdf({ title: 'Contrato', paragraphs: ['Texto.'], footer: 'x' }, new Date()));
    await runTool('qpdf', ['--encrypt', 'segredo', 'dono', '256', '--', plain, path]);
    const place = { kind: 'beside', language: 'pt-BR' } as const;
    const request = { type: 'PAdES', alias, digest: 'sha256', place, password: 'segredo' } as const;
    const made = await calls['sign.paths']({ ...request, files: [{ path }] });
    const { tcn, documents } = await finish(made);
    const [{ id: documentId, resultPath }] = documents as [UiTransaction['documents'][number]];
    const signed = readFileSync(resultPath ?? '');
    const extension = { tcn, documentId, level: 'B-T', place: 'replace' } as const;
    const extend = async (password?: string) => calls['history.extend']({ ...extension, password });
    await expect(extend()).rejects.toMatchObject({ code: 'PDF_ENCRYPTED' });
    await expect(extend('outra')).rejects.toMatchObject({ code: 'PASSWORD_INCORRECT' });
    expect(readFileSync(resultPath ?? '').equals(signed)).toBe(true);
    expect((await extend('segredo')).size).toBeGreaterThan(signed.length);
  });

  it('lies beside its original when the original has a place, else in the folder', async () => {
    const path = join(folder, 'nota.txt');
    writeFileSync(path, 'nota');
    const place = { kind: 'beside', language: 'pt-BR' } as const;
    const input = { type: 'CAdES-detached', alias, digest: 'sha256', place, files: [{ path }] } as const;
    const beside = await finish(await calls['sign.paths']({ ...input, files: [{ path }] }));
    expect(beside.documents).toMatchObject([{ status: 'SIGNED', resultPath: `${path}.p7s` }]);
    const twice = await finish(await calls['sign.paths']({ ...input, files: [{ path }] }));
    expect(twice.documents).toMatchObject([{ resultPath: join(folder, 'nota.txt (2).p7s') }]);
    const [elsewhere] = (await upload(place, ['anexo.txt'])).documents;
    expect(elsewhere?.resultPath).toBe(join(folder, 'Assinados', month(), 'anexo.txt.p7m'));
  });

  it('is stamped file by file: elsewhere, in a field, with initials on the other pages, or not at all', async () => {
    const kids = { 2: '<</Type /Pages /Kids [3 0 R 9 0 R] /Count 2 /MediaBox [0 0 595 842]>>' };
    const pdf = buildPdf({
      ...withFields({ 6: emptySignatureField('Aprovação') }),
      ...kids,
      4: { dictionary: '', data: '' },
      9: '<</Type /Page /Parent 2 0 R>>',
    });
    const files = ['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf'].map((name) => ({ path: join(folder, name) }));
    for (const { path } of files) writeFileSync(path, pdf);
    const box = { x: 40, y: 40, width: 200, height: 60 };
    const initials = { x: 20, y: 20, width: 50, height: 25, corner: 'bottom-right' } as const;
    const stamps: readonly (FileStamp | undefined)[] = [
      undefined,
      { kind: 'place', pages: [2], corner: 'top-left', ...box },
      { kind: 'field', fieldName: 'Aprovação' },
      { kind: 'none' },
    ];
    const made = await calls['sign.paths']({
      type: 'PAdES',
      alias,
      digest: 'sha256',
      place: { kind: 'beside', language: 'pt-BR' },
      visible: { pages: [1], ...box, initials },
      files: files.map((file, index) => ({ ...file, stamp: stamps[index] })),
    });
    const { documents } = await finish(made);
    expect(documents).toMatchObject(files.map(() => ({ status: 'SIGNED' })));
    const shown = await Promise.all(
      documents.map(async ({ resultPath }) => {
        const [first, second] = [await showPage(resultPath!, 1), await showPage(resultPath!, 2)];
        return [first.ink(), second.ink()].map((ink) => (ink === undefined ? null : ink.map(Math.round)));
      }),
    );
    const inside = (ink: readonly number[] | null | undefined, [left, bottom, right, top]: readonly number[]) =>
      ink !== null && ink![0]! >= left! && ink![1]! >= bottom! && ink![2]! <= right! && ink![3]! <= top!;
    expect(inside(shown[0]?.[0], [40, 40, 240, 100])).toBe(true);
    expect(inside(shown[0]?.[1], [525, 20, 575, 45])).toBe(true);
    expect(inside(shown[1]?.[0], [525, 20, 575, 45])).toBe(true);
    expect(inside(shown[1]?.[1], [40, 742, 240, 802])).toBe(true);
    expect(inside(shown[2]?.[0], [72, 72, 200, 120])).toBe(true);
    expect(inside(shown[2]?.[1], [525, 20, 575, 45])).toBe(true);
    expect(shown[3]).toEqual([null, null]);
  });

  it('is refused with the reason when the folder cannot be made, before anything is signed', async () => {
    writeFileSync(join(folder, 'file'), '');
    const place = { kind: 'folder', folder: join(folder, 'file', 'in'), language: 'pt-BR' } as const;
    await expect(upload(place, ['a.txt'])).rejects.toMatchObject({ code: 'FOLDER_NOT_FOUND' });
  });
});
