import { visibleText } from '../../../../src/text/visible-text.ts';

/**
 * A name from outside: invisible characters are marked, and right-to-left letters do not move the text around the name.
 */
export function ShownName({ name }: { readonly name: string }) {
  return <bdi>{visibleText(name)}</bdi>;
}
