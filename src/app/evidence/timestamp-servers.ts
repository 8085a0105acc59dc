import { z } from 'zod';
import { ServiceError } from '../../service/errors/index.ts';
import type { SettingsStore } from '../../service/settings/index.ts';
import { TIMESTAMP_DIGESTS, type TimestampAuthentication, type TimestampAuthority } from '../../signing/index.ts';
import { openSealed, seal, withMasterKey, type SecretStore } from '../../storage/index.ts';

const setting = 'tsa.servers';

/** The id of the running test services. */
export const testServerId = 'test';

const authenticationSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('basic'), user: z.string(), password: z.string() }),
  z.object({ kind: z.literal('bearer'), token: z.string() }),
  z.object({ kind: z.literal('client-certificate'), certificate: z.string(), privateKey: z.string() }),
]) satisfies z.ZodType<TimestampAuthentication>;

const storedSchema = z.array(
  z.object({
    id: z.string(),
    url: z.string(),
    digest: z.enum(TIMESTAMP_DIGESTS),
    policy: z.string().optional(),
    timeout: z.number(),
    authentication: z.enum(['none', 'basic', 'bearer', 'client-certificate']),
    /** Base64 of the sealed authentication; absent when there is none. */
    sealed: z.string().optional(),
  }),
);

/** A time stamp server in the list, without secrets. */
export type TimestampServer = Omit<z.output<typeof storedSchema>[number], 'sealed'>;

/** A server to be added. */
export interface TimestampServerEntry extends Omit<TimestampServer, 'authentication'> {
  readonly authentication: TimestampAuthentication;
}

type Stored = z.output<typeof storedSchema>[number];

const idPattern = /^[A-Za-z0-9._-]{1,64}$/;

/** The place to which a seal is bound: credentials can only be opened for their own address. */
const place = ({ id, url }: Pick<Stored, 'id' | 'url'>): string => `settings|tsa.servers|${id}|${url}`;

/** The time stamp servers of this instance, in the order of requests; credentials are stored sealed. */
export class TimestampServers {
  readonly #settings: SettingsStore;
  readonly #secrets: Pick<SecretStore, 'getMasterKey'>;
  readonly #findTestServices: () => Promise<string | undefined>;
  #revision = 0;

  constructor(
    settings: SettingsStore,
    secrets: Pick<SecretStore, 'getMasterKey'>,
    findTestServices: () => Promise<string | undefined>,
  ) {
    this.#settings = settings;
    this.#secrets = secrets;
    this.#findTestServices = findTestServices;
  }

  /** Increases with every change. */
  get revision(): number {
    return this.#revision;
  }

  /** The added servers, and the server of the test services while they run. */
  async list(): Promise<readonly TimestampServer[]> {
    const stored = (await this.#read()).map(withoutSecret);
    const origin = await this.#findTestServices();
    return origin === undefined ? stored : [...stored, testServer(origin)];
  }

  /** Adds a server at the end, or replaces the server with its id. */
  async add(entry: TimestampServerEntry): Promise<void> {
    refuseWrong(entry);
    const { authentication, ...server } = entry;
    const stored: Stored = { ...server, authentication: authentication.kind };
    if (authentication.kind !== 'none') {
      const content = Buffer.from(JSON.stringify(authentication), 'utf8');
      stored.sealed = await withMasterKey(this.#secrets, (key) => seal(key, content, place(stored)).toString('base64'));
      content.fill(0);
    }
    const present = await this.#read();
    const isKnown = present.some(({ id }) => id === entry.id);
    const next = isKnown ? present.map((one) => (one.id === entry.id ? stored : one)) : [...present, stored];
    await this.#write(next);
  }

  async remove(id: string): Promise<void> {
    const present = await this.#read();
    const others = present.filter((one) => one.id !== id);
    if (others.length === present.length) {
      throw new ServiceError('NOT_FOUND', `No time-stamp server was added as "${id}".`);
    }
    await this.#write(others);
  }

  /** Sets the order of requests; `ids` names each added server once. */
  async reorder(ids: readonly string[]): Promise<void> {
    const present = new Map((await this.#read()).map((one) => [one.id, one]));
    const ordered = ids.map((id) => present.get(id)).filter((one) => one !== undefined);
    if (new Set(ids).size !== ids.length || ordered.length !== present.size || ids.length !== present.size) {
      throw new ServiceError('REQUEST_INVALID', 'Name each time-stamp server that was added once.');
    }
    await this.#write(ordered);
  }

  /** Removes servers whose credentials were sealed under a lost key. */
  async forgetSealed(): Promise<void> {
    const present = await this.#read();
    if (!present.some(({ sealed }) => sealed !== undefined)) return;
    await this.#write(present.filter(({ sealed }) => sealed === undefined));
  }

  /**
   * Servers with their credentials: the server with this id, or all in their order. Without an id the test server is
   * used only if no other server exists, so that a worthless stamp never replaces a paid one.
   */
  async open(id?: string): Promise<readonly TimestampAuthority[]> {
    const origin = await this.#findTestServices();
    const all = await this.#read();
    const wanted = id === undefined ? all : all.filter((one) => one.id === id);
    const opened = await Promise.all(wanted.map(async (one) => this.#open(one)));
    const isMeant = id === undefined ? opened.length === 0 : id === testServerId;
    if (origin === undefined || !isMeant) return opened;
    return [...opened, { ...testServer(origin), authentication: { kind: 'none' } }];
  }

  async #open({ sealed, id, url, digest, timeout, policy }: Stored): Promise<TimestampAuthority> {
    const authority = { id, url, digest, timeout, policy };
    if (sealed === undefined) return { ...authority, authentication: { kind: 'none' } };
    const content = await withMasterKey(this.#secrets, (key) =>
      openSealed(key, Buffer.from(sealed, 'base64'), place({ id, url })),
    );
    try {
      return { ...authority, authentication: authenticationSchema.parse(JSON.parse(content.toString('utf8'))) };
    } finally {
      content.fill(0);
    }
  }

  async #read(): Promise<z.output<typeof storedSchema>> {
    const result = storedSchema.safeParse(await this.#settings.read(setting));
    return result.success ? result.data : [];
  }

  async #write(servers: readonly Stored[]): Promise<void> {
    await this.#settings.write(setting, servers);
    this.#revision += 1;
  }
}

function withoutSecret({ id, url, digest, timeout, policy, authentication }: Stored): TimestampServer {
  return { id, url, digest, timeout, authentication, policy };
}

const testServer = (origin: string): Omit<TimestampServer, 'policy'> => ({
  id: testServerId,
  url: `${origin}/tsa`,
  digest: 'sha256',
  timeout: 10_000,
  authentication: 'none',
});

function refuseWrong({ id, url, policy, authentication }: TimestampServerEntry): void {
  const refuse = (detail: string): never => {
    throw new ServiceError('REQUEST_INVALID', detail);
  };
  if (!idPattern.test(id)) refuse('An id has 1 to 64 letters, digits, dots, underscores or hyphens.');
  if (id === testServerId) refuse('The id "test" belongs to the test services: choose another one.');
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) refuse('The address must begin with http:// or https://.');
  if (parsed?.username !== '' || parsed.password !== '') refuse('Give the credentials apart from the address.');
  if (authentication.kind !== 'none' && parsed?.protocol === 'http:' && parsed.hostname !== '127.0.0.1') {
    refuse('Credentials are sent over https only: give an https address.');
  }
  if (policy !== undefined && !/^[0-2](\.\d+)+$/.test(policy)) refuse('A policy is given as a dotted OID.');
}
