/**
 * Breaks the running product on purpose, and counts what was acknowledged, lost, doubled, mixed up, or hidden:
 * `npm run faults -- --rounds 20`. Ends with 1 when one of the last four is not zero.
 */
import { parseArgs } from 'node:util';
import { damageEveryFile } from './damage-at-rest.ts';
import { killWhileClientsSign } from './kills.ts';
import { limitDescriptors, trickleUploads } from './narrow.ts';

/** What a part of the run has seen; all but `cases` and `acknowledged` must be zero. */
export interface Tally {
  readonly name: string;
  readonly cases: number;
  /** Documents whose signature was answered to a client. */
  readonly acknowledged: number;
  /** Acknowledged documents that are gone although nothing destroyed them. */
  readonly lost: number;
  /** Requests that were repeated under their idempotency key and signed twice. */
  readonly doubled: number;
  /** Results of another document, or with other bytes, that were given out. */
  readonly mixedUp: number;
  /** Documents that damage destroyed, and that nobody was told of. */
  readonly hidden: number;
}

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const rounds = Number(values.rounds);
const tallies: Tally[] = [];
for (const part of [
  async () => killWhileClientsSign(rounds),
  async () => damageEveryFile(),
  async () => limitDescriptors(),
  async () => trickleUploads(),
]) {
  tallies.push(await part());
  console.table(tallies);
}
const faults = tallies.reduce((sum, { lost, doubled, mixedUp, hidden }) => sum + lost + doubled + mixedUp + hidden, 0);
console.log(faults === 0 ? 'All zero.' : `${faults} faults.`);
process.exitCode = faults === 0 ? 0 : 1;
