import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** Keys of the configuration that the window may set. */
const chosenSchema = z.strictObject({
  port: z.int().min(1).max(65_535).optional(),
  'network.proxy': z.string().optional(),
  'network.no_proxy': z.array(z.string()).optional(),
  'network.allow': z.array(z.string()).optional(),
  'archive.place': z.enum(['beside', 'folder']).optional(),
  'archive.folder': z.string().optional(),
  'archive.by_month': z.boolean().optional(),
  'archive.suffix': z.string().optional(),
});

/** Settings chosen in the window; the file, the environment and the policy take precedence. */
export type ChosenSettings = z.output<typeof chosenSchema>;

const pathIn = (dataFolder: string): string => join(dataFolder, 'chosen-settings.json');

/** Reads the settings. Empty for a missing file or an unknown version, because the file is never written by hand. */
export async function readChosenSettings(dataFolder: string): Promise<ChosenSettings> {
  try {
    return chosenSchema.parse(JSON.parse(await readFile(pathIn(dataFolder), 'utf8')));
  } catch {
    return {};
  }
}

/**
 * Changes some settings and keeps the others; undefined removes a setting. Keys that the configuration fixes keep their
 * earlier choice.
 */
export async function changeChosenSettings(
  dataFolder: string,
  fixedKeys: readonly string[],
  changes: { readonly [Name in keyof ChosenSettings]: ChosenSettings[Name] | undefined },
): Promise<void> {
  const changed = Object.entries(changes).filter(([key]) => !fixedKeys.includes(key));
  const present = { ...(await readChosenSettings(dataFolder)), ...Object.fromEntries(changed) };
  await writeChosenSettings(dataFolder, present);
}

/** Stores the settings for the next start. After a crash the file is completely old or completely new. */
async function writeChosenSettings(dataFolder: string, settings: ChosenSettings): Promise<void> {
  const draft = `${pathIn(dataFolder)}.new`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(settings, undefined, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, pathIn(dataFolder));
}
