import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** The script of an npm package's command, to be run by `process.execPath`. */
export function npmTool(packageName: string, command: string = packageName): string {
  const folder = join(modules, packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin?: string | Readonly<Record<string, string>>;
  };
  const script = typeof bin === 'string' ? bin : bin?.[command];
  if (script === undefined) throw new Error(`The package ${packageName} has no command ${command}.`);
  return join(folder, script);
}
