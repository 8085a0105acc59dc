/**
 * A certification authority for tests and demonstrations: a root and an issuing CA like ICP-Brasil's, made in code. The
 * authority is plain data, so that a caller can store and reuse the authority. Every name states the missing legal
 * value.
 */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { Oid, parseCertificate } from '../signing/index.ts';
import {
  KeyUsageBit,
  authorityConstraints,
  authorityInformationAccess,
  authorityKeyIdentifier,
  crlDistributionPoints,
  keyIdentifier,
  keyUsage,
  subjectKeyIdentifier,
} from './extensions.ts';
import { exportPrivateKey, exportPublicKey, makeKeyPair, type TestKeyKind } from './key-pairs.ts';
import { writeCertificate, writeName, type AuthorityKey, type NameAttributes } from './write-certificate.ts';

/** A private key with its certificate and the certificates above. */
export interface TestIdentity {
  /** PKCS#8 PrivateKeyInfo, DER, in the clear. */
  readonly privateKey: Buffer;
  /** DER. */
  readonly certificate: Buffer;
  /** DER of the issuers, nearest first, the root last; empty for the root itself. */
  readonly chain: readonly Buffer[];
  /** Signs with SHA-3; absent: with SHA-2. */
  readonly hashes?: 'sha3';
}

/** Addresses in issued certificates; absent addresses are left out. */
export interface TestAuthorityUrls {
  /** Addresses of the issuing CA's CRL. ICP-Brasil's certificates name two addresses. */
  readonly crl?: readonly string[];
  readonly ocsp?: string;
  /** Address of the issuing CA's certificate. */
  readonly issuer?: string;
  /** Addresses in the issuing CA's own certificate; nested once more, addresses in the certificate of the CA above. */
  readonly above?: TestAuthorityUrls;
}

/** Options of a test authority. */
export interface TestAuthorityOptions {
  /** By default `rsa-2048`. */
  readonly keyKind?: TestKeyKind;
  /** Everything that the authority and its services sign is signed with SHA-3; by default with SHA-2. */
  readonly hashes?: 'sha3';
  /** Added to the names of all CAs; by default nothing. */
  readonly label?: string;
  /** Puts another CA between the root and the issuing CA, as in ICP-Brasil; by default false. */
  readonly intermediate?: boolean;
  readonly urls?: TestAuthorityUrls;
  /** Begin of the certificates' validity; by default an hour ago, so that clocks may differ. */
  readonly notBefore?: Date;
  /** Minimum validity of the issuing CA in years; the CAs above are valid for longer. By default 8. */
  readonly years?: number;
}

/** A root and an issuing CA for people and companies. */
export interface TestAuthority {
  readonly root: TestIdentity;
  /** Present when a CA was put between the root and the issuing CA. */
  readonly intermediate?: TestIdentity;
  readonly issuing: TestIdentity;
  readonly urls: TestAuthorityUrls;
}

/** Contents of a certificate below the issuing CA. */
export interface TestCertificateRequest {
  readonly subject: NameAttributes;
  /** Finished Extensions besides key identifiers, CRL distribution points and information access. */
  readonly extensions: readonly Uint8Array[];
}

/** Options of every issued certificate. */
export interface TestIssueOptions {
  /** By default `rsa-2048`. */
  readonly keyKind?: TestKeyKind;
  /** By default an hour ago. */
  readonly notBefore?: Date;
  /** By default a year after `notBefore`. */
  readonly notAfter?: Date;
  /** Unsigned bytes; random by default. */
  readonly serialNumber?: Uint8Array;
}

const HOUR = 60 * 60 * 1000;
const NO_LEGAL_VALUE = 'SEM VALOR LEGAL';
const ROOT_YEARS = 13;
const INTERMEDIATE_YEARS = 10;
const ISSUING_YEARS = 8;

/** Country, organisation and remark at the beginning of all test names. */
export const TEST_NAME_BASE: NameAttributes = [
  [Oid.countryName, 'BR'],
  [Oid.organizationName, 'ICP-Brasil de Teste Sinete'],
  [Oid.organizationalUnitName, NO_LEGAL_VALUE],
];

const anHourAgo = (): Date => new Date(Date.now() - HOUR);

/** The same day and time of a later year. */
export function yearsAfter(date: Date, years: number): Date {
  const later = new Date(date);
  later.setUTCFullYear(later.getUTCFullYear() + years);
  return later;
}

/** The identity's key. */
export const privateKeyOf = (identity: TestIdentity): KeyObject =>
  createPrivateKey({ key: identity.privateKey, format: 'der', type: 'pkcs8' });

/** The identity's key and its choice of hash functions. */
export const authorityKeyOf = (identity: TestIdentity): AuthorityKey => withHashes(privateKeyOf(identity), identity);

const withHashes = (key: KeyObject, { hashes }: Pick<TestIdentity, 'hashes'>): AuthorityKey =>
  hashes === undefined ? key : { key, hashes };

function authorityName(kind: 'Raiz' | 'Intermediária' | 'Emissora', label: string | undefined): Buffer {
  const name = ['AC', kind, 'de Teste', label, NO_LEGAL_VALUE].filter((part) => part !== undefined).join(' ');
  return writeName([...TEST_NAME_BASE, [Oid.commonName, name]]);
}

