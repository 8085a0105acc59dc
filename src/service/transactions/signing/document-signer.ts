import { hash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import {
  addSigner,
  type PdfLevelOptions,
  type PdfKeys,
  type RepairPdfRequest,
  type RepairPdfResult,
  type Signer,
  SigningError,
  type SignPdfRequest,
  type SignPdfResult,
  verifyCms,
} from '../../../signing/index.ts';
import { counterSignFile } from './counter-sign-file.ts';
import { signatureForm } from '../intake/document-form.ts';
import { pdfAppearance } from './pdf-appearance.ts';
import { prepareSigner, type PreparedSigner } from './prepare-signer.ts';
import { readPdfContents } from './read-pdf-contents.ts';
import type { SignatureChoice } from '../intake/signature-choice.ts';
import type { SignatureEvidence } from './signature-evidence.ts';
import type { SignatureSetting } from '../intake/signature-setting.ts';

/** One document to be signed, from a file into a new file. */
export interface SignDocumentFile extends PdfKeys {
  readonly inputPath: string;
  /** Created exclusively, flushed and closed; removed on failure. */
  readonly outputPath: string;
  readonly setting: SignatureSetting;
  readonly signingTime: Date;
  /** Also answer the CMS when it is not longer than this many octets. */
  readonly returnUpTo?: number;
  /** Where a damaged PDF is repaired to before it is signed; absent: a damaged PDF is refused. Removed afterwards. */
  readonly repairPath?: string;
}

export interface SignedDocumentFile {
  /** Octets of the output. */
  readonly size: number;
  /** Lower-case hex SHA-256 of the content that was signed, where the signature itself says so. */
  readonly contentChecksum?: string;
  readonly signature?: Buffer;
  /** What was repaired first, a sentence each; absent: nothing was. */
  readonly repairs?: readonly string[];
}

/** One small document to be signed in memory. */
export interface SignSmallDocument {
  /** Lower-case hex SHA-256 of the document, measured when it came. */
  readonly sha256: string;
  /** Reads the document, where its hash is not enough. */
  readonly read: () => Promise<Buffer>;
  readonly signingTime: Date;
}

/** Signs documents of one type with one key. Calls may overlap. Rejects with `SigningError` or the system's errors. */
export interface DocumentSigner {
  sign(request: SignDocumentFile): Promise<SignedDocumentFile>;
  /** Answers the result. Absent where signing needs files. */
  signSmall?(request: SignSmallDocument): Promise<Buffer>;
}

/** How a transaction gets its document signer from an opened key. */
export type PrepareDocumentSigner = (signer: Signer, choice: SignatureChoice) => Promise<DocumentSigner>;

/** Signs one PDF, at a level where that is given. */
export type SignPdf = (request: SignPdfRequest, level?: PdfLevelOptions) => Promise<SignPdfResult>;

/** What document signers are made of. */
export interface DocumentSignerParts {
  /** The signing core's own functions, or ones that run them where a hostile PDF does no harm. */
  readonly signPdf: SignPdf;
  readonly repairPdf: (request: RepairPdfRequest) => Promise<RepairPdfResult>;
  readonly evidence: SignatureEvidence;
}

/**
 * Document signers of the signing core. What it makes rejects with `ServiceError` for a policy that cannot be had and
 * `SigningError` for a key that cannot be used this way.
 */
export function documentSigners(parts: DocumentSignerParts): PrepareDocumentSigner {
  return async (signer, choice) => {
    const prepared = await prepareSigner(parts.evidence, signer, choice);
    const { container, attached } = signatureForm(choice.type);
    if (container === 'pdf') return pdfSigner(prepared, choice, parts);
    const { existingSignature } = choice;
    return withCounterSignatures(
      existingSignature === undefined
        ? cmsFileSigner(prepared, attached)
        : coSigner(prepared, attached, existingSignature),
      signer,
      choice,
    );
  };
}

function cmsFileSigner({ cms }: PreparedSigner, attached: boolean): DocumentSigner {
  return {
    async sign({ inputPath, outputPath, signingTime, returnUpTo }) {
      const { size, contentDigest } = await cms.signFile({ inputPath, outputPath, attached, signingTime });
      return {
        size,
        ...(cms.digest === 'sha256' ? { contentChecksum: contentDigest } : {}),
        ...(returnUpTo !== undefined && size <= returnUpTo ? { signature: await readFile(outputPath) } : {}),
      };
    },
    async signSmall({ sha256, read, signingTime }) {
      if (attached) return cms.signContent(await read(), signingTime);
      const digest = cms.digest === 'sha256' ? Buffer.from(sha256, 'hex') : hash(cms.digest, await read(), 'buffer');
      return cms.signDigest(digest, signingTime);
    },
  };
}

/** Documents whose setting says so are signatures that are counter-signed. */
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

/** Adds a signer to a signature that is there (RFC 5652 §5.1); the document must be the one that it is about. */
function coSigner({ cms }: PreparedSigner, attached: boolean, existing: Buffer): DocumentSigner {
  return {
    async sign({ inputPath, outputPath, signingTime, returnUpTo }) {
      if (attached) await expectEnclosed(existing, inputPath);
      const content = { path: inputPath };
      const signature = await addSigner(existing, cms, { signingTime, ...(attached ? {} : { content }) });
      await writeFile(outputPath, signature, { flag: 'wx', flush: true });
      return {
        size: signature.length,
        ...(returnUpTo !== undefined && signature.length <= returnUpTo ? { signature } : {}),
      };
    },
  };
}

/** The document is the one inside the signature, and nobody's signature in it is broken. */
async function expectEnclosed(existing: Buffer, path: string): Promise<void> {
  const { signers } = await verifyCms(existing, { path });
  const broken = signers.find(({ outcome }) => outcome === 'broken');
  if (broken === undefined) return;
  throw new SigningError('SIGNATURE_INVALID', broken.reason ?? 'The existing signature is broken.');
}

function pdfSigner(prepared: PreparedSigner, choice: SignatureChoice, parts: DocumentSignerParts): DocumentSigner {
  const sign = async (request: SignDocumentFile): Promise<SignedDocumentFile> => {
    const { outputPath, setting, signingTime, returnUpTo, password, recipient } = request;
    const { visible } = setting;
    const { cms, subFilter, pdfLevel } = prepared;
    const appearance =
      visible === undefined
        ? {}
        : { appearance: pdfAppearance(visible, { setting, signingTime, certificate: cms.certificate, ...choice }) };
    const { size, byteRange } = await parts.signPdf(
      {
        inputPath: request.inputPath,
        outputPath,
        signer: cms,
        options: { ...signatureTexts(setting), subFilter, signingTime, ...appearance },
        password,
        recipient,
      },
      pdfLevel,
    );
    if (returnUpTo === undefined) return { size };
    const signature = await readPdfContents(outputPath, byteRange);
    return signature.length <= returnUpTo ? { size, signature } : { size };
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

/** A PDF that is damaged, or written in a way that a repair may turn into one that is understood. */
const isDamage = (error: unknown): boolean =>
  error instanceof SigningError && (error.code === 'PDF_MALFORMED' || error.code === 'PDF_UNSUPPORTED');

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

/** What a setting says for a PDF's signature dictionary: all but its own id and its looks. */
function signatureTexts(setting: SignatureSetting): Omit<SignatureSetting, 'id' | 'visible'> {
  return Object.fromEntries(Object.entries(setting).filter(([name]) => name !== 'id' && name !== 'visible'));
}
