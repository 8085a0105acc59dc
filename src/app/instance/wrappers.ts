import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { startedBy } from '../config/variables.ts';

/** A process and the parent that started it. */
export interface ParentLink {
  readonly process: number;
  readonly parent: number;
}

/** The facts about processes that show whether another process waits for this one. */
export interface ProcessFacts {
  readonly process: number;
  /** The parent of `process` when it started. */
  readonly firstParent: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The parent of a process; undefined if the process has ended or the system does not report it. */
  readonly parentOf: (process: number) => number | undefined;
  /** True for a shell that runs one command line (`sh -c …`), as npm does for a script. */
  readonly runsCommandLine: (process: number) => boolean;
}

const npmScript = 'npm_lifecycle_script';

/** Milliseconds between two checks of the parents. */
const lookEvery = 1000;

/** The parent at the time this module was loaded. */
const firstParent = process.ppid;

/**
 * The links to programs that only stand between this process and its user: an older Node that runs the command again,
 * the shell of an npm script, and npm. Empty for any other start, because the parent may then end while Sinete
 * continues: `nohup`, systemd, a shell's background.
 */
export function findWrappers(facts: ProcessFacts): readonly ParentLink[] {
  const { environment, parentOf, runsCommandLine } = facts;
  const links: ParentLink[] = [];
  let top = facts.process;
  const climb = (): void => {
    const parent = top === facts.process ? facts.firstParent : parentOf(top);
    if (parent === undefined) return;
    links.push({ process: top, parent });
    top = parent;
  };
  if (Number(environment[startedBy]) === facts.firstParent) climb();
  // npm sets the command line of its script in a variable: `'sinete' serve`, `node src/app/sinete.js start`.
  if (!/\bsinete\b/.test(environment[npmScript] ?? '')) return links;
  climb();
  if (runsCommandLine(top)) climb();
  return links;
}

/** True if a link is broken: the parent has ended, and its child has got another parent. */
export function isBroken(links: readonly ParentLink[], parentOf: ProcessFacts['parentOf']): boolean {
  return links.some(({ process, parent }) => parentOf(process) !== parent);
}

/**
 * Resolves when a program that waited for this process has ended, or when the shell of npm was interrupted, while this
 * process runs on; else never.
 */
export async function wrappersEnd(): Promise<void> {
  const links = findWrappers({
    process: process.pid,
    firstParent,
    environment: process.env,
    parentOf,
    runsCommandLine,
  });
  // Both variables describe this process, and must not reach programs that it starts.
  for (const name of [startedBy, npmScript]) Reflect.deleteProperty(process.env, name);
  if (links.length === 0) return new Promise(() => undefined);
  const wasInterrupted = watchShell(links.map(({ parent }) => parent).find(runsCommandLine));
  do await sleep(lookEvery, undefined, { ref: false });
  while (!isBroken(links, parentOf) && !wasInterrupted());
}

/**
 * Debian's shell does not end at a SIGINT that npm forwards until its command ends, so the command never learns of the
 * signal. However, only a signal wakes a waiting shell, and Linux counts the wake-ups. The returned function says
 * whether the shell was woken since the last call. A stop of this process (Ctrl+Z) and a pause of the whole computer or
 * container wake the shell too, and do not count.
 */
function watchShell(shell: number | undefined): () => boolean {
  if (shell === undefined) return () => false;
  let wasStopped = false;
  process.on('SIGCONT', () => (wasStopped = true));
  let known = { wakeUps: wakeUps(shell), ...clocks() };
  return () => {
    const now = { wakeUps: wakeUps(shell), ...clocks() };
    const passed = now.running - known.running;
    const asleep = now.sinceBoot - known.sinceBoot - passed;
    const wasPaused = wasStopped || passed > 3 * lookEvery || asleep > SLEEP_NOTICED;
    const wasWoken = now.wakeUps !== known.wakeUps;
    [known, wasStopped] = [now, false];
    return wasWoken && !wasPaused;
  };
}

/** Milliseconds of difference between the two clocks that only a sleep of the computer explains. */
const SLEEP_NOTICED = 200;

/** Two clocks in ms: `running` stops while the computer sleeps, `sinceBoot` continues. */
function clocks(): { readonly running: number; readonly sinceBoot: number } {
  return { running: performance.now(), sinceBoot: uptime() * 1000 };
}

function wakeUps(one: number): number | undefined {
  return fieldOf(one, 'status', (text) => Number(/^voluntary_ctxt_switches:\s*(\d+)/m.exec(text)?.[1]));
}

function parentOf(one: number): number | undefined {
  if (one !== process.pid)
    return fieldOf(one, 'stat', (text) => Number(text.slice(text.lastIndexOf(')')).split(' ')[2]));
  // Windows still reports the id of a parent that has ended.
  return process.platform === 'win32' && !isAlive(process.ppid) ? undefined : process.ppid;
}

function runsCommandLine(one: number): boolean {
  return fieldOf(one, 'cmdline', (text) => text.split('\0')[1] === '-c') === true;
}

/**
 * Reads a file that Linux provides about a process. Other systems have none: there only the parent itself is watched.
 */
function fieldOf<Value>(one: number, file: string, read: (text: string) => Value): Value | undefined {
  try {
    return read(readFileSync(`/proc/${one}/${file}`, 'utf8'));
  } catch {
    return undefined;
  }
}

function isAlive(one: number): boolean {
  try {
    return process.kill(one, 0);
  } catch {
    return false;
  }
}
