import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Chance } from '../fuzz/mutate.ts';

/** One entry of a record, written by `record-writes.c`. */
export interface Recorded {
  readonly kind: keyof typeof kinds;
  /** Of the file or folder; 0 where named by `path`. */
  readonly inode: number;
  /** Byte position of a write, length after a truncation, or number of a flush. */
  readonly at: number;
  readonly path: string;
  readonly other: string;
  readonly data: Buffer;
  /** Bytes of the record up to the end of this entry. */
  readonly end: number;
}

const kinds = {
  create: 1,
  folder: 2,
  write: 3,
  length: 4,
  flush: 5,
  flushed: 6,
  rename: 7,
  link: 8,
  remove: 9,
} as const;
const kindNames = new Map<number, Recorded['kind']>(
  Object.entries(kinds).map(([name, number]) => [number, name as Recorded['kind']]),
);
const HEADER = 32;

/** The entries of a record; an entry cut off at the end is left out. */
export function parseRecord(record: Buffer): readonly Recorded[] {
  const entries: Recorded[] = [];
  for (let start = 0; start + HEADER <= record.length;) {
    const [kind, path, other, data] = [0, 4, 8, 12].map((field) => record.readUInt32LE(start + field)) as [
      number,
      number,
      number,
      number,
    ];
    const [pathEnd, otherEnd] = [start + HEADER + path, start + HEADER + path + other];
    const end = otherEnd + data;
    const name = kindNames.get(kind);
    if (name === undefined) throw new Error(`The record has an unknown entry at byte ${start}.`);
    if (end > record.length) break;
    entries.push({
      kind: name,
      inode: Number(record.readBigUInt64LE(start + 16)),
      at: Number(record.readBigInt64LE(start + 24)),
      path: record.toString('utf8', start + HEADER, pathEnd),
      other: record.toString('utf8', pathEnd, otherEnd),
      data: record.subarray(otherEnd, end),
      end,
    });
    start = end;
  }
  return entries;
}

/**
 * The unflushed part held by the disk. `nothing`: only the parts secured by a flush of the file, or of the folder for
 * its names (POSIX fsync()). `everything`: as after a kill. `some`: the first of the changes of names, as kept by a
 * file system with a journal, and any of the writes, some torn between sectors.
 */
export type Unflushed = 'nothing' | 'everything' | 'some';

const SECTOR = 512;

/** A file or a folder, under any names. */
interface Node {
  readonly isFolder: boolean;
  /** Writes and truncations, by their places in the record. */
  readonly changes: { readonly index: number; readonly entry: Recorded }[];
  /** Everything before this place in the record is on the disk. */
  flushedTo: number;
  readonly begun: Map<number, number>;
}

/** A change of names in a single folder or in two. */
interface NameChange {
  readonly index: number;
  readonly sets: readonly { readonly folder: Node; readonly name: string; readonly node: Node | undefined }[];
}

/** A disk on which a record is played, entry by entry, from an empty folder on. */
export class RecordedDisk {
  readonly #root: string;
  readonly #rootNode: Node = newNode(true);
  readonly #byInode = new Map<number, Node>();
  readonly #names: NameChange[] = [];
  /** The present names, after all events. */
  readonly #entries: Tree = new Map();
  #played = 0;

  /** `root` is the folder that was empty when the record began, without links. */
  constructor(root: string, inode: number) {
    this.#root = root;
    this.#byInode.set(inode, this.#rootNode);
  }

