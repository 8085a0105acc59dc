import { ServiceError } from '../../src/service/errors/index.ts';
import type { HttpDependencies } from '../../src/http/build-server.ts';

/** Signatures of hashes where no token can sign any. */
export const noHashCalls: HttpDependencies['identity']['hashCalls'] = {
  most: 100,
  sign: async () => Promise.reject(new ServiceError('SCOPE_NOT_ALLOWED', 'Not right.')),
  certificates: async () => Promise.resolve([]),
  noteAuthorized: async () => Promise.resolve('slot'),
  discover: async () => Promise.resolve(undefined),
  personOfSlot: async () => Promise.resolve(undefined),
};

/** The identity services of an instance where nobody is enrolled and nothing is registered. */
export function nobody(): HttpDependencies['identity'] {
  const unused = async (): Promise<never> => Promise.reject(new Error('This test does not go there.'));
  return {
    accounts: {
      authenticate: async () => Promise.reject(new ServiceError('INVALID_CREDENTIALS', 'Not right.')),
    },
    applications: {
      find: async () => Promise.resolve(undefined),
      authenticate: async () => Promise.resolve(undefined),
    } as unknown as HttpDependencies['identity']['applications'],
    authorization: {
      readToken: async () => Promise.resolve(undefined),
      findCode: async () => Promise.resolve(undefined),
    } as unknown as HttpDependencies['identity']['authorization'],
    hashCalls: noHashCalls,
    certificates: { read: async () => Promise.resolve([]) },
    requests: undefined as unknown as HttpDependencies['identity']['requests'],
    pushed: undefined as unknown as HttpDependencies['identity']['pushed'],
    selectedUser: unused,
    oneTimePasswordApproves: true,
    onFault: () => undefined,
    now: () => new Date(),
  };
}
