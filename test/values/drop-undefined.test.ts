import { describe, expect, it } from 'vitest';
import { dropUndefined } from '../../src/values/drop-undefined.ts';

describe('dropUndefined', () => {
  it('leaves out undefined properties, and keeps every other value', () => {
    const values = dropUndefined({ none: undefined, nothing: null, no: false, zero: 0, empty: '' });
    expect(Object.entries(values)).toEqual([
      ['nothing', null],
      ['no', false],
      ['zero', 0],
      ['empty', ''],
    ]);
  });

  it('answers the object itself where nothing is undefined, and leaves an object with undefined properties unchanged', () => {
    const whole = { page: 1, reason: null };
    expect(dropUndefined(whole)).toBe(whole);
    const partial = { page: 1, reason: undefined };
    dropUndefined(partial);
    expect(partial).toStrictEqual({ page: 1, reason: undefined });
  });

  it('has a type fit for an interface without undefined', () => {
    interface Stamp {
      readonly reason?: string;
      readonly page: number;
    }
    const make = (reason: string | undefined): Stamp => dropUndefined({ reason, page: 1 });
    expect(make(undefined)).toStrictEqual({ page: 1 });
    expect(make('I agree')).toStrictEqual({ reason: 'I agree', page: 1 });
  });
});