  /** Plays the next entry of the record. */
  play(entry: Recorded): void {
    const index = this.#played++;
    const node = this.#byInode.get(entry.inode);
    switch (entry.kind) {
      case 'create':
      case 'folder': {
        const made = newNode(entry.kind === 'folder');
        this.#byInode.set(entry.inode, made);
        this.#change(index, [[entry.path, made]]);
        break;
      }
      case 'write':
      case 'length':
        node?.changes.push({ index, entry });
        break;
      case 'flush':
        node?.begun.set(entry.at, index);
        break;
      case 'flushed':
        if (node !== undefined) node.flushedTo = Math.max(node.flushedTo, node.begun.get(entry.at) ?? 0);
        break;
      case 'rename':
        this.#change(index, [
          [entry.path, undefined],
          [entry.other, this.#nodeAt(entry.path)],
        ]);
        break;
      case 'link':
        this.#change(index, [[entry.other, this.#nodeAt(entry.path)]]);
        break;
      case 'remove':
        this.#change(index, [[entry.path, undefined]]);
        break;
    }
  }

  /** The files of a disk losing its power now, by their absolute paths; folders are undefined. */
  contentAfterLoss(unflushed: Unflushed, chance: Chance): ReadonlyMap<string, Buffer | undefined> {
    const open = this.#names.filter(({ index, sets }) => sets.every(({ folder }) => folder.flushedTo <= index));
    const keptNames =
      unflushed === 'everything' ? open.length : unflushed === 'some' ? chance.below(open.length + 1) : 0;
    const lostNames = new Set(open.slice(keptNames));
    const tree: Tree = new Map();
    for (const change of this.#names) if (!lostNames.has(change)) setNames(tree, change);
    const found = new Map<string, Buffer | undefined>();
    const walk = (folder: Node, path: string): void => {
      for (const [name, node] of tree.get(folder) ?? []) {
        found.set(join(path, name), node.isFolder ? undefined : contentOf(node, unflushed, chance));
        if (node.isFolder) walk(node, join(path, name));
      }
    };
    walk(this.#rootNode, this.#root);
    return found;
  }

  #change(index: number, wanted: readonly (readonly [path: string, node: Node | undefined])[]): void {
    const sets = wanted.flatMap(([path, node]) => {
      const folder = path === '' ? undefined : this.#nodeAt(dirname(path));
      return folder === undefined ? [] : [{ folder, name: basename(path), node }];
    });
    if (sets.length === 0) return;
    this.#names.push({ index, sets });
    setNames(this.#entries, { index, sets });
  }

  #nodeAt(path: string): Node | undefined {
    if (path === this.#root) return this.#rootNode;
    const folder = path.startsWith(this.#root) ? this.#nodeAt(dirname(path)) : undefined;
    return folder === undefined ? undefined : this.#entries.get(folder)?.get(basename(path));
  }
}

type Tree = Map<Node, Map<string, Node>>;

const newNode = (isFolder: boolean): Node => ({ isFolder, changes: [], flushedTo: 0, begun: new Map() });

function setNames(tree: Tree, { sets }: NameChange): void {
  for (const { folder, name, node } of sets) {
    const names = tree.get(folder) ?? new Map<string, Node>();
    tree.set(folder, names);
    if (node === undefined) names.delete(name);
    else names.set(name, node);
  }
}

function contentOf({ changes, flushedTo }: Node, unflushed: Unflushed, chance: Chance): Buffer {
  const content = Buffer.alloc(changes.reduce((most, { entry }) => Math.max(most, entry.at + entry.data.length), 0));
  let length = 0;
  for (const { index, entry } of changes) {
    const isKept = index < flushedTo || unflushed === 'everything';
    if (!isKept && (unflushed === 'nothing' || chance.below(2) === 0)) continue;
    if (entry.kind === 'length') {
      // Bytes removed by a truncation read as zeros when the file grows again.
      content.fill(0, entry.at);
      length = entry.at;
      continue;
    }
    length = Math.max(length, entry.at + entry.data.length);
    if (isKept || chance.below(4) > 0) entry.data.copy(content, entry.at);
    else copySomeSectors(entry, content, chance);
  }
  return content.subarray(0, length);
}

/** A torn write: each of its sectors is on the disk, or is not. */
function copySomeSectors({ at, data }: Recorded, content: Buffer, chance: Chance): void {
  for (let start = 0; start < data.length;) {
    const end = start + SECTOR - ((at + start) % SECTOR);
    if (chance.below(2) === 0) data.copy(content, at + start, start, end);
    start = end;
  }
}

/** Writes files and folders in place of the content of a folder. SQLite's shared memory does not outlive its system. */
export function writeContent(root: string, content: ReadonlyMap<string, Buffer | undefined>): void {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { mode: 0o700 });
  for (const [path, bytes] of content) {
    if (bytes === undefined) mkdirSync(path, { mode: 0o700 });
    else if (!path.endsWith('-shm')) writeFileSync(path, bytes, { mode: 0o600 });
  }
}
