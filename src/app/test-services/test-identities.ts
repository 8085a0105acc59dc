import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { KeyVault } from '../../service/certificates/index.ts';
import { ServiceError } from '../../service/errors/index.ts';
import type { SettingsStore } from '../../service/settings/index.ts';
import { parseCertificate, type Certificate } from '../../signing/index.ts';
import { openSealed, seal, type SecretStore } from '../../storage/index.ts';
import {
  createTestAuthority,
  issueTestCompany,
  issueTestPerson,
  TestAuthorityError,
  testServiceUrls,
  type TestAuthority,
  type TestCompanyRequest,
  type TestIdentity,
  type TestPersonRequest,
} from '../../test-authority/index.ts';

const setting = 'test_authority';
export const testRootsSetting = 'test_authority.roots';
/** Years that the issuing authority is valid: longer than any certificate that it issues. */
const AUTHORITY_YEARS = 20;
/** The place to which the authority's seal is bound. */
const place = 'settings|test_authority|1';

const bytes = z.base64().transform((text) => Buffer.from(text, 'base64'));
const identity = z.object({ privateKey: bytes, certificate: bytes, chain: z.array(bytes) });
const urlsSchema = z.object({ crl: z.array(z.string()), ocsp: z.string(), issuer: z.string() });
const authoritySchema = z.object({
  root: identity,
  issuing: identity,
  /** An authority of an old version has no addresses, neither here nor in its certificates. */
  urls: z.union([urlsSchema.extend({ above: urlsSchema }), z.object({})]),
});

/** The holder of a test identity: a person, or a company with the person responsible for its certificate. */
export type TestHolderRequest = TestPersonRequest | TestCompanyRequest;

/** Services for test identities. */
export interface TestIdentityParts {
  readonly settings: SettingsStore;
  readonly secrets: Pick<SecretStore, 'getMasterKey'>;
  readonly vault: KeyVault;
  /** Port of the test services: certificates have this address. */
  readonly servicesPort: number;
}

/** Roots of all test authorities of this data folder; readable without the master key. */
export async function testRoots(settings: SettingsStore): Promise<readonly Certificate[]> {
  const result = z.array(bytes).safeParse(await settings.read(testRootsSetting));
  return (result.success ? result.data : []).map(parseCertificate);
}

/** Makes people and companies for tests and demonstrations, all below the same test authority with sealed keys. */
export class TestIdentities {
  readonly #parts: TestIdentityParts;

  constructor(parts: TestIdentityParts) {
    this.#parts = parts;
  }

  /** Issues a certificate and puts its key into the vault; answers the SHA-256 of the certificate. */
  async make(holder: TestHolderRequest): Promise<string> {
    const issued = await this.#issue(holder);
    const fingerprint = createHash('sha256').update(issued.certificate).digest('hex');
    try {
      await this.#parts.vault.add({ id: fingerprint, label: holder.name, ...issued });
    } finally {
      issued.privateKey.fill(0);
    }
    return fingerprint;
  }

  /**
   * Opens the authority with its keys, or makes one at its first use. An authority without addresses in its
   * certificates is replaced: its old certificates stay usable, but sign without revocation data.
   */
  async openAuthority(): Promise<TestAuthority> {
    const masterKey = await this.#parts.secrets.getMasterKey();
    try {
      const { settings, servicesPort } = this.#parts;
      const sealed = z.base64().safeParse(await settings.read(setting));
      const present = sealed.success
        ? readAuthority(openSealed(masterKey, bytes.parse(sealed.data), place))
        : undefined;
      if (present !== undefined) await this.#keepRoot(present);
      if (present?.urls.ocsp !== undefined) return present;
      const urls = testServiceUrls(`http://127.0.0.1:${servicesPort}`);
      const authority = await createTestAuthority({ urls, years: AUTHORITY_YEARS });
      await settings.write(setting, seal(masterKey, writeAuthority(authority), place).toString('base64'));
      await this.#keepRoot(authority);
      return authority;
    } finally {
      masterKey.fill(0);
    }
  }

  /** Forgets the authority; the next identity gets a new authority. */
  async forgetAuthority(): Promise<void> {
    await this.#parts.settings.remove(setting);
  }

  async #keepRoot({ root: { certificate } }: TestAuthority): Promise<void> {
    const { settings } = this.#parts;
    const present = (await testRoots(settings)).map(({ der }) => der.toString('base64'));
    const added = certificate.toString('base64');
    if (!present.includes(added)) await settings.write(testRootsSetting, [...present, added]);
  }

  async #issue(holder: TestHolderRequest): Promise<TestIdentity> {
    const authority = await this.openAuthority();
    try {
      const { notAfter } = parseCertificate(authority.issuing.certificate);
      if (holder.notAfter !== undefined && holder.notAfter > notAfter) {
        const end = notAfter.toISOString().slice(0, 10);
        throw new TestAuthorityError(
          'FIELD_INVALID',
          `The test authority of this data folder ends on ${end}: ask for fewer years.`,
        );
      }
      return await ('cnpj' in holder ? issueTestCompany(authority, holder) : issueTestPerson(authority, holder));
    } catch (error) {
      if (!(error instanceof TestAuthorityError)) throw error;
      throw new ServiceError('REQUEST_INVALID', error.message, { cause: error });
    } finally {
      wipeAuthority(authority);
    }
  }
}

/** Clears the private keys of an authority after use. */
export function wipeAuthority({ root, issuing }: TestAuthority): void {
  root.privateKey.fill(0);
  issuing.privateKey.fill(0);
}

function writeAuthority({ root, issuing, urls }: TestAuthority): Buffer {
  const plain = ({ privateKey, certificate, chain }: TestIdentity): object => ({
    privateKey: privateKey.toString('base64'),
    certificate: certificate.toString('base64'),
    chain: chain.map((one) => one.toString('base64')),
  });
  return Buffer.from(JSON.stringify({ root: plain(root), issuing: plain(issuing), urls }));
}

function readAuthority(content: Buffer): TestAuthority {
  return authoritySchema.parse(JSON.parse(content.toString('utf8')));
}
