import { readFile, stat, writeFile, rm } from 'node:fs/promises';
import { hash } from 'node:crypto';
import {
  counterSign,
  type Signer,
  SigningError,
  verifyCms,
  addSigner,
  contentOfHash,
  prepareRawSigner,
  type DigestAlgorithm,
  type RawScheme,
  type PdfLevelOptions,
  type RepairPdfRequest,
  type RepairPdfResult,
  type SignPdfRequest,
  type SignPdfResult,
} from '../../../signing/index.ts';
import { signatureForm } from '../../signature-types/index.ts';
import { pdfAppearance, readPdfContents } from './pdf-appearance.ts';
import { ServiceError } from '../../errors/index.ts';
import {
  choiceByHash,
  prepareSigner,
  warnOfRevocation,
  type PreparedSigner,
  type SignerPreparation,
} from './prepare-signer.ts';
import { usualPlace, type SignatureSetting, type VisibleSignature } from '../choices/signature-setting.ts';
import type {
  DocumentSigner,
  PrepareDocumentSigner,
  SignatureChoice,
  SignDocumentFile,
  SignedDocumentFile,
} from '../signers.ts';

/** A file with a signature to counter-sign into a new file. */
interface CounterSignFile {
  readonly inputPath: string;
  readonly outputPath: string;
  readonly signerIndex: number | 'all';
  readonly signingTime: Date;
  /** If set, the answer also contains a result of at most this many bytes. */
  readonly returnUpTo?: number;
}

/** Most bytes: the signature with its content is rebuilt in memory. */
const largest = 64 * 2 ** 20;

/**
 * Signs the existing signature values (RFC 5652 §11.4), with the profile and the hash function of the transaction.
 * Rejects with `SIGNATURE_INVALID` for a broken signature, `CMS_UNSUPPORTED` above 64 MiB, and with the errors of
 * `counterSign`.
 */
export async function counterSignFile(
  signer: Signer,
  { type, digest }: SignatureChoice,
  { inputPath, outputPath, signerIndex, signingTime, returnUpTo }: CounterSignFile,
): Promise<{ readonly size: number; readonly signature?: Buffer }> {
  if ((await stat(inputPath)).size > largest) {
    throw new SigningError('CMS_UNSUPPORTED', 'Signatures up to 64 MiB, with what they enclose, are counter-signed.');
  }
  const existing = await readFile(inputPath);
  await expectUnbroken(existing, signerIndex);
  const { profile } = signatureForm(type);
  const result = await counterSign(existing, { signer, signerIndex, digest, profile, signingTime });
  await writeFile(outputPath, result, { flag: 'wx', flush: true, mode: 0o600 });
  return {
    size: result.length,
    ...(returnUpTo !== undefined && result.length <= returnUpTo ? { signature: result } : {}),
  };
}

/** Checks the signature as far as possible without the document of a detached signature. */
async function expectUnbroken(existing: Buffer, signerIndex: number | 'all'): Promise<void> {
  const { signers } = await verifyCms(existing);
  const broken = signers.find(
    ({ outcome }, index) => outcome === 'broken' && (signerIndex === 'all' || index === signerIndex),
  );
  if (broken === undefined) return;
  throw new SigningError('SIGNATURE_INVALID', broken.reason ?? 'The signature is broken.');
}

/** Signs a PDF, optionally at a level. */
export type SignPdf = (request: SignPdfRequest, level?: PdfLevelOptions) => Promise<SignPdfResult>;

/** Services for document signers. */
export interface DocumentSignerParts extends SignerPreparation {
  /** The signing core's own functions, or versions that run where a hostile PDF does no harm. */
  readonly signPdf: SignPdf;
  readonly repairPdf: (request: RepairPdfRequest) => Promise<RepairPdfResult>;
  /** The page that stamps name (`StampSubject.checkPage`). */
  readonly checkPage?: string;
}

/**
 * Prepares document signers of the signing core. Rejects with `ServiceError` for an unavailable policy and
 * `SigningError` for an unfit key.
 */
