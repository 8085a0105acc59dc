/** One scheduler for all work in turns: bodies, uploads and signatures. */
export { FairScheduler } from './fair-scheduler.ts';
