/**
 * SignedData as slices, so that parts can be added and the message can be written again. Signed parts are never
 * re-encoded. The content stays outside: see `LevelContent`.
 */
import { Oid } from '../../der/oids.ts';
import { type DerElement, Tag, contextTag, readDer, readOid, readSmallInteger } from '../../der/reader.ts';
import { derContext, derSequence, derSetOf, sortSetOf } from '../../der/writer.ts';
import { SigningError } from '../../errors.ts';
import { CadesOid, isEvidenceRecordType } from '../cades-oids.ts';
import { readSignerInfo, type SignerInfo } from '../../signed-data/signed-data.ts';

/** A SignerInfo (RFC 5652 §5.3) in slices. */
export interface SignerParts {
  /** The parsed input, with the original unsigned attributes. `unsigned` holds the current unsigned attributes. */
  readonly info: SignerInfo;
  /** DER of version, sid, digestAlgorithm, signedAttrs, signatureAlgorithm and signature, unchanged. */
  readonly fields: readonly Buffer[];
  /** DER of each unsigned Attribute. */
  readonly unsigned: readonly Buffer[];
}

/** The parts of SignedData (RFC 5652 §5.1) besides the content. */
export interface Envelope {
  readonly contentType: string;
  /** The input's version; the written version may be higher. */
  readonly version: number;
  /** DER of the AlgorithmIdentifiers. */
  readonly digestAlgorithms: readonly Buffer[];
  /** DER of each CertificateChoices. */
  readonly certificates: readonly Buffer[];
  /** DER of each RevocationInfoChoice. */
  readonly revocations: readonly Buffer[];
  readonly signers: readonly SignerParts[];
}

function readSigner(element: DerElement): SignerParts {
  const unsigned = element.children.slice(4).find(({ tag }) => tag === contextTag(1));
  const fields = element.children.filter((child) => child !== unsigned).map(({ bytes }) => bytes);
  return { info: readSignerInfo(element), fields, unsigned: (unsigned?.children ?? []).map(({ bytes }) => bytes) };
}

const slices = (element: DerElement | undefined): readonly Buffer[] =>
  (element?.children ?? []).map(({ bytes }) => bytes);

/** The unsigned attributes of this type. */
export const unsignedOfType = ({ unsigned }: Pick<SignerParts, 'unsigned'>, oid: string): readonly DerElement[] =>
  unsigned.map(readDer).filter((attribute) => readOid(attribute.child(0, 'an attribute type')) === oid);

const hasArchiveV2 = (signer: SignerParts): boolean => unsignedOfType(signer, CadesOid.archiveTimeStampV2).length > 0;

/** True when an archive time stamp covers the present certificates and revocation lists (RFC 5126 §6.4.1). */
export const isFrozen = ({ signers }: Pick<Envelope, 'signers'>): boolean => signers.some(hasArchiveV2);

/** True when a signer has an evidence record, which covers the whole message (RFC 4998 appendix A). */
export const isRecorded = ({ signers }: Pick<Envelope, 'signers'>): boolean =>
  signers.some(({ unsigned }) =>
    unsigned.some((attribute) => isEvidenceRecordType(readOid(readDer(attribute).child(0, 'an attribute type')))),
  );

/**
 * Throws `CMS_UNSUPPORTED` when an evidence record covers the message, because any addition would invalidate the
 * record.
 */
export function expectNoRecord(envelope: Pick<Envelope, 'signers'>): void {
  if (!isRecorded(envelope)) return;
  const message =
    'An evidence record covers this signature, and would prove nothing after an addition. Extend it to B-LTA: this renews the record.';
  throw new SigningError('CMS_UNSUPPORTED', message);
}

const sorted = (elements: readonly Buffer[]): readonly Buffer[] =>
  sortSetOf(elements).map((element) => Buffer.from(element));

/** Sorts the sets as DER demands. Sets covered by an archive time stamp keep their order. */
function sortedSets<Parts extends Envelope>(envelope: Parts): Parts {
  if (isFrozen(envelope)) return envelope;
  const { certificates, revocations } = envelope;
  return { ...envelope, certificates: sorted(certificates), revocations: sorted(revocations) };
}

