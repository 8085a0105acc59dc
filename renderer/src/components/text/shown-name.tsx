import { visibleText } from '../../../../src/text/visible-text.ts';

/**
 * A name that somebody else chose: unseen characters are marked, and letters that are read from right to left do not
 * move what stands around the name.
 */
export function ShownName({ name }: { readonly name: string }) {
  return <bdi>{visibleText(name)}</bdi>;
}
