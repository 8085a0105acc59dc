/**
 * Known vulnerabilities of the packages in every lock file, as a step of `npm run check`. The advisories come from the
 * package registry (`npm audit`). A registry without advisories is said, and does not fail the step.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** One vulnerable package. */
export interface Finding {
  readonly name: string;
  readonly severity: string;
  /** Titles of the advisories, or names of the vulnerable packages below this one. */
  readonly causes: readonly string[];
}

/** The outcome for a single lock file: what the registry knows, or why it could not be asked. */
export type Audit =
  | { readonly answered: true; readonly findings: readonly Finding[] }
  | { readonly answered: false; readonly reason: string };

/** The folders holding a lock file, relative to the repository; its own is `.`. */
export function lockedFolders(): readonly string[] {
  const suites = globSync('test/**/package-lock.json', { cwd: root, exclude: (name) => name.includes('node_modules') });
  return ['.', ...suites.map(dirname).toSorted()];
}

/** Asks the registry of npm's configuration about the lock file in `folder`. */
export function auditFolder(folder: string, environment: NodeJS.ProcessEnv = process.env): Audit {
  const place = join(root, folder);
  const { stdout, error } = spawnSync('npm', ['audit', '--json', '--package-lock-only', '--fetch-retries=0'], {
    cwd: place,
    env: { ...environment, npm_config_local_prefix: place },
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
    shell: process.platform === 'win32',
  });
  return error === undefined ? readReport(stdout) : { answered: false, reason: error.message };
}

/** Reads the output of `npm audit --json`. */
export function readReport(output: string): Audit {
  const report = parseObject(output);
  const { vulnerabilities, message, error } = report ?? {};
  if (typeof vulnerabilities !== 'object' || vulnerabilities === null) {
    const summary = (error as { summary?: unknown } | undefined)?.summary;
    const reason = [message, summary, 'npm audit gave no report'].find(
      (text) => typeof text === 'string' && text !== '',
    );
    return { answered: false, reason: String(reason) };
  }
  const entries = Object.entries(vulnerabilities as Readonly<Record<string, Vulnerability>>);
  return {
    answered: true,
    findings: entries.map(([name, { severity, via }]) => ({
      name,
      severity,
      causes: via.map((cause) => (typeof cause === 'string' ? cause : cause.title)),
    })),
  };
}

/** The part of npm's report used here. */
interface Vulnerability {
  readonly severity: string;
  readonly via: readonly (string | { readonly title: string })[];
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

/** Prints the outcome for each folder. Answers the number of vulnerable packages. */
export function auditAll(folders: readonly string[], environment?: NodeJS.ProcessEnv): number {
  let found = 0;
  for (const folder of folders) {
    const audit = auditFolder(folder, environment);
    const place = folder === '.' ? 'package-lock.json' : `${folder}/package-lock.json`;
    if (!audit.answered) {
      console.log(
        `${place}: not checked for known vulnerabilities, because no advisory source answers. ${audit.reason}`,
      );
      continue;
    }
    found += audit.findings.length;
    for (const { name, severity, causes } of audit.findings) {
      console.log(`${place}: ${name} (${severity}): ${causes.join('; ')}`);
    }
  }
  return found;
}

if (import.meta.main) process.exitCode = auditAll(lockedFolders()) === 0 ? 0 : 1;
