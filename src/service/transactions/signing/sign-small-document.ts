import { hash } from 'node:crypto';
import { ServiceError } from '../../errors/index.ts';
import type { TransactionContext } from '../dependencies.ts';
import type { DocumentRecord, ResultRecord } from '../records.ts';
import type { DocumentJob } from './document-signer.ts';

/** A result in memory, with its record. */
export interface SmallResult {
  readonly bytes: Buffer;
  readonly result: ResultRecord;
}

/** Signs a document from the database in memory. The signed content is the content measured on receipt. */
export async function signSmallDocument(
  { smallDocuments, limits, now }: TransactionContext,
  { document, transaction, signer }: DocumentJob,
): Promise<SmallResult> {
  const signedAt = now();
  const { key, checksum } = document;
  if (signer.signSmall === undefined || checksum === null) {
    throw new ServiceError('INTERNAL', 'A document that rests in the database has no signer.');
  }
  const bytes = await signer.signSmall({
    sha256: checksum,
    signingTime: signedAt,
    read: async () => unchanged(await smallDocuments.original(key), document),
  });
  const isReturned = transaction.returnSignature && bytes.length <= limits.returnedSignatureSize;
  return {
    bytes,
    result: {
      size: bytes.length,
      checksum: hash('sha256', bytes, 'hex'),
      signedAt,
      signature: isReturned ? bytes.toString('base64') : null,
      expiresAt: new Date(now().getTime() + limits.resultLifetime),
      erasedAt: null,
    },
  };
}

function unchanged(bytes: Buffer | undefined, { checksum }: DocumentRecord): Buffer {
  if (bytes !== undefined && hash('sha256', bytes, 'hex') === checksum) return bytes;
  throw new ServiceError('DOCUMENT_UNREADABLE', 'The document is not what was sent: send it again.');
}
