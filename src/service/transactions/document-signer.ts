import {
  type CmsSigner,
  type DigestAlgorithm,
  prepareCmsSigner,
  type Signer,
  type SignPdfRequest,
  type SignPdfResult,
} from '../../signing/index.ts';
import { readFile } from 'node:fs/promises';
import { readPdfContents } from './read-pdf-contents.ts';
import type { SignatureSetting, SignatureType } from './transaction.ts';

/** What a signature type asks of the signing core. */
export interface SignatureForm {
  readonly container: 'cms' | 'pdf';
  /** The content is inside the signature; always false for PDF. */
  readonly attached: boolean;
  readonly profile: 'cms' | 'cades';
}

const forms: Readonly<Record<SignatureType, SignatureForm>> = {
  'CMS-attached': { container: 'cms', attached: true, profile: 'cms' },
  'CMS-detached': { container: 'cms', attached: false, profile: 'cms' },
  'CAdES-attached': { container: 'cms', attached: true, profile: 'cades' },
  'CAdES-detached': { container: 'cms', attached: false, profile: 'cades' },
  PDFSignature: { container: 'pdf', attached: false, profile: 'cms' },
  PAdES: { container: 'pdf', attached: false, profile: 'cades' },
};

export function signatureForm(type: SignatureType): SignatureForm {
  return forms[type];
}

/** One document to be signed, from a file into a new file. */
export interface SignDocumentFile {
  readonly inputPath: string;
  /** Created exclusively, flushed and closed; removed on failure. */
  readonly outputPath: string;
  readonly setting: SignatureSetting;
  readonly signingTime: Date;
  /** Also answer the CMS when it is not longer than this many octets. */
  readonly returnUpTo?: number;
}

export interface SignedDocumentFile {
  /** Octets of the output. */
  readonly size: number;
  /** Lower-case hex SHA-256 of the content that was signed, where the signature itself says so. */
  readonly contentChecksum?: string;
  readonly signature?: Buffer;
}

/** Signs documents of one type with one key. Calls may overlap. Rejects with `SigningError` or the system's errors. */
export interface DocumentSigner {
  sign(request: SignDocumentFile): Promise<SignedDocumentFile>;
}

/** How a transaction gets its document signer from an opened key. */
export type PrepareDocumentSigner = (
  signer: Signer,
  choice: { readonly type: SignatureType; readonly digest: DigestAlgorithm },
) => DocumentSigner;

/** Signs one PDF; the signing core's own function, or one that runs it elsewhere. */
export type SignPdf = (request: SignPdfRequest) => Promise<SignPdfResult>;

/**
 * Document signers of the signing core, with PDFs read by `signPdf`: reading a hostile PDF may take long, so that an
 * application gives a function that does it in a thread. What it makes throws `SigningError` for a key that cannot be
 * used this way.
 */
export function documentSigners(parts: { readonly signPdf: SignPdf }): PrepareDocumentSigner {
  return (signer, { type, digest }) => {
    const { container, attached, profile } = signatureForm(type);
    // PAdES tells the time in the signature dictionary (EN 319 142-1 §6.3).
    const cms = prepareCmsSigner(signer, { digest, profile, omitSigningTime: type === 'PAdES' });
    return container === 'pdf' ? pdfSigner(cms, profile, parts.signPdf) : cmsFileSigner(cms, attached);
  };
}

function cmsFileSigner(cms: CmsSigner, attached: boolean): DocumentSigner {
  return {
    async sign({ inputPath, outputPath, signingTime, returnUpTo }) {
      const { size, contentDigest } = await cms.signFile({ inputPath, outputPath, attached, signingTime });
      return {
        size,
        ...(cms.digest === 'sha256' ? { contentChecksum: contentDigest } : {}),
        ...(returnUpTo !== undefined && size <= returnUpTo ? { signature: await readFile(outputPath) } : {}),
      };
    },
  };
}

function pdfSigner(cms: CmsSigner, profile: 'cms' | 'cades', signPdf: SignPdf): DocumentSigner {
  return {
    async sign({ inputPath, outputPath, setting, signingTime, returnUpTo }) {
      const { size, byteRange } = await signPdf({
        inputPath,
        outputPath,
        signer: cms,
        options: {
          ...signatureTexts(setting),
          subFilter: profile === 'cades' ? 'ETSI.CAdES.detached' : 'adbe.pkcs7.detached',
          signingTime,
        },
      });
      if (returnUpTo === undefined) return { size };
      const signature = await readPdfContents(outputPath, byteRange);
      return signature.length <= returnUpTo ? { size, signature } : { size };
    },
  };
}

/** What a setting says for a PDF's signature dictionary: all but its own id. */
function signatureTexts(setting: SignatureSetting): Omit<SignatureSetting, 'id'> {
  return Object.fromEntries(Object.entries(setting).filter(([name]) => name !== 'id'));
}
