import { realpath, stat } from 'node:fs/promises';

/** Tells a data folder from its copies. */
export interface FolderIdentity {
  readonly device: string;
  readonly inode: string;
  /** The real path, without symbolic links. */
  readonly path: string;
}

/** The identity of a folder; rejects for a missing folder. */
export async function identifyFolder(folder: string): Promise<FolderIdentity> {
  const [{ dev, ino }, path] = await Promise.all([stat(folder, { bigint: true }), realpath(folder)]);
  return { device: String(dev), inode: String(ino), path };
}

/** True if both identities are of the same folder at the same place. */
export function isSameFolder(one: FolderIdentity, other: FolderIdentity): boolean {
  return isSameInode(one, other) && one.path === other.path;
}

/** Whether both are the same folder, even at another place: moved, or mounted twice. */
export function isSameInode(one: FolderIdentity, other: FolderIdentity): boolean {
  return one.device === other.device && one.inode === other.inode;
}
