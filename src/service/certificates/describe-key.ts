import {
  type AliasedKey,
  type Certificate,
  type KeySourceKind,
  type NameAttribute,
  parseCertificate,
  readIcpBrasilIdentity,
  type TokenState,
} from '../../signing/index.ts';
import { describePublicKey, extendedKeyUsageNames, keyUsageNames, signatureAlgorithmName } from './algorithm-names.ts';
import { commonNameOf, toPem } from './describe-certificate.ts';
import { holderName, maskedTaxpayerNumber, maskNumberBehindName } from './holder-name.ts';

/** A key with its certificate, as texts and values for people. Contains no secret and no whole CPF or CNPJ. */
export interface KeyDescriptionForPeople {
  readonly alias: string;
  /** Lower-case hex SHA-256 of the certificate. */
  readonly fingerprint: string;
  readonly source: KeySourceKind;
  /** `placeOf`. */
  readonly place: string;
  readonly token: TokenState | null;
  /** The person's or company's name, without the number appended by ICP-Brasil. */
  readonly holder: string;
  /** CPF or CNPJ, masked; null where the certificate carries none. */
  readonly taxpayerNumber: string | null;
  /** Common name of the issuer. */
  readonly issuer: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** By the dates alone; revocation and trust are not checked. */
  readonly validity: 'valid' | 'expired' | 'not-yet-valid';
  /** `RSA 2048`, `EC P-256`, `Ed25519`. */
  readonly keyAlgorithm: string;
  readonly publicKeyBits: number | null;
  /** False when the token is known to hold the certificate without its private key. */
  readonly hasKey: boolean;
  /** Signing needs a PIN first. */
  readonly locked: boolean;
  /** Issued by the test authority of this application: no legal value. */
  readonly isTest: boolean;
  readonly serialNumberHex: string;
  readonly subject: readonly { readonly type: string; readonly value: string }[];
  readonly issuerName: readonly { readonly type: string; readonly value: string }[];
  /** Names of RFC 5280 §4.2.1.3; empty when the extension is absent. */
  readonly keyUsage: readonly string[];
  readonly extendedKeyUsage: readonly string[];
  readonly signatureAlgorithm: string;
  readonly email: string | null;
  /** YYYY-MM-DD. */
  readonly birthDate: string | null;
  /** From the holder's issuer upwards, as far as known here. */
  readonly chain: readonly { readonly name: string; readonly notAfter: Date; readonly fingerprint: string }[];
  readonly pem: string;
}

/** Kinds of keys whose signatures are valid but not supported by every program. */
export type LimitedAcceptance = 'edwards' | 'brainpool' | 'rsa-pss';

const LIMITED_ACCEPTANCE: readonly (readonly [RegExp, LimitedAcceptance, string])[] = [
  [
    /^Ed(25519|448)/,
    'edwards',
    'ETSI TS 119 312 lists this algorithm only since V2.1.1 (2026): validators in the EU may not accept it yet, and OpenSSL 3.0 cannot check it.',
  ],
  [/brainpool/i, 'brainpool', 'Programs built on NSS, such as poppler, cannot check signatures on a brainpool curve.'],
  [/^RSA-PSS/, 'rsa-pss', 'Programs built on NSS, such as poppler, cannot check RSASSA-PSS signatures.'],
];

/**
 * The programs that may refuse signatures with such a key, as an English sentence; undefined if every program supports
 * them.
 */
export function limitedAcceptance(
  keyAlgorithm: string,
): { readonly kind: LimitedAcceptance; readonly note: string } | undefined {
  const found = LIMITED_ACCEPTANCE.find(([pattern]) => pattern.test(keyAlgorithm));
  return found && { kind: found[1], note: found[2] };
}

/**
 * Describes a key for the certificate pages. `isDefault` is missing, because it is a setting, not a property of the
 * key. Throws `SigningError` `CERTIFICATE_MALFORMED`.
 */
export function describeKey(key: AliasedKey, now: Date): KeyDescriptionForPeople {
  const certificate = parseCertificate(key.certificate);
  const identity = readIcpBrasilIdentity(certificate);
  const { name, bits } = describePublicKey(certificate);
  return {
    alias: key.alias,
    fingerprint: key.fingerprint,
    source: key.source,
    place: placeOf(key),
    token: key.token ?? null,
    holder: holderName(certificate, identity),
    taxpayerNumber: maskedTaxpayerNumber(identity),
    issuer: commonNameOf(certificate.issuerAttributes),
    notBefore: certificate.notBefore,
    notAfter: certificate.notAfter,
    validity: validityAt(certificate, now),
    keyAlgorithm: name,
    publicKeyBits: bits,
    hasKey: key.hasKey !== false,
    locked: key.hasKey !== false && key.token !== undefined && key.token.loginRequired && !key.token.loggedIn,
    isTest: isTestCertificate(certificate),
    serialNumberHex: certificate.serialNumber.toString('hex'),
    subject: plainName(certificate.subjectAttributes),
    issuerName: plainName(certificate.issuerAttributes),
    keyUsage: keyUsageNames(certificate.keyUsage ?? []),
    extendedKeyUsage: extendedKeyUsageNames(certificate.extendedKeyUsage ?? []),
    signatureAlgorithm: signatureAlgorithmName(certificate.signatureAlgorithm),
    email: identity?.email ?? null,
    birthDate: identity?.birthDate ?? null,
    chain: key.chain.map(describeIssuer),
    pem: toPem('CERTIFICATE', certificate.der),
  };
}

/** The place of a key in words for people: the program and its profile, or the label of the token; empty for files. */
export function placeOf({ place, token }: Pick<AliasedKey, 'place' | 'token'>): string {
  return place ?? token?.label ?? '';
}

/** Names of a certificate's holder are shown unchanged, except for numbers, which are personal data. */
function plainName(attributes: readonly NameAttribute[]): readonly { type: string; value: string }[] {
  return attributes.map(({ type, value }) => ({ type, value: maskNumberBehindName(value) }));
}

function validityAt({ notBefore, notAfter }: Certificate, now: Date): KeyDescriptionForPeople['validity'] {
  if (now < notBefore) return 'not-yet-valid';
  return now > notAfter ? 'expired' : 'valid';
}

/** The test authority adds this remark to every name; no authority of ICP-Brasil does. */
function isTestCertificate({ issuerAttributes }: Certificate): boolean {
  return issuerAttributes.some(({ type, value }) => type === 'OU' && value === 'SEM VALOR LEGAL');
}

function describeIssuer(der: Buffer): KeyDescriptionForPeople['chain'][number] {
  const { commonName, notAfter, fingerprint } = parseCertificate(der);
  return { name: commonName, notAfter, fingerprint };
}
