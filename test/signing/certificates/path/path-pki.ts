/** Certificates for tests of path validation: any statement a certificate can make, also forbidden ones. */
import { constants, createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { parseCertificate, type Certificate } from '../../../../src/signing/index.ts';
import { Oid } from '../../../../src/signing/der/oids.ts';
import { readBitStringBytes, readDer } from '../../../../src/signing/der/reader.ts';
import {
  derBitString,
  derBoolean,
  derContext,
  derElement,
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
} from '../../../../src/signing/der/writer.ts';

export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** A signature algorithm: its AlgorithmIdentifier, and its way to sign. */
export interface SignatureKind {
  readonly algorithm: Buffer;
  readonly sign: (body: Buffer, key: KeyObject) => Buffer;
}

const withDigest = (oid: string, digest: string | null, ...parameters: readonly Buffer[]): SignatureKind => ({
  algorithm: derSequence(derOid(oid), ...parameters),
  sign: (body, key) => sign(digest, body, key),
});

const sha256Identifier = derSequence(derOid(Oid.sha256), derNull());
const pss: SignatureKind = {
  algorithm: derSequence(
    derOid(Oid.rsassaPss),
    derSequence(
      derContext(0, sha256Identifier),
      derContext(1, derSequence(derOid(Oid.mgf1), sha256Identifier)),
      derContext(2, derInteger(32)),
    ),
  ),
  sign: (body, key) => sign('sha256', body, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }),
};

export const SIGNATURE_KINDS = {
  'RSA, SHA-256': withDigest(Oid.sha256WithRsa, 'sha256', derNull()),
  'RSA, SHA-512': withDigest(Oid.sha512WithRsa, 'sha512', derNull()),
  'RSA, SHA-1': withDigest(Oid.sha1WithRsa, 'sha1', derNull()),
  'RSA-PSS': pss,
  'ECDSA, SHA-256': withDigest(Oid.ecdsaWithSha256, 'sha256'),
  'ECDSA, SHA-384': withDigest(Oid.ecdsaWithSha384, 'sha384'),
  'ECDSA, SHA-512': withDigest(Oid.ecdsaWithSha512, 'sha512'),
  'ECDSA, SHA-1': withDigest(Oid.ecdsaWithSha1, 'sha1'),
  Ed25519: withDigest(Oid.ed25519, null),
  Ed448: withDigest('1.3.101.113', null),
} as const satisfies Record<string, SignatureKind>;

/** An authority or a holder. */
export interface Party {
  readonly certificate: Certificate;
  readonly key: KeyPair;
}

export interface PartyFields {
  /** A common name, or the DER of a Name. */
  readonly name: string | Buffer;
  /** Absent: self-signed. */
  readonly issuer?: Party;
  readonly key?: KeyPair;
  readonly signature?: SignatureKind;
  /** A self-issued certificate is an authority by default. */
  readonly authority?: boolean;
  readonly pathLength?: number;
  readonly keyUsage?: readonly number[];
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  /** DER of the issuer's Name, to replace the issuer's own encoding. */
  readonly issuerName?: Buffer;
  readonly identifiers?: boolean;
  readonly basicConstraints?: boolean;
  readonly extensions?: readonly Buffer[];
  /** DER of SubjectPublicKeyInfo in place of the key's. */
  readonly publicKeyInfo?: Buffer;
  readonly innerAlgorithm?: Buffer;
}

/** DER of one Extension. */
export const makeExtension = (oid: string, value: Buffer, critical = false): Buffer =>
  derSequence(derOid(oid), ...(critical ? [derBoolean(true)] : []), derOctetString(value));

/** Name of country, organisation and common name. */
export const makeName = (commonName: string, write: (text: string) => Buffer = derUtf8String): Buffer =>
  derSequence(
    derSetOf(derSequence(derOid(Oid.countryName), derPrintableString('BR'))),
    derSetOf(derSequence(derOid(Oid.organizationName), write('Sinete Path Tests'))),
    derSetOf(derSequence(derOid(Oid.commonName), write(commonName))),
  );

export const makeKey = (): KeyPair => generateKeyPairSync('ec', { namedCurve: 'P-256' });

const keyInfo = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' });
const identifierOf = (info: Buffer): Buffer =>
  createHash('sha1')
    .update(readBitStringBytes(readDer(info).child(1, 'the key'), 'the key'))
    .digest();