export function documentSigners(parts: DocumentSignerParts): PrepareDocumentSigner {
  return async (signer, choice) => {
    if (signatureForm(choice.type).container === 'raw') return rawSigner(parts, signer, choice);
    const prepared = await prepareSigner(parts, signer, choice);
    const { container, attached } = signatureForm(choice.type);
    const { warnings } = prepared;
    if (container === 'pdf') return { ...pdfSigner(prepared, choice, parts), warnings };
    const { existingSignature } = choice;
    const documents = withCounterSignatures(
      existingSignature === undefined
        ? cmsFileSigner(prepared, attached)
        : coSigner(prepared, attached, existingSignature),
      signer,
      choice,
    );
    return { ...documents, signHash: attached ? undefined : hashSigner(parts, signer, choice), warnings };
  };
}

/** Signs documents by their hashes. The keys' constants are prepared once for each hash function. */
function hashSigner(
  parts: SignerPreparation,
  signer: Signer,
  choice: SignatureChoice,
): NonNullable<DocumentSigner['signHash']> {
  const prepared = new Map<DigestAlgorithm, Promise<PreparedSigner>>();
  const preparedFor = async (digest: DigestAlgorithm): Promise<PreparedSigner> => {
    const known = prepared.get(digest) ?? prepareSigner(parts, signer, choiceByHash(choice, digest));
    prepared.set(digest, known);
    return known;
  };
  return async ({ digest, value, signingTime }) => {
    const { cms } = await preparedFor(digest);
    const hash = Buffer.from(value, 'hex');
    let postponed: string | undefined;
    const onPostponed = (reason: string): void => {
      postponed = reason;
    };
    const { existingSignature } = choice;
    const signature =
      existingSignature === undefined
        ? await cms.signDigest(hash, signingTime, undefined, onPostponed)
        : await addSigner(existingSignature, cms, {
            signingTime,
            content: contentOfHash({ digest, value }),
            onPostponed,
          });
    return { signature, postponed };
  };
}

/** Makes bare signatures. `SIGNATURE_INVALID` never leaves: the signer verifies with the certificate. */
async function rawSigner(parts: SignerPreparation, signer: Signer, choice: SignatureChoice): Promise<DocumentSigner> {
  const warnings = await warnOfRevocation(parts, signer, choice.now());
  const raw = prepareRawSigner(signer, rawSchemeOf(choice.signatureAlgorithm));
  return {
    warnings,
    signHash: async ({ digest, value }) => ({ signature: await raw.signHash(Buffer.from(value, 'hex'), digest) }),
    signInMemory: async ({ read }) => raw.signData(await read(), choice.digest),
    sign: async () => Promise.reject(new ServiceError('INTERNAL', 'A bare signature is not made from a file.')),
  };
}

function rawSchemeOf(name: SignatureChoice['signatureAlgorithm']): RawScheme | undefined {
  switch (name) {
    case undefined:
      return undefined;
    case 'RSASSA-PKCS1-v1_5':
      return 'rsassa-pkcs1-v1_5';
    case 'RSASSA-PSS':
      return 'rsassa-pss';
    case 'ECDSA':
      return 'ecdsa';
  }
}

function cmsFileSigner({ cms }: PreparedSigner, attached: boolean): DocumentSigner {
  return {
    async sign({ inputPath, outputPath, signingTime, returnUpTo }) {
      const { size, contentDigest, postponed } = await cms.signFile({ inputPath, outputPath, attached, signingTime });
      return {
        size,
        postponed,
        ...(cms.digest === 'sha256' ? { contentChecksum: contentDigest } : {}),
        ...(returnUpTo !== undefined && size <= returnUpTo ? { signature: await readFile(outputPath) } : {}),
      };
    },
    async signInMemory({ sha256, read, signingTime }) {
      if (attached) return cms.signContent(await read(), signingTime);
      const digest = cms.digest === 'sha256' ? Buffer.from(sha256, 'hex') : hash(cms.digest, await read(), 'buffer');
      return cms.signDigest(digest, signingTime);
    },
  };
}

/** Documents with a setting for counter-signing are existing signatures. */
function withCounterSignatures(documents: DocumentSigner, signer: Signer, choice: SignatureChoice): DocumentSigner {
  return {
    ...documents,
    async sign(request) {
      const { counterSign } = request.setting;
      if (counterSign === undefined) return documents.sign(request);
      return counterSignFile(signer, choice, { ...request, signerIndex: counterSign });
    },
  };
}

