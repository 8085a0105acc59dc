import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { giveResultRights, readRights } from '../../src/rights/file-rights.ts';
import { giveRightsOnWindows, readWindowsRights } from '../../src/rights/windows-rights.ts';
import { makeWorkplace, runSinete, serve, type ServingProcess, type Workplace } from '../app/run-sinete.ts';

let place: Workplace;
let instance: ServingProcess;
let folder: string;

beforeAll(async () => {
  place = await makeWorkplace();
  folder = await mkdtemp('C:\\docs-');
  await writeFile(join(folder, 'letter.txt'), 'A letter.');
  await mkdir(join(folder, 'inner'));
  await runSinete(place, ['certificates', 'test-identity', '--name', 'Maria', '--cpf', '529.982.247-25']);
  instance = await serve(place, ['--approve', 'all']);
});
afterAll(async () => {
  await instance.stop();
  await rm(folder, { recursive: true, force: true });
  await place.remove();
});

/** The answer to the owner's program for a source of this path: the status of HTTP and of the document. */
async function sign(data: string, destination?: string): Promise<string> {
  const target = destination === undefined ? {} : { destination: 'FILE_PATH' };
  const document = destination === undefined ? { data } : { data, destination_file_name: destination };
  const answer = await fetch(`${instance.baseUrl}/signature-service`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      type: 'CMS',
      mode: 'sync',
      documents_source: 'FILE_PATH',
      ...target,
      documents: [document],
    }),
  });
  const body = (await answer.json()) as { documents?: { status: string }[]; code?: string };
  return `${answer.status} ${body.documents?.[0]?.status ?? body.code ?? ''}`.trim();
}

describe('a source of Windows', () => {
  it.each([
    ['with backslashes', (path: string) => path],
    ['with slashes', (path: string) => path.replaceAll('\\', '/')],
    ['in capitals', (path: string) => path.toUpperCase()],
    ['without its drive', (path: string) => path.slice(2)],
    ['as a long path', (path: string) => `\\\\?\\${path}`],
    ['as an address', (path: string) => `file:///${path.replaceAll('\\', '/')}`],
  ])('is signed %s', async (_what, spell) => {
    expect(await sign(spell(join(folder, 'letter.txt')))).toBe('201 SIGNED');
  });

  it.each([
    ['relative to a drive', () => 'C:letter.txt'],
    ['relative', () => 'letter.txt'],
    ['a device', () => 'CON'],
    ['a folder', () => join(folder, 'inner')],
    ['a pipe', () => '\\\\.\\pipe\\nobody'],
    ['a stream of a file', () => `${join(folder, 'letter.txt')}:hidden`],
    ['a share of another computer', () => '\\\\computer.example\\share\\a.txt'],
    ['a share as a long path', () => '\\\\?\\UNC\\computer.example\\share\\a.txt'],
    ['a share as an address', () => 'file://computer.example/share/a.txt'],
    ['a file of the data folder', () => join(place.data, 'instance.json')],
    ['a file of the data folder in capitals', () => join(place.data, 'instance.json').toUpperCase()],
    ['a file of the data folder as a long path', () => `\\\\?\\${join(place.data, 'instance.json')}`],
  ])('is refused where it is %s', async (_what, path) => {
    expect(await sign(path())).toMatch(/^4\d\d [A-Z_]+$/);
  });
});

describe('a destination of Windows', () => {
  it('is written, and never over a file differing in capitals only', async () => {
    const source = join(folder, 'letter.txt');
    expect(await sign(source, join(folder, 'signed.p7s'))).toBe('201 SIGNED');
    expect((await readFile(join(folder, 'signed.p7s')))[0]).toBe(0x30);
    expect(await sign(source, join(folder, 'SIGNED.P7S'))).not.toBe('201 SIGNED');
  });

  it.each(['NUL', 'CON.p7s', 'trail.p7s.', 'letter.txt:ads.p7s', 'a|b.p7s', 'end '])(
    'is refused with the name %s',
    async (name) => {
      expect(await sign(join(folder, 'letter.txt'), `${folder}\\${name}`)).toMatch(/^422 REQUEST_INVALID$|^400 /);
    },
  );
});

describe('the rights of a result on Windows', () => {
  it('allow nothing to other users without a document', async () => {
    const path = join(folder, 'sent.p7m');
    await writeFile(path, 'result');
    const inherited = await readWindowsRights(path);
    await giveResultRights(path, folder, undefined);
    expect(await readFile(path, 'utf8')).toBe('result');
    expect(await readWindowsRights(path)).toBeInstanceOf(Buffer);
    expect(inherited).toBeInstanceOf(Buffer);
  });

  it('equal those of the document', async () => {
    const [path, result] = [join(folder, 'list.txt'), join(folder, 'list.p7m')];
    await writeFile(path, 'salaries');
    await giveRightsOnWindows(path, 'owner-alone');
    await writeFile(result, 'result');
    const rights = await readRights(path);
    await giveResultRights(result, folder, rights);
    expect(await readWindowsRights(result)).toEqual(rights.descriptor);
  });
});
