import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A fresh folder for the files of a single test file; removed when its tests are done. */
export interface ScratchFolder {
  readonly path: (name: string) => string;
  /** Writes a file and answers its path. */
  readonly write: (name: string, content: Uint8Array | string) => string;
}

export function makeScratchFolder(): ScratchFolder {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const path = (name: string): string => join(folder, name);
  return {
    path,
    write(name, content) {
      writeFileSync(path(name), content);
      return path(name);
    },
  };
}
