/** Expands patterns of the driver catalogue to paths of this computer. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';

const escape = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');

/** Folder names matching a name with `*` in it, newest name first. */
async function matchNames(folder: string, pattern: string): Promise<readonly string[]> {
  const expression = new RegExp(`^${pattern.split('*').map(escape).join('.*')}$`);
  try {
    const names = await readdir(folder);
    return names.filter((name) => expression.test(name)).sort((left, right) => right.localeCompare(left));
  } catch {
    return [];
  }
}

/**
 * Expands a path pattern: `%NAME%` is replaced by the environment variable, and a `*` matches part of the name of one
 * folder. Empty when a variable is not set or nothing matches; a path without `*` is not looked up.
 */
export async function expandPattern(
  pattern: string,
  environment: Readonly<Record<string, string | undefined>>,
  root = '',
): Promise<readonly string[]> {
  const variables = [...pattern.matchAll(/%([^%]+)%/g)].map((match) => environment[match[1] ?? '']);
  if (variables.includes(undefined)) return [];
  const full = root + pattern.replace(/%([^%]+)%/g, (_, name: string) => environment[name] ?? '');
  const parts = full.split('/');
  const star = parts.findIndex((part) => part.includes('*'));
  if (star === -1) return [full];
  const folder = parts.slice(0, star).join('/');
  const names = await matchNames(folder, parts[star] ?? '');
  return names.map((name) => path.posix.join(folder, name, ...parts.slice(star + 1)));
}
