/** Optional signed attributes (EN 319 122-1 §5.2). Each attribute is a signed statement of the signer. */
import { Oid } from '../der/oids.ts';
import { Tag, readDer } from '../der/reader.ts';
import {
  derContext,
  derElement,
  derIa5String,
  derOctetString,
  derOid,
  derPrintableString,
  derSequence,
  derSetOf,
  derUtf8String,
} from '../der/writer.ts';
import { SigningError } from '../errors.ts';
import type { DigestAlgorithm } from '../keys/signer.ts';
import { DIGEST_LENGTH, digestIdentifier } from '../algorithms/algorithms.ts';
import { CadesOid } from './cades-oids.ts';

/** The signature policy: a signature with a policy is an EPES (EN 319 122-1 §5.2.9). */
export interface SignaturePolicy {
  /** Dotted OID. */
  readonly oid: string;
  /**
   * The policy's own hash. For an ASN.1 policy this is the signPolicyHash inside, not the digest of the file (RFC 5126
   * §5.8.1; DOC-ICP-15.03, annex 1, note 2). Bytes or hex.
   */
  readonly hash: Uint8Array | string;
  /** The hash function of `hash`; by default SHA-256. */
  readonly hashAlgorithm?: DigestAlgorithm;
  /** Address of the policy's file. */
  readonly uri?: string;
}

/** The signer's claimed location (EN 319 122-1 §5.2.5); at least one part. */
export interface SignerLocation {
  /** Two letters, as in ISO 3166. */
  readonly country?: string;
  readonly locality?: string;
  /** One to six lines. */
  readonly postalAddress?: readonly string[];
}

/** The signer's commitment (EN 319 122-1 §5.2.3): a known kind, or a dotted OID. */
export type CommitmentType =
  'origin' | 'receipt' | 'delivery' | 'sender' | 'approval' | 'creation' | { readonly oid: string };

/** Attributes of the signer beyond the certificate (EN 319 122-1 §5.2.6.1). */
export interface SignerAttributes {
  /** Claimed roles, each the value of an attribute title (X.520 §6.4.3). */
  readonly roles?: readonly string[];
  /** Claimed attributes: attribute types with the DER of their values. */
  readonly claimed?: readonly { readonly oid: string; readonly values: readonly Uint8Array[] }[];
  /** DER of X.509 attribute certificates (RFC 5755). */
  readonly certified?: readonly Uint8Array[];
}

/** Optional attributes; absent values are left out. */
export interface OptionalAttributes {
  readonly policy?: SignaturePolicy;
  readonly location?: SignerLocation;
  readonly commitment?: CommitmentType;
  /** A description of the content for the user, and its type as a dotted OID, by default id-data (RFC 5035 §2.9). */
  readonly contentHints?: { readonly description?: string; readonly contentType?: string };
  /** For example `application/pdf` (EN 319 122-1 §5.2.4.3). */
  readonly mimeType?: string;
  readonly signerAttributes?: SignerAttributes;
  /** DER of RevocationInfoArchival (ISO 32000-2 §12.8.3.3.2), for signatures of the kind adbe.pkcs7.detached only. */
  readonly adobeRevocationInfo?: Uint8Array;
}

const COMMITMENTS = {
  origin: CadesOid.proofOfOrigin,
  receipt: CadesOid.proofOfReceipt,
  delivery: CadesOid.proofOfDelivery,
  sender: CadesOid.proofOfSender,
  approval: CadesOid.proofOfApproval,
  creation: CadesOid.proofOfCreation,
} as const satisfies Record<Extract<CommitmentType, string>, string>;

function wrong(message: string): never {
  throw new SigningError('CMS_UNSUPPORTED', message);
}

function policyValue({ oid, hash, hashAlgorithm = 'sha256', uri }: SignaturePolicy): Buffer {
  const bytes = typeof hash === 'string' ? Buffer.from(hash, 'hex') : hash;
  if (bytes.length !== DIGEST_LENGTH[hashAlgorithm]) {
    wrong(`The hash of the signature policy is not one of ${hashAlgorithm}.`);
  }
  const qualifier = uri === undefined ? [] : [derSequence(derOid(CadesOid.policyAddress), derIa5String(uri))];
  return derSequence(
    derOid(oid),
    derSequence(digestIdentifier(hashAlgorithm), derOctetString(bytes)),
    ...(qualifier.length === 0 ? [] : [derSequence(...qualifier)]),
  );
}

