import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rm } from 'node:fs/promises';
import { ErasePermission, openTime, type Time } from '../../../src/app/compose/open-time.ts';
import { silentLog } from '../../service/transactions/transaction-world.ts';

const HOUR = 3_600_000;

describe('the permission to erase', () => {
  let folder: string;
  let time: Time | undefined;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sinete-time-'));
  });
  afterEach(async () => {
    await time?.close();
    time = undefined;
    await rm(folder, { recursive: true });
  });

  const openAfter = (seen: number, permission: ErasePermission): Time => {
    writeFileSync(join(folder, 'clock.json'), JSON.stringify({ seen, doubted: false }));
    return openTime(folder, silentLog, permission);
  };

  it('is refused to a store opened before the clock', () => {
    expect(new ErasePermission().mayErase()).toBe(false);
  });

  it('is given by a clock close to its last note', () => {
    const permission = new ErasePermission();
    time = openAfter(Date.now(), permission);
    expect(permission.mayErase()).toBe(true);
  });

  it('is refused by a clock in doubt, until a person accepts the time', () => {
    const permission = new ErasePermission();
    time = openAfter(Date.now() - 24 * HOUR, permission);
    expect(permission.mayErase()).toBe(false);
    time.accept();
    expect(permission.mayErase()).toBe(true);
  });

  it('follows a clock through each change of mind', () => {
    const permission = new ErasePermission();
    let mayErase = false;
    permission.askFromNowOn({ mayErase: () => mayErase });
    expect(permission.mayErase()).toBe(false);
    mayErase = true;
    expect(permission.mayErase()).toBe(true);
    mayErase = false;
    expect(permission.mayErase()).toBe(false);
  });
});
