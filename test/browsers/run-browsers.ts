/**
 * `npm run browsers [-- words]`: the rows of the table in real windows of Chromium, Firefox and WebKit's small browser.
 * Prints each row, held or wrong, and ends with 1 when a row is wrong. Words select rows and browsers by their names.
 */
import { refreshClient } from '../setup/built-client.ts';
import { ensureSystemPackages } from '../setup/system-packages.ts';
import { rows } from './rows.ts';
import { differences, Stage } from './run-row.ts';

/** Runs all chosen rows; the number of wrong rows. */
async function runRows(words: readonly string[]): Promise<number> {
  const chosen = rows
    .flatMap((row) => row.browsers.map((browser) => ({ row, browser })))
    .filter(({ row, browser }) =>
      words.every((word) => `${browser} ${row.row} ${row.place} ${row.way}`.includes(word)),
    );
  const stage = await Stage.open();
  let wrong = 0;
  try {
    for (const { row, browser } of chosen) {
      const name = `${browser.padEnd(9)} ${row.row}`;
      try {
        const faults = differences(row, await stage.run(row, browser));
        if (faults.length > 0) wrong += 1;
        console.log(
          `${faults.length === 0 ? 'held ' : 'WRONG'}  ${name}${faults.map((one) => `\n         ${one}`).join('')}`,
        );
      } catch (error) {
        wrong += 1;
        console.log(`WRONG  ${name}\n         ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  } finally {
    await stage.close();
  }
  console.log(`\n${chosen.length - wrong} of ${chosen.length} rows held.`);
  return chosen.length === 0 ? 1 : wrong;
}

if (ensureSystemPackages('browsers')) {
  await refreshClient();
  process.exitCode = (await runRows(process.argv.slice(2))) === 0 ? 0 : 1;
} else {
  process.exitCode = 1;
}
