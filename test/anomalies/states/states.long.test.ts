import { describe, it } from 'vitest';
import { runStates } from './run-states.ts';

describe('transactions under all allowed acts of clients, users, the clock and restarts, in any order', () => {
  it('are at each step where the contract says', async () => runStates(10, 20_260_101), 300_000);
});
