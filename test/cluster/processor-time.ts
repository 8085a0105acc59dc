/** Processor time of processes and threads, as counted by Linux in `/proc` (proc(5)). */
import { readdirSync, readFileSync } from 'node:fs';

/** Seconds of a tick of `/proc`: `sysconf(_SC_CLK_TCK)` is 100 on every architecture of Debian. */
const TICK = 0.01;

/** Fields of `/proc/PID/stat` after the name; the name ends with the last bracket. */
function fieldsOf(path: string): { readonly name: string; readonly fields: readonly string[] } | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    // It has ended.
    return undefined;
  }
  const end = text.lastIndexOf(')');
  return { name: text.slice(text.indexOf('(') + 1, end), fields: text.slice(end + 2).split(' ') };
}

const sum = (fields: readonly string[], from: number, to: number): number =>
  fields.slice(from, to).reduce((total, field) => total + Number(field), 0) * TICK;

/** Seconds of a thread's running: the first number of `schedstat`, in nanoseconds. */
function ranSeconds(thread: string): number {
  try {
    return Number(readFileSync(`${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e9;
  } catch {
    return 0;
  }
}

/** Paths of the threads of a process. */
function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`);
  } catch {
    return [];
  }
}

/** Processes by their parent. */
function childrenByParent(): ReadonlyMap<number, readonly number[]> {
  const all = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? fieldsOf(`/proc/${name}/stat`)?.fields[1] : undefined;
    if (parent !== undefined) all.set(Number(parent), [...(all.get(Number(parent)) ?? []), Number(name)]);
  }
  return all;
}

/**
 * Seconds of processor time of processes and all of their descendants. Ended descendants count as long as their parent
 * has waited for them.
 */
export function processorSeconds(pids: readonly number[]): number {
  const children = childrenByParent();
  const secondsOf = (pid: number): number => {
    const { fields = [] } = fieldsOf(`/proc/${pid}/stat`) ?? {};
    // utime and stime are coarse, but include ended threads; cutime and cstime include ended descendants.
    const exact = threadsOf(pid).reduce((total, thread) => total + ranSeconds(thread), 0);
    const own = Math.max(exact, sum(fields, 11, 13)) + sum(fields, 13, 15);
    return (children.get(pid) ?? []).reduce((total, child) => total + secondsOf(child), own);
  };
  return pids.reduce((total, pid) => total + secondsOf(pid), 0);
}

/** A kind of threads of a Node process. */
export type ThreadKind = 'main' | 'pool' | 'worker' | 'engine';

/**
 * Seconds of processor time of a Node process by kind of thread: JavaScript of the main thread, libuv's pool
 * (signatures and files), worker threads (documents of strangers), and V8's own threads (compiler, garbage collection).
 * Other processes started by this process are not counted.
 */
export function threadSeconds(pid: number): Readonly<Record<ThreadKind, number>> {
  const seconds = { main: 0, pool: 0, worker: 0, engine: 0 };
  for (const thread of threadsOf(pid)) {
    const name = fieldsOf(`${thread}/stat`)?.name ?? '';
    seconds[thread.endsWith(`/${pid}`) ? 'main' : kindOf(name)] += ranSeconds(thread);
  }
  return seconds;
}

function kindOf(name: string): ThreadKind {
  if (/^libuv-worker/.test(name)) return 'pool';
  return /V8Worker|DelayedTask|SignalInsp/.test(name) ? 'engine' : 'worker';
}
