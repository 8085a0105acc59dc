/** Checks of this computer, with their repairs. */
export type { CardFacts, DoctorCheck, DoctorFacts, DriverFacts, SiteVisit } from './doctor-facts.ts';
export { wordsOf } from './doctor-words.ts';
export { examineComputer } from './examine-computer.ts';
