/** The known name with the fewest changed characters; the first of several. */
export function nearestName(name: string, known: readonly string[]): string {
  const ranked = known.map((candidate) => ({ candidate, distance: distance(name, candidate) }));
  return ranked.toSorted((one, other) => one.distance - other.distance)[0]?.candidate ?? '';
}

/** The nearest known name with at most two characters changed, or a third of them; undefined: none is near. */
export function closeName(name: string, known: readonly string[]): string | undefined {
  const nearest = nearestName(name, known);
  const most = Math.max(2, Math.floor(name.length / 3));
  return nearest !== '' && name.length > 2 && distance(name, nearest) <= most ? nearest : undefined;
}

/** Levenshtein's distance, computed row by row. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, character] of Array.from(one).entries()) {
    const next = [index + 1];
    for (const [column, wanted] of Array.from(other).entries()) {
      const replaced = (row[column] ?? 0) + (character === wanted ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
