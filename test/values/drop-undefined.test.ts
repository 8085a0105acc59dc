import { describe, expect, it } from 'vitest';
import { dropUndefined } from '../../src/values/drop-undefined.ts';

describe('dropUndefined', () => {
  it('leaves out the properties that are undefined, and keeps every other value', () => {
    const values = dropUndefined({ none: undefined, nothing: null, no: false, zero: 0, empty: '' });
    expect(Object.entries(values)).toEqual([
      ['nothing', null],
      ['no', false],
      ['zero', 0],
      ['empty', ''],
    ]);
  });

  it('has a type that an interface without undefined accepts', () => {
    interface Stamp {
      readonly reason?: string;
      readonly page: number;
    }
    const make = (reason: string | undefined): Stamp => dropUndefined({ reason, page: 1 });
    expect(make(undefined)).toStrictEqual({ page: 1 });
    expect(make('I agree')).toStrictEqual({ reason: 'I agree', page: 1 });
  });
});
