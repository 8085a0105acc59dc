/** Facts about a SignerInfo, its time stamps and its counter-signatures. */
import type { Certificate } from '../../certificates/certificate.ts';
import { CadesOid } from '../../cms/cades-oids.ts';
import { namesCertificate, type SignerVerification, isNamedBy, verifySigner } from '../../signed-data/verify-signer.ts';
import { readSignerInfo, type SignerInfo } from '../../signed-data/signed-data.ts';
import { Oid } from '../../der/oids.ts';
import { Tag, type DerElement } from '../../der/reader.ts';
import { isSortedSetOf } from '../../der/writer.ts';
import { SigningError } from '../../errors.ts';
import { type IntegrityFacts, type SignatureFacts, type TimestampFacts, signatureKey } from '../facts.ts';
import { isSetOfAttributes, openBytes, type OpenContent } from '../input/open-signature.ts';
import { keyUse, signatureAlgorithmName, signerUses } from './algorithm-uses.ts';
import { gatherChain } from './gather-chain.ts';
import type { GatherContext } from './evidence-pool.ts';
import { gatherPolicy } from './gather-material.ts';
import { gatherReferences } from './gather-references.ts';
import { gatherStatements } from './gather-statements.ts';
import { gatherSignerTimestamps, mayHoldTimestamps, type SignerPlace } from './gather-signer-timestamps.ts';
import { integrityOf } from './gather-timestamp.ts';

/** A SignerInfo at its place. */
export interface SignerSubject {
  readonly id: string;
  readonly info: SignerInfo;
  /** Absent for a counter-signature. */
  readonly contentType: string | undefined;
  /** A sentence, see `SignedData`. */
  readonly misshapen?: string;
  readonly content: OpenContent | undefined;
  /** Content given beside an attached signature; both contents must be equal. */
  readonly given?: OpenContent;
  /** Absent for a counter-signature: its archive time stamps are not read. */
  readonly place?: Omit<SignerPlace, 'info' | 'id' | 'content'>;
  readonly isPdf: boolean;
  /** The time in a PDF's signature dictionary. */
  readonly dictionaryTime?: Date;
  readonly depth: number;
}

/** Deepest level of nested counter-signatures, and most counter-signatures of one signer, that are read. */
const MAX_DEPTH = 6;
const MAX_COUNTER_SIGNATURES = 16;

/** Candidate certificates of the SignerInfo; candidates confirmed by its signed attributes come first. */
function orderCertificates(info: SignerInfo, known: readonly Certificate[]): readonly Certificate[] {
  const isNamed = isNamedBy(info.identifier);
  const named = known.filter(isNamed);
  if (named.length < 2) return named;
  const vouchers = info.signedAttributes
    .filter(({ oid }) => oid === Oid.signingCertificateV2)
    .flatMap(({ values }) => values);
  const isVouchedFor = (certificate: Certificate): boolean =>
    vouchers.some((value) => {
      try {
        return namesCertificate(value, 'v2', certificate)?.startsWith('hash') === true;
      } catch (error) {
        if (error instanceof SigningError) return false;
        throw error;
      }
    });
  return named.toSorted((left, right) => Number(isVouchedFor(right)) - Number(isVouchedFor(left)));
}

function hasSortedAttributes({ signedAttributesDer, signedAttributes }: SignerInfo): boolean {
  if (signedAttributesDer === undefined) return true;
  return isSortedSetOf(signedAttributes.map(({ der }) => der));
}

/** Attributes with exactly one occurrence and one value (RFC 5652 §11, RFC 5035 §5.4, EN 319 122-1 §5.2). */
const SINGLE: ReadonlySet<string> = new Set([
  Oid.contentType,
  Oid.messageDigest,
  Oid.signingTime,
  Oid.signingCertificate,
  Oid.signingCertificateV2,
  CadesOid.signaturePolicyIdentifier,
  CadesOid.contentHints,
  CadesOid.signerLocation,
]);

function repeatedAttributes({ signedAttributes }: SignerInfo): readonly string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { oid, values } of signedAttributes) {
    if (!SINGLE.has(oid)) continue;
    if (seen.has(oid) || values.length !== 1) repeated.add(oid);
    seen.add(oid);
  }
  return repeated.size === 0 ? [] : [...SINGLE].filter((oid) => repeated.has(oid));
}

async function compareContents({ content, given }: SignerSubject): Promise<IntegrityFacts | undefined> {
  if (content === undefined || given === undefined) return undefined;
  const [enclosed, other] = [await content.signed.digestOf('sha256'), await given.signed.digestOf('sha256')];
  if (enclosed.equals(other)) return undefined;
  const reason = 'The document given is not the one that the signature encloses.';
  return { outcome: 'broken', problem: 'content-differs', reason };
}

async function checkIntegrity(subject: SignerSubject, verified: SignerVerification): Promise<IntegrityFacts> {
  return (await compareContents(subject)) ?? integrityOf(verified);
}

function signingCertificateOf(info: SignerInfo, { signingCertificateMatches }: SignerVerification) {
  const isThere = info.signedAttributes.some(
    ({ oid }) => oid === Oid.signingCertificate || oid === Oid.signingCertificateV2,
  );
  if (!isThere) return 'absent';
  if (signingCertificateMatches === undefined) return 'unknown';
  return signingCertificateMatches ? 'matches' : 'differs';
}

