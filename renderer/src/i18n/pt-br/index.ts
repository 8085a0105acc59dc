import { first } from './first.ts';
import { late } from './late.ts';

/** Every text of the GUI in Brazilian Portuguese, with the keys of `en.ts`. `_many` is for whole millions. */
export const ptBr = { ...first, ...late };
