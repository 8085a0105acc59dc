import { describe, it } from 'vitest';
import { runStates } from './run-states.ts';

describe('transactions to which clients, users, the clock and restarts do what they may, in any order', () => {
  it('are at each step where the contract says', async () => runStates(10, 20_260_101), 300_000);
});