/** Splits SignedData; elements: version, digestAlgorithms, encapContentInfo and the rest. */
export function openEnvelope(elements: readonly DerElement[]): Envelope {
  const [version, digests, content, ...rest] = elements;
  const signers = rest.find(({ tag }) => tag === Tag.set);
  if (version === undefined || digests === undefined || content === undefined || signers === undefined) {
    throw new SigningError('CMS_MALFORMED', 'The signature is not complete.');
  }
  return sortedSets({
    contentType: readOid(content.child(0, 'the content type'), 'the content type'),
    version: readSmallInteger(version, 'the version'),
    digestAlgorithms: slices(digests),
    certificates: slices(rest.find(({ tag }) => tag === contextTag(0))),
    revocations: slices(rest.find(({ tag }) => tag === contextTag(1))),
    signers: signers.children.map(readSigner),
  });
}

const isSorted = (elements: readonly Buffer[]): boolean =>
  elements.every((element, index) => index === 0 || Buffer.compare(elements[index - 1] ?? element, element) <= 0);

/** Adds an unsigned attribute to the signer, sorted as DER demands unless sorting would move hashed attributes. */
export function withUnsigned(signer: SignerParts, attribute: Buffer): SignerParts {
  const keepsOrder = hasArchiveV2(signer) && !isSorted(signer.unsigned);
  const all: readonly Buffer[] = [...signer.unsigned, attribute];
  return { ...signer, unsigned: keepsOrder ? all : sorted(all) };
}

/** The envelope with another signer in the place of `index`. */
export const withSigner = (envelope: Envelope, index: number, signer: SignerParts): Envelope => ({
  ...envelope,
  signers: envelope.signers.with(index, signer),
});

function union(present: readonly Buffer[], added: readonly Buffer[]): readonly Buffer[] {
  const known = new Set(present.map((der) => der.toString('latin1')));
  const fresh = added.filter((der) => {
    const key = der.toString('latin1');
    return !known.has(key) && known.add(key);
  });
  return fresh.length === 0 ? present : [...present, ...fresh];
}

/**
 * The envelope with additional certificates and revocation data, without duplicates. Throws `CMS_UNSUPPORTED` when an
 * archive time stamp covers the present material: the addition would break the stamp.
 */
export function withMaterial(
  envelope: Envelope,
  certificates: readonly Buffer[],
  revocations: readonly Buffer[],
): Envelope {
  const more = {
    certificates: union(envelope.certificates, certificates),
    revocations: union(envelope.revocations, revocations),
  };
  if (more.certificates === envelope.certificates && more.revocations === envelope.revocations) return envelope;
  if (isFrozen(envelope)) {
    const message = 'An archive time stamp covers the certificates in this signature, so none can be added.';
    throw new SigningError('CMS_UNSUPPORTED', message);
  }
  return sortedSets({ ...envelope, ...more });
}

/** CMSVersion demanded by the parts (RFC 5652 §5.1); never lower than the input's version. */
export function versionOf({ version, contentType, certificates, revocations, signers }: Envelope): number {
  const has = (choices: readonly Buffer[], tag: number): boolean => choices.some((der) => der[0] === tag);
  const needed = (): number => {
    if (has(certificates, contextTag(3)) || has(revocations, contextTag(1))) return 5;
    if (has(certificates, contextTag(2))) return 4;
    const namesKey = signers.some(({ info }) => info.identifier.kind === 'keyIdentifier');
    return has(certificates, contextTag(1)) || namesKey || contentType !== Oid.data ? 3 : 1;
  };
  return Math.max(version, needed());
}

/** DER of `certificates` and `crls`, where there are any. */
export function writeMaterial({ certificates, revocations }: Envelope): readonly Buffer[] {
  return [
    ...(certificates.length === 0 ? [] : [derContext(0, ...certificates)]),
    ...(revocations.length === 0 ? [] : [derContext(1, ...revocations)]),
  ];
}

/** DER of `unsignedAttrs`, where there are any. */
export const writeUnsigned = ({ unsigned }: SignerParts): readonly Buffer[] =>
  unsigned.length === 0 ? [] : [derContext(1, ...unsigned)];

const writeSigner = (signer: SignerParts): Buffer => derSequence(...signer.fields, ...writeUnsigned(signer));

/** Everything after the content: certificates, revocation data, signers. */
export function writeTail(envelope: Envelope): Buffer {
  const signers = derSetOf(...envelope.signers.map(writeSigner));
  return Buffer.concat([...writeMaterial(envelope), signers]);
}
