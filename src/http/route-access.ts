import type { AdministratorScope } from '../service/administration/index.ts';
import type { RouteAccess } from './local-guard.ts';
import type { OperationId } from './routes.ts';

const open = (service: RouteAccess['service']): RouteAccess => ({ service, remote: 'open' });
const administrator = (service: RouteAccess['service'], scope: AdministratorScope): RouteAccess => ({
  service,
  scope,
  remote: 'administrator',
});

/**
 * The access to each operation from other computers. Operations that are `open` check credentials themselves, need the
 * TCN of a transaction (which is a secret), or reveal nothing about anybody.
 */
export const routeAccess: Readonly<Record<OperationId, RouteAccess>> = {
  createTransaction: open('signing'),
  uploadDocuments: open('signing'),
  queryTransaction: open('signing'),
  listTransactions: open('signing'),
  readStatuses: open('signing'),
  streamOwnTransactions: open('signing'),
  streamTransaction: open('signing'),
  authorizeTransaction: open('signing'),
  cancelTransaction: open('signing'),
  downloadDocument: open('signing'),
  validateSignatures: { ...open('signing'), isCounted: true },

  readDashboard: administrator('common', 'monitor'),
  checkHealth: open('common'),
  checkLiveness: open('common'),
  checkReadiness: open('common'),
  readMetrics: administrator('common', 'monitor'),
  discover: open('common'),
  readOpenApi: open('common'),
  readClient: open('common'),
  showHome: open('common'),
  showDocs: open('common'),
  showGuide: open('common'),
  showProblem: open('common'),
  readDocsAsset: open('common'),

  showAuthorization: open('authorization'),
  answerAuthorization: open('authorization'),
  awaitAuthorization: open('authorization'),
  issueToken: open('authorization'),
  revokeToken: open('authorization'),
  introspectToken: open('authorization'),
  pushRequest: open('authorization'),
  describeServer: open('authorization'),
  readCertificateInformation: open('authorization'),

  registerApplication: administrator('registry', 'registry'),
  readApplication: administrator('registry', 'registry'),
  changeApplication: administrator('registry', 'registry'),
  listWebhooks: open('registry'),
  addWebhook: open('registry'),
  readWebhook: open('registry'),
  changeWebhook: open('registry'),
  removeWebhook: open('registry'),
  rotateWebhook: open('registry'),
  testWebhook: open('registry'),
  listDeliveries: open('registry'),
  redeliverWebhook: open('registry'),

  addUser: administrator('assistant', 'users'),
  listUsers: administrator('assistant', 'users'),
  removeUser: administrator('assistant', 'users'),
  readSelectedUser: administrator('assistant', 'users'),
  changeSelectedUser: administrator('assistant', 'users'),
  listSelectedUserCertificates: administrator('assistant', 'users'),
  registerComputer: administrator('assistant', 'registry'),
  readComputer: administrator('assistant', 'registry'),
  changeComputer: administrator('assistant', 'registry'),

  showUi: open('window'),
  readUiAsset: open('window'),
  openUiSession: open('window'),
  issueUiLink: open('window'),
  callUi: open('window'),
  readUiEvents: open('window'),
  sendUiDocument: open('window'),
  sendUiFile: open('window'),
};

/**
 * The access to an operation for a request with this value of `full`: details of the health are restricted to
 * administrators.
 */
export function accessTo(operation: OperationId, full: unknown): RouteAccess {
  const wantsDetails = full !== undefined && full !== '0' && full !== 'false';
  return operation === 'checkHealth' && wantsDetails ? administrator('common', 'monitor') : routeAccess[operation];
}