/** Adds a signer to an existing signature (RFC 5652 §5.1); the document must be the signed document. */
function coSigner({ cms }: PreparedSigner, attached: boolean, existing: Buffer): DocumentSigner {
  return {
    async sign({ inputPath, outputPath, signingTime, returnUpTo }) {
      if (attached) await expectEnclosed(existing, inputPath);
      const content = { path: inputPath };
      let postponed: string | undefined;
      const signature = await addSigner(existing, cms, {
        signingTime,
        ...(attached ? {} : { content }),
        onPostponed: (reason) => {
          postponed = reason;
        },
      });
      await writeFile(outputPath, signature, { flag: 'wx', flush: true, mode: 0o600 });
      return {
        size: signature.length,
        postponed,
        ...(returnUpTo !== undefined && signature.length <= returnUpTo ? { signature } : {}),
      };
    },
  };
}

/** Checks that the document is the enclosed content, and that no signature is broken. */
async function expectEnclosed(existing: Buffer, path: string): Promise<void> {
  const { signers } = await verifyCms(existing, { path });
  const broken = signers.find(({ outcome }) => outcome === 'broken');
  if (broken === undefined) return;
  throw new SigningError('SIGNATURE_INVALID', broken.reason ?? 'The existing signature is broken.');
}

function pdfSigner(prepared: PreparedSigner, choice: SignatureChoice, parts: DocumentSignerParts): DocumentSigner {
  const sign = async (request: SignDocumentFile): Promise<SignedDocumentFile> => {
    const { outputPath, setting, signingTime, returnUpTo, password, recipient } = request;
    const { visible, invisible } = setting;
    const { cms, subFilter, pdfLevel } = prepared;
    const { checkPage } = parts;
    const look = (place: VisibleSignature) =>
      pdfAppearance(place, { setting, signingTime, certificate: cms.certificate, ...choice, checkPage });
    const appearance = {
      appearance: visible === undefined ? undefined : await look(visible),
      // A field that the author of the form placed on a page shows who signed.
      fieldAppearance: visible === undefined && invisible !== true ? await look(usualPlace) : undefined,
    };
    const { size, byteRange, adjustments, warnings, postponed } = await parts.signPdf(
      {
        inputPath: request.inputPath,
        outputPath,
        signer: cms,
        // A visible signature has a place of its own.
        options: {
          ...signatureTexts(setting),
          subFilter,
          signingTime,
          fillsOnlyEmptyField: visible === undefined,
          ...appearance,
        },
        password,
        recipient,
      },
      pdfLevel,
    );
    const result = {
      size,
      ...(adjustments.length === 0 ? {} : { adjustments }),
      postponed,
      ...(warnings.length === 0 ? {} : { warnings }),
    };
    if (returnUpTo === undefined) return result;
    const signature = await readPdfContents(outputPath, byteRange);
    return signature.length <= returnUpTo ? { ...result, signature } : result;
  };
  return {
    async sign(request) {
      try {
        return await sign(request);
      } catch (error) {
        if (request.repairPath === undefined || !isDamage(error)) throw error;
        return await signRepaired(request, request.repairPath, sign, parts);
      }
    },
  };
}

/** True for a damaged PDF, or a PDF in an unsupported form that a repair may convert. */
const isDamage = (error: unknown): boolean =>
  error instanceof SigningError && ['PDF_MALFORMED', 'PDF_DAMAGED', 'PDF_UNSUPPORTED'].includes(error.code);

async function signRepaired(
  request: SignDocumentFile,
  repairPath: string,
  sign: (request: SignDocumentFile) => Promise<SignedDocumentFile>,
  { repairPdf }: DocumentSignerParts,
): Promise<SignedDocumentFile> {
  const { inputPath, password, recipient } = request;
  await rm(repairPath, { force: true });
  try {
    const { repairs } = await repairPdf({ inputPath, outputPath: repairPath, password, recipient });
    const signed = await sign({ ...request, inputPath: repairPath });
    return repairs.length === 0 ? signed : { ...signed, repairs };
  } finally {
    await rm(repairPath, { force: true });
  }
}

/** The members of a setting that are options of the signing core too. The compiler asks for a new one. */
const coreOptions = {
  certify: true,
  contact: true,
  fieldName: true,
  information: true,
  keepStandard: true,
  location: true,
  name: true,
  reason: true,
} satisfies Readonly<Record<keyof SignatureSetting & keyof SignPdfRequest['options'], true>>;

/** A setting's entries for the signature dictionary. */
function signatureTexts(setting: SignatureSetting): Pick<SignatureSetting, keyof typeof coreOptions> {
  return Object.fromEntries(Object.entries(setting).filter(([name]) => Object.hasOwn(coreOptions, name)));
}
