/** The registry of checks: findings about the core and this computer, with their words in both languages. */
export { found, type Check, type CheckValues, type Particulars } from './check.ts';
export { checkComputer } from './check-computer.ts';
export { checkCore, type CoreParts } from './check-core.ts';
export type { CardFacts, ComputerFacts, DriverFacts, SiteVisit } from './computer-facts.ts';
export { describeCheck, type CheckWords } from './describe-check.ts';
export { findings, type Finding, type Repair } from './findings.ts';
export { describeLoss } from './words-en.ts';
