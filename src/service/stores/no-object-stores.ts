import { ServiceError } from '../errors/index.ts';
import type { ObjectStores } from './object-stores.ts';

/** The stores of an instance without any. */
export const noObjectStores: ObjectStores = {
  expectConfigured: async () => refuse(),
  defaultPlace: async () => refuse(),
  read: async () => refuse(),
  expectFree: async () => refuse(),
  write: async () => refuse(),
  holds: async () => Promise.resolve(false),
};

function refuse(): Promise<never> {
  const message = 'No object store is configured here: send the documents by upload, data URL or path.';
  return Promise.reject(new ServiceError('STORE_NOT_CONFIGURED', message));
}
