import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { copiesOf } from './database-copies.ts';

/** A kept file or folder. */
interface KeptFile {
  /** Absolute. */
  readonly path: string;
  readonly time: Date;
  /** Bytes; for a folder the bytes of its database. */
  readonly size: number;
}

/** A file or folder set aside: a damaged database, a database replaced by a copy, or a whole data folder. */
interface FileSetAside extends KeptFile {
  readonly kind: 'damaged' | 'replaced' | 'folder';
}

/** Copies of the database from before its tables were changed, newest first. */
export async function listDatabaseCopies(dataFolder: string): Promise<readonly KeptFile[]> {
  const copies = copiesOf(join(dataFolder, 'sinete.db'));
  return Promise.all(copies.map(async ({ path, time }) => describe(path, path, time)));
}

/** Files and folders set aside here and beside the data folder, newest first. */
export async function listSetAside(dataFolder: string): Promise<readonly FileSetAside[]> {
  const inside = (await readdir(dataFolder).catch(() => [])).map((name) => join(dataFolder, name));
  const beside = (await readdir(dirname(dataFolder)).catch(() => [])).map((name) => join(dirname(dataFolder), name));
  const found = [...inside.map(asDatabase), ...beside.map((path) => asFolder(path, dataFolder))].filter(
    (one) => one !== undefined,
  );
  const described = await Promise.all(
    found.map(async ({ path, time, kind }) => ({
      ...(await describe(path, kind === 'folder' ? join(path, 'sinete.db') : path, time)),
      kind,
    })),
  );
  return described.toSorted((one, other) => other.time.getTime() - one.time.getTime());
}

type Named = Pick<FileSetAside, 'path' | 'kind'> & { readonly time: string };

function asDatabase(path: string): Named | undefined {
  const [, kind, time = ''] = /^sinete\.db\.(damaged|replaced)-([0-9TZ-]+?)(?:-\d)?$/.exec(basename(path)) ?? [];
  return kind === 'damaged' || kind === 'replaced' ? { path, kind, time } : undefined;
}

function asFolder(path: string, dataFolder: string): Named | undefined {
  const prefix = `${basename(dataFolder)}.replaced-`;
  return basename(path).startsWith(prefix)
    ? { path, kind: 'folder', time: basename(path).slice(prefix.length) }
    : undefined;
}

/** `2026-01-02T03-04-05-678Z` in a name is the time; without a time in the name, the file's own time. */
async function describe(path: string, content: string, time: string): Promise<KeptFile> {
  const file = await stat(content).catch(() => undefined);
  const named = new Date(time.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/, 'T$1:$2:$3.$4Z'));
  const when = Number.isNaN(named.getTime()) ? (file?.mtime ?? new Date(0)) : named;
  return { path, time: when, size: file?.size ?? 0 };
}
