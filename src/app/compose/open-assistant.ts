import { createHttpClient } from '../../network/index.ts';
import {
  createAssistant,
  embeddedIdentity,
  embeddedRegistrar,
  remoteIdentity,
  remoteRegistrar,
  type ApplicationRegistrar,
  type Assistant,
  type IdentityProvider,
} from '../../service/assistant/index.ts';
import {
  describeCertificate,
  readCertificateStatus,
  type CertificateEvidence,
} from '../../service/certificates/index.ts';
import { parseCertificate, type HttpClient } from '../../signing/index.ts';
import { MasterKeySealer, SqlAssistantStore, type SecretStore, type Storage } from '../../storage/index.ts';
import type { Configuration } from '../config/config.ts';
import type { KeySources } from './key-sources.ts';
import type { Identity } from './open-identity.ts';

/** Services for the assistant. */
export interface AssistantParts {
  readonly configuration: Configuration;
  readonly storage: Pick<Storage, 'database'>;
  readonly secrets: SecretStore;
  /** True if values sealed by an earlier run cannot be opened any more. */
  readonly earlierAreLost: boolean;
  readonly identity: Identity;
  readonly keys: Pick<KeySources, 'ring'>;
  readonly certificateEvidence: CertificateEvidence;
  readonly now: () => Date;
}

/** Opens the assistant of this computer, with the embedded services or with configured ones. */
export async function openAssistant(parts: AssistantParts): Promise<Assistant & { close(): Promise<void> }> {
  const { configuration, storage, secrets, identity, keys, now } = parts;
  const store = new SqlAssistantStore(storage.database, new MasterKeySealer(secrets));
  if (parts.earlierAreLost) await store.forgetSealed();
  const remotes = openRemotes(configuration);
  const assistant = createAssistant({
    store,
    now,
    keys: keys.ring,
    identity: identityOf(parts, remotes.http, async () => store.computer()),
    registrar: registrarOf(parts, remotes.http),
    revokeTokens: async (username) => identity.authorization.revokeAll({ username }),
    async describe(key) {
      const certificate = parseCertificate(key.certificate);
      const known = key.chain.map(parseCertificate);
      const surroundings = { evidence: parts.certificateEvidence, now: now() };
      return describeCertificate(certificate, await readCertificateStatus(certificate, known, surroundings));
    },
  });
  return { ...assistant, close: async () => remotes.close() };
}

function identityOf(
  { configuration, identity }: AssistantParts,
  http: HttpClient,
  computer: Parameters<typeof remoteIdentity>[1],
): IdentityProvider {
  const { authorizationUrl: url } = configuration;
  return url === undefined ? embeddedIdentity(identity.accounts) : remoteIdentity({ http, url }, computer);
}

function registrarOf({ configuration, identity }: AssistantParts, http: HttpClient): ApplicationRegistrar {
  const { registryUrl: url } = configuration;
  return url === undefined ? embeddedRegistrar(identity.applications) : remoteRegistrar({ http, url });
}

/**
 * A separate network client. The configuration names these hosts, so they may be in a private network. Addresses chosen
 * by strangers never use this client.
 */
function openRemotes({ network, authorizationUrl, registryUrl }: Configuration): {
  readonly http: HttpClient;
  close(): Promise<void>;
} {
  const urls = [authorizationUrl, registryUrl].filter((url) => url !== undefined);
  const client = createHttpClient({
    allow: [...network.allow, ...urls.map((url) => new URL(url).host)],
    noProxy: network.noProxy,
    certificateAuthorities: network.certificateAuthorities,
    proxy: network.proxy === undefined ? undefined : new URL(network.proxy),
  });
  return { http: client, close: async () => client.close() };
}

/** Fingerprints of a user's certificates; empty for a person who is not a user of this computer. */
export async function linkedTo(
  assistant: Pick<Assistant, 'keysOf' | 'users'>,
  username: string,
): Promise<readonly string[]> {
  const isUser = (await assistant.users()).some((user) => user.username === username);
  return isUser ? (await assistant.keysOf(username)).map(({ fingerprint }) => fingerprint) : [];
}