function formatOf({ info, isPdf }: SignerSubject): SignatureFacts['format'] {
  const isAdvanced = info.signedAttributes.some(
    ({ oid }) => oid === Oid.signingCertificate || oid === Oid.signingCertificateV2,
  );
  if (isPdf) return isAdvanced ? 'PAdES' : 'PDF';
  return isAdvanced ? 'CAdES' : 'CMS';
}

async function gatherCounterSignatures(
  { id, info, isPdf, depth }: SignerSubject,
  context: GatherContext,
): Promise<readonly SignatureFacts[]> {
  if (depth >= MAX_DEPTH) return [];
  const values: readonly DerElement[] = info.unsignedAttributes
    .filter(({ oid }) => oid === CadesOid.counterSignature)
    .flatMap((attribute) => attribute.values)
    .slice(0, MAX_COUNTER_SIGNATURES);
  const found: SignatureFacts[] = [];
  for (const [index, value] of values.entries()) {
    const ownId = `${id}.${index + 1}`;
    found.push(await gatherCounterSignature(value, ownId, info.signature, isPdf, depth + 1, context));
  }
  return found;
}

async function gatherCounterSignature(
  value: DerElement,
  id: string,
  signature: Buffer,
  isPdf: boolean,
  depth: number,
  context: GatherContext,
): Promise<SignatureFacts> {
  let info: SignerInfo;
  try {
    info = readSignerInfo(value.expect(Tag.sequence, 'a counter-signature'));
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    return damagedSignature(id, isPdf ? 'PDF' : 'CMS', error.message, true);
  }
  const content = openBytes(signature);
  return gatherSigner({ id, info, contentType: undefined, content, isPdf, depth }, context);
}

/** A damaged signature without any other fact. */
export function damagedSignature(
  id: string,
  format: SignatureFacts['format'],
  damage: string,
  isCounterSignature = false,
): SignatureFacts {
  return {
    id,
    key: signatureKey(id),
    format,
    damage,
    integrity: { outcome: 'broken', problem: 'damaged', reason: damage },
    isCounterSignature,
    replaysAttributes: false,
    hasSortedAttributes: true,
    remarks: [],
    repeatedAttributes: [],
    signedAttributes: new Set(),
    unsignedAttributes: new Set(),
    signingCertificate: 'absent',
    digestAlgorithm: '',
    signatureAlgorithm: '',
    algorithms: [],
    timestamps: [],
    counterSignatures: [],
  };
}

/** Attributes with references or values. */
const MATERIAL: ReadonlySet<string> = new Set([
  CadesOid.certificateReferences,
  CadesOid.revocationReferences,
  CadesOid.certificateValues,
  CadesOid.revocationValues,
]);

const hasMaterial = ({ unsignedAttributes }: SignerInfo): boolean =>
  unsignedAttributes.some(({ oid }) => MATERIAL.has(oid));

async function gatherStamps(subject: SignerSubject, context: GatherContext): Promise<readonly TimestampFacts[]> {
  const { id, info, content, place } = subject;
  return gatherSignerTimestamps({ ...place, id, info, content }, context);
}

/** Gathers facts about one signer. Rejects with `CANCELLED`, and with errors of reading the content. */
export async function gatherSigner(subject: SignerSubject, context: GatherContext): Promise<SignatureFacts> {
  const { id, info, contentType, content } = subject;
  const certificates = orderCertificates(info, context.pool.certificates);
  const { misshapen } = subject;
  const surroundings = { contentType, certificates, misshapen };
  const verified = await verifySigner(info, surroundings, content?.signed);
  const { certificate, signingTime, digestAlgorithm } = verified;
  const hasAttributes = info.signedAttributesDer !== undefined;
  const policy = gatherPolicy(info);
  const statements = gatherStatements(info);
  const timestamps = mayHoldTimestamps(info) ? await gatherStamps(subject, context) : [];
  const since = timestamps.find(({ role }) => role === 'signature')?.time ?? signingTime ?? subject.dictionaryTime;
  const chain = certificate && (await gatherChain(certificate, 'document-signing', context, since));
  const path = (): readonly Certificate[] => chain?.links.map((link) => link.certificate) ?? [];
  const isCompared = verified.outcome === 'intact' && subject.given !== undefined;
  return {
    id,
    key: signatureKey(id),
    format: formatOf(subject),
    integrity: isCompared ? await checkIntegrity(subject, verified) : integrityOf(verified),
    isCounterSignature: contentType === undefined,
    replaysAttributes: !hasAttributes && content !== undefined && (await isSetOfAttributes(content)),
    hasSortedAttributes: hasSortedAttributes(info),
    remarks: verified.remarks ?? [],
    repeatedAttributes: repeatedAttributes(info),
    signedAttributes: new Set(info.signedAttributes.map(({ oid }) => oid)),
    unsignedAttributes: new Set(info.unsignedAttributes.map(({ oid }) => oid)),
    ...(certificate === undefined || chain === undefined ? {} : { certificate, chain }),
    signingCertificate: signingCertificateOf(info, verified),
    claimedTime: signingTime,
    statements,
    digestAlgorithm,
    signatureAlgorithm: signatureAlgorithmName(info),
    algorithms: [...signerUses(info), ...(certificate === undefined ? [] : keyUse(certificate))],
    policy,
    ...(hasMaterial(info) ? { material: gatherReferences(info, context.pool, path()) } : {}),
    timestamps,
    counterSignatures: info.unsignedAttributes.length === 0 ? [] : await gatherCounterSignatures(subject, context),
  };
}
