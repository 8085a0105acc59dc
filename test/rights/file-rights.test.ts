import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  giveResultRights,
  keepRights,
  readRights,
  readUmask,
  rightsIfThere,
  rightsOnWindows,
  type FileRights,
} from '../../src/rights/file-rights.ts';
import { ownerAlone } from '../../src/rights/windows-rights.ts';
import { itNeeding } from '../setup/needs.ts';
import { systemTool } from '../setup/system-packages.ts';

let home: string;
let umask: number;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'rights-'));
  umask = process.umask(0o022);
});
afterEach(() => {
  process.umask(umask);
  rmSync(home, { recursive: true });
});

function document(mode: number): string {
  const path = join(home, 'document');
  writeFileSync(path, 'text');
  chmodSync(path, mode);
  return path;
}

function draft(folder = home): string {
  const path = join(folder, 'result');
  writeFileSync(path, 'signed', { mode: 0o600 });
  return path;
}

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
const setfacl = (...words: readonly string[]): unknown => execFileSync(systemTool('setfacl'), words);
/** The entries of an access list; the rights in force stand behind `#effective`. */
const listOf = (path: string): readonly string[] =>
  execFileSync(systemTool('getfacl'), ['--omit-header', '--absolute-names', path], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/\s+/g, ' '));

/** The list of the result of a document. */
async function listOfResult(path: string, most?: number): Promise<readonly string[]> {
  const result = draft();
  await giveResultRights(result, home, await readRights(path), most);
  return listOf(result);
}

describe('the result of a document', () => {
  it.each([
    ['600', 0o600, 0o000],
    ['600', 0o600, 0o022],
    ['640', 0o640, 0o022],
    ['644', 0o644, 0o022],
    ['664', 0o664, 0o002],
    ['644', 0o664, 0o022],
    ['600', 0o644, 0o077],
    ['640', 0o644, 0o027],
    ['666', 0o777, 0o000],
    ['400', 0o400, 0o022],
    ['604', 0o604, 0o022],
  ])('has the rights %s for a document with %o and the umask %o', async (expected, mode, mask) => {
    const source = document(mode);
    process.umask(mask);
    const result = draft();
    await giveResultRights(result, home, await readRights(source));
    expect(modeOf(result)).toBe(expected);
  });

  it.each([
    ['640', 0o644, 0o640],
    ['600', 0o600, 0o660],
    ['644', 0o666, 0o644],
  ])(
    'has the rights %s for a document with %o and files.result_mode %o, under the umask 077',
    async (expected, mode, most) => {
      const source = document(mode);
      process.umask(0o077);
      const result = draft();
      await giveResultRights(result, home, await readRights(source), most);
      expect(modeOf(result)).toBe(expected);
    },
  );

  it.each([
    ['600', undefined],
    ['640', 0o640],
  ])('has the rights %s without a document and with files.result_mode %o', async (expected, most) => {
    process.umask(0);
    const result = draft();
    await giveResultRights(result, home, undefined, most);
    expect(modeOf(result)).toBe(expected);
  });

  itNeeding('root')('belongs to the group of its document', async () => {
    const source = document(0o640);
    chownSync(source, 0, 1);
    const result = draft();
    await giveResultRights(result, home, await readRights(source));
    expect([modeOf(result), statSync(result).uid, statSync(result).gid]).toEqual(['640', 0, 1]);
  });

  itNeeding('root').each([
    { what: 'gives others and a strange group no more than both had', mode: 0o640, expected: '600' },
    { what: 'gives a strange group no more than everybody', mode: 0o664, expected: '644' },
    { what: 'gives nobody what the group of the document was denied', mode: 0o604, expected: '600' },
    { what: 'has nothing of the list of the document', mode: 0o644, expected: '600', list: 'u:daemon:rw' },
    { what: 'has no more than its owner may', mode: 0o400, expected: '400', list: 'u:daemon:r' },
  ])('$what when it cannot have the group of the document', async ({ mode, expected, list }) => {
    const source = document(mode);
    if (list !== undefined) setfacl('-m', list, source);
    chmodSync(home, 0o777);
    chownSync(source, 65_534, 1);
    const result = draft();
    chownSync(result, 65_534, 65_534);
    process.setegid?.(65_534);
    process.seteuid?.(65_534);
    try {
      await giveResultRights(result, home, await readRights(source));
    } finally {
      process.seteuid?.(0);
      process.setegid?.(0);
    }
    expect(modeOf(result)).toBe(expected);
  });
});

describe('the result of a document that may have an access list unknown to us', () => {
  it.each([
    ['600', 0o640],
    ['644', 0o664],
    ['600', 0o660],
  ])('has the rights %s for a document with %o', async (expected, mode) => {
    const rights = await readRights(document(mode));
    const result = draft();
    await giveResultRights(result, home, { ...rights, list: undefined });
    expect(modeOf(result)).toBe(expected);
  });
});

describe('the rights of a file', () => {
  it('are absent where there is no file', async () => {
    expect(await rightsIfThere(join(home, 'nowhere'))).toBeUndefined();
    expect(await rightsIfThere(document(0o640))).toMatchObject({ mode: 0o640, list: null, descriptor: undefined });
  });

  it('are given within the umask of the process, which stays unchanged meanwhile', async () => {
    const source = document(0o666);
    process.umask(0o026);
    const asked = vi.spyOn(process, 'umask');
    const result = draft();
    await giveResultRights(result, home, await readRights(source));
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
    expect(modeOf(result)).toBe('640');
  });

  it('are given within the same umask where the system does not tell the umask, and put back the umask', async () => {
    process.umask(0o026);
    expect(await readUmask(join(home, 'nowhere'))).toBe(0o026);
    expect(process.umask(0o022)).toBe(0o026);
  });
});

