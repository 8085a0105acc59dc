/** Collects later proof that the signatures in a PDF were good at their time (EN 319 142-1 §5.4, §6.3). */
import { PdfDocument } from '../reading/pdf-document.ts';
import { addValidationMaterial, type RevisionResult, type SignatureMaterial } from './add-validation-material.ts';
import type { PdfLevelOptions } from './level.ts';
import { readStoredSignatures, type StoredSignature, signatureTimestampsOf } from './stored-signatures.ts';
import { keysOf, type PdfKeys } from '../encryption/standard-security.ts';
import type { Certificate } from '../../certificates/certificate.ts';
import { parseCertificate } from '../../certificates/parse-certificate.ts';
import { readSignature } from '../../signed-data/signature-input.ts';
import type { SignedData, SignerInfo } from '../../signed-data/signed-data.ts';
import { SigningError } from '../../errors.ts';
import type { OlderEvidence } from '../../cms/levels/cms-level.ts';
import type { MaterialCollector, ValidationMaterial } from '../../revocation/revocation-result.ts';
import { readTimestampToken, type TimestampToken } from '../../timestamps/timestamp-token.ts';
import { unsupported } from '../syntax/pdf-error.ts';
import { writeRevision } from './run-revisions.ts';
import { readStoredStream, storeKey } from './security-store.ts';

/** Chooses the signatures that need material. */
export type ChooseSignatures = (document: PdfDocument, all: readonly StoredSignature[]) => readonly StoredSignature[];

/** Signatures without an entry in the security store. */
export const withoutMaterial: ChooseSignatures = (document, all) =>
  all.filter((signature) => !hasMaterial(document, signature));

/** Options beyond the level's own. */
export interface CollectedMaterialOptions extends PdfLevelOptions, PdfKeys {
  readonly signal?: AbortSignal;
}

/** Collects material for the chosen signatures and adds the material in a single update. Rejects like both parts. */
export async function addCollectedMaterial(
  inputPath: string,
  outputPath: string,
  choose: ChooseSignatures,
  options: CollectedMaterialOptions,
): Promise<RevisionResult> {
  const { collector, signal, policyArtifacts, olderEvidence } = options;
  const now = options.now?.() ?? new Date();
  const document = await PdfDocument.open(inputPath, keysOf(options));
  try {
    const chosen = choose(document, readStoredSignatures(document));
    const collected = await collectMaterial(document, chosen, { collector, now, signal, olderEvidence });
    const signatures = collected
      .map((one, index) =>
        policyArtifacts !== undefined && chosen[index]?.kind === 'signature' ? { ...one, policyArtifacts } : one,
      )
      .filter(({ material }) => material.certificates.length > 0);
    if (signatures.length === 0) return { size: await writeRevision(document, outputPath, Buffer.alloc(0), signal) };
    return await addValidationMaterial({
      inputPath,
      outputPath,
      signatures,
      at: now,
      ...keysOf(options),
      signal,
    });
  } finally {
    await document.close();
  }
}

/** A certificate without material, and the time of the requested revocation status. */
interface Subject {
  readonly certificate: Certificate;
  readonly known: readonly Certificate[];
  readonly at: Date;
  /** True when missing material does not stop the extension: a later time stamp protects the existing material. */
  readonly isOptional?: boolean;
  /** The time of the signature or time stamp; revocation data should be newer. */
  readonly newerThan?: Date;
  /** True for the signer's certificate, for which newer data is mandatory. */
  readonly isSigner?: boolean;
}

/** How material is gathered. */
export interface CollectOptions {
  readonly collector: MaterialCollector;
  readonly now: Date;
  readonly signal: AbortSignal | undefined;
  readonly olderEvidence?: OlderEvidence;
}

const earliest = (times: readonly Date[], otherwise: Date): Date =>
  times.reduce((first, time) => (time < first ? time : first), times[0] ?? otherwise);

function missing(fieldName: string): never {
  const message = `The signature in the field "${fieldName}" does not carry the certificate of its signer.`;
  throw new SigningError('CHAIN_INCOMPLETE', message);
}

function certificateOf({ identifier }: SignerInfo, { certificates }: SignedData): Certificate | undefined {
  return certificates.find(({ issuer, serialNumber, subjectKeyIdentifier }) =>
    identifier.kind === 'keyIdentifier'
      ? subjectKeyIdentifier?.equals(identifier.keyIdentifier)
      : serialNumber.equals(identifier.serialNumber) && issuer.equals(identifier.issuer),
  );
}

/** Times of the document time stamps after a signature, as proofs of its existence. */
function timesAfter(signature: StoredSignature, signatures: readonly StoredSignature[]): readonly Date[] {
  return signatures
    .filter(({ kind, end }) => kind === 'document-timestamp' && end > signature.end)
    .map(({ contents }) => readTimestampToken(contents, true).time);
}

