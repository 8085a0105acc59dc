/** Puts the certificates and the revocation data of signatures into the pool, from every place in a signature. */
import { CadesOid } from '../../cms/cades-oids.ts';
import type { Attribute, SignerInfo } from '../../signed-data/signed-data.ts';
import { Tag, contextTag, readDer, readOid, type DerElement } from '../../der/reader.ts';
import { SigningError } from '../../errors.ts';
import { readEvidenceRecord, stampsOf } from '../../evidence-records/index.ts';
import type { PdfSecurityStore } from '../../pdf/differences/pdf-facts.ts';
import { type ObjectKey, type PolicyFacts, certificateKey, objectKey } from '../facts.ts';
import { openDer, type OpenSignature } from '../input/open-signature.ts';
import type { EvidencePool } from './evidence-pool.ts';

/** Runs `action`; unreadable data adds nothing. */
export function ignoringDamage(action: () => readonly ObjectKey[]): readonly ObjectKey[] {
  try {
    return action();
  } catch (error) {
    if (error instanceof SigningError) return [];
    throw error;
  }
}

const present = (key: ObjectKey | undefined): readonly ObjectKey[] => (key === undefined ? [] : [key]);

const children = (element: DerElement | undefined): readonly DerElement[] => element?.children ?? [];

/** RevocationValues and RevocationInfoArchival: `[0]` lists, `[1]` responses (RFC 5126 §6.3.4, ISO 32000-2 §12.8.3.3.2). */
function addRevocationValues(pool: EvidencePool, value: DerElement): readonly ObjectKey[] {
  const lists = children(value.find(contextTag(0))).flatMap((wrapper) => children(wrapper));
  const responses = children(value.find(contextTag(1))).flatMap((wrapper) => children(wrapper));
  return [
    ...lists.map(({ bytes }) => pool.addList(bytes)),
    ...responses.flatMap(({ bytes }) => present(pool.addResponse(bytes))),
  ];
}

function addCertificate(pool: EvidencePool, der: Buffer): ObjectKey {
  pool.addCertificateDer(der);
  return objectKey(der);
}

/** A RevocationInfoChoice (RFC 5652 §10.2.1): a list, or a response (RFC 5940 §2.1). */
export function addRevocationChoice(pool: EvidencePool, der: Buffer): readonly ObjectKey[] {
  if (der[0] === Tag.sequence) return [pool.addList(der)];
  return ignoringDamage(() => {
    const choice = readDer(der);
    const type = readOid(choice.child(0, 'the format'), 'the format');
    const isResponse = type === CadesOid.ocspRevocationInfo || type === CadesOid.basicOcspResponse;
    return isResponse ? present(pool.addResponse(choice.child(1, 'the response').bytes)) : [];
  });
}

/** Adds a time stamp token's own material. Answers the keys of the token and of its material. */
export function addToken(pool: EvidencePool, der: Buffer): readonly ObjectKey[] {
  const inside = ignoringDamage(() => addMaterialWithKeys(pool, openDer(der)));
  return [objectKey(der), ...inside];
}

/** Adds the time stamps of an evidence record, and its certificates and revocation data, which no time stamp covers. */
export function addEvidenceRecord(pool: EvidencePool, der: Uint8Array): readonly ObjectKey[] {
  return ignoringDamage(() => {
    const record = readEvidenceRecord(der);
    const stamps = stampsOf(record);
    addAttributes(pool, [...record.infos, ...stamps.flatMap(({ attributes }) => attributes)]);
    return stamps.flatMap(({ tokenBytes }) => addToken(pool, tokenBytes));
  });
}

/** Adds one value of an unsigned attribute. Answers the keys of every object inside whose existence may matter. */
export function addAttributeValue(pool: EvidencePool, oid: string, value: DerElement): readonly ObjectKey[] {
  return ignoringDamage(() => {
    switch (oid) {
      case CadesOid.certificateValues:
        return children(value).map(({ bytes }) => addCertificate(pool, bytes));
      case CadesOid.revocationValues:
      case CadesOid.adobeRevocationInfoArchival:
        return addRevocationValues(pool, value);
      case CadesOid.signatureTimeStamp:
      case CadesOid.referencesTimeStamp:
      case CadesOid.archiveTimeStampV2:
      case CadesOid.archiveTimeStampV3:
      case CadesOid.contentTimeStamp:
        return addToken(pool, value.bytes);
      case CadesOid.evidenceRecordInternal:
      case CadesOid.evidenceRecordExternal:
        return addEvidenceRecord(pool, value.bytes);
      // The counter-signature gets a key by its bytes: a time stamp over the attribute then proves that it existed.
      case CadesOid.counterSignature:
        return [objectKey(value.bytes)];
      default:
        return [];
    }
  });
}

