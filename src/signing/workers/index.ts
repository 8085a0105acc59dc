export { WorkerPool, defaultWorkerLimits, type WorkerLimits } from './worker-pool.ts';
export type { ValidateRequest, WorkerValidationServices } from './validation-parts.ts';
