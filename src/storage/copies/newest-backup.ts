import { readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { isSealedFile } from './sealed-file.ts';

const noteSchema = z.object({ path: z.string(), createdAt: z.iso.datetime() });

/** Place and time of a backup. */
export type NotedBackup = z.infer<typeof noteSchema>;

const noteOf = (dataFolder: string): string => join(dataFolder, 'backups', 'newest-backup.json');

/** Notes the newest backup in the data folder, so that Sinete can offer the backup after damage to the database. */
export async function noteBackup(dataFolder: string, backup: NotedBackup): Promise<void> {
  const path = noteOf(dataFolder);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(`${path}.tmp`, JSON.stringify(backup), { mode: 0o600 });
  await rename(`${path}.tmp`, path);
}

/** The noted backup, if the file is still there. Only its passphrase can tell whether the backup is complete. */
export function notedBackup(dataFolder: string): NotedBackup | undefined {
  try {
    const noted = noteSchema.parse(JSON.parse(readFileSync(noteOf(dataFolder), 'utf8')));
    return isSealedFile(noted.path) ? noted : undefined;
  } catch {
    return undefined;
  }
}
