import type { Hierarchy } from '../../signing/index.ts';
import type { SettingsStore } from '../settings/index.ts';

/** A finding inside `detail`. */
export interface Finding {
  readonly status: boolean;
  readonly code: number;
  readonly message: string;
}

/** The chain's finding, with the names from the certificate upwards. */
export interface TrustFinding extends Finding {
  /** Names joined by ` > `. */
  readonly chain: string;
}

/** Date, revocation and trust of a certificate, in the form of `detail`. */
export interface CertificateFindings {
  readonly date: Finding;
  readonly crl: Finding;
  readonly trust: TrustFinding;
}

/**
 * A certificate with the field names of the interface document; null for absent values. Contains personal data: only
 * for pages of the holder and for the holder's tokens.
 */
export interface CertificateEntry {
  readonly detail: CertificateFindings;
  readonly certificate: DescribedCertificate;
}

export interface DescribedCertificate {
  /** `v3`. */
  readonly version: string;
  /** `C=BR, O=ICP-Brasil, OU=…, CN=…`, in the order of the certificate. */
  readonly dn: string;
  readonly cn: string;
  readonly basicConstraints: { readonly cA: boolean };
  /** `YYYY-MM-DDThh:mm:ss+0000`. */
  readonly validity: { readonly notBefore: string; readonly notAfter: string };
  /** Base64. */
  readonly keyIdentifier: string | null;
  /** SHA-1 of the certificate, lower-case hex. */
  readonly fingerprint: string;
  /** SHA-256 of the certificate, lower-case hex. */
  readonly fingerprint_sha256: string;
  /** Names of RFC 5280 §4.2.1.3. */
  readonly keyUsage: readonly string[];
  /** Names of RFC 5280 §4.2.1.12 (`id-kp-clientAuth`), or OIDs. */
  readonly extKeyUsage: readonly string[];
  /** Upper-case hex, without a sign byte. */
  readonly serialNumberHex: string;
  /** `sha256WithRSAEncryption`, or the OID. */
  readonly algorithm: string;
  readonly policy: {
    readonly oid: string | null;
    readonly dpc: string | null;
    readonly name: string | null;
    readonly type: string | null;
  };
  /** Base64 of the issuer's signature. */
  readonly signature: string;
  readonly publicKey: { readonly algorithm: string; readonly bits: number | null; readonly pem: string };
  readonly issuer: {
    readonly crl: readonly string[];
    readonly dn: string;
    readonly cn: string;
    readonly aia: string | null;
    /** Base64. */
    readonly keyIdentifier: string | null;
    /** SHA-1 of the issuer's certificate; null for an unknown issuer. */
    readonly fingerprint: string | null;
  };
  readonly subject: CertificateSubject;
  /** The infrastructure of the chain; null for a chain without an anchor. */
  readonly hierarchy: Hierarchy | null;
}

/**
 * The holder's data from the ICP-Brasil other names. For a company, the person's fields describe the responsible
 * person.
 */
export interface CertificateSubject {
  readonly email: string | null;
  /** `YYYY-MM-DD`. */
  readonly dataNascimento: string | null;
  readonly cpf: string | null;
  readonly nis: string | null;
  readonly rg: { readonly numero: string | null; readonly emissor: string | null; readonly uf: string | null };
  readonly cei: string | null;
  readonly tituloEleitor: {
    readonly numero: string | null;
    readonly zona: string | null;
    readonly secao: string | null;
    readonly municipio: string | null;
    readonly uf: string | null;
  };
  /** 14 characters; letters are possible. */
  readonly cnpj: string | null;
  readonly razaoSocial: string | null;
  readonly responsavel: string | null;
}

const SETTING = 'certificates.default';
const FINGERPRINT = /^[0-9a-f]{64}$/;

/** Lower-case hex SHA-256 of the default certificate; undefined if the user has chosen none. */
export async function readDefaultCertificate(settings: Pick<SettingsStore, 'read'>): Promise<string | undefined> {
  const value = await settings.read(SETTING);
  return typeof value === 'string' && FINGERPRINT.test(value) ? value : undefined;
}

/** Stores the default certificate; undefined removes the choice. */
export async function writeDefaultCertificate(
  settings: Pick<SettingsStore, 'write' | 'remove'>,
  fingerprint: string | undefined,
): Promise<void> {
  if (fingerprint === undefined) await settings.remove(SETTING);
  else await settings.write(SETTING, fingerprint);
}
