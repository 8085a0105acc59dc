/**
 * Signs a PDF by its hash, in a web page or in Node; the document stays where it is, and is read in pieces:
 *
 * ```js
 * const prepared = await preparePdf(file, { certificate: await sinete.readCertificate(alias) });
 * const signature = await sinete.signData(prepared.dataToSign, { certificate: alias });
 * const signed = prepared.complete(signature); // a Blob: PAdES B-B
 * ```
 *
 * Node: `preparePdf(await openAsBlob('contract.pdf'), …)`, and the stream of the result goes into a file.
 */
import { signatureIdentifier, digestIdentifier } from '../algorithms/algorithms.ts';
import type { SignatureScheme } from '../algorithms/schemes.ts';
import { parseCertificate } from '../certificates/parse-certificate.ts';
import { readPublicKeyFacts } from '../certificates/certificate-details.ts';
import { prepareFrame } from '../cms/frame.ts';
import { prepareSignedAttributes } from '../cms/signed-attributes.ts';
import { SigningError } from '../errors.ts';
import { PdfDocument } from '../pdf/reading/pdf-document.ts';
import { PdfFile } from '../pdf/reading/pdf-file.ts';
import { fillContents } from '../pdf/signature/signature-dictionary.ts';
import { prepareSignature, type PreparedSignature } from '../pdf/signature/prepare-signature.ts';
import { BlobFile } from './blob-file.ts';
import { withFile } from './node-parts.ts';
import { Sha2Hash, type Sha2 } from './sha2.ts';

/** Where and how a PDF is signed. */
export interface PdfHashOptions {
  /** DER of the signer's certificate: `readCertificate` of the client. */
  readonly certificate: Uint8Array;
  /** DER of the certificates of its issuers, which the signature encloses. */
  readonly chain?: readonly Uint8Array[];
  /** Default: SHA256. Ed25519 keys take SHA512. */
  readonly hashAlgorithm?: 'SHA256' | 'SHA384' | 'SHA512';
  /** `PAdES` (default) is completed by a signature of `dataToSign`, `CMS` by the answer of `CMS-detached`. */
  readonly format?: 'PAdES' | 'CMS';
  readonly reason?: string;
  readonly location?: string;
  readonly contact?: string;
  readonly name?: string;
  /** The full name of an empty signature field; absent: a new invisible field. */
  readonly fieldName?: string;
  /** Default: now. */
  readonly signingTime?: Date;
  /** Bytes for the signature in the PDF. Default: 16 KiB and the certificates. */
  readonly capacity?: number;
  readonly signal?: AbortSignal;
}

/** A PDF whose signature is missing. */
export interface PreparedPdf {
  /** The hash of the signed parts of the PDF. */
  readonly hash: Uint8Array<ArrayBuffer>;
  readonly hashAlgorithm: 'SHA256' | 'SHA384' | 'SHA512';
  /** DER of the signed attributes of PAdES: `signData` of the client signs them. */
  readonly dataToSign: Uint8Array<ArrayBuffer>;
  readonly fieldName: string;
  /** Sentences about standards of the file, such as PDF/A, that the signature cannot keep. */
  readonly warnings: readonly string[];
  /**
   * The signed PDF, whose parts are the original and the new bytes. `signature` is the bare signature of `dataToSign`,
   * or a CMS signature over `hash`. Throws `SIGNATURE_INVALID` for a CMS signature without this hash. A bare signature is
   * not verified here, because Sinete verifies each signature before the answer.
   */
  complete(signature: Uint8Array): Blob;
}

const PIECE = 1024 * 1024;
const ROOM = 16 * 1024;
/** The tag of a SEQUENCE, which a CMS signature and an ECDSA signature begin with, and id-signedData behind the length. */
const SIGNED_DATA = Buffer.from('06092a864886f70d010702', 'hex');

// A search through the whole file reads references only, and takes them from the stream of the file.
let searched: BlobFile | undefined;
PdfFile.prototype.windows = function* () {
  if (searched !== undefined) yield { start: 0, bytes: Buffer.from(searched.references()) };
};

/**
 * Adds a signature field and the space of a signature to a PDF, and hashes it. Rejects with an error that has a `code`:
 * `PDF_MALFORMED`, `PDF_ENCRYPTED`, `PDF_UNSUPPORTED`, `PDF_CHANGE_FORBIDDEN`, `PDF_FIELD_NOT_FOUND`,
 * `CERTIFICATE_MALFORMED`, `ALGORITHM_UNSUPPORTED`.
 */
