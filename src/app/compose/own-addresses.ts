import { lookup } from 'node:dns/promises';
import type { Configuration } from '../config/config.ts';

/** The addresses of a public name change rarely; a new one is known after this time, in milliseconds. */
const KNOWN_FOR = 600_000;

/**
 * The addresses to which the public names of the listeners resolve: callbacks must not reach this server through them,
 * past its own firewall. The names are resolved in the background, again every ten minutes when somebody asks.
 */
export function ownAddresses(
  { listen }: Pick<Configuration, 'listen'>,
  resolve: (hostname: string) => Promise<readonly string[]> = resolveName,
  now: () => number = Date.now,
): () => readonly string[] {
  const names = new Set(
    listen.flatMap(({ remote }) => (remote === undefined ? [] : [new URL(remote.publicUrl).hostname])),
  );
  const known = new Map<string, readonly string[]>();
  let askedAt = -Infinity;
  const ask = (): void => {
    askedAt = now();
    for (const name of names) {
      // A name that does not resolve now keeps its earlier addresses.
      resolve(name).then(
        (found) => void known.set(name, found),
        () => undefined,
      );
    }
  };
  if (names.size > 0) ask();
  return () => {
    if (names.size > 0 && now() - askedAt > KNOWN_FOR) ask();
    return [...known.values()].flat();
  };
}

const resolveName = async (hostname: string): Promise<readonly string[]> =>
  (await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true })).map(({ address }) => address);
