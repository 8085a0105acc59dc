import { existsSync } from 'node:fs';

/**
 * The document of a detached signature, time stamp or evidence record in the same folder: `note.txt.p7s` and
 * `note.txt.er` belong to `note.txt`.
 */
export function documentBeside(path: string): string | undefined {
  const document = /^(.+)\.(?:p7s|tst|tsr|er)$/i.exec(path)?.[1];
  return document !== undefined && existsSync(document) ? document : undefined;
}

/** The evidence record that covers a signed file, in the same folder: `note.txt.p7s.er` covers `note.txt.p7s`. */
export function recordBeside(path: string): string | undefined {
  const record = `${path}.er`;
  return /\.(?:p7s|p7m|pdf)$/i.test(path) && existsSync(record) ? record : undefined;
}
