import { describe, expect, it } from 'vitest';
import { runHashKills } from './hash-kills.ts';

describe('an instance killed between the approval of hashes and its answer', () => {
  it('signs no hash without an approval, none in two ways, and loses none', async () => {
    expect(await runHashKills(6)).toMatchObject({ unapproved: 0, wrong: 0, changed: 0, lost: 0 });
  }, 300_000);
});