/** SignerLocation. Its ASN.1 module uses explicit tags, as does every CHOICE such as DirectoryString. */
function locationValue({ country, locality, postalAddress }: SignerLocation): Buffer {
  if (country !== undefined && !/^[A-Z]{2}$/.test(country)) wrong('A country is written with two capital letters.');
  if (postalAddress !== undefined && (postalAddress.length === 0 || postalAddress.length > 6)) {
    wrong('A postal address has one to six lines.');
  }
  const parts = [
    ...(country === undefined ? [] : [derContext(0, derPrintableString(country))]),
    ...(locality === undefined ? [] : [derContext(1, derUtf8String(locality))]),
    ...(postalAddress === undefined ? [] : [derContext(2, derSequence(...postalAddress.map(derUtf8String)))]),
  ];
  return parts.length === 0
    ? wrong('A location has a country, a locality or a postal address.')
    : derSequence(...parts);
}

const commitmentValue = (type: CommitmentType): Buffer =>
  derSequence(derOid(typeof type === 'string' ? COMMITMENTS[type] : type.oid));

function contentHintsValue({
  description,
  contentType = Oid.data,
}: NonNullable<OptionalAttributes['contentHints']>): Buffer {
  if (description === '') wrong('The description of the content is empty.');
  return derSequence(...(description === undefined ? [] : [derUtf8String(description)]), derOid(contentType));
}

function mimeTypeValue(mimeType: string): Buffer {
  if (!/^[!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+(;.*)?$/.test(mimeType)) wrong(`"${mimeType}" is not a media type.`);
  return derUtf8String(mimeType);
}

/** SignerAttributeV2 (EN 319 122-1 §5.2.6.1); its module has explicit tags. */
function signerAttributesValue({ roles = [], claimed = [], certified = [] }: SignerAttributes): Buffer {
  if (roles.length === 0 && claimed.length === 0 && certified.length === 0)
    wrong('There are no attributes of the signer.');
  const titles = roles.map((role) => ({ oid: Oid.title, values: [derUtf8String(role)] }));
  const attributes = [...titles, ...claimed].map(({ oid, values }) => {
    if (values.length === 0) wrong(`The attribute ${oid} of the signer has no value.`);
    return derSequence(derOid(oid), derSetOf(...values.map((value) => readDer(value).bytes)));
  });
  const certificates = certified.map((der) => derContext(0, readDer(der).expect(Tag.sequence, 'a certificate').bytes));
  return derSequence(
    ...(attributes.length === 0 ? [] : [derContext(0, derSequence(...attributes))]),
    ...(certificates.length === 0 ? [] : [derContext(1, derSequence(...certificates))]),
  );
}

const attribute = (oid: string, value: Buffer): Buffer => derSequence(derOid(oid), derElement(Tag.set, value));

/**
 * DER of the attributes, in no order. Throws `CMS_UNSUPPORTED` for a value without a place in the standard, and
 * `DER_MALFORMED` for signer attributes with malformed DER.
 */
export function optionalAttributes(options: OptionalAttributes): readonly Buffer[] {
  const { policy, location, commitment, contentHints, mimeType, signerAttributes, adobeRevocationInfo } = options;
  return [
    ...(policy === undefined ? [] : [attribute(CadesOid.signaturePolicyIdentifier, policyValue(policy))]),
    ...(location === undefined ? [] : [attribute(CadesOid.signerLocation, locationValue(location))]),
    ...(commitment === undefined ? [] : [attribute(CadesOid.commitmentTypeIndication, commitmentValue(commitment))]),
    ...(contentHints === undefined ? [] : [attribute(CadesOid.contentHints, contentHintsValue(contentHints))]),
    ...(mimeType === undefined ? [] : [attribute(CadesOid.mimeType, mimeTypeValue(mimeType))]),
    ...(signerAttributes === undefined
      ? []
      : [attribute(CadesOid.signerAttributesV2, signerAttributesValue(signerAttributes))]),
    ...(adobeRevocationInfo === undefined
      ? []
      : [attribute(CadesOid.adobeRevocationInfoArchival, readDer(adobeRevocationInfo).bytes)]),
  ];
}
