/** The table of the routes: the service that offers each of them, and what a caller on another computer needs for it. */
import type { OperationId } from '../../../src/http/routes.ts';
import type { AdministratorScope } from '../../../src/service/administration/index.ts';

/**
 * The requirement of an operation for callers on other computers: nothing, their own credentials, a session of the
 * window, or an administrator's token with a scope; and the service of the listener.
 */
export type Needed = 'nothing' | 'credentials' | 'session' | AdministratorScope;

/** By operation; the service is empty for routes of every listener. */
export const needed: Record<OperationId, readonly [service: string, needed: Needed]> = {
  createTransaction: ['signing', 'credentials'],
  uploadDocuments: ['signing', 'nothing'],
  queryTransaction: ['signing', 'nothing'],
  listTransactions: ['signing', 'credentials'],
  readStatuses: ['signing', 'nothing'],
  streamOwnTransactions: ['signing', 'credentials'],
  streamTransaction: ['signing', 'nothing'],
  authorizeTransaction: ['signing', 'credentials'],
  cancelTransaction: ['signing', 'credentials'],
  downloadDocument: ['signing', 'nothing'],
  validateSignatures: ['signing', 'nothing'],
  readDashboard: ['', 'monitor'],
  checkHealth: ['', 'nothing'],
  checkLiveness: ['', 'nothing'],
  checkReadiness: ['', 'nothing'],
  readMetrics: ['', 'monitor'],
  discover: ['', 'nothing'],
  readOpenApi: ['', 'nothing'],
  readClient: ['', 'nothing'],
  showHome: ['', 'nothing'],
  showDocs: ['', 'nothing'],
  showGuide: ['', 'nothing'],
  showProblem: ['', 'nothing'],
  readDocsAsset: ['', 'nothing'],
  showAuthorization: ['authorization', 'nothing'],
  answerAuthorization: ['authorization', 'nothing'],
  awaitAuthorization: ['authorization', 'nothing'],
  issueToken: ['authorization', 'nothing'],
  revokeToken: ['authorization', 'nothing'],
  introspectToken: ['authorization', 'nothing'],
  pushRequest: ['authorization', 'nothing'],
  describeServer: ['authorization', 'nothing'],
  readCertificateInformation: ['authorization', 'credentials'],
  registerApplication: ['registry', 'registry'],
  readApplication: ['registry', 'registry'],
  changeApplication: ['registry', 'registry'],
  listWebhooks: ['registry', 'credentials'],
  addWebhook: ['registry', 'credentials'],
  readWebhook: ['registry', 'credentials'],
  changeWebhook: ['registry', 'credentials'],
  removeWebhook: ['registry', 'credentials'],
  rotateWebhook: ['registry', 'credentials'],
  testWebhook: ['registry', 'credentials'],
  listDeliveries: ['registry', 'credentials'],
  redeliverWebhook: ['registry', 'credentials'],
  addUser: ['assistant', 'users'],
  listUsers: ['assistant', 'users'],
  removeUser: ['assistant', 'users'],
  readSelectedUser: ['assistant', 'users'],
  changeSelectedUser: ['assistant', 'users'],
  listSelectedUserCertificates: ['assistant', 'users'],
  registerComputer: ['assistant', 'registry'],
  readComputer: ['assistant', 'registry'],
  changeComputer: ['assistant', 'registry'],
  showUi: ['window', 'nothing'],
  readUiAsset: ['window', 'nothing'],
  openUiSession: ['window', 'nothing'],
  issueUiLink: ['window', 'session'],
  callUi: ['window', 'session'],
  readUiEvents: ['window', 'session'],
  sendUiDocument: ['window', 'session'],
  sendUiFile: ['window', 'session'],
};

/** The row of an operation; an operation without a row ends the test with the remedy. */
export function neededFor(operation: OperationId): (typeof needed)[OperationId] {
  const row = (needed as Partial<typeof needed>)[operation];
  if (row === undefined) throw new Error(`Add ${operation} to the table "needed" of route-needs.ts.`);
  return row;
}
