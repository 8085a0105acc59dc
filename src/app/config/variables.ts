/** The variables of the environment, in a file that every command can load without the schemas of the keys. */
import { createHash } from 'node:crypto';

/**
 * The variable with the id of the process that has started Sinete again under another Node and waits for it
 * (`sinete.js`).
 */
export const startedBy = 'SINETE_STARTED_BY';

/** The variable of a key: `signing.lifetime` → `SINETE_SIGNING_LIFETIME`. */
export function variableOf(key: string): string {
  return `SINETE_${key.replaceAll('.', '_').toUpperCase()}`;
}

/** Variables that are not settings. */
const otherVariables: ReadonlySet<string> = new Set(['SINETE_DATA', startedBy]);

/**
 * SHA-256 in base64url of the variables that are settings, in any order; undefined if there are none. An instance has
 * checked the variables of its own start.
 */
export function digestOfVariables(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const own = Object.entries(environment).filter(([name]) => name.startsWith('SINETE_') && !otherVariables.has(name));
  if (own.length === 0) return undefined;
  return createHash('sha256').update(JSON.stringify(own.toSorted())).digest('base64url');
}
