import type { Command } from 'commander';
import type { NotificationView } from '../../../ui-contract/notification-calls.ts';
import { AppError } from '../../app-error.ts';
import { answer, answerList } from '../print.ts';
import { callCore, withCommonOptions, type CommonOptions } from '../with-client.ts';

interface ListOptions extends CommonOptions {
  readonly limit: number;
}

/** `notifications …`: notifications to applications about finished transactions. */
export function addNotificationCommands(program: Command): void {
  const group = program.command('notifications').description('notifications of finished transactions to applications');
  withCommonOptions(group.command('list', { isDefault: true }).description('list the notifications, newest first'))
    .option('--limit <number>', 'how many', readLimit, 50)
    .action(list);
  withCommonOptions(
    group
      .command('redeliver <id>')
      .description('deliver a notification again, by its id or the TCN of its transaction'),
  ).action(redeliver);
  withCommonOptions(
    group.command('give-up <id>').description('end the attempts at a waiting notification, by its id or TCN'),
  ).action(giveUp);
}

async function list({ limit, ...options }: ListOptions): Promise<void> {
  const notifications = await callCore(options, 'notifications.list', { limit });
  answerList(options, notifications.map(withoutTcn), {
    none: 'No application was to be notified.',
    headings: ['Id', 'Transaction', 'To', 'State', 'Attempts', 'Next', 'Last failure'],
    row: rowOf,
  });
}

function rowOf({ id, tcn, target, status, attempts, nextAttemptAt, lastError }: NotificationView): string[] {
  return [
    id,
    tcn,
    target,
    status.toLowerCase().replace('_', ' '),
    String(attempts),
    nextAttemptAt ?? '–',
    lastError ?? '',
  ];
}

async function redeliver(idOrTcn: string, options: CommonOptions): Promise<void> {
  const notification = await callCore(options, 'notifications.redeliver', { idOrTcn });
  answer(
    options,
    withoutTcn(notification),
    () => `It is delivered again: ${notification.id}, to ${notification.target}`,
  );
}

async function giveUp(id: string, options: CommonOptions): Promise<void> {
  const notification = await callCore(options, 'notifications.giveUp', { id });
  answer(
    options,
    withoutTcn(notification),
    () => `It is ${notification.status.toLowerCase().replace('_', ' ')}: ${notification.id}`,
  );
}

/** Shortens the TCN: a whole TCN permits downloads, and output of terminals is logged and pasted. */
function withoutTcn(notification: NotificationView): NotificationView {
  return { ...notification, tcn: shortTcn(notification) };
}

const shortTcn = ({ tcn }: NotificationView): string => `${tcn.slice(0, 6)}…`;

function readLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 500) return limit;
  throw new AppError(2, `"${text}" is not a number from 1 to 500.`);
}
