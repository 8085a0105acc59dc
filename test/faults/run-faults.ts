/**
 * Breaks the running product on purpose, and counts documents acknowledged, lost, doubled, mixed up, or hidden: `npm
 * run faults -- --rounds 20`, or one part with `--only calls`. Ends with 1 when any of the last four is not zero.
 */
import { parseArgs } from 'node:util';
import { limitResources } from './cgroups.ts';
import { leapClock } from './clocks.ts';
import { damageEveryFile } from './damage-at-rest.ts';
import { failCalls } from './failing-calls.ts';
import { killWhileClientsSign } from './kills.ts';
import { ensureSystemPackages } from '../setup/system-packages.ts';
import { checkLargeFolder } from './large-folder.ts';
import { losePower } from './power-loss.ts';
import { fillDisk, limitDescriptors, trickleUploads } from './narrow.ts';

/** The counts of a part of the run. All but `cases` and `acknowledged` must be zero. */
export interface Tally {
  readonly name: string;
  readonly cases: number;
  /** Documents with a signature answered to a client. */
  readonly acknowledged: number;
  /** Acknowledged documents gone without anything to destroy them. */
  readonly lost: number;
  /** Requests repeated under their idempotency key and signed twice. */
  readonly doubled: number;
  /** Results of another document, or with other bytes, given out. */
  readonly mixedUp: number;
  /** Documents destroyed by damage, without a word to anybody; and alarms although nothing is missing. */
  readonly hidden: number;
}

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, only: { type: 'string' } },
});
const rounds = Number(values.rounds);
const parts: Readonly<Record<string, () => Promise<Tally>>> = {
  kills: async () => killWhileClientsSign(rounds),
  damage: async () => damageEveryFile(),
  calls: async () => failCalls(),
  power: async () => losePower(60),
  clock: async () => leapClock(),
  disk: async () => fillDisk(),
  cgroups: async () => limitResources(),
  descriptors: async () => limitDescriptors(),
  uploads: async () => trickleUploads(),
  fsck: async () => checkLargeFolder(),
};
if (values.only !== undefined && !(values.only in parts)) {
  throw new Error(`--only takes one of ${Object.keys(parts).join(', ')}.`);
}
if (!ensureSystemPackages('faults')) process.exit(1);
const tallies: Tally[] = [];
for (const [name, part] of Object.entries(parts)) {
  if (values.only !== undefined && values.only !== name) continue;
  tallies.push(await part());
  console.table(tallies);
}
const faults = tallies.reduce((sum, { lost, doubled, mixedUp, hidden }) => sum + lost + doubled + mixedUp + hidden, 0);
console.log(faults === 0 ? 'All zero.' : `${faults} faults.`);
process.exitCode = faults === 0 ? 0 : 1;
