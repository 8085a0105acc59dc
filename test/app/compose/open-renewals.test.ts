import { describe, expect, it } from 'vitest';
import { serversForRenewals } from '../../../src/app/compose/open-renewals.ts';

const [test, one, two] = [{ id: 'test' }, { id: 'one' }, { id: 'two' }];

describe('the servers of a renewal', () => {
  it.each([
    ['never the test server beside another one', [test, one, two], undefined, [one, two]],
    ['the test server where it is the only one', [test], undefined, [test]],
    ['the server that is named', [test, one, two], 'two', [two]],
    ['the test server where it is named', [test, one], 'test', [test]],
    ['none where the named one is absent', [test, one], 'two', []],
  ])('are %s', (_, all, only, expected) => {
    expect(serversForRenewals(all, only)).toEqual(expected);
  });
});
