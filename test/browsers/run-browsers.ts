/**
 * `npm run browsers [-- words --pictures FOLDER]`: the rows of the table in real windows of Chromium, Firefox and
 * WebKit's small browser, and the story of a page that signs. Prints each row, held or wrong, and ends with 1 when a row
 * is wrong. Words select rows and browsers by their names. `--pictures` keeps pictures of the story.
 */
import { mkdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { refreshClient } from '../setup/built-client.ts';
import { ensureSystemPackages } from '../setup/system-packages.ts';
import { browserNames, rows } from './rows.ts';
import { differences, Stage } from './run-row.ts';
import { runStory } from './story.ts';

const { values, positionals: words } = parseArgs({
  options: { pictures: { type: 'string' } },
  allowPositionals: true,
});

/** A row of the run: its name, and the function that answers its differences from the expectation. */
interface Step {
  readonly name: string;
  readonly run: (stage: Stage) => Promise<readonly string[]>;
}

const steps: readonly Step[] = [
  ...rows.flatMap((row) =>
    row.browsers.map((browser) => ({
      name: `${browser.padEnd(9)} ${row.row}`,
      run: async (stage: Stage) => differences(row, await stage.run(row, browser)),
    })),
  ),
  ...browserNames.map((browser) => ({
    name: `${browser.padEnd(9)} story: two files, ${browser === 'webkit' ? '' : 'without Sinete, with both questions, '}by the bridge from plain http`,
    run: async (stage: Stage) => runStory(stage, browser, values.pictures),
  })),
];

/** Runs the chosen steps; the number of wrong steps. */
async function runSteps(chosen: readonly Step[]): Promise<number> {
  const stage = await Stage.open();
  let wrong = 0;
  try {
    for (const { name, run } of chosen) {
      const faults = await run(stage).catch((error: unknown) => [String(error)]);
      if (faults.length > 0) wrong += 1;
      console.log(`${faults.length === 0 ? 'held ' : 'WRONG'}  ${name}`);
      for (const fault of faults) console.log(`         ${fault}`);
    }
  } finally {
    await stage.close();
  }
  console.log(`\n${chosen.length - wrong} of ${chosen.length} rows held.`);
  return wrong;
}

// An interrupted run leaves no window behind.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

if (ensureSystemPackages('browsers')) {
  if (values.pictures !== undefined) await mkdir(values.pictures, { recursive: true });
  await refreshClient();
  const chosen = steps.filter(({ name }) => words.every((word) => name.includes(word)));
  if (chosen.length === 0) throw new Error('No row has these words in its name.');
  process.exitCode = (await runSteps(chosen)) === 0 ? 0 : 1;
} else {
  process.exitCode = 1;
}
