/**
 * The first verification of a SignerInfo: whether the signature covers this content, and the signer's identity (RFC
 * 5652 §5.4, §5.6). Trust in the signer is a separate step.
 */
import type { KeyObject } from 'node:crypto';
import type { Certificate } from '../certificates/certificate.ts';
import { isSameName } from '../certificates/path/distinguished-name.ts';
import { type DerElement, Tag, contextTag, readOid, readTime } from '../der/reader.ts';
import { type ReadableDigestAlgorithm, digestBytes } from '../algorithms/algorithms.ts';
import {
  digestOfOid,
  digestInfoForm,
  digestOfIdentifier,
  readSignatureAlgorithm,
  verificationInput,
  verifySignature,
  type SignatureCheck,
} from '../algorithms/signature-algorithm.ts';
import { Oid } from '../der/oids.ts';
import { derSetOfList } from '../der/writer.ts';
import { spend } from '../budget/budget.ts';
import { SigningError } from '../errors.ts';
import { signsWholeMessage } from '../keys/signer.ts';
import type { SignedContent } from './content.ts';
import type { SignedData, SignerIdentifier, SignerInfo } from './signed-data.ts';

/** Why a signer is not intact, for programs. */
export type SignerProblem =
  | 'content-changed'
  | 'content-differs'
  | 'content-missing'
  | 'content-needed'
  | 'content-type'
  | 'signature-wrong'
  | 'repeated-attribute'
  | 'damaged'
  | 'certificate-missing'
  | 'certificate-not-named'
  | 'key-unreadable'
  | 'algorithm-unknown';

/** Oddities of a signer that change no outcome. */
export type SignerRemark =
  /** RSA: the hash function of the DigestInfo has no parameters, not even NULL. */
  | 'digest-info-without-null'
  /** The signing-certificate attribute has the right hash, and the issuer or the serial number of another certificate. */
  | 'issuer-serial-differs'
  /** A counter-signature has a content-type attribute (RFC 5652 §11.4). */
  | 'content-type-in-counter-signature';

/** The result of verifying a SignerInfo: integrity and identity of the signer; trust is a separate step. */
export interface SignerVerification {
  /**
   * `intact`: digest and signature agree. `broken`: they disagree. `unknown`: could not be determined; `reason` says
   * why.
   */
  readonly outcome: 'intact' | 'broken' | 'unknown';
  readonly reason?: string;
  /** Present with `reason`. */
  readonly problem?: SignerProblem;
  /** The signer's certificate, if SignedData has the certificate. */
  readonly certificate?: Certificate;
  readonly signingTime?: Date;
  readonly digestAlgorithm: string;
  /** signingCertificateV2 names this certificate (`undefined`: attribute absent). */
  readonly signingCertificateMatches?: boolean;
  /** Absent when there are no remarks. */
  readonly remarks?: readonly SignerRemark[];
}

/** Each signer of a CMS signature with its cryptographic outcome; nothing about trust. */
export interface CmsVerification {
  /** True when there is at least one signer and all signers are intact. */
  readonly intact: boolean;
  readonly attached: boolean;
  readonly signers: readonly SignerVerification[];
  readonly certificates: readonly Certificate[];
}

// The signed attributes with the signer's certificate: signingCertificate and signingCertificateV2 (RFC 5035 §3).

/** hashAlgorithm of an ESSCertIDv2, SHA-256 by default; undefined for an unknown function. */
function hashOfV2(algorithm: DerElement | undefined): ReadableDigestAlgorithm | undefined {
  if (algorithm === undefined) return 'sha256';
  return digestOfOid(readOid(algorithm.child(0, 'the hash function'), 'the hash function'));
}

/** IssuerSerial names the certificate by a directory name (compared as RFC 5280 §7.1 demands) and a serial number. */
function issuerSerialMatches(issuerSerial: DerElement, { issuer, serialNumber }: Certificate): boolean {
  const directoryName = issuerSerial.child(0, 'the issuer').find(contextTag(4))?.child(0, 'the issuer');
  const serial = issuerSerial.child(1, 'the serial number').expect(Tag.integer, 'the serial number');
  const isIssuer = directoryName !== undefined && isSameName(directoryName.bytes, issuer);
  return isIssuer && serial.content.equals(serialNumber);
}

