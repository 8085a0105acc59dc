/** One scheduler for all work in turns: bodies, uploads and signatures. */
export { FairScheduler } from './fair-scheduler.ts';
/** The pace of callers that wait for changes. */
export { TurnPacer, type PaceOptions } from './turn-pacer.ts';
/** Long lists of documents, handled in several turns of the event loop. */
export { DOCUMENTS_AT_ONCE, eachInParts, mapInParts, letOthersRun, inParts } from './long-lists.ts';
