import { dirname } from 'node:path';
import { newestGoodCopy } from './database-copies.ts';
import { notedBackup } from './newest-backup.ts';

/**
 * The remedies after a database was set aside: the newest backup and the newest good copy, if any, with the command to
 * restore each, the newer first.
 */
export function remedyForDamage(databasePath: string): string {
  const backup = notedBackup(dirname(databasePath));
  const copy = newestGoodCopy(databasePath);
  const offers = [
    ...(backup === undefined
      ? []
      : [
          {
            time: backup.createdAt,
            text: `The newest backup is of ${minuteOf(backup.createdAt)}: "sinete restore ${backup.path} --replace" puts it back.`,
          },
        ]),
    ...(copy === undefined
      ? []
      : [
          {
            time: copy.time,
            text: `The newest good copy of the database alone is of ${minuteOf(copy.time)}: "sinete restore ${copy.path}" puts it back.`,
          },
        ]),
  ].sort((one, other) => (one.time.replaceAll(/[:.]/g, '-') < other.time.replaceAll(/[:.]/g, '-') ? 1 : -1));
  const recover = '"sinete recover" explains what else can be done. Until then a start only reads.';
  if (offers.length === 0) return `Restore a backup ("sinete restore FILE --replace"), if there is one. ${recover}`;
  return [...offers.map(({ text }) => text), recover].join(' ');
}

/** `2026-01-02 03:04 UTC`, from an ISO time or from the time in a file's name. */
function minuteOf(time: string): string {
  return time.replace(/T(\d\d)[:-](\d\d).*/, ' $1:$2 UTC');
}
