/** Brings signers of one SignedData to a level, step by step (EN 319 122-1 §6.3, DOC-ICP-15.03). */
import { hash } from 'node:crypto';
import type { Certificate } from '../../certificates/certificate.ts';
import { parseCertificate } from '../../certificates/parse-certificate.ts';
import { Tag } from '../../der/reader.ts';
import { SigningError } from '../../errors.ts';
import type { DigestAlgorithm } from '../../keys/signer.ts';
import type { MaterialCollector, ValidationMaterial } from '../../revocation/revocation-result.ts';
import { readTimestampToken, type Timestamper, type TimestampToken } from '../../timestamps/timestamp-token.ts';
import { CadesOid } from '../cades-oids.ts';
import { isNamedBy } from '../../signed-data/verify-signer.ts';
import { attributeOf, makeArchiveV2, makeArchiveV3 } from './archive-time-stamp.ts';
import { STEPS, type CmsLevel, type LevelServices, type LevelStep } from './cms-level.ts';
import { unsignedOfType, withMaterial, withSigner, withUnsigned, type Envelope, type SignerParts } from './envelope.ts';
import { digestOfOctets, type LevelContent } from './level-content.ts';
import { writeCertificateValues, writeReferences, writeRevocationValues, revocationChoices } from './references.ts';

/** The signature to extend, and the means. */
export interface Raising {
  readonly level: CmsLevel;
  readonly services: LevelServices;
  readonly content: LevelContent;
}

function timestamperOf({ level, services }: Pick<Raising, 'level' | 'services'>): Timestamper {
  if (services.timestamper !== undefined) return services.timestamper;
  throw new SigningError('TIMESTAMP_REFUSED', `The level ${level} needs a time stamp authority. Configure one.`);
}

function collectorOf({ level, services }: Pick<Raising, 'level' | 'services'>): MaterialCollector {
  if (services.collector !== undefined) return services.collector;
  throw new SigningError(
    'REVOCATION_UNKNOWN',
    `The level ${level} needs revocation data, and nothing collects it here.`,
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

/** Collects material as of now for the signer's certificate and for the certificates of all present time stamps. */
async function collect(envelope: Envelope, signer: SignerParts, raising: Raising): Promise<ValidationMaterial> {
  const collector = collectorOf(raising);
  const { now = () => new Date(), signal } = raising.services;
  const tokens = tokensOf(signer);
  const known = [...certificatesIn(envelope), ...tokens.flatMap(({ certificates }) => certificates)];
  const subjects = [
    certificateOf(signer, known),
    ...tokens.flatMap(({ certificate }) => (certificate === undefined ? [] : [certificate])),
  ];
  const materials: ValidationMaterial[] = [];
  for (const subject of new Map(subjects.map((certificate) => [certificate.fingerprint, certificate])).values()) {
    materials.push(await collector.collect(subject, known, now(), signal));
  }
  return mergeMaterial(materials);
}

const has = (signer: SignerParts, oid: string): boolean => unsignedOfType(signer, oid).length > 0;

async function stampOver(octets: Buffer, raising: Raising): Promise<Buffer> {
  const timestamper = timestamperOf(raising);
  const imprint = digestOfOctets(timestamper.digest, octets);
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
    this.#material ??= await collect(this.envelope, this.#signer, this.#raising);
    return this.#material;
  }

  #certificate(material: ValidationMaterial): Certificate {
    return certificateOf(this.#signer, [...certificatesIn(this.envelope), ...material.certificates]);
  }

  async #references(): Promise<void> {
    const material = await this.#collected();
    const digest: DigestAlgorithm = timestamperOf(this.#raising).digest;
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
    this.#addAttribute(await make(this.envelope, this.#signer, content, timestamper, services.signal));
  }

  /** Existing parts are kept; only archive time stamps are added every time. */
  async take(step: LevelStep): Promise<void> {
    const signer = this.#signer;
    switch (step) {
      case 'signature-time-stamp':
        if (!has(signer, CadesOid.signatureTimeStamp)) {
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
    for (const step of STEPS[raising.level]) await signer.take(step);
    current = signer.envelope;
  }
  return current;
}
