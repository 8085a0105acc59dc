/**
 * `npm run check`: all checks of the sources without a running product, in one command. Words after `--` choose the
 * steps with any of these words in their names: `npm run check -- types`.
 */
import { spawnSync } from 'node:child_process';
import { npmTool } from '../setup/npm-tool.ts';

interface Step {
  readonly name: string;
  /** A package's command of the same name, or a script of ours (`test/….ts`), and its parameters. */
  readonly command: readonly [tool: string, ...parameters: string[]];
}

/** One process for each folder: the types of all folders together need more memory than Node gives a process. */
const lintedFolders = ['src', 'renderer', 'test'];

const layers = ['src/ui-contract', 'src/client', 'src/signing', 'src', 'renderer', 'test'];

const steps: readonly Step[] = [
  ...layers.map((folder): Step => ({ name: `types of ${folder}`, command: typesOf(folder) })),
  ...lintedFolders.map((folder): Step => ({
    name: `lint of ${folder}`,
    command: ['eslint', '-c', 'test/architecture/eslint.config.mjs', '--max-warnings', '0', folder],
  })),
  { name: 'format', command: ['prettier', '--check', '--log-level', 'warn', '.'] },
  {
    name: 'folders and own rules; harmless mutants, whose source is still there',
    command: ['vitest', 'run', '--config', 'test/setup/vitest.config.ts', 'test/architecture', 'test/mutants'],
  },
  {
    name: 'layers, alive and firing; language of comments',
    command: ['vitest', 'run', '--config', 'test/setup/vitest.long.config.ts', 'test/architecture'],
  },
  {
    name: 'documentation, links, install scripts',
    command: ['vitest', 'run', '--config', 'test/setup/vitest.config.ts', 'test/docs', 'test/supply-chain'],
  },
  { name: 'unused code', command: ['knip'] },
  { name: 'OpenAPI document (Redocly)', command: ['test/clients/lint-openapi.ts'] },
  { name: 'known vulnerabilities', command: ['test/supply-chain/audit.ts'] },
];

/** Runs the chosen steps, each even after a failure, and answers the number of failures. No words: every step. */
export function check(words: readonly string[] = []): number {
  const unknown = words.filter((word) => !steps.some(({ name }) => name.includes(word)));
  if (unknown.length > 0) {
    console.log(`No step has ${unknown.join(', ')} in its name. The steps are:`);
    for (const { name } of steps) console.log(`  ${name}`);
    return unknown.length;
  }
  let failed = 0;
  for (const { name, command } of steps) {
    if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
    const [tool, ...parameters] = command;
    const script = scriptOf(tool);
    const started = Date.now();
    const { status, stdout, stderr, error } = spawnSync(process.execPath, [script, ...parameters], {
      encoding: 'utf8',
    });
    const passed = error === undefined && status === 0;
    if (!passed) failed++;
    // A passed step may have a message too: nobody could be asked.
    const isOurs = tool.endsWith('.ts');
    if (!passed || isOurs) console.log([stdout.trimEnd(), stderr.trimEnd(), error?.message].filter(Boolean).join('\n'));
    console.log(`${passed ? 'ok    ' : 'FAILED'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  }
  return failed;
}

/**
 * The compiler keeps its findings in a file of its own for each folder, and looks at changed files alone the next time.
 */
function typesOf(folder: string): Step['command'] {
  const kept = `test/.work/types/${folder.replaceAll('/', '-')}.tsbuildinfo`;
  return ['tsc', '-p', folder, '--incremental', '--tsBuildInfoFile', kept];
}

function scriptOf(tool: string): string {
  if (tool.endsWith('.ts')) return tool;
  return tool === 'tsc' ? npmTool('typescript', 'tsc') : npmTool(tool);
}

if (import.meta.main) process.exitCode = check(process.argv.slice(2)) === 0 ? 0 : 1;
