/**
 * `npm run attacks`: runs the tests of the list of attacks and prints the list, held or broke. Ends with 1 when an attack
 * broke or was not tried.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { npmTool } from '../setup/npm-tool.ts';
import { attackers, judgeAttack, outcomesOf, type TestOutcome, type Verdict } from './list.ts';

/** The part of Vitest's JSON report that is read. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Runs files of a single configuration; their outcomes. */
function runFiles(config: string, files: readonly string[]): readonly TestOutcome[] {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-attacks-report-'));
  const report = join(folder, 'report.json');
  const words = ['run', '--config', config, '--reporter', 'json', '--outputFile', report, ...files];
  try {
    const { error } = spawnSync(process.execPath, [npmTool('vitest'), ...words], { stdio: 'inherit' });
    if (error !== undefined) throw error;
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
    return testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ fullName, status, failureMessages }) => ({
        file: relative(process.cwd(), name).replaceAll('\\', '/'),
        name: fullName,
        status: status === 'passed' || status === 'failed' ? status : 'not run',
        reason: failureMessages[0] === undefined ? undefined : (failureMessages[0].split('\n', 1)[0] ?? ''),
      })),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function runAttacks(): number {
  const files = [
    ...new Set(attackers.flatMap(({ attacks }) => attacks.flatMap(({ tests }) => tests.map(([file]) => file)))),
  ];
  const isLong = (file: string): boolean => file.endsWith('.long.test.ts');
  const outcomes = [
    ...runFiles(
      'test/setup/vitest.config.ts',
      files.filter((file) => !isLong(file)),
    ),
    ...runFiles('test/setup/vitest.long.config.ts', files.filter(isLong)),
  ];
  const counts: Record<Verdict, number> = { held: 0, BROKE: 0, 'not run': 0 };
  for (const { attacker, attacks } of attackers) {
    console.log(`\n${attacker}`);
    for (const attack of attacks) {
      const verdict = judgeAttack(attack, outcomes);
      counts[verdict] += 1;
      console.log(`  ${verdict.padEnd(8)} ${attack.attack}`);
      if (verdict === 'held') continue;
      for (const { file, name, status, reason = '' } of outcomesOf(attack, outcomes)) {
        if (status !== 'passed') console.log(`           ${status}: ${file} › ${name} ${reason}`);
      }
    }
  }
  console.log(`\n${counts.held} held, ${counts.BROKE} broke, ${counts['not run']} not run.`);
  return counts.BROKE + counts['not run'] === 0 ? 0 : 1;
}

process.exitCode = runAttacks();
