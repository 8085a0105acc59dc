export { WorkerPool, defaultWorkerLimits } from './worker-pool.ts';
export type { WorkerLimits } from './worker-thread.ts';
export type { ValidateRequest, WorkerValidationServices } from './validation-parts.ts';
