import type { Applications } from '../applications/index.ts';
import { ServiceError } from '../errors/index.ts';
import type { Accounts } from '../users/index.ts';
import type { ApplicationRegistrar, IdentityProvider } from './assistant.ts';

/**
 * This computer's description for a registry. The redirect address and the e-mail address are placeholders that never
 * receive anything.
 */
export const computerRegistration = {
  comments: 'A signing helper on a computer.',
  email: 'nobody@sinete.invalid',
  redirectUris: ['http://127.0.0.1:17171/'],
} as const;

/** The accounts of this very instance. */
export function embeddedIdentity(accounts: Pick<Accounts, 'authenticate'>): IdentityProvider {
  return {
    async authenticate(username, code, origin) {
      const { name, username: known, photo } = await accounts.authenticate(username, code, origin);
      return { name, username: known, photo };
    },
  };
}

/** The registry of this very instance. */
export function embeddedRegistrar(
  applications: Pick<Applications, 'register' | 'change' | 'remove'>,
): ApplicationRegistrar {
  return {
    async register(name) {
      const { application, clientSecret } = await applications.register({ name, ...computerRegistration });
      return { clientId: application.clientId, clientSecret };
    },
    async rename(clientId, name) {
      await applications.change(clientId, { name }).catch(ignoreUnknown);
    },
    async remove(clientId) {
      await applications.remove(clientId).catch(ignoreUnknown);
    },
  };
}

/** The user may have removed the registration by hand. */
function ignoreUnknown(error: unknown): void {
  const isUnknown =
    error instanceof ServiceError && (error.code === 'NOT_FOUND' || error.code === 'APPLICATION_NOT_FOUND');
  if (!isUnknown) throw error;
}
