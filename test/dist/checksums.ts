import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const NAME = 'SHA256SUMS';

/**
 * Writes `SHA256SUMS` beside the artefacts of a release: a line for each file of the folder, as `sha256sum -c` reads
 * it. Folders (unpacked applications) and electron-builder's own notes (`builder-*.y*ml`) are left out.
 */
export async function writeChecksums(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  const isArtefact = (name: string): boolean => name !== NAME && !/^builder-.*\.ya?ml$/.test(name);
  const names = entries.filter((entry) => entry.isFile() && isArtefact(entry.name)).map(({ name }) => name);
  const lines: string[] = [];
  for (const name of names.toSorted()) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(folder, name)), hash);
    lines.push(`${hash.digest('hex')}  ${name}\n`);
  }
  await writeFile(join(folder, NAME), lines.join(''));
}
