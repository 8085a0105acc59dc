import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettingOfCopy } from '../../src/storage/index.ts';
import { runSinete, type CommandOutcome, type Workplace } from '../app/run-sinete.ts';
import { openFolder, separateFolder } from '../app/separate-folders.ts';

const passphrase = 'a passphrase of some length';
const driver = '/home/stranger/driver.so';
let folder: string;
let backup: string;

const place = (name: string): Workplace => separateFolder(folder, name);

const restore = async (to: Workplace, ...words: readonly string[]): Promise<CommandOutcome> =>
  runSinete(to, ['restore', backup, ...words], { input: `${passphrase}\n` });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-stranger-'));
  backup = join(folder, 'stranger.backup');
  const { core, calls } = await openFolder(place('stranger'));
  await core.storage.settings.write('pkcs11.modules', [{ path: driver, product: 'A driver' }]);
  const settings = ['approve = "ask"', '[pkcs11.environment]', 'LD_PRELOAD = "/home/stranger/code.so"', ''];
  writeFileSync(join(folder, 'stranger', 'sinete.toml'), settings.join('\n'));
  await calls['backup.make']({ path: backup, passphrase });
  await core.close();
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('the backup of a stranger, whose configuration loads code', () => {
  it('is not restored without a decision, and names the code', async () => {
    const { code, stderr } = await restore(place('asked'));
    expect(code).not.toBe(0);
    for (const named of [driver, 'LD_PRELOAD=/home/stranger/code.so', '--drivers']) expect(stderr).toContain(named);
    expect(existsSync(join(folder, 'asked', 'sinete.db'))).toBe(false);
  });

  it('is restored without its drivers and their variables when they are dropped', async () => {
    const to = place('dropped');
    expect(await restore(to, '--drivers', 'drop')).toMatchObject({ code: 0 });
    const { core, calls } = await openFolder(to);
    expect(await core.storage.settings.read('pkcs11.modules')).toEqual([]);
    expect(await calls['modules.list']({})).toEqual([]);
    expect(core.configuration.moduleEnvironment).toEqual({});
    expect(core.configuration.approve).toBe('ask');
    await core.close();
    expect(readFileSync(join(to.data, 'sinete.toml'), 'utf8')).not.toContain('LD_PRELOAD');
  });

  it('is restored with them when they are kept', async () => {
    const to = place('kept');
    expect(await restore(to, '--drivers', 'keep')).toMatchObject({ code: 0 });
    expect(readFileSync(join(to.data, 'sinete.toml'), 'utf8')).toContain('LD_PRELOAD');
  });

  it('is asked about as a bare copy of the database too', async () => {
    const copy = join(folder, 'stranger', 'sinete.db');
    const put = async (to: Workplace, ...words: readonly string[]): Promise<CommandOutcome> =>
      runSinete(to, ['restore', copy, ...words]);
    const asked = await put(place('copied'));
    expect([asked.code === 0, asked.stderr.includes(driver)]).toEqual([false, true]);
    expect(existsSync(join(folder, 'copied', 'sinete.db'))).toBe(false);
    expect(await put(place('copied'), '--drivers', 'drop')).toMatchObject({ code: 0 });
    expect(readSettingOfCopy(join(folder, 'copied', 'sinete.db'), 'pkcs11.modules')).toBeUndefined();
    expect(await put(place('copied'), '--replace', '--drivers', 'keep')).toMatchObject({ code: 0 });
    expect(readSettingOfCopy(join(folder, 'copied', 'sinete.db'), 'pkcs11.modules')).toMatchObject([{ path: driver }]);
  });

  it('is refused by the window, which points to the command that asks', async () => {
    const { core, calls } = await openFolder(place('window'));
    await expect(calls['backup.restore']({ path: backup, passphrase })).rejects.toMatchObject({
      code: 'REQUEST_INVALID',
      message: expect.stringContaining('--drivers') as string,
    });
    expect((await calls['backup.read']({})).pending).toBeNull();
    await core.close();
  });
});
