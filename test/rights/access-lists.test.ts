import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fitAccessList, readAccessList, readDefaultList, writeAccessList } from '../../src/rights/access-lists.ts';
import { systemTool } from '../setup/system-packages.ts';

let home: string;
beforeEach(() => void (home = mkdtempSync(join(tmpdir(), 'access-lists-'))));
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(home, { recursive: true });
});

function file(name: string, ...entries: readonly string[]): string {
  const path = join(home, name);
  writeFileSync(path, 'text');
  chmodSync(path, 0o600);
  if (entries.length > 0) execFileSync(systemTool('setfacl'), ['-m', entries.join(','), path]);
  return path;
}

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
const onPlatform = (platform: NodeJS.Platform): unknown => vi.spyOn(process, 'platform', 'get').mockReturnValue(platform); // prettier-ignore

describe('the access list of a file', () => {
  it('is read with its bits, and gives another file the same bits', async () => {
    const list = await readAccessList(file('document', 'u:daemon:rw', 'o::r'));
    expect(list?.mode.toString(8)).toBe('664');
    const result = file('result');
    expect(list && (await writeAccessList(result, list))).toBe(true);
    expect(modeOf(result)).toBe('664');
    expect(await readAccessList(result)).toEqual(list);
  });

  it('is null for a file without a list, and is not written to a missing file', async () => {
    expect(await readAccessList(file('document'))).toBeNull();
    expect(await readAccessList(join(home, 'nowhere'))).toBeNull();
    const list = await readAccessList(file('other', 'u:daemon:r'));
    expect(list && (await writeAccessList(join(home, 'nowhere'), list))).toBe(false);
  });

  it('is another list than the one of new files in a folder', async () => {
    const folder = join(home, 'folder');
    mkdirSync(folder, { mode: 0o755 });
    execFileSync(systemTool('setfacl'), ['-d', '-m', 'u:daemon:rwx,o::-', folder]);
    expect((await readDefaultList(folder))?.mode.toString(8)).toBe('770');
    expect(await readAccessList(folder)).toBeNull();
  });
});

/** Tags: the owner, a user, the owning group, the mask, and everybody else (linux/posix_acl.h). */
const tags = { owner: 0x01, user: 0x02, group: 0x04, mask: 0x10, others: 0x20 } as const;
type Rights = Partial<Record<keyof typeof tags, number>>;

function listOf(rights: Rights): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(2);
  const entries = (Object.keys(rights) as (keyof Rights)[]).map((who) => {
    const entry = Buffer.alloc(8);
    entry.writeUInt16LE(tags[who], 0);
    entry.writeUInt16LE(rights[who] ?? 0, 2);
    entry.writeUInt32LE(who === 'user' ? 65_534 : 0xffff_ffff, 4);
    return entry;
  });
  return Buffer.concat([bytes, ...entries]);
}

describe('an access list within permission bits', () => {
  it.each<[string, Rights, number, Rights, string]>([
    ['keeps what is allowed', { owner: 6, group: 4, others: 4 }, 0o666, { owner: 6, group: 4, others: 4 }, '644'],
    ['takes rights of each', { owner: 7, group: 7, others: 7 }, 0o640, { owner: 6, group: 4, others: 0 }, '640'],
    [
      'limits the mask, not what stands behind the mask',
      { owner: 7, user: 7, group: 5, mask: 7, others: 5 },
      0o620,
      { owner: 6, user: 7, group: 5, mask: 2, others: 0 },
      '620',
    ],
    [
      'adds no right to a smaller mask',
      { owner: 4, user: 6, group: 6, mask: 0, others: 1 },
      0o777,
      { owner: 4, user: 6, group: 6, mask: 0, others: 1 },
      '401',
    ],
  ])('%s', (_what, rights, limit, fitted, mode) => {
    const list = { bytes: listOf(rights), mode: 0 };
    const result = fitAccessList(list, limit);
    expect([result.bytes, result.mode.toString(8)]).toEqual([listOf(fitted), mode]);
    expect(list.bytes).toEqual(listOf(rights));
  });
});

describe('another system', () => {
  it('has no lists of this kind', async () => {
    const path = file('document', 'u:daemon:r');
    onPlatform('darwin');
    expect([await readAccessList(path), await readDefaultList(home)]).toEqual([null, null]);
  });
});
