import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FolderIdentity } from './folder-identity.ts';

/** Facts of a running instance for other programs of the same user, in a file readable by this user only. */
export interface InstanceFile {
  readonly port: number;
  readonly pid: number;
  /** Random id of this run, the same as in `/.well-known/sinete`. */
  readonly instance: string;
  /** 32 bytes in base64url, with which the instance and programs prove themselves to each other. Never sent. */
  readonly proofKey: string;
  /** Path of the local channel's socket, or name of its pipe. */
  readonly channel: string;
  /** The file of `--config`; absent if the instance uses the configuration of its data folder. */
  readonly configFile?: string;
  /** `digestOfVariables` of the environment at its start; absent if no variable was a setting. */
  readonly variables?: string;
  /** The data folder of the instance. A copied folder contains a copy of this file, which still names the original. */
  readonly folder: FolderIdentity;
}

const fileName = 'instance.json';

/** Writes the file (0600) atomically. */
export async function writeInstanceFile(dataFolder: string, instance: InstanceFile): Promise<void> {
  const path = join(dataFolder, fileName);
  const draft = `${path}.${process.pid}.tmp`;
  await rm(draft, { force: true });
  await writeFile(draft, `${JSON.stringify(instance)}\n`, { mode: 0o600, flag: 'wx' });
  await rename(draft, path);
}

/**
 * The instance named by the data folder's file; undefined without a file. The instance may have ended without clean-up.
 */
export async function readInstanceFile(dataFolder: string): Promise<InstanceFile | undefined> {
  try {
    const content = JSON.parse(await readFile(join(dataFolder, fileName), 'utf8')) as Partial<InstanceFile> | null;
    const { port, pid, instance, proofKey, channel, folder } = content ?? {};
    // Checked by hand: every command reads this file, and zod takes longer to load than the rest of a small command.
    if (!Number.isInteger(port) || !Number.isInteger(pid)) return undefined;
    if (![instance, proofKey, channel, folder?.device, folder?.inode, folder?.path].every(isText)) return undefined;
    return content as InstanceFile;
  } catch {
    return undefined;
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** Removes the file, unless another instance has written its own in the meantime. */
export async function removeInstanceFile(dataFolder: string, instance: string): Promise<void> {
  const present = await readInstanceFile(dataFolder);
  if (present?.instance === instance) await rm(join(dataFolder, fileName), { force: true });
}
