/** Reads passwords and keys of the encrypted files in a folder from a file in the same folder. */
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { readPkcs12, type PdfKeys } from '../../src/signing/index.ts';

/** The password or key of a single file. `store` is for programs needing the PKCS#12 file itself. */
export interface FileKeys extends PdfKeys {
  readonly store?: { readonly path: string; readonly password: string };
}

/** The password or key for the file of this name; empty if none is known. */
export type KeysOf = (name: string) => FileKeys;

const opening = z.union([
  z.strictObject({ password: z.string() }),
  z.strictObject({ recipientKey: z.string(), recipientPassword: z.string() }),
]);
const table = z.record(z.string(), opening);

const USUAL_NAME = 'keys.json';

/**
 * Reads a table of file names, with `*` for anything, and the key of each: `{"password": "…"}`, or `{"recipientKey":
 * "a.p12", "recipientPassword": "…"}` with the path from the table. The first fitting name counts. Without a path the
 * table is `keys.json` of the folder, and nothing if missing.
 */
export async function readKeys(folder: string, path: string | undefined): Promise<KeysOf> {
  const place = path === undefined ? join(folder, USUAL_NAME) : resolve(path);
  const text = await readFile(place, 'utf8').catch((error: unknown) => {
    if (path === undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') return '{}';
    throw error;
  });
  const rows = Object.entries(table.parse(JSON.parse(text)));
  const read = rows.map(async ([name, row]) => [patternOf(name), await keysOfRow(row, dirname(place))] as const);
  const all = await Promise.all(read);
  return (name) => all.find(([pattern]) => pattern.test(name))?.[1] ?? {};
}

function patternOf(name: string): RegExp {
  const parts = name.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`);
}

async function keysOfRow(row: z.infer<typeof opening>, folder: string): Promise<FileKeys> {
  if ('password' in row) return row;
  const store = { path: resolve(folder, row.recipientKey), password: row.recipientPassword };
  const { keys } = await readPkcs12(await readFile(store.path), store.password);
  const [recipient] = keys;
  if (recipient === undefined) throw new Error(`${store.path} holds no private key.`);
  return { recipient, store };
}
