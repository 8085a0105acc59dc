import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createQuotas,
  type ApplicationLimits,
  type ApplicationQuotas,
} from '../../../src/service/applications/index.ts';
import { SqlApplicationStore, type Storage } from '../../../src/storage/index.ts';
import { openTestStorage } from '../../storage/engine.ts';

/** Limits that the configuration gives to an application; the counts are in the real store. */

let folder: string;
let storage: Storage;
let time: Date;

const quotasWith = (
  limits: ApplicationLimits,
  store: Parameters<typeof createQuotas>[0]['store'] = new SqlApplicationStore(storage.database),
): ApplicationQuotas =>
  createQuotas({
    store,
    configured: { crm: limits },
    now: () => time,
  });

describe('the documents of a day', () => {
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sinete-limits-'));
    storage = await openTestStorage(folder);
    time = new Date(2026, 4, 4, 12, 0);
  });
  afterEach(async () => {
    await storage.close();
    rmSync(folder, { recursive: true });
  });

  it('are counted up to the limit, all or none, over restarts', async () => {
    const quotas = quotasWith({ documentsPerDay: 5 });
    await quotas.take('crm', 4);
    const refused = { code: 'APPLICATION_LIMIT_REACHED', retryAfter: 12 * 3600 };
    await expect(quotas.take('crm', 2)).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining('1 left today, and the request has 2') as string,
      problems: [{ field: 'documents', code: 'APPLICATION_LIMIT_REACHED' }],
    });
    await storage.close();
    storage = await openTestStorage(folder);
    const after = quotasWith({ documentsPerDay: 5 });
    expect(await after.read('crm')).toMatchObject({ limit: 5, remaining: 1, resetsAfter: 12 * 3600 });
    await after.take('crm', 1);
    await expect(after.admit('crm')).rejects.toMatchObject(refused);
    await expect(after.take('crm', 6)).rejects.toMatchObject(refused);
  });

  it('are new after midnight, and after unkept documents', async () => {
    const quotas = quotasWith({ documentsPerDay: 3 });
    await quotas.take('crm', 3);
    await quotas.giveBack('crm', 2);
    expect(await quotas.read('crm')).toMatchObject({ remaining: 2 });
    time = new Date(2026, 4, 5, 0, 0);
    expect(await quotas.read('crm')).toMatchObject({ remaining: 3, resetsAfter: 86_400 });
    await quotas.take('crm', 3);
    await quotas.giveBack('crm', 9);
    expect(await quotas.read('crm')).toMatchObject({ remaining: 3 });
  });

  it('cannot be passed by requests at the same time', async () => {
    const quotas = quotasWith({ documentsPerDay: 7 });
    const takes = Array.from({ length: 20 }, async () => quotas.take('crm', 2));
    const outcomes = await Promise.allSettled(takes);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(await quotas.read('crm')).toMatchObject({ remaining: 1 });
  });

  it('are unlimited for an application without a limit', async () => {
    const quotas = quotasWith({});
    await quotas.take('crm', 1_000_000);
    await quotas.take('toString', 1_000_000);
    expect(await quotas.read('crm')).toBeUndefined();
    expect(await quotas.admit('crm')).toEqual({});
  });

  it('include those sent earlier on the day on which the limit is set', async () => {
    const before = quotasWith({});
    await before.take('crm', 5);
    await before.giveBack('crm', 1);
    const after = quotasWith({ documentsPerDay: 6 });
    expect(await after.read('crm')).toMatchObject({ limit: 6, remaining: 2 });
    await expect(after.take('crm', 3)).rejects.toMatchObject({ code: 'APPLICATION_LIMIT_REACHED' });
    await after.take('crm', 2);
    await expect(quotasWith({ documentsPerDay: 3 }).admit('crm')).rejects.toMatchObject({
      code: 'APPLICATION_LIMIT_REACHED',
    });
  });
});

describe('the hours of an application', () => {
  const nothing = {
    find: async () => Promise.resolve(undefined),
    countDocuments: async () => Promise.resolve(true),
    documentsOn: async () => Promise.resolve(0),
  };
  it.each([
    ['08:00-18:00', 7, 59, 60],
    ['08:00-18:00', 18, 0, 14 * 3600],
    ['22:00-06:00', 6, 0, 16 * 3600],
    ['22:00-06:00', 21, 30, 1800],
  ])('%s refuse at %i:%i, and tell when to come back', async (hours, hour, minute, retryAfter) => {
    time = new Date(2026, 4, 4, hour, minute);
    await expect(quotasWith({ hours }, nothing).admit('crm')).rejects.toMatchObject({
      code: 'APPLICATION_OUT_OF_HOURS',
      retryAfter,
      problems: [{ field: 'limits.hours' }],
    });
  });

  it.each([
    ['08:00-18:00', 8, 0],
    ['08:00-18:00', 17, 59],
    ['22:00-06:00', 22, 0],
    ['22:00-06:00', 5, 59],
  ])('%s admit at %i:%i', async (hours, hour, minute) => {
    time = new Date(2026, 4, 4, hour, minute);
    expect(await quotasWith({ hours }, nothing).admit('crm')).toEqual({});
  });
});
