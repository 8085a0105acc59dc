import { existsSync } from 'node:fs';

/** The document of a detached signature that lies beside it: `note.txt.p7s` is about `note.txt`. */
export function documentBeside(path: string): string | undefined {
  const document = /^(.+)\.p7s$/i.exec(path)?.[1];
  return document !== undefined && existsSync(document) ? document : undefined;
}
