import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';

/** The first bytes of a backup, by its format: `age`, and `first` for versions before. */
const starts = { age: 'age-encryption.org/v1\n', first: 'SINETE-BACKUP-1\n' } as const;

/** The format of a backup; undefined for another kind of file. Throws the system's errors. */
export function formatOfBackup(path: string): keyof typeof starts | undefined {
  const start = Buffer.alloc(32);
  const file = openSync(path, 'r');
  try {
    readSync(file, start);
  } finally {
    closeSync(file);
  }
  const text = start.toString('latin1');
  if (text.startsWith(starts.age)) return 'age';
  return text.startsWith(starts.first) ? 'first' : undefined;
}

const noteSchema = z.object({ path: z.string(), createdAt: z.iso.datetime() });

/** Place and time of a backup. */
export type NotedBackup = z.infer<typeof noteSchema>;

const noteOf = (dataFolder: string): string => join(dataFolder, 'backups', 'newest-backup.json');

/** Records the newest backup in the data folder, so that Sinete can offer it after damage to the database. */
export async function noteBackup(dataFolder: string, backup: NotedBackup): Promise<void> {
  const path = noteOf(dataFolder);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(`${path}.tmp`, JSON.stringify(backup), { mode: 0o600 });
  await rename(`${path}.tmp`, path);
}

/** The recorded backup, if its file still exists. Only its passphrase or key can show whether it is complete. */
export function notedBackup(dataFolder: string): NotedBackup | undefined {
  try {
    const noted = noteSchema.parse(JSON.parse(readFileSync(noteOf(dataFolder), 'utf8')));
    return formatOfBackup(noted.path) === undefined ? undefined : noted;
  } catch {
    return undefined;
  }
}
