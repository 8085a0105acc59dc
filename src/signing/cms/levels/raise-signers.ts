/** Brings signers of one SignedData to a level, step by step (EN 319 122-1 §6.3, DOC-ICP-15.03). */
import { hash } from 'node:crypto';
import type { Certificate } from '../../certificates/certificate.ts';
import { parseCertificate } from '../../certificates/parse-certificate.ts';
import { Tag } from '../../der/reader.ts';
import { SigningError } from '../../errors.ts';
import type { TimestampDigest } from '../../keys/signer.ts';
import type { MaterialCollector, ValidationMaterial } from '../../revocation/revocation-result.ts';
import { readTimestampToken, type Timestamper, type TimestampToken } from '../../timestamps/timestamp-token.ts';
import { CadesOid } from '../cades-oids.ts';
import { readSignerInfo } from '../../signed-data/signed-data.ts';
import { isNamedBy } from '../../signed-data/verify-signer.ts';
import { attributeOf, makeArchiveV2, makeArchiveV3, type ArchiveStamp } from './archive-time-stamp.ts';
import { STEPS, type CmsLevel, type LevelServices, type LevelStep } from './cms-level.ts';
import { unsignedOfType, withMaterial, withSigner, withUnsigned, type Envelope, type SignerParts } from './envelope.ts';
import { digestOfBytes, type LevelContent } from './level-content.ts';
import { writeCertificateValues, writeReferences, writeRevocationValues, revocationChoices } from './references.ts';

/** The signature to extend, and the services for the extension. */
export interface Raising {
  readonly level: CmsLevel;
  readonly services: LevelServices;
  readonly content: LevelContent;
  /**
   * Handles a failed step. True keeps the steps so far and skips the signer's remaining steps. Without this function
   * every failure is thrown.
   */
  readonly onFailure?: (error: unknown) => boolean;
}

function timestamperOf({ level, services }: Pick<Raising, 'level' | 'services'>): Timestamper {
  if (services.timestamper !== undefined) return services.timestamper;
  throw new SigningError('TIMESTAMP_REFUSED', `The level ${level} needs a time stamp authority. Configure one.`);
}

function collectorOf({ level, services }: Pick<Raising, 'level' | 'services'>): MaterialCollector {
  if (services.collector !== undefined) return services.collector;
  throw new SigningError(
    'REVOCATION_UNKNOWN',
    `The level ${level} needs revocation data, but no source of revocation data is configured.`,
  );
}

/** Throws the errors of missing services before anything is signed. */
export function expectServices(level: CmsLevel, services: LevelServices): void {
  timestamperOf({ level, services });
  if (level !== 'B-T' && level !== 'AD-RT') collectorOf({ level, services });
}

function certificatesIn({ certificates }: Envelope): readonly Certificate[] {
  return certificates.flatMap((der) => {
    if (der[0] !== Tag.sequence) return [];
    try {
      return [parseCertificate(der)];
    } catch (error) {
      if (error instanceof SigningError) return [];
      throw error;
    }
  });
}

function certificateOf(signer: SignerParts, known: readonly Certificate[]): Certificate {
  const certificate = known.find(isNamedBy(signer.info.identifier));
  if (certificate !== undefined) return certificate;
  throw new SigningError('CHAIN_INCOMPLETE', "The signature does not carry the signer's certificate.");
}

const TIME_STAMPS = [
  CadesOid.signatureTimeStamp,
  CadesOid.referencesTimeStamp,
  CadesOid.archiveTimeStampV2,
  CadesOid.archiveTimeStampV3,
] as const;

function tokensOf(signer: SignerParts): readonly TimestampToken[] {
  return TIME_STAMPS.flatMap((oid) => unsignedOfType(signer, oid))
    .flatMap((attribute) => attribute.child(1, 'the time stamps').children)
    .map(({ bytes }) => readTimestampToken(bytes));
}

const distinct = (buffers: readonly Buffer[]): readonly Buffer[] => [
  ...new Map(buffers.map((der) => [hash('sha256', der, 'hex'), der])).values(),
];

function mergeMaterial(materials: readonly ValidationMaterial[]): ValidationMaterial {
  const certificates = materials.flatMap((material) => material.certificates);
  return {
    certificates: [...new Map(certificates.map((certificate) => [certificate.fingerprint, certificate])).values()],
    ocspResponses: distinct(materials.flatMap(({ ocspResponses }) => ocspResponses)),
    crls: distinct(materials.flatMap(({ crls }) => crls)),
  };
}

const has = (signer: SignerParts, oid: string): boolean => unsignedOfType(signer, oid).length > 0;

const isArchived = (signer: SignerParts): boolean =>
  has(signer, CadesOid.archiveTimeStampV2) || has(signer, CadesOid.archiveTimeStampV3);

const byTime = (left: TimestampToken, right: TimestampToken): number => left.time.getTime() - right.time.getTime();

