/** Admission of requests in turns. */
export { FairAdmission } from './fair-admission.ts';
