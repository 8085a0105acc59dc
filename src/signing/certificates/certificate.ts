import type { KeyObject } from 'node:crypto';

/** An attribute of a distinguished name. */
export interface NameAttribute {
  readonly oid: string;
  /** Short name (`CN`, `O`, `OU`, `C`, …) or the OID where there is none (RFC 4514 §3 and common use). */
  readonly type: string;
  readonly value: string;
}

/** A parsed X.509 certificate (RFC 5280 §4.1). Names and serial numbers stay raw slices and are never re-encoded. */
export interface Certificate {
  readonly der: Buffer;
  /** Content bytes of the serial number INTEGER, unchanged. */
  readonly serialNumber: Buffer;
  /** DER of the issuer Name. */
  readonly issuer: Buffer;
  /** DER of the subject Name. */
  readonly subject: Buffer;
  readonly issuerAttributes: readonly NameAttribute[];
  readonly subjectAttributes: readonly NameAttribute[];
  /** The subject's last CN; else its last O or OU; else the hex serial number. Never empty. */
  readonly commonName: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** OID of the issuer's signature algorithm. */
  readonly signatureAlgorithm: string;
  /** DER of SubjectPublicKeyInfo. */
  readonly publicKeyInfo: Buffer;
  /** Algorithm OID inside SubjectPublicKeyInfo. */
  readonly publicKeyAlgorithm: string;
  /** Bit numbers of KeyUsage (RFC 5280 §4.2.1.3), or undefined when the extension is absent. */
  readonly keyUsage: readonly number[] | undefined;
  readonly extendedKeyUsage: readonly string[] | undefined;
  /** The `cA` flag of BasicConstraints (RFC 5280 §4.2.1.9). KeyUsage decides whether the key may sign certificates. */
  readonly isCertificateAuthority: boolean;
  readonly subjectKeyIdentifier: Buffer | undefined;
  readonly authorityKeyIdentifier: Buffer | undefined;
  /** Extension values by OID: the content of `extnValue`. */
  readonly extensions: ReadonlyMap<string, { readonly critical: boolean; readonly value: Buffer }>;
  /** Lower-case hex SHA-256 of the DER. */
  readonly fingerprint: string;
  /** The public key. Throws `CERTIFICATE_MALFORMED` when Node cannot read the key. */
  publicKey(): KeyObject;
}

/**
 * True from `notBefore` to `notAfter`, both included. Numbers are compared, because comparing dates allocates two
 * objects each time.
 */
export function isValidAt({ notBefore, notAfter }: Pick<Certificate, 'notBefore' | 'notAfter'>, at: Date): boolean {
  const time = at.getTime();
  return notBefore.getTime() <= time && time <= notAfter.getTime();
}

/**
 * The holder's data in the ICP-Brasil other names (DOC-ICP-04 §7.1.2.3). A number that consists of zeros only counts as
 * absent.
 */
export interface IcpBrasilIdentity {
  readonly kind: 'person' | 'company' | 'equipment';
  /** YYYY-MM-DD. */
  readonly birthDate?: string;
  /** 11 digits. Personal data: mask the number everywhere except on the owner's pages. */
  readonly cpf?: string;
  /** 14 characters; letters are possible. */
  readonly cnpj?: string;
  readonly companyName?: string;
  readonly responsibleName?: string;
  readonly nis?: string;
  readonly rg?: { readonly number: string; readonly issuer?: string; readonly state?: string };
  readonly voterId?: {
    readonly number: string;
    readonly zone?: string;
    readonly section?: string;
    readonly municipality?: string;
    readonly state?: string;
  };
  readonly cei?: string;
  readonly email?: string;
}