function addAttributes(pool: EvidencePool, attributes: readonly Attribute[]): readonly ObjectKey[] {
  return attributes.flatMap(({ oid, values }) => values.flatMap((value) => addAttributeValue(pool, oid, value)));
}

const attributesOf = ({ signedAttributes, unsignedAttributes }: SignerInfo): readonly Attribute[] => [
  ...signedAttributes,
  ...unsignedAttributes,
];

/** The parts of a SignedData that may hold certificates and revocation data. */
export type MaterialSource = Pick<OpenSignature, 'signedData' | 'envelope' | 'hasRevocations'>;

/** Adds everything in one SignedData but its certificates. Answers the keys of the added objects. */
function addRest(pool: EvidencePool, { signedData, envelope, hasRevocations }: MaterialSource): readonly ObjectKey[] {
  return [
    ...(hasRevocations ? envelope().revocations.flatMap((der) => addRevocationChoice(pool, der)) : []),
    ...signedData.signers.flatMap((signer) => addAttributes(pool, attributesOf(signer))),
  ];
}

/** Adds everything in one SignedData. */
export function addMaterial(pool: EvidencePool, source: MaterialSource): void {
  pool.addCertificates(source.signedData.certificates);
  addRest(pool, source);
}

/** Adds everything in one SignedData. Answers the keys of the added objects. */
export function addMaterialWithKeys(pool: EvidencePool, source: MaterialSource): readonly ObjectKey[] {
  const { certificates } = source.signedData;
  pool.addCertificates(certificates);
  return [...certificates.map(certificateKey), ...addRest(pool, source)];
}

/** An object of a PDF's store: its key, and the first revision with this object, where known. */
export interface StoredObject {
  readonly key: ObjectKey;
  readonly revision: number | undefined;
}

/** Everything in a PDF's security store. */
export function addSecurityStore(pool: EvidencePool, store: PdfSecurityStore): readonly StoredObject[] {
  const stored = (der: Buffer, keys: readonly ObjectKey[]): readonly StoredObject[] =>
    keys.map((key) => ({ key, revision: store.revisionOf?.(der) }));
  return [
    ...store.certificates.flatMap((der) => stored(der, [addCertificate(pool, der)])),
    ...store.crls.flatMap((der) => stored(der, [pool.addList(der)])),
    ...store.ocspResponses.flatMap((der) => stored(der, present(pool.addResponse(der)))),
  ];
}

// The signature-policy-identifier attribute (EN 319 122-1 §5.2.9, RFC 5126 §5.8.1).

function readPolicy(value: DerElement): PolicyFacts {
  if (value.tag === Tag.null) return { kind: 'implied' };
  const policy = value.expect(Tag.sequence, 'the signature policy');
  const digest = policy.child(1, 'the hash of the policy').expect(Tag.sequence, 'the hash of the policy');
  return {
    kind: 'explicit',
    oid: readOid(policy.child(0, 'the policy'), 'the policy'),
    hashAlgorithm: readOid(digest.child(0, 'the hash function').child(0, 'the hash function'), 'the hash function'),
    hash: digest.child(1, 'the hash').expect(Tag.octetString, 'the hash').content.toString('hex'),
  };
}

/** The signer's policy; undefined: none is named. */
export function gatherPolicy({ signedAttributes }: SignerInfo): PolicyFacts | undefined {
  const [value] = signedAttributes
    .filter(({ oid }) => oid === CadesOid.signaturePolicyIdentifier)
    .flatMap(({ values }) => values);
  try {
    return value && readPolicy(value);
  } catch (error) {
    if (error instanceof SigningError) return { kind: 'damaged', reason: error.message };
    throw error;
  }
}
