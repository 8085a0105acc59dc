/** Certificates for tests of CMS, written with our own DER writer: a name, a key, an issuer, nothing else to choose. */
import assert from 'node:assert/strict';
import { generateKeyPairSync, hash, randomBytes, sign, type KeyObject } from 'node:crypto';
import { readDer, readBitStringBytes } from '../../../src/signing/der/reader.ts';
import { Oid } from '../../../src/signing/der/oids.ts';
import {
  derBitString,
  derBoolean,
  derContext,
  derInteger,
  derNamedBits,
  derNull,
  derOctetString,
  derOid,
  derPrimitiveContext,
  derPrintableString,
  derSequence,
  derSetOf,
  derTime,
  derUtf8String,
} from '../../../src/signing/der/writer.ts';

export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

export interface TestIdentity {
  readonly certificate: Buffer;
  readonly key: KeyPair;
  /** DER of the subject's Name. */
  readonly subject: Buffer;
}

export interface TestIdentityOptions {
  readonly name: string;
  readonly key: KeyPair;
  /** Absent: the certificate is signed with its own key. */
  readonly issuer?: TestIdentity;
  /** Types and values of the subject's attributes; default: a country, an organization and the name. */
  readonly subject?: readonly (readonly [oid: string, value: string])[];
  /** DER of further extensions. */
  readonly extensions?: readonly Buffer[];
}

/** One extension (RFC 5280 §4.2). */
export const derExtension = (oid: string, critical: boolean, value: Buffer): Buffer =>
  derSequence(derOid(oid), ...(critical ? [derBoolean(true)] : []), derOctetString(value));

const nameOf = (attributes: readonly (readonly [string, string])[]): Buffer =>
  derSequence(
    ...attributes.map(([oid, value]) => {
      const text = oid === Oid.countryName ? derPrintableString(value) : derUtf8String(value);
      return derSetOf(derSequence(derOid(oid), text));
    }),
  );

const usualSubject = (commonName: string): readonly (readonly [string, string])[] => [
  [Oid.countryName, 'BR'],
  [Oid.organizationName, 'Sinete tests'],
  [Oid.commonName, commonName],
];

interface CertificateSignature {
  readonly identifier: Buffer;
  readonly sign: (bytes: Buffer) => Buffer;
}

function signatureOf(key: KeyObject): CertificateSignature {
  const type = key.asymmetricKeyType;
  if (type === 'rsa') {
    const identifier = derSequence(derOid(Oid.sha256WithRsa), derNull());
    return { identifier, sign: (bytes) => sign('sha256', bytes, key) };
  }
  if (type === 'ec') {
    return { identifier: derSequence(derOid(Oid.ecdsaWithSha256)), sign: (bytes) => sign('sha256', bytes, key) };
  }
  assert(type === 'ed25519' || type === 'ed448', 'other keys do not sign certificates here');
  return { identifier: derSequence(derOid(Oid[type])), sign: (bytes) => sign(null, bytes, key) };
}

function keyIdentifier(publicKeyInfo: Buffer): Buffer {
  return hash('sha1', readBitStringBytes(readDer(publicKeyInfo).child(1, 'the key'), 'the key'), 'buffer');
}

const publicKeyInfo = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' });

/** A certificate for the key, valid from 2020 to 2059; without an issuer it is an authority of its own. */
export function makeTestIdentity(options: TestIdentityOptions): TestIdentity {
  const { name, key, issuer, extensions = [] } = options;
  const subject = nameOf(options.subject ?? usualSubject(name));
  const signature = signatureOf((issuer?.key ?? key).privateKey);
  const isAuthority = issuer === undefined || /issuer/i.test(name);
  const info = publicKeyInfo(key.publicKey);
  const body = derSequence(
    derContext(0, derInteger(2)),
    derInteger(randomBytes(12)),
    signature.identifier,
    issuer?.subject ?? subject,
    derSequence(derTime(new Date('2020-01-01')), derTime(new Date('2060-01-01'))),
    subject,
    info,
    derContext(
      3,
      derSequence(
        derExtension(Oid.basicConstraints, true, derSequence(...(isAuthority ? [derBoolean(true)] : []))),
        derExtension(Oid.keyUsage, true, derNamedBits(isAuthority ? [5, 6] : [0, 1])),
        derExtension(Oid.subjectKeyIdentifier, false, derOctetString(keyIdentifier(info))),
        derExtension(
          Oid.authorityKeyIdentifier,
          false,
          derSequence(derPrimitiveContext(0, keyIdentifier(publicKeyInfo((issuer?.key ?? key).publicKey)))),
        ),
        ...extensions,
      ),
    ),
  );
  return { certificate: derSequence(body, signature.identifier, derBitString(signature.sign(body))), key, subject };
}

/** Kinds of keys that the tests go through. */
export const KEY_KINDS = {
  'RSA-2048': () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  'RSA-PSS-2048': () => generateKeyPairSync('rsa-pss', { modulusLength: 2048 }),
  'P-256': () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'P-384': () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  'P-521': () => generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  Ed25519: () => generateKeyPairSync('ed25519'),
  Ed448: () => generateKeyPairSync('ed448'),
} as const satisfies Record<string, () => KeyPair>;

/** The DER of a certificate as PEM. */
export const toPem = (der: Buffer, label = 'CERTIFICATE'): string =>
  `-----BEGIN ${label}-----\n${der.toString('base64').replace(/.{1,64}/g, '$&\n')}-----END ${label}-----\n`;
