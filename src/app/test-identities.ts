import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ServiceError, type KeyVault, type SettingsStore } from '../service/index.ts';
import { openSealed, seal, type SecretStore } from '../storage/index.ts';
import {
  createTestAuthority,
  issueTestPerson,
  TestAuthorityError,
  type TestAuthority,
  type TestIdentity,
  type TestPersonRequest,
} from '../test-authority/index.ts';

const setting = 'test_authority';
/** What the seal of the authority is bound to. */
const place = 'settings|test_authority|1';

const octets = z.base64().transform((text) => Buffer.from(text, 'base64'));
const identity = z.object({ privateKey: octets, certificate: octets, chain: z.array(octets) });
const authoritySchema = z.object({ root: identity, issuing: identity, urls: z.object({}) });

/** Makes people for tests and demonstrations, all below one test authority, whose keys rest sealed like all others. */
export class TestIdentities {
  readonly #settings: SettingsStore;
  readonly #secrets: Pick<SecretStore, 'getMasterKey'>;
  readonly #vault: KeyVault;

  constructor(settings: SettingsStore, secrets: Pick<SecretStore, 'getMasterKey'>, vault: KeyVault) {
    this.#settings = settings;
    this.#secrets = secrets;
    this.#vault = vault;
  }

  /** Issues a certificate and puts its key into the vault; answers the SHA-256 of the certificate. */
  async make(person: TestPersonRequest): Promise<string> {
    const issued = await this.#issue(person);
    const fingerprint = createHash('sha256').update(issued.certificate).digest('hex');
    try {
      await this.#vault.add({ id: fingerprint, label: person.name, ...issued });
    } finally {
      issued.privateKey.fill(0);
    }
    return fingerprint;
  }

  /** Forgets the authority; the next identity gets another one. */
  async forgetAuthority(): Promise<void> {
    await this.#settings.remove(setting);
  }

  async #issue(person: TestPersonRequest): Promise<TestIdentity> {
    const authority = await this.#authority();
    try {
      return await issueTestPerson(authority, person);
    } catch (error) {
      if (!(error instanceof TestAuthorityError)) throw error;
      throw new ServiceError('REQUEST_INVALID', error.message, { cause: error });
    } finally {
      authority.root.privateKey.fill(0);
      authority.issuing.privateKey.fill(0);
    }
  }

  async #authority(): Promise<TestAuthority> {
    const masterKey = await this.#secrets.getMasterKey();
    try {
      const sealed = z.base64().safeParse(await this.#settings.read(setting));
      if (sealed.success) return readAuthority(openSealed(masterKey, Buffer.from(sealed.data, 'base64'), place));
      const authority = await createTestAuthority();
      await this.#settings.write(setting, seal(masterKey, writeAuthority(authority), place).toString('base64'));
      return authority;
    } finally {
      masterKey.fill(0);
    }
  }
}

function writeAuthority({ root, issuing }: TestAuthority): Buffer {
  const plain = ({ privateKey, certificate, chain }: TestIdentity): object => ({
    privateKey: privateKey.toString('base64'),
    certificate: certificate.toString('base64'),
    chain: chain.map((one) => one.toString('base64')),
  });
  return Buffer.from(JSON.stringify({ root: plain(root), issuing: plain(issuing), urls: {} }));
}

function readAuthority(content: Buffer): TestAuthority {
  return authoritySchema.parse(JSON.parse(content.toString('utf8')));
}
