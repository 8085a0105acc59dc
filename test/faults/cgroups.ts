import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { until } from '../setup/waits.ts';
import { buildPdf, onePage } from '../signing/pdf/build-pdf.ts';
import { workplaceWithKey } from './kills.ts';
import { sendAll, serveLimited } from './narrow.ts';
import type { Tally } from './run-faults.ts';
import { finalFateOf, judge, newRequest, requestOf, type Acknowledged } from './signed-documents.ts';

const ROOT = '/sys/fs/cgroup';
/** Version 2 has one tree for all controllers; version 1 has one tree for each. */
const isVersion2 = (): boolean => existsSync(join(ROOT, 'cgroup.controllers'));

type Controller = 'memory' | 'pids';

/** A control group of the test's own (Linux, `Documentation/admin-guide/cgroup-v2.rst` and `cgroup-v1/`). */
export class ControlGroup {
  readonly #folders: Readonly<Record<Controller, string>>;

  private constructor(folders: Readonly<Record<Controller, string>>) {
    this.#folders = folders;
  }

  /** Undefined where this user, or this kernel, makes none. */
  static make(): ControlGroup | undefined {
    const name = `sinete-faults-${process.pid}`;
    const folderOf = (controller: Controller): string => join(ROOT, isVersion2() ? '' : controller, name);
    const group = new ControlGroup({ memory: folderOf('memory'), pids: folderOf('pids') });
    try {
      if (isVersion2()) writeFileSync(join(ROOT, 'cgroup.subtree_control'), '+memory +pids');
      for (const folder of group.#all) mkdirSync(folder);
      return group;
    } catch {
      return undefined;
    }
  }

  /** The files to which a process writes its number to enter the group. */
  get entrances(): readonly string[] {
    return this.#all.map((folder) => join(folder, 'cgroup.procs'));
  }

  /** Bytes of memory, swap included; more ends a process of the group. */
  limitMemory(bytes: number): void {
    if (isVersion2()) {
      this.#write('memory', 'memory.max', bytes);
      this.#write('memory', 'memory.swap.max', 0);
    } else {
      this.#write('memory', 'memory.limit_in_bytes', bytes);
    }
  }

  /** Processes and threads that run now. */
  get threads(): number {
    return Number(readFileSync(join(this.#folders.pids, 'pids.current'), 'utf8'));
  }

  /** Processes and threads at once. */
  limitThreads(count: number | 'max'): void {
    this.#write('pids', 'pids.max', count);
  }

  /** How often a thread was refused. */
  get refusedThreads(): number {
    return Number(/max (\d+)/.exec(readFileSync(join(this.#folders.pids, 'pids.events'), 'utf8'))?.[1] ?? 0);
  }

  /** Waits for the end of its processes. */
  async remove(): Promise<void> {
    await until(() => {
      try {
        for (const folder of this.#all) if (existsSync(folder)) rmdirSync(folder);
        return true;
      } catch {
        return false;
      }
    }, 'the control group is empty');
  }

  get #all(): readonly string[] {
    return [...new Set(Object.values(this.#folders))];
  }

  #write(controller: Controller, file: string, value: number | string): void {
    writeFileSync(join(this.#folders[controller], file), String(value));
  }
}

const MEGABYTE = 1 << 20;

/**
 * Memory and threads that run out; needs root. With 450 MB eight documents of 20 MB at once are signed. With 200 MB the
 * kernel may end the instance; the next start has all acknowledged documents. While no further thread may run, PDFs
 * wait or are refused; with threads again, they are signed.
 */
export async function limitResources(): Promise<Tally> {
  const group = ControlGroup.make();
  if (group === undefined) throw new Error('No control group can be made: run this as root, with memory and pids.');
  const workplace = await workplaceWithKey();
  const enter = group.entrances.map((file) => `echo $$ > '${file}'`).join('; ');
  const acknowledged: Acknowledged[] = [];
  let hidden = 0;
  try {
    for (const [megabytes, isEnough] of [
      [450, true],
      [200, false],
    ] as const) {
      group.limitMemory(megabytes * MEGABYTE);
      const instance = await serveLimited(workplace, enter);
      acknowledged.push(...(await sendAll(instance.baseUrl, [0, 1, 2, 3].map(newRequest))));
      const large = Array.from({ length: 8 }, () => requestOf(randomBytes(20 * MEGABYTE)));
      const answers = await sendAll(instance.baseUrl, large);
      acknowledged.push(...answers);
      const lived = await instance.stop();
      const state = lived ? 'it lived on' : 'the kernel ended it';
      console.log(`${megabytes} MB: ${answers.length} of ${large.length} large documents, ${state}`);
      if (isEnough && (answers.length < large.length || !lived)) hidden++;
    }
    group.limitMemory(8192 * MEGABYTE);
    const instance = await serveLimited(workplace, enter);
    hidden += await refuseThreads(group, instance.baseUrl, acknowledged);
    const fates = await judge(instance.baseUrl, acknowledged);
    await instance.stop();
    return { name: 'memory and threads', cases: 40, acknowledged: acknowledged.length, doubled: 0, hidden, ...fates };
  } finally {
    await workplace.remove();
    await group.remove();
  }
}

/** PDFs are signed by threads. Answers how many accepted PDFs are not signed when threads may run again. */
async function refuseThreads(group: ControlGroup, baseUrl: string, acknowledged: Acknowledged[]): Promise<number> {
  const pdfs = () => Array.from({ length: 8 }, () => requestOf(buildPdf(onePage()), 'PAdES'));
  group.limitThreads(group.threads);
  const without = await sendAll(baseUrl, pdfs());
  console.log(
    `no threads: ${without.filter(({ isSigned }) => isSigned).length} of 8 PDFs, ${group.refusedThreads} refused`,
  );
  group.limitThreads('max');
  const again = await sendAll(baseUrl, pdfs());
  acknowledged.push(...without, ...again);
  const fates = await Promise.all([...without, ...again].map(async (one) => finalFateOf(baseUrl, one)));
  return 8 - again.length + fates.filter((fate) => fate !== 'good').length;
}
