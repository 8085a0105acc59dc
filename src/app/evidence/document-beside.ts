import { existsSync } from 'node:fs';

/**
 * The document of a detached signature, time stamp or evidence record in the same folder: `note.txt.p7s` and
 * `note.txt.er` belong to `note.txt`.
 */
export function documentBeside(path: string): string | undefined {
  const document = /^(.+)\.(?:p7s|tst|tsr|er)$/i.exec(path)?.[1];
  return document !== undefined && existsSync(document) ? document : undefined;
}
