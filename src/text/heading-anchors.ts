/** The text of a heading without marks of Markdown. */
export function headingText(heading: string): string {
  return heading.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');
}

/** The name of a heading in an address, by GitHub's rule: lower case, without punctuation, blanks as hyphens. */
export function headingSlug(heading: string): string {
  return headingText(heading)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

/**
 * Names the headings of one page. The returned function is called once for each heading, in order: a repeated heading
 * gets a number.
 */
export function createAnchors(): (heading: string) => string {
  const taken = new Set<string>();
  return (heading) => {
    const slug = headingSlug(heading);
    let anchor = slug;
    for (let count = 1; taken.has(anchor); count++) anchor = `${slug}-${count}`;
    taken.add(anchor);
    return anchor;
  };
}
