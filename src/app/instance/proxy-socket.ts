/** A Unix socket for a proxy on this computer: its file's rights decide about connections. */
import { rmSync } from 'node:fs';
import { chmod, chown, lstat, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { AppError } from '../app-error.ts';
import type { SocketPlace } from '../config/listen.ts';

/** Owner and group may connect, nobody else. */
const SOCKET_MODE = 0o660;

/**
 * Binds a server to a socket with mode 0660. Rejects with `AppError` (exit code 3) for a folder with rights of
 * other users, a socket in use, a file in its place, and an unusable group.
 */
export async function bindSocket(server: Server, { socket, group }: SocketPlace): Promise<void> {
  try {
    await expectOwnFolder(dirname(socket));
    await expectFree(socket);
    const gid = group === undefined ? undefined : await groupNumber(group);
    await listenWithRights(server, socket, gid);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const { code = '' } = cause as NodeJS.ErrnoException;
    const remedy = code === 'EPERM' && group !== undefined ? `: add its user to the group ${group}` : '';
    throw new AppError(3, `The socket ${socket} of "listen" cannot be made (${code})${remedy}.`, { cause });
  }
}

/** Removes the socket of an ended server. */
export function removeSocket(socket: string): void {
  rmSync(socket, { force: true });
}

/** Gives the socket its rights in a folder of the owner alone, and moves it to its place then. */
async function listenWithRights(server: Server, socket: string, gid: number | undefined): Promise<void> {
  const folder = await mkdtemp(join(dirname(socket), '.s-'));
  try {
    const made = join(folder, 's');
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(made, () => {
        server.off('error', reject);
        resolve();
      });
    });
    if (gid !== undefined) await chown(made, -1, gid);
    await chmod(made, SOCKET_MODE);
    await rename(made, socket);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A user with rights to change the folder could exchange the socket. */
async function expectOwnFolder(folder: string): Promise<void> {
  const { mode, uid } = await stat(folder);
  const isOwn = uid === 0 || uid === process.geteuid?.();
  if (isOwn && (mode & 0o022) === 0) return;
  const remedy = 'choose a folder that only root or the user of Sinete may change, such as /run/sinete';
  throw new AppError(3, `Other users can change the folder ${folder} of the socket of "listen": ${remedy}.`);
}

/** Only a socket without a server, as a killed process leaves one, is replaced. */
async function expectFree(socket: string): Promise<void> {
  const found = await lstat(socket).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined) return;
  if (!found.isSocket()) throw new AppError(3, `There is another file at ${socket}, the socket of "listen".`);
  const isServed = await new Promise<boolean>((resolve) => {
    const attempt = connect(socket);
    attempt.once('connect', () => resolve(true));
    attempt.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED'));
    attempt.once('connect', () => attempt.destroy());
  });
  if (isServed) throw new AppError(3, `Another program serves the socket ${socket} of "listen".`);
}

/** The number of a group, by its entry in the system's table. */
async function groupNumber(group: string): Promise<number> {
  if (/^\d+$/.test(group)) return Number(group);
  const table = await readFile('/etc/group', 'utf8').catch(() => '');
  const entry = table
    .split('\n')
    .map((line) => line.split(':'))
    .find(([name]) => name === group);
  const number = Number(entry?.[2]);
  if (entry !== undefined && Number.isSafeInteger(number)) return number;
  throw new AppError(3, `The group ${group} of the socket of "listen" does not exist: name a group of this computer.`);
}
