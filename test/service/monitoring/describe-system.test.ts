import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, describe } from 'vitest';
import { itNeeding } from '../../setup/needs.ts';
import { describeSystem, systemReader } from '../../../src/service/monitoring/index.ts';
import { pretendSystem } from '../pretend-system.ts';

let dataFolder: string;
beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'sinete-system-'));
});
afterEach(() => rmSync(dataFolder, { recursive: true }));

describe('describeSystem', () => {
  it('writes sizes with their unit and says where the system tells nothing', async () => {
    expect(await describeSystem(pretendSystem, ['/data'])).toEqual({
      memory: { total: '16.0 GB', used: '11.5 GB', available: '4.5 GB' },
      swap: { total: 'unknown', used: 'unknown', available: 'unknown' },
      processorUse: '12.5%',
      processorCount: 4,
      runningProcesses: 'unknown',
      loadAverage: '0.10 0.20 0.30 1/100 1',
      diskTotal: { '/data': '500.0 GB' },
      diskFree: { '/data': '23.5 GB' },
    });
  });

  it('says no load is known where the system counts none', async () => {
    const quiet = { ...pretendSystem, loadAverage: () => Promise.resolve(undefined) };
    expect((await describeSystem(quiet, ['/data'])).loadAverage).toBe('unknown');
  });

  itNeeding('Linux')('reads this computer, and leaves nothing behind where it tried to write', async () => {
    const description = await describeSystem(systemReader, [dataFolder]);
    expect(description.memory.total).toMatch(/^\d+\.\d [GM]B$/);
    expect(description.processorUse).toMatch(/^\d{1,3}\.\d%$/);
    expect(Number(description.runningProcesses)).toBeGreaterThan(0);
    expect(description.loadAverage).toMatch(/^(\d+\.\d+ ){2}\d+\.\d+/);
    expect(description.diskFree[dataFolder]).toMatch(/^\d+\.\d [GM]B$/);
    await systemReader.tryWriting(dataFolder);
    expect(readdirSync(dataFolder)).toEqual([]);
    await expect(systemReader.tryWriting(join(dataFolder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
