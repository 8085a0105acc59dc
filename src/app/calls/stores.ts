import { z } from 'zod';
import { ServiceError } from '../../service/errors/index.ts';
import type { ObjectStoreCredentials } from '../../storage/index.ts';
import type { CallHandlers } from '../../ui-contract/ui-contract.ts';
import type { Core } from '../compose/open-core.ts';

type StoreCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `stores.${string}`>>;

/** The calls about object stores. */
export function storeCalls({ namedStores, objectStores }: Pick<Core, 'namedStores' | 'objectStores'>): StoreCalls {
  return {
    'stores.list': async () =>
      (await namedStores.list()).map(({ endpoint, region, ...store }) => ({
        ...store,
        endpoint: endpoint ?? null,
        region: region ?? null,
      })),
    'stores.add': async (input) => {
      const { id, bucket, prefix, overwrite, endpoint } = input;
      const common = { id, bucket, prefix, overwrite, endpoint };
      if (input.kind === 's3') {
        const { kind, region, pathStyle, accessKeyId, secretAccessKey } = input;
        const credentials = { kind: 'keys', accessKeyId, secretAccessKey } as const;
        await namedStores.add({ ...common, kind, region, pathStyle, credentials });
      } else {
        const credentials = readServiceAccount(input.serviceAccount);
        await namedStores.add({ ...common, kind: input.kind, pathStyle: true, credentials });
      }
      return {};
    },
    'stores.remove': async ({ id }) => {
      await namedStores.remove(id);
      return {};
    },
    'stores.test': async ({ id }) => {
      const start = performance.now();
      await objectStores.test(id);
      return { milliseconds: Math.round(performance.now() - start) };
    },
  };
}

/**
 * Only keys of service accounts are accepted: other kinds of Google's credentials contain programs to run and addresses
 * to call.
 */
const keyFile = z.object({
  type: z.literal('service_account'),
  client_email: z.string().min(3),
  private_key: z.string().includes('PRIVATE KEY'),
});

function readServiceAccount(text: string | undefined): ObjectStoreCredentials {
  if (text === undefined) return { kind: 'none' };
  try {
    const { client_email: clientEmail, private_key: privateKey } = keyFile.parse(JSON.parse(text));
    return { kind: 'service-account', clientEmail, privateKey };
  } catch {
    // The cause is omitted, because its message would quote the unreadable text.
    throw new ServiceError('REQUEST_INVALID', 'This is not the JSON key of a service account.');
  }
}
