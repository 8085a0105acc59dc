import type { SystemReader } from '../../src/service/monitoring/index.ts';

/** A computer with fixed resources. */
export const pretendSystem: SystemReader = {
  memory: () => Promise.resolve({ total: 16e9, free: 4.5e9 }),
  swap: () => Promise.resolve(undefined),
  processorUse: () => Promise.resolve(0.125),
  processorCount: () => 4,
  processCount: () => Promise.resolve(undefined),
  loadAverage: () => Promise.resolve('0.10 0.20 0.30 1/100 1'),
  diskSpace: () => Promise.resolve({ total: 500e9, free: 23.5e9 }),
  tryWriting: () => Promise.resolve(),
};
