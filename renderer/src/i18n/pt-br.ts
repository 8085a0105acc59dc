import { first } from './pt-br-first.ts';
import { late } from './pt-br-late.ts';

/** Every text of the GUI in Brazilian Portuguese, with the keys of `en.ts`. `_many` is for whole millions. */
export const ptBr = { ...first, ...late };
