import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { findWindowsPortOwners } from './windows-facts.ts';

/** The listener at a port. */
interface PortOwner {
  readonly port: number;
  /** The name of the program; undefined if the system does not report it. */
  readonly program: string | undefined;
}

/** `0A`: the socket listens (proc_net_tcp(5)). */
const listening = '0A';

/**
 * The ports among these that are taken, and by which program if known: on Linux by `/proc` for programs of the same
 * user, on Windows by the TCP tables. Empty on other systems.
 */
export async function findPortOwners(ports: readonly number[]): Promise<readonly PortOwner[]> {
  return process.platform === 'win32' ? findWindowsPortOwners(ports) : findLinuxPortOwners(ports, '/proc');
}

/** As `findPortOwners`, with a folder like `/proc`. */
export async function findLinuxPortOwners(ports: readonly number[], root: string): Promise<readonly PortOwner[]> {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map(async (name) => readFile(join(root, 'net', name), 'latin1').catch(() => '')),
  );
  const sockets = new Map(tables.flatMap((table) => listeningSockets(table)));
  const taken = ports.filter((port) => sockets.has(port));
  const programs = await programsOf(new Set(taken.map((port) => sockets.get(port) ?? '')), root);
  return taken.map((port) => ({ port, program: programs.get(sockets.get(port) ?? '') }));
}

/** Port → inode. */
function listeningSockets(table: string): readonly (readonly [number, string])[] {
  return table
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
      const port = Number.parseInt(local.split(':')[1] ?? '', 16);
      return state === listening && !Number.isNaN(port) ? [[port, inode] as const] : [];
    });
}

/** Inode → name, for readable processes. */
async function programsOf(inodes: ReadonlySet<string>, root: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  if (inodes.size === 0) return found;
  const processes = (await readdir(root).catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const id of processes) {
    if (found.size === inodes.size) break;
    const folder = join(root, id, 'fd');
    for (const descriptor of await readdir(folder).catch(() => [])) {
      const target = await readlink(join(folder, descriptor)).catch(() => '');
      const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1];
      if (inode === undefined || !inodes.has(inode)) continue;
      found.set(inode, (await readFile(join(root, id, 'comm'), 'utf8').catch(() => '')).trim() || `process ${id}`);
    }
  }
  return found;
}
