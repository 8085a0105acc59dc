/** `npm run fresh`: the README's commands in a minimal Debian that has Node and nothing else. */
import { parseArgs } from 'node:util';
import { ensureSystemPackages } from '../setup/system-packages.ts';
import { readReadmeCommands } from './readme-commands.ts';
import { StepError, StepTable } from './step-table.ts';
import { walks, type WalkName } from './steps.ts';
import { countUncommitted, Workspace } from './workspace.ts';

const names = Object.keys(walks) as readonly WalkName[];

interface Options {
  readonly only: readonly WalkName[];
  readonly keep: boolean;
  /** Another release of Debian than the machine's own. */
  readonly release?: string;
}

function readOptions(words: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...words],
    options: {
      only: { type: 'string', multiple: true },
      keep: { type: 'boolean', default: false },
      release: { type: 'string' },
    },
  });
  const only = (values.only ?? names).map((name) => {
    const known = names.find((one) => one === name);
    if (known === undefined) throw new TypeError(`--only ${name}: choose one of ${names.join(', ')}.`);
    return known;
  });
  return { only, keep: values.keep, release: values.release };
}

/** Exit codes: 0 passed, 1 a step failed, 2 wrong use, 3 not possible on this machine, 130 interrupted. */
async function runFresh(words: readonly string[]): Promise<number> {
  let options: Options;
  try {
    options = readOptions(words);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  }
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    console.error('npm run fresh builds a Debian root and enters its namespaces: run it as root, on Debian or Ubuntu.');
    return 3;
  }
  if (!ensureSystemPackages('fresh')) return 3;
  const readme = await readReadmeCommands();
  const uncommitted = await countUncommitted();
  if (uncommitted > 0) console.log(`Not in the clone: ${uncommitted} files that are changed and not committed.`);
  const workspace = new Workspace();
  const table = new StepTable();
  const stopWatching = workspace.closeOnSignals(options.keep);
  try {
    await table.step(
      `debian root (mmdebstrap, minbase${options.release === undefined ? '' : `, ${options.release}`})`,
      async () => {
        await workspace.buildBase(options.release);
        return 'built';
      },
    );
    for (const name of options.only) await walks[name]({ workspace, table, readme });
    return 0;
  } catch (error) {
    if (workspace.isClosing) return 130;
    if (error instanceof StepError) console.error(error.output.trimEnd().split('\n').slice(-60).join('\n'));
    else console.error(error);
    return 1;
  } finally {
    console.log(`\n${table.text()}\n`);
    await workspace.close(options.keep);
    stopWatching();
    if (options.keep) console.log(`Kept: ${workspace.folder}`);
  }
}

process.exitCode = await runFresh(process.argv.slice(2));
