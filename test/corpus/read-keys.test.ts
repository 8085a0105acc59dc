import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writePkcs12 } from '../../src/test-authority/index.ts';
import { personWith } from '../pki/identities.ts';
import { readKeys } from './read-keys.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-keys-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the keys of the encrypted files of a corpus', () => {
  it('are none without a table beside the files', async () => {
    expect((await readKeys(folder, undefined))('a.pdf')).toEqual({});
    await expect(readKeys(folder, join(folder, 'none.json'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('stands in the table by name, the first fitting, with keys as seen from the table', async () => {
    const maria = await personWith();
    await mkdir(join(folder, 'keys'));
    await writeFile(join(folder, 'keys', 'maria.p12'), await writePkcs12(maria, 'segredo'));
    const rows = {
      'a.pdf': { password: 'one' },
      'a*.pdf': { password: 'two' },
      'b-*.pdf': { recipientKey: 'maria.p12', recipientPassword: 'segredo' },
    };
    const table = join(folder, 'keys', 'table.json');
    await writeFile(table, JSON.stringify(rows));
    const keysOf = await readKeys(folder, table);
    expect(['a.pdf', 'ab.pdf', 'apdf', 'c.pdf'].map(keysOf)).toEqual([
      { password: 'one' },
      { password: 'two' },
      {},
      {},
    ]);
    const { recipient, store } = keysOf('b-1.pdf');
    expect(Buffer.from(recipient?.certificate ?? []).equals(maria.certificate)).toBe(true);
    expect(store).toEqual({ path: join(folder, 'keys', 'maria.p12'), password: 'segredo' });
  });

  it('is read from the folder of the files, and a table of another form is refused', async () => {
    await writeFile(join(folder, 'keys.json'), '{ "x.pdf": { "password": "three" } }');
    expect((await readKeys(folder, undefined))('x.pdf')).toEqual({ password: 'three' });
    await writeFile(join(folder, 'keys.json'), '{ "x.pdf": "three" }');
    await expect(readKeys(folder, undefined)).rejects.toThrow();
  });
});
