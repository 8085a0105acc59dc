/** The clock, and whether it can be trusted. */
export { TimeService, type ClockNote, type ClockState, type ClockStore } from './time-service.ts';
