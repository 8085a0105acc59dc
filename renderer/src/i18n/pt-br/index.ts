import type { en } from '../en/index.ts';
import { first } from './first.ts';
import { late } from './late.ts';

/** Every text of the GUI in Brazilian Portuguese, with the keys of `en.ts`. `_many` is for whole millions. */
export const ptBr = { ...first, ...late } satisfies SameTexts<typeof en>;

/** The keys of texts in another language. */
type SameTexts<Texts> = { readonly [Key in keyof Texts]: Texts[Key] extends string ? string : SameTexts<Texts[Key]> };
