/** Checks of this computer, with their repairs. */
export type { DoctorCheck } from './doctor-check.ts';
export type { CardFacts, DoctorFacts, DriverFacts, SiteVisit } from './doctor-facts.ts';
export { wordsOf } from './doctor-words.ts';
export { examineComputer } from './examine-computer.ts';
