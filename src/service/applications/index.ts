/** The registered applications. */
export type { ApplicationStore, StoredApplication } from './applications.ts';
export type { Application, Applications } from './applications.ts';
export { clientIdShape } from './check-application.ts';
export { createApplications } from './create-applications.ts';