const digestOf = ({ der, fingerprint }: Certificate, digest: ReadableDigestAlgorithm): Buffer =>
  digest === 'sha256' ? Buffer.from(fingerprint, 'hex') : digestBytes(digest, der);

/**
 * How the attribute's first identifier names the certificate: `hash` and IssuerSerial, the `hash` alone beside an
 * IssuerSerial that differs, or not at all (`no`). The hash binds the certificate (RFC 5035 §4); undefined for an unknown
 * hash function. Throws `DER_MALFORMED`.
 */
export function namesCertificate(
  value: DerElement,
  version: 'v1' | 'v2',
  certificate: Certificate,
): 'hash' | 'hash-alone' | 'no' | undefined {
  const [...fields] = value.child(0, 'the certificates').child(0, 'the certificate identifier').children;
  const algorithm = version === 'v2' && fields[0]?.tag === Tag.sequence ? fields.shift() : undefined;
  const digest = version === 'v1' ? 'sha1' : hashOfV2(algorithm);
  if (digest === undefined) return undefined;
  const [certificateHash, issuerSerial] = fields;
  if (certificateHash?.content.equals(digestOf(certificate, digest)) !== true) return 'no';
  return issuerSerial === undefined || issuerSerialMatches(issuerSerial, certificate) ? 'hash' : 'hash-alone';
}

/** The result of a step: `undefined` when the step found no objection. */
type Objection = Required<Pick<SignerVerification, 'outcome' | 'reason' | 'problem'>> | undefined;

const broken = (problem: SignerProblem, reason: string): Objection => ({ outcome: 'broken', problem, reason });
const unknown = (problem: SignerProblem, reason: string): Objection => ({ outcome: 'unknown', problem, reason });

/** The part of SignedData needed to verify a signer; without a content type for a counter-signature. */
export type SignerSurroundings = Pick<SignedData, 'certificates' | 'misshapen'> & {
  readonly contentType: SignedData['contentType'] | undefined;
};

/** The input of the steps. */
interface Subject {
  readonly signer: SignerInfo;
  readonly remark: (remark: SignerRemark) => void;
  /** Absent for a counter-signature, because its content, a signature value, has no type. */
  readonly contentType: string | undefined;
  readonly content: SignedContent;
  readonly digest: ReadableDigestAlgorithm;
}

/** True for the certificate named by a SignerInfo (RFC 5652 §5.3); names are compared as RFC 5280 §7.1 demands. */
export function isNamedBy(identifier: SignerIdentifier): (certificate: Certificate) => boolean {
  switch (identifier.kind) {
    case 'issuerAndSerial':
      return ({ issuer, serialNumber }) =>
        serialNumber.equals(identifier.serialNumber) && isReadableName(identifier.issuer, issuer);
    case 'keyIdentifier':
      return ({ subjectKeyIdentifier }) => subjectKeyIdentifier?.equals(identifier.keyIdentifier) ?? false;
  }
}

/** A damaged name matches no certificate. */
function isReadableName(name: Buffer, issuer: Buffer): boolean {
  try {
    return isSameName(name, issuer);
  } catch (error) {
    if (error instanceof SigningError) return false;
    throw error;
  }
}

/** All values of the signed attributes of this type. */
function valuesOf({ signedAttributes }: SignerInfo, oid: string): readonly DerElement[] {
  const [first, ...others] = signedAttributes.filter((attribute) => attribute.oid === oid);
  if (first === undefined) return [];
  return others.length === 0 ? first.values : [first, ...others].flatMap(({ values }) => values);
}

/** contentType occurs once and equals the content's type (RFC 5652 §11.1); a counter-signature should have none (§11.4). */
function checkContentType({ signer, contentType, remark }: Subject): Objection {
  const [type, second] = valuesOf(signer, Oid.contentType);
  if (contentType === undefined) {
    if (type !== undefined) remark('content-type-in-counter-signature');
    return undefined;
  }
  if (type === undefined) {
    return broken('content-type', 'The signed attributes do not tell the type of the content.');
  }
  if (second !== undefined) {
    return broken('repeated-attribute', 'The signed attributes tell the type of the content twice.');
  }
  return readOid(type, 'the content type') === contentType
    ? undefined
    : broken('content-type', 'The signed attributes name another type of content.');
}

