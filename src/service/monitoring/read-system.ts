import { randomUUID } from 'node:crypto';
import { readdir, readFile, statfs, unlink, writeFile } from 'node:fs/promises';
import { cpus, freemem, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Space } from '../space/index.ts';

/** Facts of the operating system; tests replace this object. */
export interface SystemReader {
  memory(): Promise<Space>;
  /** Undefined where the system does not tell. */
  swap(): Promise<Space | undefined>;
  /** Share of all processors that is busy, 0 to 1, measured over a tenth of a second. */
  processorUse(): Promise<number>;
  processorCount(): number;
  /** Undefined where the system does not tell. */
  processCount(): Promise<number | undefined>;
  /** The line of /proc/loadavg, or the three averages; undefined where the system counts no load. */
  loadAverage(): Promise<string | undefined>;
  diskSpace(path: string): Promise<Space>;
  /** Writes, flushes and removes a small file; rejects on failure. */
  tryWriting(folder: string): Promise<void>;
}

const SAMPLE = 100;
/** On Windows a folder /proc could be anybody's. */
const isWindows = process.platform === 'win32';

/** The system of this process: Linux by /proc, others as far as known by Node. */
export const systemReader: SystemReader = {
  async memory() {
    const amounts = await readMeminfo();
    // MemAvailable includes memory that the kernel can free; free memory alone is always small.
    const free = amounts?.get('MemAvailable') ?? freemem();
    return { total: amounts?.get('MemTotal') ?? totalmem(), free };
  },
  async swap() {
    const amounts = await readMeminfo();
    const total = amounts?.get('SwapTotal');
    return total === undefined ? undefined : { total, free: amounts?.get('SwapFree') ?? 0 };
  },
  async processorUse() {
    const before = processorTimes();
    await setTimeout(SAMPLE);
    const after = processorTimes();
    const total = after.total - before.total;
    return total <= 0 ? 0 : 1 - (after.idle - before.idle) / total;
  },
  processorCount: () => cpus().length,
  async processCount() {
    if (isWindows) return undefined;
    const entries = await readdir('/proc').catch(() => undefined);
    return entries?.filter((name) => /^\d+$/.test(name)).length;
  },
  async loadAverage() {
    // On Windows Node answers three zeros, which would mean an idle computer.
    if (isWindows) return undefined;
    const line = await readFile('/proc/loadavg', 'utf8').catch(() => undefined);
    return (
      line?.trim() ??
      loadavg()
        .map((value) => value.toFixed(2))
        .join(' ')
    );
  },
  async diskSpace(path) {
    const { blocks, bavail, bsize } = await statfs(path);
    return { total: blocks * bsize, free: bavail * bsize };
  },
  async tryWriting(folder) {
    const path = join(folder, `.health-${randomUUID()}`);
    try {
      await writeFile(path, 'ok', { flag: 'wx', mode: 0o600, flush: true });
    } finally {
      await unlink(path).catch(() => undefined);
    }
  },
};

function processorTimes(): { readonly total: number; readonly idle: number } {
  let total = 0;
  let idle = 0;
  for (const { times } of cpus()) {
    total += times.user + times.nice + times.sys + times.idle + times.irq;
    idle += times.idle;
  }
  return { total, idle };
}

/** Bytes by name; undefined where there is no /proc. */
async function readMeminfo(): Promise<ReadonlyMap<string, number> | undefined> {
  if (isWindows) return undefined;
  const text = await readFile('/proc/meminfo', 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = text.matchAll(/^(\w+):\s+(\d+) kB$/gm);
  return new Map(Array.from(lines, ([, name = '', kibibytes]) => [name, Number(kibibytes) * 1024]));
}
