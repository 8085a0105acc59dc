import { describe, expect, it } from 'vitest';
import { limitsOf, orderSeconds } from './capacity-model.ts';
import { sharesOf } from './node-profile.ts';

const machines = { nodes: 10, coresOfNode: 8, coresOfDatabase: 8, coresOfProxy: 8 };

describe('limitsOf', () => {
  it('names first the part used up first', () => {
    const cost = { mainThread: 0.01, node: 0.02, database: 0.004, proxy: 0.001, order: 0.005 };
    expect(limitsOf(cost, machines)).toEqual([
      ['order of commits', 200],
      ['main threads of the nodes', 1000],
      ['processors of PostgreSQL', 2000],
      ['processors of the nodes', 4000],
      ['processors of the proxy', 8000],
    ]);
  });

  it('takes one processor of each node for its main thread, of any number in the node', () => {
    const cost = { mainThread: 0.01, node: 0.01, database: 0.000_1, proxy: 0.000_1, order: 0.000_1 };
    expect(limitsOf(cost, { ...machines, coresOfNode: 64 })[0]).toEqual(['main threads of the nodes', 1000]);
  });
});

describe('orderSeconds', () => {
  it('counts a round trip for each statement and a flush for each commit', () => {
    expect(orderSeconds({ statements: 20, commits: 2, roundTrip: 0.001, flush: 0.01 })).toBeCloseTo(0.04);
  });
});

describe('sharesOf', () => {
  const frame = (id: number, functionName: string, url: string, children: readonly number[] = []) => ({
    id,
    callFrame: { functionName, url },
    children,
  });

  it('counts a frame without a place of its own for the calling part', () => {
    const nodes = [
      frame(1, '(root)', '', [2, 4]),
      frame(2, 'query', 'file:///app/src/storage/sql/stores/audit-log.ts', [3]),
      frame(3, 'map', ''),
      frame(4, '(idle)', ''),
    ];
    const shares = sharesOf({ nodes, samples: [3, 2, 4, 4], timeDeltas: [100, 100, 100, 100] });
    expect(shares).toMatchObject({ database: 0.5, idle: 0.5, HTTP: 0 });
  });
});