/** A certificate without material, and the time of the requested revocation status. */
interface Subject {
  readonly certificate: Certificate;
  readonly at: Date;
  /** The time of the signature or time stamp; revocation data should be newer. */
  readonly newerThan?: Date;
  /** True for the signer's certificate, for which newer data is mandatory. */
  readonly isSigner?: boolean;
  /** True when missing material does not stop the extension. */
  readonly isOptional?: boolean;
}

/** Certificates of the counter-signers at any depth, as far as known. */
function counterSigners(
  { unsigned }: Pick<SignerParts, 'unsigned'>,
  known: readonly Certificate[],
): readonly Certificate[] {
  const infos = unsignedOfType({ unsigned }, CadesOid.counterSignature).flatMap((attribute) => {
    return attribute.child(1, 'the counter-signatures').children.map(readSignerInfo);
  });
  return infos.flatMap((info) => {
    const certificate = known.find(isNamedBy(info.identifier));
    const inner = counterSigners({ unsigned: info.unsignedAttributes.map(({ der }) => der) }, known);
    return [...(certificate === undefined ? [] : [certificate]), ...inner];
  });
}

/**
 * The certificates without material. Before the first archive time stamp, these are the signer's certificate as of the
 * first time stamp, and the certificates of counter-signers and of all time-stamp authorities as of now. An archive
 * time stamp protects the material so far. Afterwards only the authority of the last archive time stamp needs material,
 * because the other servers may be gone.
 */
function subjectsOf(signer: SignerParts, known: readonly Certificate[], now: Date): readonly Subject[] {
  const tokens = tokensOf(signer).toSorted(byTime);
  const authorityOf = ({ certificate }: TimestampToken): readonly Certificate[] =>
    certificate === undefined ? [] : [certificate];
  if (isArchived(signer)) {
    return tokens
      .slice(-1)
      .flatMap(authorityOf)
      .map((certificate) => ({ certificate, at: now, isOptional: true }));
  }
  const first = tokens[0]?.time;
  const counters = counterSigners(signer, known);
  return [
    { certificate: certificateOf(signer, known), at: first ?? now, newerThan: first, isSigner: true },
    ...counters.map((certificate) => ({ certificate, at: now, isOptional: true })),
    ...tokens.flatMap((token) =>
      authorityOf(token).map((certificate) => ({ certificate, at: now, newerThan: token.time })),
    ),
  ];
}

/** Errors that leave an optional certificate without material. Other errors, such as `CANCELLED`, end the extension. */
const OPTIONAL_FAILURES: ReadonlySet<string> = new Set([
  'REVOCATION_UNKNOWN',
  'CERTIFICATE_REVOKED',
  'CHAIN_INCOMPLETE',
]);

/** Collects material for each subject once. */
async function collect(
  subjects: readonly Subject[],
  known: readonly Certificate[],
  raising: Raising,
): Promise<ValidationMaterial> {
  const collector = collectorOf(raising);
  const materials: ValidationMaterial[] = [];
  for (const { certificate, at, newerThan, isSigner = false, isOptional = false } of distinctSubjects(subjects)) {
    const mustBeNewer = isSigner && raising.services.olderEvidence !== 'accept';
    const terms = newerThan === undefined ? {} : { newerThan, mustBeNewer };
    try {
      materials.push(await collector.collect(certificate, known, at, raising.services.signal, terms));
    } catch (error) {
      if (!isOptional || !(error instanceof SigningError) || !OPTIONAL_FAILURES.has(error.code)) throw error;
    }
  }
  return mergeMaterial(materials);
}

/** Keeps the first subject of each certificate, so that a signer comes before a counter-signer. */
const distinctSubjects = (subjects: readonly Subject[]): readonly Subject[] =>
  [
    ...new Map(subjects.toReversed().map((subject) => [subject.certificate.fingerprint, subject])).values(),
  ].toReversed();

async function stampOver(bytes: Buffer, raising: Raising): Promise<Buffer> {
  const timestamper = timestamperOf(raising);
  const imprint = digestOfBytes(timestamper.digest, bytes);
  return (await timestamper.stamp(imprint, raising.services.signal)).der;
}

/** The input of CAdES-C-time-stamp: the signature's bytes, then type and values of each attribute (RFC 5126 §6.3.5). */
function referencesInput(signer: SignerParts): Buffer {
  const attributes = [
    CadesOid.signatureTimeStamp,
    CadesOid.certificateReferences,
    CadesOid.revocationReferences,
  ].flatMap((oid) => unsignedOfType(signer, oid).map(({ content }) => content));
  return Buffer.concat([signer.info.signature, ...attributes]);
}

/** The extension of one signer; material is collected once for all steps. */
class SignerRaising {
  envelope: Envelope;
  readonly #index: number;
  readonly #raising: Raising;
  #material: ValidationMaterial | undefined;

  constructor(envelope: Envelope, index: number, raising: Raising) {
    this.envelope = envelope;
    this.#index = index;
    this.#raising = raising;
  }

