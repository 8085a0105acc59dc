import { ServiceError } from '../../src/service/errors/index.ts';
import type { HttpDependencies } from '../../src/http/build-server.ts';

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
    certificates: { read: async () => Promise.resolve([]) },
    requests: undefined as unknown as HttpDependencies['identity']['requests'],
    pushed: undefined as unknown as HttpDependencies['identity']['pushed'],
    selectedUser: unused,
    oneTimePasswordApproves: true,
    onFault: () => undefined,
    now: () => new Date(),
  };
}
