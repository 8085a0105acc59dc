import { stat } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import type { Peer } from '../local-guard.ts';

/** Constants of unix(7) on Linux, and `struct ucred`: process, user and group, four bytes each. */
const SOL_SOCKET = 1;
const SO_PEERCRED = 17;
const CREDENTIALS = { length: 12, user: 4 } as const;

/**
 * The peer of a connection through the local channel at `path`. Linux names the user who has connected to a Unix
 * socket. Elsewhere, and without koffi, the rights of the socket's folder decide: a folder of the owner alone lets only
 * the owner (and an administrator) connect, and callers through any other folder need a proof. A named pipe of Windows
 * can be opened by others for reading, so its callers need a proof as well.
 */
export async function identifyChannelPeer(socket: Socket, path: string, askUser = connectedUser): Promise<Peer> {
  if (process.platform === 'win32') return 'not-told';
  const user = process.platform === 'linux' ? await askUser(socket) : undefined;
  if (user !== undefined) return user === process.geteuid?.() ? 'same-user' : 'other-user';
  return (await isOfOwnerAlone(dirname(path))) ? 'same-user' : 'not-told';
}

/** True if a folder belongs to this user and gives nobody else a right. */
async function isOfOwnerAlone(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => undefined);
  return found !== undefined && found.uid === process.geteuid?.() && (found.mode & 0o077) === 0;
}

type ReadCredentials = (descriptor: number) => number | undefined;

let opened: Promise<ReadCredentials | undefined> | undefined;

/** The user who has connected, by SO_PEERCRED; undefined if the C library cannot be called. */
async function connectedUser(socket: Socket): Promise<number | undefined> {
  const read = await (opened ??= openCredentials());
  // Node has no public access to the descriptor of a socket.
  const handle = (socket as { readonly _handle?: { readonly fd?: unknown } | null })._handle;
  return typeof handle?.fd === 'number' && handle.fd >= 0 ? read?.(handle.fd) : undefined;
}

async function openCredentials(): Promise<ReadCredentials | undefined> {
  try {
    const { default: koffi } = await import('koffi');
    const library = koffi.load('libc.so.6');
    const calls = {
      // Keeps a reference: koffi unloads an unreferenced library, and its functions then become unusable.
      library,
      getsockopt: library.func('getsockopt', 'int', ['int', 'int', 'int', 'void *', 'void *']),
    };
    return (descriptor) => {
      const credentials = Buffer.alloc(CREDENTIALS.length);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(CREDENTIALS.length);
      const outcome: unknown = calls.getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, credentials, length);
      return outcome === 0 ? credentials.readUInt32LE(CREDENTIALS.user) : undefined;
    };
  } catch {
    return undefined;
  }
}
