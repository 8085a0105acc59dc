import { stat } from 'node:fs/promises';
import { ServiceError } from '../../errors/index.ts';
import type { TransactionContext } from '../dependencies.ts';
import { resultFileName, resultMediaType } from '../documents/file-names.ts';
import type { DocumentRecord, ResultRecord } from '../records.ts';
import { hasSmallResult } from '../documents/small-documents.ts';
import type { ResultFile } from '../transaction.ts';
import { isLifetimeOver, readStored } from './views.ts';

/**
 * The result of a SIGNED document. Rejects with `TRANSACTION_NOT_FOUND`, `DOCUMENT_NOT_FOUND`, `NOT_SIGNED_YET`,
 * `SIGNING_FAILED` (with the document's reason), `LIFETIME_OVER`, or `RESULT_DELIVERED` for a result in an object
 * store.
 */
export async function findResult(context: TransactionContext, tcn: string, documentId: string): Promise<ResultFile> {
  const { transaction, documents } = await readStored(context, tcn, documentId);
  const [document] = documents;
  if (document === undefined) {
    throw new ServiceError('DOCUMENT_NOT_FOUND', 'This transaction has no document with this id.');
  }
  const result = signedResult(document, context.now());
  if (document.destinationUrl !== null) {
    throw new ServiceError('RESULT_DELIVERED', `The signed document is at ${document.destinationUrl}: get it there.`);
  }
  const small = hasSmallResult(document.content) ? await context.smallDocuments.result(document.key) : undefined;
  return {
    ...(small === undefined ? { path: await findFile(context, document, result) } : { octets: small }),
    size: result.size,
    mediaType: resultMediaType(transaction.type),
    fileName: resultFileName(document.originalFileName ?? document.id, transaction.type),
    checksum: result.checksum,
    signedAt: result.signedAt,
  };
}

function signedResult(document: DocumentRecord, now: Date): ResultRecord {
  if (document.status === 'WAITING') {
    throw new ServiceError('NOT_SIGNED_YET', 'The document is not signed yet: ask again later.', { retryAfter: 1 });
  }
  if (document.result === null) {
    const { code, detail } = document.error ?? { code: 'SIGNING_FAILED', detail: 'The document was not signed.' };
    const problems = [{ field: `documents[${document.position}]`, code, detail }];
    throw new ServiceError('SIGNING_FAILED', `The document could not be signed: ${detail}`, { problems });
  }
  if (isLifetimeOver(document, now)) {
    throw new ServiceError('LIFETIME_OVER', 'The signed document is no longer kept here: sign it again.');
  }
  return document.result;
}

/** A delivered result belongs to the user, who may have moved or changed the file since. */
async function findFile(
  { documents }: TransactionContext,
  { destinationPath, key }: DocumentRecord,
  result: ResultRecord,
): Promise<string> {
  const path = destinationPath ?? documents.resultPath(key);
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() === true && found.size === result.size) return path;
  throw new ServiceError('LIFETIME_OVER', 'The signed document is no longer where it was written.');
}