const authorityOf = ({ certificate }: TimestampToken, fieldName: string): Certificate =>
  certificate ?? missing(fieldName);

/**
 * The certificates of a signature and its time stamps. Each certificate is checked as of the earliest time proven from
 * outside the signature: the signer's as of the first time stamp, an authority's as of the next document time stamp, or
 * as of now.
 */
function subjectsOf(signature: StoredSignature, all: readonly StoredSignature[], now: Date): readonly Subject[] {
  const { kind, fieldName, contents, subFilter } = signature;
  const later = timesAfter(signature, all);
  if (kind === 'document-timestamp') {
    const token = readTimestampToken(contents, true);
    return [
      {
        certificate: authorityOf(token, fieldName),
        known: token.certificates,
        at: earliest(later, now),
        isOptional: true,
      },
    ];
  }
  if (kind === 'other') {
    unsupported(
      `The signature in the field "${fieldName}" is of the kind "${subFilter}", whose level cannot be raised.`,
    );
  }
  const signedData = readSignature(contents, true);
  return signedData.signers.flatMap((signer) => {
    const tokens = signatureTimestampsOf(signer);
    const known = [...signedData.certificates, ...tokens.flatMap(({ certificates }) => certificates)];
    const certificate = certificateOf(signer, signedData) ?? missing(fieldName);
    const times = [...tokens.map(({ time }) => time), ...later];
    const newerThan = times.length === 0 ? undefined : earliest(times, now);
    const signed: Subject = { certificate, known, at: earliest(times, now), newerThan, isSigner: true };
    const authorities = tokens.map((token): Subject => {
      const authority = authorityOf(token, fieldName);
      return { certificate: authority, known, at: earliest(later, now), newerThan: token.time };
    });
    return [signed, ...authorities];
  });
}

const distinct = (all: readonly Buffer[]): readonly Buffer[] => [
  ...new Map(all.map((der) => [der.toString('latin1'), der])).values(),
];

function merge(materials: readonly ValidationMaterial[]): ValidationMaterial {
  const certificates = materials.flatMap((material) => material.certificates);
  return {
    certificates: [...new Map(certificates.map((certificate) => [certificate.fingerprint, certificate])).values()],
    ocspResponses: distinct(materials.flatMap(({ ocspResponses }) => ocspResponses)),
    crls: distinct(materials.flatMap(({ crls }) => crls)),
  };
}

/** Readable certificates in the security store. */
export function storedCertificates(document: PdfDocument): readonly Certificate[] {
  const store = document.resolve(document.catalog.value.get('DSS'));
  const listed = store instanceof Map ? document.resolve(store.get('Certs')) : null;
  return (Array.isArray(listed) ? listed : []).flatMap((reference) => {
    try {
      const der = readStoredStream(document, reference);
      return der === undefined ? [] : [parseCertificate(der)];
    } catch (error) {
      if (error instanceof SigningError) return [];
      throw error;
    }
  });
}

/** True when the security store has an entry for the signature with a certificate and revocation data. */
export function hasMaterial(document: PdfDocument, { contents }: StoredSignature): boolean {
  const store = document.resolve(document.catalog.value.get('DSS'));
  const all = store instanceof Map ? document.resolve(store.get('VRI')) : null;
  const entry = all instanceof Map ? document.resolve(all.get(storeKey(contents))) : null;
  if (!(entry instanceof Map)) return false;
  const has = (key: string): boolean => {
    const listed = document.resolve(entry.get(key));
    return Array.isArray(listed) && listed.length > 0;
  };
  return has('Cert') && (has('OCSP') || has('CRL'));
}

/**
 * Collects material for these signatures of the document. Rejects with the collector's errors, `CHAIN_INCOMPLETE` for a
 * signature without its signer's certificate, `PDF_UNSUPPORTED` for kinds of signatures without levels.
 */
export async function collectMaterial(
  document: PdfDocument,
  signatures: readonly StoredSignature[],
  { collector, now, signal, olderEvidence }: CollectOptions,
): Promise<readonly SignatureMaterial[]> {
  const all = readStoredSignatures(document);
  const stored = storedCertificates(document);
  const result: SignatureMaterial[] = [];
  for (const signature of signatures) {
    const materials: ValidationMaterial[] = [];
    for (const subject of subjectsOf(signature, all, now)) {
      const { certificate, known, at, newerThan, isSigner = false, isOptional = false } = subject;
      const mustBeNewer = isSigner && olderEvidence !== 'accept';
      const terms = newerThan === undefined ? {} : { newerThan, mustBeNewer };
      try {
        materials.push(await collector.collect(certificate, [...known, ...stored], at, signal, terms));
      } catch (error) {
        const isUnknown = error instanceof SigningError && error.code === 'REVOCATION_UNKNOWN';
        if (!isOptional || !isUnknown) throw error;
      }
    }
    result.push({ fieldName: signature.fieldName, material: merge(materials) });
  }
  return result;
}
