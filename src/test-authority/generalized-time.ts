import { Tag, derElement } from '../signing/index.ts';

/** GeneralizedTime in UTC, DER: a fraction of a second only if not zero, without zeros at its end (X.690 §11.7). */
export function derGeneralizedTime(date: Date): Buffer {
  const text = date
    .toISOString()
    .replace(/[-:T]/g, '')
    .replace(/\.?0*Z$/, 'Z');
  return derElement(Tag.generalizedTime, Buffer.from(text, 'latin1'));
}

/** The start of the moment's second, because most formats have whole seconds. */
export const wholeSecond = (date: Date): Date => new Date(Math.floor(date.getTime() / 1000) * 1000);
