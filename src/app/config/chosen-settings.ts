import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** Keys of the configuration that the window may set. */
const chosenSchema = z.strictObject({
  'network.proxy': z.string().optional(),
  'network.no_proxy': z.array(z.string()).optional(),
  'network.allow': z.array(z.string()).optional(),
});

/** Settings chosen in the window; the file, the environment and the policy win. */
export type ChosenSettings = z.output<typeof chosenSchema>;

const pathIn = (dataFolder: string): string => join(dataFolder, 'chosen-settings.json');

/** Empty for a missing file, or a file of an unknown version: nobody writes this file by hand. */
export async function readChosenSettings(dataFolder: string): Promise<ChosenSettings> {
  try {
    return chosenSchema.parse(JSON.parse(await readFile(pathIn(dataFolder), 'utf8')));
  } catch {
    return {};
  }
}

/** Stores the settings for the next start; after a crash the file is either the old or the new version as a whole. */
export async function writeChosenSettings(dataFolder: string, settings: ChosenSettings): Promise<void> {
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