  get #signer(): SignerParts {
    const signer = this.envelope.signers[this.#index];
    if (signer === undefined) throw new SigningError('CMS_UNSUPPORTED', 'The signature has no such signer.');
    return signer;
  }

  #add(oid: string, value: Buffer): void {
    this.#addAttribute(attributeOf(oid, value));
  }

  #addAttribute(attribute: Buffer): void {
    this.envelope = withSigner(this.envelope, this.#index, withUnsigned(this.#signer, attribute));
  }

  async #collected(): Promise<ValidationMaterial> {
    if (this.#material === undefined) {
      const known = this.#known();
      const now = this.#raising.services.now?.() ?? new Date();
      this.#material = await collect(subjectsOf(this.#signer, known, now), known, this.#raising);
    }
    return this.#material;
  }

  #known(): readonly Certificate[] {
    const tokens = tokensOf(this.#signer);
    return [...certificatesIn(this.envelope), ...tokens.flatMap(({ certificates }) => certificates)];
  }

  #certificate(material: ValidationMaterial): Certificate {
    return certificateOf(this.#signer, [...certificatesIn(this.envelope), ...material.certificates]);
  }

  async #references(): Promise<void> {
    const material = await this.#collected();
    const digest: TimestampDigest = timestamperOf(this.#raising).digest;
    const { certificates, revocations } = writeReferences(digest, this.#certificate(material), material);
    this.#add(CadesOid.certificateReferences, certificates);
    this.#add(CadesOid.revocationReferences, revocations);
  }

  async #values(): Promise<void> {
    const material = await this.#collected();
    this.#add(CadesOid.certificateValues, writeCertificateValues(this.#certificate(material), material));
    this.#add(CadesOid.revocationValues, writeRevocationValues(material));
  }

  async #archive(make: typeof makeArchiveV3): Promise<void> {
    const { content, services } = this.#raising;
    const timestamper = timestamperOf(this.#raising);
    const { envelope } = this;
    const stamp = await make(envelope, this.#signer, content, timestamper, services.signal);
    this.#addAttribute(stamp.attribute(await this.#materialOf(stamp)));
  }

  /**
   * The missing material of an archive time stamp's authority, so that the stamp can still be validated when the
   * authority's servers are gone. Empty when the signature has the material, or the material is unavailable.
   */
  async #materialOf({ certificate: authority, certificates }: ArchiveStamp): Promise<ValidationMaterial> {
    const present = [...certificatesIn(this.envelope), ...(this.#material?.certificates ?? [])];
    const isKnown = present.some(({ fingerprint }) => fingerprint === authority?.fingerprint);
    if (authority === undefined || isKnown) return mergeMaterial([]);
    const at = this.#raising.services.now?.() ?? new Date();
    const known = [...this.#known(), ...certificates];
    return collect([{ certificate: authority, at, isOptional: true }], known, this.#raising);
  }

  /** Existing parts are kept; only archive time stamps are added every time. */
  async take(step: LevelStep): Promise<void> {
    const signer = this.#signer;
    switch (step) {
      case 'signature-time-stamp':
        // An archive time stamp of version 2 covers the attributes before it, so none of them can be added later.
        if (!has(signer, CadesOid.signatureTimeStamp) && !isArchived(signer)) {
          this.#add(CadesOid.signatureTimeStamp, await stampOver(signer.info.signature, this.#raising));
        }
        return;
      case 'material': {
        const material = await this.#collected();
        const certificates = material.certificates.map(({ der }) => der);
        this.envelope = withMaterial(this.envelope, certificates, revocationChoices(material));
        return;
      }
      case 'references':
        if (!has(signer, CadesOid.certificateReferences)) await this.#references();
        return;
      case 'references-time-stamp':
        if (!has(signer, CadesOid.referencesTimeStamp)) {
          this.#add(CadesOid.referencesTimeStamp, await stampOver(referencesInput(signer), this.#raising));
        }
        return;
      case 'values':
        if (!has(signer, CadesOid.certificateValues)) await this.#values();
        return;
      case 'archive-v3':
        return this.#archive(makeArchiveV3);
      case 'archive-v2':
        return this.#archive(makeArchiveV2);
    }
  }
}

/**
 * Brings the given signers of the envelope to the level. No signed part changes. Rejects with `TIMESTAMP_REFUSED` or
 * `REVOCATION_UNKNOWN` for a missing service, `CHAIN_INCOMPLETE` without the signer's certificate, `CMS_UNSUPPORTED`
 * without needed content, and with the errors of the services.
 */
export async function raiseSigners(
  envelope: Envelope,
  indexes: readonly number[],
  raising: Raising,
): Promise<Envelope> {
  expectServices(raising.level, raising.services);
  let current = envelope;
  for (const index of indexes) {
    const signer = new SignerRaising(current, index, raising);
    try {
      for (const step of STEPS[raising.level]) await signer.take(step);
    } catch (error) {
      if (raising.onFailure?.(error) !== true) throw error;
    }
    current = signer.envelope;
  }
  return current;
}
