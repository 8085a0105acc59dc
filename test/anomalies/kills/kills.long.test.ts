import { describe, expect, it } from 'vitest';
import { runKills } from './kill-rounds.ts';

describe('an instance killed while signing, notifying, delivering, being backed up, restored or migrated', () => {
  it('loses nothing acknowledged, doubles nothing, and goes on', async () => {
    const { rounds } = await runKills(4, 1, undefined, ['sign', 'backup', 'restore', 'migrate']);
    expect(rounds).toBe(4);
  }, 300_000);
});
