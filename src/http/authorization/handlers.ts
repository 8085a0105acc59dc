import type { RequestHandler } from 'express';
import type { Applications } from '../../service/applications/index.ts';
import type { CertificateInformation } from '../../service/certificates/index.ts';
import { registerApplication } from '../registry/register-application.ts';
import { answerAuthorization, awaitAuthorization, showAuthorization, type AuthorizeServices } from './authorize.ts';
import { readCertificateInformation } from './certificate-info.ts';
import type { AuthorizationOperation } from './routes.ts';
import { issueToken, revokeToken } from './token.ts';

/** Services of endpoints 8 to 11. */
export interface AuthorizationServices extends AuthorizeServices {
  readonly applications: Applications;
  readonly certificates: CertificateInformation;
  readonly now: () => Date;
}

/** The handlers of endpoints 8 to 11 and of their companions. */
export function authorizationHandlers(services: AuthorizationServices): Record<AuthorizationOperation, RequestHandler> {
  const { now, onFault, applications } = services;
  return {
    showAuthorization: showAuthorization(services),
    answerAuthorization: answerAuthorization(services),
    awaitAuthorization: awaitAuthorization(services),
    issueToken: issueToken(services, now, onFault),
    revokeToken: revokeToken(services, onFault),
    readCertificateInformation: readCertificateInformation(services.authorization, services.certificates),
    registerApplication: registerApplication(applications),
  };
}