export async function preparePdf(pdf: Blob, options: PdfHashOptions): Promise<PreparedPdf> {
  const { hashAlgorithm = 'SHA256', format = 'PAdES', chain = [], signingTime = new Date(), signal } = options;
  const digest = hashAlgorithm.toLowerCase() as Sha2;
  const certificate = parseCertificate(Buffer.from(options.certificate));
  const capacity = options.capacity ?? chain.reduce((sum, { length }) => sum + length, ROOM + certificate.der.length);
  const { reason, location, contact, name, fieldName } = options;
  const subFilter = format === 'PAdES' ? 'ETSI.CAdES.detached' : 'adbe.pkcs7.detached';
  const settings = { subFilter, reason, location, contact, name, fieldName, signingTime } as const;
  const signer = { digest, certificate: certificate.der, detachedSizeLimit: capacity };
  const prepared = await readPdf(pdf, (document) => prepareSignature(document, settings, signer, NO_TEXTS));
  const hash = await hashWith(digest, pdf, prepared, signal);
  const scheme = schemeOf(readPublicKeyFacts(certificate).algorithm, hashAlgorithm);
  const encode = prepareSignedAttributes({
    certificate,
    digest,
    profile: 'cades',
    omitSigningTime: true,
    omitContentType: false,
  });
  const attributes = encode(hash, signingTime);
  const identifiers = {
    digestIdentifier: digestIdentifier(digest),
    signatureIdentifier: signatureIdentifier(scheme, digest),
  };
  const frame = prepareFrame({ certificate, chain, ...identifiers });
  return {
    hash,
    hashAlgorithm,
    dataToSign: new Uint8Array(attributes),
    fieldName: prepared.fieldName,
    warnings: prepared.warnings.map(({ detail }) => detail),
    complete(signature) {
      let cms = Buffer.from(signature);
      if (isSignedData(cms)) {
        if (!cms.includes(Buffer.from(hash))) refuse('The signature belongs to another document or hash function.');
      } else {
        if (format !== 'PAdES') refuse('Complete this PDF with a CMS signature.');
        const tail = frame.tail(attributes, cms);
        cms = Buffer.concat([frame.head(tail.length), tail]);
      }
      const update = Buffer.from(prepared.bytes);
      fillContents(update, prepared.contentsStart, prepared.contentsEnd, cms);
      return new Blob([pdf, update], { type: 'application/pdf' });
    },
  };
}

/** No text is drawn, because the signature is invisible. */
const NO_TEXTS = undefined as never;

async function readPdf<Result>(pdf: Blob, action: (document: PdfDocument) => Result): Promise<Result> {
  const file = new BlobFile(pdf);
  const attempt = async (): Promise<Result> => {
    searched = file;
    const document = await PdfDocument.open('');
    try {
      return action(document);
    } finally {
      await document.close();
    }
  };
  return file.run(async () => withFile(file, attempt));
}

/** Hashes the original in pieces, then the update without the place of the signature. */
async function hashWith(
  digest: Sha2,
  pdf: Blob,
  { bytes, contentsStart, contentsEnd }: PreparedSignature,
  signal: AbortSignal | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const hash = new Sha2Hash(digest);
  for (let start = 0; start < pdf.size; start += PIECE) {
    signal?.throwIfAborted();
    hash.update(new Uint8Array(await pdf.slice(start, start + PIECE).arrayBuffer()));
  }
  return hash.update(bytes.subarray(0, contentsStart)).update(bytes.subarray(contentsEnd)).digest();
}

function schemeOf(algorithm: string, hashAlgorithm: string): SignatureScheme {
  if (algorithm === 'RSA') return 'rsassa-pkcs1-v1_5';
  if (algorithm === 'EC') return 'ecdsa';
  if (algorithm === 'Ed25519' && hashAlgorithm === 'SHA512') return 'ed25519';
  throw new SigningError(
    'ALGORITHM_UNSUPPORTED',
    `A key of the kind ${algorithm} does not sign a ${hashAlgorithm} here.`,
  );
}

/** True for ContentInfo with SignedData: a SEQUENCE with a length of any form, then the type. */
const isSignedData = (bytes: Buffer): boolean => {
  const at = bytes.subarray(0, 32).indexOf(SIGNED_DATA);
  return bytes[0] === 0x30 && at >= 2 && at <= 6;
};

function refuse(message: string): never {
  throw new SigningError('SIGNATURE_INVALID', message);
}
