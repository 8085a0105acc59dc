/** The calls about object stores. */
import { z } from 'zod';
import { nothing } from './views.ts';

const storeId = z.string().min(1).max(64);

export const objectStoreView = z.object({
  id: storeId,
  kind: z.enum(['s3', 'gcs']),
  /** Origin of the server; null: Amazon's for the region, Google's. */
  endpoint: z.string().nullable(),
  /** Of S3 only. */
  region: z.string().nullable(),
  bucket: z.string(),
  /** Empty, or a folder with a trailing slash: nothing outside of it is read or written. */
  prefix: z.string(),
  pathStyle: z.boolean(),
  /** True if results replace existing objects. */
  overwrite: z.boolean(),
});

const common = {
  id: storeId,
  endpoint: z.string().max(500).optional(),
  bucket: z.string().max(222),
  prefix: z.string().max(512).default(''),
  overwrite: z.boolean().default(false),
};

/** Name → schemas of input and output. */
export const storeCalls = {
  /** In their order: results that have only a name go to the first store of a kind. */
  'stores.list': { input: nothing, output: z.array(objectStoreView) },
  /** Adds a store, or changes the store with this id. */
  'stores.add': {
    input: z.discriminatedUnion('kind', [
      z.object({
        ...common,
        kind: z.literal('s3'),
        region: z.string().max(64).default('us-east-1'),
        pathStyle: z.boolean().default(false),
        accessKeyId: z.string().min(1).max(500),
        secretAccessKey: z.string().min(1).max(500),
      }),
      z.object({
        ...common,
        kind: z.literal('gcs'),
        /** The JSON key file of a service account; absent for emulators. */
        serviceAccount: z.string().max(20_000).optional(),
      }),
    ]),
    output: nothing,
  },
  'stores.remove': { input: z.object({ id: storeId }), output: nothing },
  /** Lists the start of the store's prefix; a failure has the reason. */
  'stores.test': { input: z.object({ id: storeId }), output: z.object({ milliseconds: z.number() }) },
} as const;