describe('the result of a document with an access list', () => {
  it('has the same list, and gives the owning group no right beyond the list', async () => {
    const source = document(0o600);
    setfacl('-m', 'u:daemon:r', source);
    expect(modeOf(source)).toBe('640');
    expect(await listOfResult(source)).toEqual([
      'user::rw-',
      'user:daemon:r--',
      'group::---',
      'mask::r--',
      'other::---',
    ]);
  });

  it('denies users as the list does', async () => {
    const source = document(0o644);
    setfacl('-m', 'u:daemon:---', source);
    expect(await listOfResult(source)).toContain('user:daemon:---');
  });

  it('has no more than files.result_mode allows', async () => {
    const source = document(0o644);
    setfacl('-m', 'u:daemon:rw', source);
    const list = await listOfResult(source, 0o640);
    expect(list).toEqual(['user::rw-', 'user:daemon:rw- #effective:r--', 'group::r--', 'mask::r--', 'other::---']);
  });
});

describe('the result in a folder with a default access list', () => {
  const withDefaults = (...entries: readonly string[]): void => {
    setfacl('-d', '-m', entries.join(','), home);
  };

  it('keeps the entries of the folder, as far as the document has rights for its group', async () => {
    withDefaults('u:daemon:rw', 'o::-');
    process.umask(0o077);
    const source = document(0o640);
    setfacl('-b', source);
    chmodSync(source, 0o640);
    expect(await listOfResult(source)).toEqual([
      'user::rw-',
      'user:daemon:rw- #effective:r--',
      'group::---',
      'mask::r--',
      'other::---',
    ]);
  });

  it('puts no entry of the folder in force for a document of its owner alone', async () => {
    const source = document(0o600);
    withDefaults('u:daemon:rw');
    const list = await listOfResult(source);
    expect(list).toContain('user:daemon:rw- #effective:---');
    expect(list).toContain('other::---');
  });

  it('gives others no more than new files of the folder do', async () => {
    const source = document(0o644);
    withDefaults('o::-');
    expect(await listOfResult(source)).toContain('other::---');
  });

  it('has the list of a document made in the same folder', async () => {
    withDefaults('u:daemon:rw', 'o::-');
    const source = document(0o660);
    expect(await listOfResult(source)).toEqual(listOf(source));
  });

  it('belongs to its owner alone without a document', async () => {
    withDefaults('u:daemon:rw');
    const result = draft();
    await giveResultRights(result, home, undefined);
    expect(listOf(result)).toContain('mask::---');
  });
});

describe('a file in the place of another file', () => {
  it.each([0o600, 0o640, 0o664, 0o755])('keeps the rights %o, whatever the umask', async (mode) => {
    const source = document(mode);
    process.umask(0o077);
    const result = draft();
    await keepRights(result, await readRights(source));
    expect(modeOf(result)).toBe(mode.toString(8));
  });

  itNeeding('root')('keeps its owner and its group', async () => {
    const source = document(0o640);
    chownSync(source, 1, 2);
    const result = draft();
    await keepRights(result, await readRights(source));
    expect([modeOf(result), statSync(result).uid, statSync(result).gid]).toEqual(['640', 1, 2]);
  });

  it('keeps the access list', async () => {
    const source = document(0o600);
    setfacl('-m', 'u:daemon:r', source);
    const folder = join(home, 'inner');
    mkdirSync(folder);
    const result = draft(folder);
    await keepRights(result, await readRights(source));
    expect(listOf(result)).toEqual(listOf(source));
    expect(dirname(result)).toBe(folder);
  });
});

describe('the rights of a result on Windows', () => {
  const file = { mode: 0o666, user: 0, group: 0, list: null } as const;
  const told: FileRights = { ...file, descriptor: Buffer.from('a list') };
  const untold: FileRights = { ...file, descriptor: undefined };
  it.each([
    ['those of the document', told, undefined, { copied: told.descriptor }],
    ['those of the document, whatever others may', told, 0o666, { copied: told.descriptor }],
    ['those of the owner alone for a document that Windows does not tell about', untold, 0o666, 'owner-alone'],
    ['those of the owner alone without a document', undefined, undefined, 'owner-alone'],
    ['those of the owner alone without a document, where others have none', undefined, 0o660, 'owner-alone'],
    ['those of the folder without a document, where others may read', undefined, 0o604, 'inherited'],
  ] as const)('are %s', (_which, of, most, expected) => {
    expect(rightsOnWindows(of, most)).toEqual(expected);
  });

  it('are no permission bits', async () => {
    const source = document(0o644);
    setfacl('-m', 'u:daemon:r', source);
    const system = vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
    try {
      const rights = await readRights(source);
      expect(rights.list).toBeNull();
      const result = draft();
      await giveResultRights(result, home, rights);
      await keepRights(result, rights);
      expect(modeOf(result)).toBe('600');
    } finally {
      system.mockRestore();
    }
  });
});

describe('the access list of Windows for a result without a document', () => {
  it('allows everything to the owner and the system, and inherits nothing', () => {
    const bytes = ownerAlone();
    expect(bytes.readUInt16LE(2) & 0x1000).toBe(0x1000);
    const list = bytes.subarray(bytes.readUInt32LE(16));
    expect([list.readUInt16LE(2), list.readUInt16LE(4)]).toEqual([list.length, 2]);
    const identifiers = [8, 28].map((start) => [list.readUInt8(start), list.readUIntBE(start + 10, 6), list.readUInt32LE(start + 16)]); // prettier-ignore
    expect(identifiers).toEqual([
      [0, 3, 4],
      [0, 5, 18],
    ]);
  });
});
