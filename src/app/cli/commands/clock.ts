import type { Command } from 'commander';
import type { ClockView } from '../../../ui-contract/doctor-calls.ts';
import { AppError } from '../../app-error.ts';
import { answeredAsJson, printLine, printNote } from '../print.ts';
import { confirmHere } from '../secret-input.ts';
import { callCore, withClient, withCommonOptions, type CommonOptions } from '../with-client.ts';

interface AcceptOptions extends CommonOptions {
  readonly yes?: boolean;
}

/** `clock`: the state of this computer's clock, and the owner's confirmation that the clock is right. */
export function addClockCommands(program: Command): void {
  const clock = program.command('clock').description('the clock of this computer, which decides what has expired');
  withCommonOptions(
    clock.command('show', { isDefault: true }).description('tell what it shows, and whether it is believed'),
  ).action(showClock);
  withCommonOptions(clock.command('accept').description('believe the clock again after it leapt or was wrong'))
    .option('--yes', 'accept without asking')
    .action(acceptClock);
}

async function showClock(options: CommonOptions): Promise<void> {
  const view = await callCore(options, 'clock.read', {});
  if (!answeredAsJson(options, view)) printClock(view);
}

/** Deleting expired data cannot be undone, so the user sees the time before confirming. */
async function acceptClock(options: AcceptOptions): Promise<void> {
  const view = await withClient(options, async (client) => {
    if (options.yes !== true) {
      const { now, ahead } = await client.call('clock.read', {});
      printNote(`The clock shows ${localTime(now)} (${now}). Compare it with a clock that is right.`);
      if (ahead !== null && ahead !== 0) printNote(`It is ${difference(ahead)} the clock of another computer.`);
      printNote('Documents that have expired by this clock are erased for good.');
      const isAgreed = await confirmHere('Is it right?', 'compare the clock, then add --yes');
      if (!isAgreed) throw new AppError(1, 'Nothing was changed: set the clock of this computer.');
    }
    return client.call('clock.accept', {});
  });
  if (!answeredAsJson(options, view)) printClock(view);
}

function printClock({ now, doubted, ahead, accepted }: ClockView): void {
  printLine(`The clock shows ${localTime(now)} (${now}).`);
  if (ahead !== null) {
    const agrees = ahead === 0 ? 'It agrees with' : `It is ${difference(ahead)}`;
    printLine(`${agrees} the clock of another computer.`);
  }
  if (accepted !== null) printLine(`It was last accepted at ${accepted}.`);
  printLine(
    doubted
      ? '✘ It is doubted: expired documents are kept. "sinete clock accept" ends that.'
      : '✔ It is believed: expired documents are erased.',
  );
}

const localTime = (instant: string): string => new Date(instant).toLocaleString('en-GB', { timeZoneName: 'short' });

/** Describes an offset in seconds: `12 minutes ahead of`. */
function difference(ahead: number): string {
  return `${Math.round(Math.abs(ahead) / 60)} minutes ${ahead > 0 ? 'ahead of' : 'behind'}`;
}
