/** The name of a closed set that a text means: letter case, outer spaces, hyphens and underscores do not matter. */
export function findName<Name extends string>(names: readonly Name[], text: string): Name | undefined {
  const wanted = spelling(text);
  return names.find((name) => name === text) ?? names.find((name) => spelling(name) === wanted);
}

const spelling = (name: string): string => name.trim().toLowerCase().replaceAll(/[-_]/g, '');
