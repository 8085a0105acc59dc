import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, open, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { flushFolder, makeFolder } from './files.ts';

const INDEX = 'found.jsonl';

/** Documents without a row in `lost+found/` of the data folder. */
export interface FoundDocument {
  /** Name of the file in the folder. */
  readonly file: string;
  /** `unanswered`: an original whose request ended without an answer, so that no row is missing. */
  readonly kind: 'original' | 'result' | 'unanswered';
}

const folderOf = (dataFolder: string): string => join(dataFolder, 'lost+found');
const NAME = /^(original|result|unanswered)-[0-9a-f]{32}$/;

/** The documents in `lost+found/`; a person decides about them by moving or removing the files. */
export async function listFound(dataFolder: string): Promise<readonly FoundDocument[]> {
  const names = await readdir(folderOf(dataFolder)).catch(() => []);
  return names.flatMap((file) => {
    const kind = NAME.exec(file)?.[1];
    return kind === 'original' || kind === 'result' || kind === 'unanswered' ? [{ file, kind }] : [];
  });
}

/** Numbers of documents in `lost+found/` that have lost their row, and of those that never had one. */
export async function countFound(dataFolder: string): Promise<{ readonly lost: number; readonly unanswered: number }> {
  const found = await listFound(dataFolder);
  const unanswered = found.filter(({ kind }) => kind === 'unanswered').length;
  return { lost: found.length - unanswered, unanswered };
}

/**
 * Moves a file without a row into `lost+found/`, and records in `found.jsonl` there what is known of the document:
 * kind, size, SHA-256, media type by its first bytes, time of its key, time of the move.
 */
export async function moveToLostAndFound(
  dataFolder: string,
  source: { readonly path: string; readonly key: string; readonly kind: FoundDocument['kind'] },
): Promise<void> {
  const folder = folderOf(dataFolder);
  const { path, key, kind } = source;
  const file = `${kind}-${key}`;
  makeFolder(folder);
  const line = {
    file,
    kind,
    size: (await stat(path)).size,
    sha256: await hashOf(path),
    mediaType: await guessMediaType(path),
    createdAt: new Date(parseInt(key.slice(0, 12), 16)).toISOString(),
    foundAt: new Date().toISOString(),
  };
  await appendFile(join(folder, INDEX), `${JSON.stringify(line)}\n`, { mode: 0o600 });
  await rename(path, join(folder, file));
  await flushFolder(folder);
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** A PDF begins with `%PDF`, a CMS in DER or BER with a SEQUENCE. */
async function guessMediaType(path: string): Promise<string> {
  const head = Buffer.alloc(5);
  const file = await open(path, 'r');
  try {
    await file.read(head, 0, head.length, 0);
  } finally {
    await file.close();
  }
  if (head.toString('latin1').startsWith('%PDF')) return 'application/pdf';
  return head[0] === 0x30 ? 'application/pkcs7-mime' : 'application/octet-stream';
}