/** messageDigest, once, and the digest of the content (RFC 5652 §11.2). */
async function checkMessageDigest({ signer, content, digest }: Subject): Promise<Objection> {
  const [value, second] = valuesOf(signer, Oid.messageDigest);
  if (value === undefined) return broken('damaged', 'The signed attributes have no digest of the content.');
  if (second !== undefined)
    return broken('repeated-attribute', 'The signed attributes have two digests of the content.');
  const signed = value.expect(Tag.octetString, 'the digest of the content').content;
  return signed.equals(await content.digestOf(digest))
    ? undefined
    : broken('content-changed', 'The content is not what was signed: its digest differs.');
}

function signingCertificateMatches(
  signer: SignerInfo,
  certificate: Certificate,
  remark: (remark: SignerRemark) => void,
): boolean | undefined {
  const answers = [
    ...valuesOf(signer, Oid.signingCertificateV2).map((value) => namesCertificate(value, 'v2', certificate)),
    ...valuesOf(signer, Oid.signingCertificate).map((value) => namesCertificate(value, 'v1', certificate)),
  ].filter((answer) => answer !== undefined);
  if (answers.includes('hash-alone')) remark('issuer-serial-differs');
  return answers.length === 0 ? undefined : !answers.includes('no');
}

/**
 * The signature covers the DER of the attributes: in the stored order, or sorted when the signer stored unsorted
 * attributes.
 */
function checkAttributesSignature(
  { signer, remark }: Subject,
  stored: Buffer,
  key: KeyObject,
  check: SignatureCheck,
): Objection {
  const asTheyStand = Buffer.from(stored);
  asTheyStand[0] = Tag.set;
  if (verifySignature(key, check, asTheyStand, signer.signature)) return undefined;
  const sorted = derSetOfList(signer.signedAttributes.map(({ der }) => der));
  const isSorted = sorted.equals(asTheyStand);
  if (!isSorted && verifySignature(key, check, sorted, signer.signature)) return undefined;
  const forms = isSorted ? [asTheyStand] : [asTheyStand, sorted];
  if (check.scheme === 'rsassa-pkcs1-v1_5') {
    const isForm = (form: Buffer): boolean =>
      digestInfoForm(key, check.digest, digestBytes(check.digest, form), signer.signature) === 'without-null';
    if (forms.some(isForm)) {
      remark('digest-info-without-null');
      return undefined;
    }
  }
  return broken('signature-wrong', "The signature does not belong to the signed attributes and the signer's key.");
}

/** Without attributes the signature covers the content, which is allowed for id-data only (RFC 5652 §5.3). */
async function checkContentSignature(subject: Subject, key: KeyObject, check: SignatureCheck): Promise<Objection> {
  const { signer, content, contentType } = subject;
  if (contentType !== undefined && contentType !== Oid.data) {
    return broken('content-type', 'Content of this type must be signed with attributes.');
  }
  const objection = broken('signature-wrong', "The signature does not belong to the content and the signer's key.");
  if (check.scheme === 'rsassa-pkcs1-v1_5') {
    const form = digestInfoForm(key, check.digest, await content.digestOf(check.digest), signer.signature);
    if (form === 'without-null') subject.remark('digest-info-without-null');
    return form === undefined ? objection : undefined;
  }
  if (content.bytes !== undefined) {
    return verifySignature(key, check, content.bytes, signer.signature) ? undefined : objection;
  }
  const input = verificationInput(key, check);
  if (input === undefined) return objection;
  if (content.verify === undefined || signsWholeMessage(check.scheme)) {
    return unknown(
      'content-needed',
      'A signature of this kind without signed attributes needs the whole content in memory.',
    );
  }
  spend('candidates');
  return (await content.verify(check.digest, input, signer.signature)) ? undefined : objection;
}

