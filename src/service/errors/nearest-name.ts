import { closestMatch } from 'leven';

/** The known name with the fewest changed characters; the first of several. */
export function nearestName(name: string, known: readonly string[]): string {
  return closestMatch(name, known) ?? '';
}

/** The nearest known name with at most two characters changed, or a third of them; undefined: none is near. */
export function closeName(name: string, known: readonly string[]): string | undefined {
  const maxDistance = Math.max(2, Math.floor(name.length / 3));
  return name.length > 2 ? closestMatch(name, known, { maxDistance }) : undefined;
}
