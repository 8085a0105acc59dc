export { WorkerPool, defaultWorkerLimits, type WorkerLimits } from './worker-pool.ts';