/** All checks without the certificate. */
function checkAttributes(subject: Subject): Objection | Promise<Objection> {
  if (subject.signer.signedAttributesDer === undefined) return undefined;
  return checkContentType(subject) ?? checkMessageDigest(subject);
}

function checkSignature(subject: Subject, certificate: Certificate): Objection | Promise<Objection> {
  const { signer, digest } = subject;
  const check = readSignatureAlgorithm(signer.signatureAlgorithm, digest);
  const key = certificate.publicKey();
  return signer.signedAttributesDer === undefined
    ? checkContentSignature(subject, key, check)
    : checkAttributesSignature(subject, signer.signedAttributesDer, key, check);
}

/** Turns our own errors into outcomes; other errors (reading the content failed) are passed on. */
function objectionOf(error: unknown): Objection {
  if (error instanceof SigningError) {
    if (error.code === 'ALGORITHM_UNSUPPORTED') return unknown('algorithm-unknown', error.message);
    if (error.code === 'CERTIFICATE_MALFORMED') return unknown('key-unreadable', error.message);
    if (error.code === 'DER_MALFORMED')
      return broken('damaged', `A signed attribute or a parameter is damaged. ${error.message}`);
  }
  throw error;
}

function readSigningTime(signer: SignerInfo): Date | undefined {
  const [value] = valuesOf(signer, Oid.signingTime);
  try {
    return value && readTime(value, 'the signing time');
  } catch {
    return undefined;
  }
}

interface Facts {
  readonly objection: Objection;
  readonly signingCertificateMatches: boolean | undefined;
  readonly remarks: readonly SignerRemark[];
}

async function examine(
  signer: SignerInfo,
  signedData: SignerSurroundings,
  content: SignedContent | undefined,
  certificate: Certificate | undefined,
): Promise<Facts> {
  let matches: boolean | undefined;
  const remarks: SignerRemark[] = [];
  const remark = (one: SignerRemark): void => void remarks.push(one);
  const conclude = (objection: Objection): Facts => ({ objection, signingCertificateMatches: matches, remarks });
  try {
    matches = certificate && signingCertificateMatches(signer, certificate, remark);
    const digest = digestOfIdentifier(signer.digestAlgorithm);
    const misshapen = signer.misshapen ?? signedData.misshapen;
    if (misshapen !== undefined) return conclude(broken('damaged', misshapen));
    if (content === undefined)
      return conclude(unknown('content-missing', 'The signature is detached, and its content was not given.'));
    if (digest === undefined)
      return conclude(
        unknown('algorithm-unknown', `The hash function ${signer.digestAlgorithm.oid} is not known here.`),
      );
    const subject = { signer, remark, contentType: signedData.contentType, content, digest };
    const objection = await checkAttributes(subject);
    if (objection !== undefined) return conclude(objection);
    if (certificate === undefined) {
      return conclude(unknown('certificate-missing', "The signature does not carry the signer's certificate."));
    }
    if (matches === false)
      return conclude(
        broken('certificate-not-named', 'The signed attributes name another certificate than the signer’s.'),
      );
    const wrong = checkSignature(subject, certificate);
    return conclude(wrong instanceof Promise ? await wrong : wrong);
  } catch (error) {
    return conclude(objectionOf(error));
  }
}

/**
 * Verifies a signer of `signedData` over `content` (`undefined`: not given). Wrong or unknown things are outcomes, not
 * errors; the promise rejects only when the content cannot be read.
 */
export async function verifySigner(
  signer: SignerInfo,
  signedData: SignerSurroundings,
  content: SignedContent | undefined,
): Promise<SignerVerification> {
  const certificate = signedData.certificates.find(isNamedBy(signer.identifier));
  const signingTime = readSigningTime(signer);
  const facts = await examine(signer, signedData, content, certificate);
  const { objection, signingCertificateMatches: matches, remarks } = facts;
  return {
    ...(objection ?? { outcome: 'intact' }),
    certificate,
    signingTime,
    digestAlgorithm: digestOfIdentifier(signer.digestAlgorithm) ?? signer.digestAlgorithm.oid,
    signingCertificateMatches: matches,
    ...(remarks.length === 0 ? {} : { remarks }),
  };
}
