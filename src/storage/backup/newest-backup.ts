import { readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { isSealedFile } from './sealed-file.ts';

const noteSchema = z.object({ path: z.string(), createdAt: z.iso.datetime() });

/** Where a backup is, and when it was made. */
export type NotedBackup = z.infer<typeof noteSchema>;

const noteOf = (dataFolder: string): string => join(dataFolder, 'backups', 'newest-backup.json');

/** Notes the newest backup in the data folder, so that it can be offered when the database is damaged. */
export async function noteBackup(dataFolder: string, backup: NotedBackup): Promise<void> {
  const path = noteOf(dataFolder);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(`${path}.tmp`, JSON.stringify(backup), { mode: 0o600 });
  await rename(`${path}.tmp`, path);
}

/** The backup that was noted, if it is still where it was made. Only its passphrase can tell whether it is whole. */
export function notedBackup(dataFolder: string): NotedBackup | undefined {
  try {
    const noted = noteSchema.parse(JSON.parse(readFileSync(noteOf(dataFolder), 'utf8')));
    return isSealedFile(noted.path) ? noted : undefined;
  } catch {
    return undefined;
  }
}
