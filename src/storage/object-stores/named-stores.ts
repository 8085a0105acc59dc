import { z } from 'zod';
import { ServiceError } from '../../service/errors/index.ts';
import type { SettingsStore } from '../../service/settings/index.ts';
import { openSealed, seal } from '../secrets/envelope.ts';
import { withMasterKey, type SecretStore } from '../secrets/secret-store.ts';
import {
  checkEntry,
  placeOfStore,
  type ObjectStoreCredentials,
  type ObjectStoreEntry,
  type OpenObjectStore,
} from './store-entry.ts';

const setting = 'object_stores';

const credentialsSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('keys'), accessKeyId: z.string(), secretAccessKey: z.string() }),
  z.object({ kind: z.literal('service-account'), clientEmail: z.string(), privateKey: z.string() }),
  z.object({ kind: z.literal('none') }),
]) satisfies z.ZodType<ObjectStoreCredentials>;

const storedSchema = z.array(
  z.object({
    id: z.string(),
    kind: z.enum(['s3', 'gcs']),
    endpoint: z.string().optional(),
    region: z.string().optional(),
    bucket: z.string(),
    prefix: z.string(),
    pathStyle: z.boolean(),
    overwrite: z.boolean(),
    /** Base64 of the sealed credentials; absent when there are none. */
    sealed: z.string().optional(),
  }),
);

type Stored = z.output<typeof storedSchema>[number];

/** The place to which a seal is bound: credentials can only be opened for their own server and bucket. */
const placeOfSeal = ({ id, kind, endpoint = '', bucket }: Stored): string =>
  `settings|object_stores|${id}|${kind}|${endpoint}|${bucket}`;

/** The object stores in the settings of this instance, in their order; credentials are stored sealed. */
export class NamedStores {
  readonly #settings: SettingsStore;
  readonly #secrets: Pick<SecretStore, 'getMasterKey'>;

  constructor(settings: SettingsStore, secrets: Pick<SecretStore, 'getMasterKey'>) {
    this.#settings = settings;
    this.#secrets = secrets;
  }

  async list(): Promise<readonly ObjectStoreEntry[]> {
    return (await this.#read()).map(withoutSeal);
  }

  /** Adds a store, or changes the store with this id. `REQUEST_INVALID`. */
  async add(given: OpenObjectStore): Promise<void> {
    const { credentials, ...entry } = checkEntry(given);
    const present = await this.#read();
    const rival = present.find((one) => one.id !== entry.id && placeOfStore(one) === placeOfStore(entry));
    if (rival !== undefined) {
      const detail = `The store ${rival.id} has this bucket and prefix: requests could not tell the two apart.`;
      throw new ServiceError('REQUEST_INVALID', detail);
    }
    const stored = await this.#sealed(entry, credentials);
    const isKnown = present.some(({ id }) => id === entry.id);
    await this.#write(isKnown ? present.map((one) => (one.id === entry.id ? stored : one)) : [...present, stored]);
  }

  /** `NOT_FOUND`. */
  async remove(id: string): Promise<void> {
    const present = await this.#read();
    const others = present.filter((one) => one.id !== id);
    if (others.length === present.length) throw unknownStore(id);
    await this.#write(others);
  }

  /** With its credentials. `NOT_FOUND`; errors of the secret store pass. */
  async open(id: string): Promise<OpenObjectStore> {
    const stored = (await this.#read()).find((one) => one.id === id);
    if (stored === undefined) throw unknownStore(id);
    const entry = withoutSeal(stored);
    if (stored.sealed === undefined) return { ...entry, credentials: { kind: 'none' } };
    const sealed = Buffer.from(stored.sealed, 'base64');
    const content = await withMasterKey(this.#secrets, (key) => openSealed(key, sealed, placeOfSeal(stored)));
    try {
      return { ...entry, credentials: credentialsSchema.parse(JSON.parse(content.toString('utf8'))) };
    } finally {
      content.fill(0);
    }
  }

  /** Forgets stores with credentials sealed under a lost key. */
  async forgetSealed(): Promise<void> {
    const present = await this.#read();
    const others = present.filter(({ sealed }) => sealed === undefined);
    if (others.length < present.length) await this.#write(others);
  }

  async #sealed(entry: ObjectStoreEntry, credentials: ObjectStoreCredentials): Promise<Stored> {
    if (credentials.kind === 'none') return entry;
    const content = Buffer.from(JSON.stringify(credentials), 'utf8');
    const sealed = await withMasterKey(this.#secrets, (key) =>
      seal(key, content, placeOfSeal(entry)).toString('base64'),
    );
    content.fill(0);
    return { ...entry, sealed };
  }

  async #read(): Promise<readonly Stored[]> {
    const result = storedSchema.safeParse(await this.#settings.read(setting));
    return result.success ? result.data : [];
  }

  async #write(stores: readonly Stored[]): Promise<void> {
    await this.#settings.write(setting, stores);
  }
}

function withoutSeal({ id, kind, endpoint, region, bucket, prefix, pathStyle, overwrite }: Stored): ObjectStoreEntry {
  const entry = { id, kind, bucket, prefix, pathStyle, overwrite };
  return { ...entry, endpoint, region };
}

const unknownStore = (id: string): ServiceError => new ServiceError('NOT_FOUND', `No object store is named "${id}".`);
