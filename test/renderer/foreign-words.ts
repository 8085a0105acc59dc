import type { Page } from 'playwright-core';
import { texts } from './actions.ts';

type Language = keyof typeof texts;

/** Small words of sentences, months and units, which the texts of the window need not have. */
const small: Readonly<Record<Language, string>> = {
  en: 'the and is are was were be been has have had not cannot with without this that these from which of to in by on for its it they there here when only their than because could should does did because answered unknown failed missing jan feb mar apr may jun jul aug sep oct nov dec',
  'pt-BR':
    'não é está estão foi foram uma um dos das pelo pela pelos para com sem que são ou e ao aos às esta este isto porque seu sua mais já também pode byte bytes jan fev mar abr mai jun jul ago set out nov dez',
};

/** Words of sentences: names, paths, numbers, codes and abbreviations are none. */
function wordsIn(text: string): readonly string[] {
  return text
    .split(/[\s\u00a0]+/u)
    .map((part) => part.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, ''))
    .filter((part) => /^\p{Lu}?\p{Ll}+(-\p{Ll}+)*$/u.test(part))
    .map((part) => part.toLowerCase());
}

type Tree = string | { readonly [key: string]: Tree };

const leaves = (tree: Tree): readonly string[] =>
  typeof tree === 'string' ? [tree] : Object.values(tree).flatMap((branch) => leaves(branch));

const known = (language: Language): ReadonlySet<string> =>
  new Set([...wordsIn(small[language]), ...leaves(texts[language]).flatMap((text) => wordsIn(text))]);

/** Words belonging to the other language only, by the texts of the window. */
function foreignWords(language: Language): ReadonlySet<string> {
  const own = known(language);
  return new Set([...known(language === 'en' ? 'pt-BR' : 'en')].filter((word) => !own.has(word)));
}

/** Everything that a person reads, or hears from a screen reader, as separate texts. Code, and names of languages, are left out. */
async function textsOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const isLeftOut = (element: Element): boolean =>
      element.closest('code, pre, script, noscript, style, [lang]:not(html)') !== null;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const holder = node.parentElement;
      if (holder !== null && !isLeftOut(holder) && node.nodeValue !== null) found.push(node.nodeValue);
    }
    for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description']) {
      for (const element of document.querySelectorAll(`[${name}]`)) {
        if (!isLeftOut(element)) found.push(element.getAttribute(name) ?? '');
      }
    }
    return found.map((text) => text.trim()).filter((text) => text !== '');
  });
}

/**
 * The texts of a page with a word of the other language, each with these words. A text counts with a single word that only
 * the other language has; `content` are words of data, such as names of files and people.
 */
export async function foreignTexts(
  page: Page,
  language: Language,
  content: readonly string[] = [],
): Promise<readonly string[]> {
  const foreign = foreignWords(language);
  const data = new Set(content.flatMap((text) => wordsIn(text)));
  const all = await textsOf(page);
  return all.flatMap((text) => {
    const words = wordsIn(text).filter((word) => foreign.has(word) && !data.has(word));
    return words.length === 0 ? [] : [`${text} (${words.join(', ')})`];
  });
}
