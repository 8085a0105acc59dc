import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { SignatureType } from '../../../service/signature-types/index.ts';
import { fitFileName } from '../../../text/file-name.ts';
import { AppError } from '../../app-error.ts';

/** An existing signature to add a signer to. */
export interface ExistingSignature {
  readonly path: string;
  readonly bytes: Buffer;
  /** True when the signature encloses its content. */
  readonly attached: boolean;
}

/** Most bytes: the signature is sent inside a call, and is stored with the transaction. */
const largest = 32 * 2 ** 20;

/** Reads the signature and its form. Its validity is checked later, when the signer is added. */
export async function readExistingSignature(path: string, files: readonly string[]): Promise<ExistingSignature> {
  if (files.length !== 1) throw new AppError(2, 'A signature is about one document: give one file with --cosign.');
  const refuse = (why: string, cause?: unknown): never => {
    throw new AppError(2, `${path} ${why}`, { cause });
  };
  const { size } = await stat(path).catch((cause: unknown) => refuse('cannot be read.', cause));
  if (size > largest) refuse('is too large to take another signature: 32 MiB is the most.');
  const bytes = await readFile(path).catch((cause: unknown) => refuse('cannot be read.', cause));
  // Imported late: the core takes longer to load than a running instance takes to sign.
  const { SigningError, verifyCms } = await import('../../../signing/index.ts');
  try {
    const { attached } = await verifyCms(bytes);
    return { path, bytes, attached };
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    return refuse(`is no CMS signature. ${error.message}`, error);
  }
}

/** The form of the existing signature, with the requested profile; CAdES by default. */
export function coSignatureType(
  { attached }: Pick<ExistingSignature, 'attached'>,
  wanted: SignatureType | undefined,
): SignatureType {
  if (wanted === 'PAdES' || wanted === 'PDFSignature') {
    throw new AppError(
      2,
      'Signatures in PDFs are added by signing the signed PDF: leave --cosign and --countersign out.',
    );
  }
  const profile = wanted?.startsWith('CMS') === true ? 'CMS' : 'CAdES';
  return `${profile}-${attached ? 'attached' : 'detached'}`;
}

/** The same name in another folder; in the same folder `note.txt.p7s` becomes `note.txt-cosigned.p7s`. */
export function coSignatureDestination({ path }: ExistingSignature, out: string | undefined): string {
  if (out !== undefined) return join(resolve(out), basename(path));
  const extension = extname(path);
  return join(dirname(resolve(path)), fitFileName(basename(path, extension), `-cosigned${extension}`));
}
