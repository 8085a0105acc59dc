import { existsSync } from 'node:fs';

/** The document of a detached signature in the same folder: `note.txt.p7s` belongs to `note.txt`. */
export function documentBeside(path: string): string | undefined {
  const document = /^(.+)\.p7s$/i.exec(path)?.[1];
  return document !== undefined && existsSync(document) ? document : undefined;
}
