import { SigningError } from '../errors.ts';
import { raiseCms, type RaiseCmsRequest } from './raise-cms.ts';
import { readOctets } from './signature-input.ts';
import { throwIfCancelled, wholeFile, withInput, withNewFile, writeAt } from './stream-file.ts';
import { verifyCms } from './verify-cms.ts';

/** A signature in a file that is to be raised to a level. */
export interface RaiseCmsFileRequest extends Omit<RaiseCmsRequest, 'content' | 'signerIndex'> {
  readonly inputPath: string;
  /** Created exclusively, flushed and closed; removed on failure. */
  readonly outputPath: string;
  /** The document of a detached signature; read in constant memory. */
  readonly contentPath?: string;
}

export interface RaiseCmsFileResult {
  /** Octets of the output. */
  readonly size: number;
}

/** Octets of a signature with what it encloses: it is held in memory. */
const LARGEST = 128 * 2 ** 20;

function readWhole(path: string): Promise<Buffer> {
  return withInput(path, async (file) => {
    const { length } = await wholeFile(file);
    if (length <= LARGEST) return readOctets(file, 0, length);
    const message = `Signatures of more than ${LARGEST / 2 ** 20} MiB cannot be raised: sign with the level instead.`;
    throw new SigningError('CMS_UNSUPPORTED', message);
  });
}

/**
 * Raises all signers of a signature in a file, DER, BER or PEM, into a new file in DER. Each signature is checked
 * first, because raising a broken one would make it look better than it is: `SIGNATURE_INVALID`, also when it is
 * detached and the document is not given. Rejects also like `raiseCms`, and with the system's own errors.
 */
export async function raiseCmsFile(request: RaiseCmsFileRequest): Promise<RaiseCmsFileResult> {
  const { inputPath, outputPath, contentPath, ...raising } = request;
  const cms = await readWhole(inputPath);
  const content = contentPath === undefined ? undefined : { path: contentPath };
  const { signers, intact } = await verifyCms(cms, content);
  if (!intact) {
    const reason = signers.find(({ outcome }) => outcome !== 'intact')?.reason ?? 'It has no signer.';
    throw new SigningError('SIGNATURE_INVALID', `The signature does not hold, so it is not raised. ${reason}`);
  }
  const raised = await raiseCms(cms, { ...raising, ...(content === undefined ? {} : { content }) });
  throwIfCancelled(raising.signal);
  await withNewFile(outputPath, (output) => writeAt(output, raised, 0));
  return { size: raised.length };
}
