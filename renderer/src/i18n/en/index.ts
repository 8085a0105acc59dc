import { first } from './first.ts';
import { late } from './late.ts';

/** Every text of the GUI in English; `pt-br.ts` has the same keys. */
export const en = { ...first, ...late };