async function createRoot(options: TestAuthorityOptions, notBefore: Date): Promise<TestIdentity> {
  const { privateKey, publicKey } = await makeKeyPair(options.keyKind ?? 'rsa-2048');
  const name = authorityName('Raiz', options.label);
  const identifier = keyIdentifier(exportPublicKey(publicKey));
  const extensions = [
    authorityConstraints(),
    keyUsage([KeyUsageBit.keyCertSign, KeyUsageBit.crlSign]),
    subjectKeyIdentifier(identifier),
  ];
  const notAfter = yearsAfter(notBefore, Math.max(ROOT_YEARS, (options.years ?? 0) + 2));
  const fields = { issuer: name, subject: name, notBefore, notAfter, publicKey, extensions };
  const hashes = { hashes: options.hashes };
  const certificate = writeCertificate(fields, withHashes(privateKey, hashes));
  return { privateKey: exportPrivateKey(privateKey), certificate, chain: [], ...hashes };
}

interface Subordinate {
  readonly kind: 'Intermediária' | 'Emissora';
  readonly above: TestIdentity;
  readonly years: number;
  /** Maximum number of CAs below. */
  readonly pathLength: number;
  /** Addresses in its certificate. */
  readonly urls: TestAuthorityUrls | undefined;
}

async function createSubordinate(
  options: TestAuthorityOptions,
  { kind, above, years, pathLength, urls }: Subordinate,
  notBefore: Date,
): Promise<TestIdentity> {
  const { privateKey, publicKey } = await makeKeyPair(options.keyKind ?? 'rsa-2048');
  const issuerKey = privateKeyOf(above);
  const extensions = [
    authorityConstraints(pathLength),
    keyUsage([KeyUsageBit.keyCertSign, KeyUsageBit.crlSign]),
    subjectKeyIdentifier(keyIdentifier(exportPublicKey(publicKey))),
    authorityKeyIdentifier(keyIdentifier(exportPublicKey(createPublicKey(issuerKey)))),
    ...pointers(urls ?? {}),
  ];
  const fields = {
    issuer: parseCertificate(above.certificate).subject,
    subject: authorityName(kind, options.label),
    notBefore,
    notAfter: yearsAfter(notBefore, years),
    publicKey,
    extensions,
  };
  const certificate = writeCertificate(fields, authorityKeyOf(above));
  const chain = [above.certificate, ...above.chain];
  return { privateKey: exportPrivateKey(privateKey), certificate, chain, hashes: options.hashes };
}

/** Makes a root and an issuing CA, and on request an intermediate CA, with fresh keys. */
export async function createTestAuthority(options: TestAuthorityOptions = {}): Promise<TestAuthority> {
  const notBefore = options.notBefore ?? anHourAgo();
  const urls = options.urls ?? {};
  const root = await createRoot(options, notBefore);
  const issuing = {
    kind: 'Emissora',
    years: Math.max(ISSUING_YEARS, options.years ?? 0),
    pathLength: 0,
    urls: urls.above,
  } as const;
  if (options.intermediate !== true) {
    return { root, issuing: await createSubordinate(options, { ...issuing, above: root }, notBefore), urls };
  }
  const middle = {
    kind: 'Intermediária',
    above: root,
    years: Math.max(INTERMEDIATE_YEARS, (options.years ?? 0) + 1),
    pathLength: 1,
  } as const;
  const intermediate = await createSubordinate(options, { ...middle, urls: urls.above?.above }, notBefore);
  return {
    root,
    intermediate,
    issuing: await createSubordinate(options, { ...issuing, above: intermediate }, notBefore),
    urls,
  };
}

function pointers(urls: TestAuthorityUrls): readonly Buffer[] {
  const { crl, ocsp, issuer } = urls;
  return [
    ...(crl === undefined || crl.length === 0 ? [] : [crlDistributionPoints(crl)]),
    ...(ocsp === undefined && issuer === undefined ? [] : [authorityInformationAccess({ ocsp, issuer })]),
  ];
}

/** Issues a certificate with a fresh key below the issuing CA: the common part of people, companies and services. */
export async function issueTestCertificate(
  authority: TestAuthority,
  request: TestCertificateRequest,
  options: TestIssueOptions = {},
): Promise<TestIdentity> {
  const { privateKey, publicKey } = await makeKeyPair(options.keyKind ?? 'rsa-2048');
  const issuerKey = privateKeyOf(authority.issuing);
  const notBefore = options.notBefore ?? anHourAgo();
  const extensions = [
    ...request.extensions,
    subjectKeyIdentifier(keyIdentifier(exportPublicKey(publicKey))),
    authorityKeyIdentifier(keyIdentifier(exportPublicKey(createPublicKey(issuerKey)))),
    ...pointers(authority.urls),
  ];
  const fields = {
    serialNumber: options.serialNumber,
    issuer: parseCertificate(authority.issuing.certificate).subject,
    subject: writeName(request.subject),
    notBefore,
    notAfter: options.notAfter ?? yearsAfter(notBefore, 1),
    publicKey,
    extensions,
  };
  return {
    privateKey: exportPrivateKey(privateKey),
    certificate: writeCertificate(fields, authorityKeyOf(authority.issuing)),
    chain: [authority.issuing.certificate, ...authority.issuing.chain],
    hashes: authority.issuing.hashes,
  };
}
