import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemTool } from '../setup/system-packages.ts';

/** A full disk, and a way to make room. */
export interface FullDisk {
  readonly how: string;
  readonly root: string;
  fill(): void;
  makeRoom(): void;
  remove(): void;
}

/** A small file system in memory; undefined where this user may not mount. */
export function smallDisk(megabytes = 3): FullDisk | undefined {
  const root = mkdtempSync(join(tmpdir(), 'sinete-full-'));
  const mounted = spawnSync(systemTool('mount'), ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'sinete-test', root]);
  if (mounted.status !== 0) {
    rmSync(root, { recursive: true });
    return undefined;
  }
  const ballast = join(root, 'ballast');
  return {
    how: `a tmpfs of ${megabytes} MB`,
    root,
    fill() {
      for (let size = 1 << 20; size >= 512; size /= 2) {
        for (let count = 0; count < 4; count++) {
          try {
            writeFileSync(ballast, Buffer.alloc(size), { flag: 'a' });
          } catch {
            break;
          }
        }
      }
    },
    makeRoom: () => rmSync(ballast, { force: true }),
    remove() {
      spawnSync(systemTool('umount'), ['-l', root]);
      rmSync(root, { recursive: true });
    },
  };
}
