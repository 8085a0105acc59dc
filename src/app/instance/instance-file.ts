import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** Facts of a running instance for other programs of the same user, in a file readable by this user only. */
const instanceSchema = z.object({
  port: z.number().int(),
  pid: z.number().int(),
  /** Random id of this run, the same as in `/.well-known/sinete`. */
  instance: z.string(),
  /** Lets the command line call the instance. */
  controlKey: z.string(),
});

export type InstanceFile = z.output<typeof instanceSchema>;

const fileName = 'instance.json';

/** Writes the file (0600), whole or not at all. */
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
    const content: unknown = JSON.parse(await readFile(join(dataFolder, fileName), 'utf8'));
    const result = instanceSchema.safeParse(content);
    return result.success ? result.data : undefined;
  } catch {
    return undefined;
  }
}

/** Removes the file, unless another instance has written its own meanwhile. */
export async function removeInstanceFile(dataFolder: string, instance: string): Promise<void> {
  const present = await readInstanceFile(dataFolder);
  if (present?.instance === instance) await rm(join(dataFolder, fileName), { force: true });
}
