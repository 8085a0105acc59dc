/** The local channel: a Unix socket that only the owner of the data folder can reach, or a named pipe on Windows. */
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AppError } from '../app-error.ts';

/** Bytes of the longest path of a Unix socket: `sun_path` has 104 on macOS and 108 on Linux, with the zero at the end. */
const LONGEST_PATH = 103;

/** A channel that listens. */
export interface OpenChannel {
  /** Path of the socket, or name of the pipe. */
  readonly path: string;
  /**
   * Removes the files that `openChannel` has created outside of the data folder. Call this after the server is closed.
   */
  remove(): Promise<void>;
}

/**
 * Has `server` listen on the channel of a data folder: in the folder itself, which is 0700, or in a new 0700 folder
 * below `$XDG_RUNTIME_DIR` (else the folder of temporary files) when the path is too long or the disk knows no sockets.
 * The caller has claimed the data folder, so that a socket in it belongs to an instance that has ended.
 */
export async function openChannel(server: Server, dataFolder: string): Promise<OpenChannel> {
  if (process.platform === 'win32') {
    const path = `\\\\.\\pipe\\sinete-${randomBytes(16).toString('hex')}`;
    await listen(server, path);
    return { path, remove: async () => Promise.resolve() };
  }
  const path = join(dataFolder, 'channel.sock');
  if (Buffer.byteLength(path) <= LONGEST_PATH) {
    await rm(path, { force: true });
    const isListening = await listen(server, path).then(
      () => true,
      () => false,
    );
    if (isListening) {
      await chmod(path, 0o600);
      return { path, remove: async () => rm(path, { force: true }) };
    }
  }
  return openElsewhere(server);
}

/** `mkdtemp` creates the folder with mode 0700 and an unused name. */
async function openElsewhere(server: Server): Promise<OpenChannel> {
  const { XDG_RUNTIME_DIR: runtime } = process.env;
  const folder = await mkdtemp(join(runtime?.startsWith('/') === true ? runtime : tmpdir(), 'sinete-'));
  const path = join(folder, 'channel.sock');
  try {
    await listen(server, path);
    await chmod(path, 0o600);
  } catch (cause) {
    await rm(folder, { recursive: true, force: true });
    throw new AppError(3, `The local channel cannot be opened in ${dirname(folder)}: set XDG_RUNTIME_DIR.`, { cause });
  }
  return { path, remove: async () => rm(folder, { recursive: true, force: true }) };
}

async function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
