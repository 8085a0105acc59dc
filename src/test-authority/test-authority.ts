/**
 * A certification authority for tests and demonstrations: a root and an issuing CA like ICP-Brasil's, made in code.
 * It is plain data, so that it can be stored and used again. Every name says that it has no legal value.
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
import { writeCertificate, writeName, type NameAttributes } from './write-certificate.ts';

/** A private key with its certificate and the certificates above it. */
export interface TestIdentity {
  /** PKCS#8 PrivateKeyInfo, DER, in the clear. */
  readonly privateKey: Buffer;
  /** DER. */
  readonly certificate: Buffer;
  /** DER of the issuers, nearest first, the root last; empty for the root itself. */
  readonly chain: readonly Buffer[];
}

/** Addresses that issued certificates point to; those that are absent are left out of the certificates. */
export interface TestAuthorityUrls {
  /** Where the issuing CA's CRL is. ICP-Brasil's certificates name two places. */
  readonly crl?: readonly string[];
  readonly ocsp?: string;
  /** Where the issuing CA's certificate is. */
  readonly issuer?: string;
}

/** What distinguishes one test authority from another. */
export interface TestAuthorityOptions {
  /** By default `rsa-2048`. */
  readonly keyKind?: TestKeyKind;
  /** Added to the names of both CAs; by default nothing. */
  readonly label?: string;
  readonly urls?: TestAuthorityUrls;
  /** When its certificates begin to be valid; by default an hour ago, so that clocks may differ. */
  readonly notBefore?: Date;
}

/** A root and the CA below it that issues to people and companies. */
export interface TestAuthority {
  readonly root: TestIdentity;
  readonly issuing: TestIdentity;
  readonly urls: TestAuthorityUrls;
}

/** What a certificate below the issuing CA is to say. */
export interface TestCertificateRequest {
  readonly subject: NameAttributes;
  /** Finished Extensions besides key identifiers, CRL distribution points and information access. */
  readonly extensions: readonly Uint8Array[];
}

/** Choices that every issued certificate has. */
export interface TestIssueOptions {
  /** By default `rsa-2048`. */
  readonly keyKind?: TestKeyKind;
  /** By default an hour ago. */
  readonly notBefore?: Date;
  /** By default a year after `notBefore`. */
  readonly notAfter?: Date;
  /** Unsigned octets; random by default. */
  readonly serialNumber?: Uint8Array;
}

const HOUR = 60 * 60 * 1000;
const NO_LEGAL_VALUE = 'SEM VALOR LEGAL';
const ROOT_YEARS = 13;
const ISSUING_YEARS = 8;

/** Country, organisation and the remark that all test names begin with. */
export const TEST_NAME_BASE: NameAttributes = [
  [Oid.countryName, 'BR'],
  [Oid.organizationName, 'ICP-Brasil de Teste Sinete'],
  [Oid.organizationalUnitName, NO_LEGAL_VALUE],
];

const anHourAgo = (): Date => new Date(Date.now() - HOUR);

function yearsAfter(date: Date, years: number): Date {
  const later = new Date(date);
  later.setUTCFullYear(later.getUTCFullYear() + years);
  return later;
}

const privateKeyOf = (identity: TestIdentity): KeyObject =>
  createPrivateKey({ key: identity.privateKey, format: 'der', type: 'pkcs8' });

function authorityName(kind: 'Raiz' | 'Emissora', label: string | undefined): Buffer {
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
  const notAfter = yearsAfter(notBefore, ROOT_YEARS);
  const fields = { issuer: name, subject: name, notBefore, notAfter, publicKey, extensions };
  return { privateKey: exportPrivateKey(privateKey), certificate: writeCertificate(fields, privateKey), chain: [] };
}

async function createIssuing(
  options: TestAuthorityOptions,
  root: TestIdentity,
  notBefore: Date,
): Promise<TestIdentity> {
  const { privateKey, publicKey } = await makeKeyPair(options.keyKind ?? 'rsa-2048');
  const rootKey = privateKeyOf(root);
  const extensions = [
    authorityConstraints(0),
    keyUsage([KeyUsageBit.keyCertSign, KeyUsageBit.crlSign]),
    subjectKeyIdentifier(keyIdentifier(exportPublicKey(publicKey))),
    authorityKeyIdentifier(keyIdentifier(exportPublicKey(createPublicKey(rootKey)))),
  ];
  const fields = {
    issuer: parseCertificate(root.certificate).subject,
    subject: authorityName('Emissora', options.label),
    notBefore,
    notAfter: yearsAfter(notBefore, ISSUING_YEARS),
    publicKey,
    extensions,
  };
  const certificate = writeCertificate(fields, rootKey);
  return { privateKey: exportPrivateKey(privateKey), certificate, chain: [root.certificate] };
}

/** Makes a root and an issuing CA with fresh keys. */
export async function createTestAuthority(options: TestAuthorityOptions = {}): Promise<TestAuthority> {
  const notBefore = options.notBefore ?? anHourAgo();
  const root = await createRoot(options, notBefore);
  return { root, issuing: await createIssuing(options, root, notBefore), urls: options.urls ?? {} };
}

function pointers(urls: TestAuthorityUrls): readonly Buffer[] {
  const { crl, ocsp, issuer } = urls;
  const access = { ...(ocsp === undefined ? {} : { ocsp }), ...(issuer === undefined ? {} : { issuer }) };
  return [
    ...(crl === undefined || crl.length === 0 ? [] : [crlDistributionPoints(crl)]),
    ...(Object.keys(access).length === 0 ? [] : [authorityInformationAccess(access)]),
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
    ...(options.serialNumber === undefined ? {} : { serialNumber: options.serialNumber }),
    issuer: parseCertificate(authority.issuing.certificate).subject,
    subject: writeName(request.subject),
    notBefore,
    notAfter: options.notAfter ?? yearsAfter(notBefore, 1),
    publicKey,
    extensions,
  };
  return {
    privateKey: exportPrivateKey(privateKey),
    certificate: writeCertificate(fields, issuerKey),
    chain: [authority.issuing.certificate, authority.root.certificate],
  };
}
