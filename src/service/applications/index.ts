/** The registered applications. */
export type { ApplicationStore, StoredApplication } from './applications.ts';
export type { Application, ApplicationLimits, Applications } from './applications.ts';
export { areHours, createQuotas, noQuotas, type ApplicationQuotas } from './application-limits.ts';
export { clientIdShape } from './check-application.ts';
export { createApplications } from './create-applications.ts';
