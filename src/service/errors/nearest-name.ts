import { closestMatch } from 'leven';

/** The known name that differs in the fewest characters; the first of several. */
export function nearestName(name: string, known: readonly string[]): string {
  return closestMatch(name, known) ?? '';
}

/** The most similar known name with at most two characters, or a third of them, changed; undefined if there is none. */
export function closeName(name: string, known: readonly string[]): string | undefined {
  const maxDistance = Math.max(2, Math.floor(name.length / 3));
  return name.length > 2 ? closestMatch(name, known, { maxDistance }) : undefined;
}