function standardExtensions(fields: PartyFields, info: Buffer, isAuthority: boolean): readonly Buffer[] {
  const { issuer, pathLength, keyUsage = isAuthority ? [5, 6] : [0, 1] } = fields;
  const length = pathLength === undefined ? [] : [derInteger(pathLength)];
  const constraints = derSequence(...(isAuthority ? [derBoolean(true), ...length] : []));
  const above = issuer?.certificate.subjectKeyIdentifier;
  return [
    ...(fields.basicConstraints === false ? [] : [makeExtension(Oid.basicConstraints, constraints, true)]),
    ...(keyUsage.length === 0 ? [] : [makeExtension(Oid.keyUsage, derNamedBits(keyUsage), true)]),
    ...(fields.identifiers === false
      ? []
      : [
          makeExtension(Oid.subjectKeyIdentifier, derOctetString(identifierOf(info))),
          ...(above === undefined
            ? []
            : [makeExtension(Oid.authorityKeyIdentifier, derSequence(derPrimitiveContext(0, above)))]),
        ]),
  ];
}

/** Issues a certificate; its defaults suit an honest authority or person, valid from 2020 to 2040. */
export function makeParty(fields: PartyFields): Party {
  const { issuer, key = makeKey(), signature = SIGNATURE_KINDS['ECDSA, SHA-256'] } = fields;
  const isAuthority = fields.authority ?? issuer === undefined;
  const subject = typeof fields.name === 'string' ? makeName(fields.name) : fields.name;
  const info = fields.publicKeyInfo ?? keyInfo(key.publicKey);
  const body = derSequence(
    derContext(0, derInteger(2)),
    derInteger(randomBytes(12)),
    fields.innerAlgorithm ?? signature.algorithm,
    fields.issuerName ?? issuer?.certificate.subject ?? subject,
    derSequence(
      derTime(fields.notBefore ?? new Date('2020-01-01')),
      derTime(fields.notAfter ?? new Date('2040-01-01')),
    ),
    subject,
    info,
    derContext(3, derSequence(...standardExtensions(fields, info, isAuthority), ...(fields.extensions ?? []))),
  );
  const value = signature.sign(body, (issuer ?? { key }).key.privateKey);
  return { certificate: parseCertificate(derSequence(body, signature.algorithm, derBitString(value))), key };
}

const text = (value: string): Buffer => Buffer.from(value, 'latin1');

/** GeneralNames (RFC 5280 §4.2.1.6). */
export const general = {
  email: (value: string) => derPrimitiveContext(1, text(value)),
  dns: (value: string) => derPrimitiveContext(2, text(value)),
  directory: (name: Buffer) => derContext(4, name),
  uri: (value: string) => derPrimitiveContext(6, text(value)),
  ip: (...bytes: readonly number[]) => derPrimitiveContext(7, Buffer.from(bytes)),
  other: (value: string) => derContext(0, derOid('1.2.3.4'), derContext(0, derUtf8String(value))),
} as const;

export const alternativeNames = (...names: readonly Buffer[]): Buffer =>
  makeExtension(Oid.subjectAlternativeName, derSequence(...names));

/** NameConstraints, critical. */
export function nameConstraints(permitted: readonly Buffer[], excluded: readonly Buffer[] = []): Buffer {
  const list = (number: number, names: readonly Buffer[]): readonly Buffer[] =>
    names.length === 0 ? [] : [derContext(number, ...names.map((name) => derSequence(name)))];
  return makeExtension('2.5.29.30', derSequence(...list(0, permitted), ...list(1, excluded)), true);
}

export const policies = (...oids: readonly string[]): Buffer =>
  makeExtension(Oid.certificatePolicies, derSequence(...oids.map((oid) => derSequence(derOid(oid)))));

export const policyMappings = (...pairs: readonly (readonly [string, string])[]): Buffer =>
  makeExtension('2.5.29.33', derSequence(...pairs.map(([from, to]) => derSequence(derOid(from), derOid(to)))), true);

const skip = (number: number, count: number | undefined): readonly Buffer[] =>
  count === undefined ? [] : [derElement(0x80 | number, Buffer.of(count))];

/** PolicyConstraints, critical. */
export const policyConstraints = (require?: number, inhibitMapping?: number): Buffer =>
  makeExtension('2.5.29.36', derSequence(...skip(0, require), ...skip(1, inhibitMapping)), true);

export const inhibitAnyPolicy = (count: number): Buffer => makeExtension('2.5.29.54', derInteger(count), true);

export const keyPurposes = (purposes: readonly string[], critical = false): Buffer =>
  makeExtension(Oid.extendedKeyUsage, derSequence(...purposes.map(derOid)), critical);
