/** Results of signed documents, only returned if they are unchanged since the signature. */
import { basename } from 'node:path';
import { ServiceError } from '../../errors/index.ts';
import { shortTcn } from '../../monitoring/index.ts';
import { resultFileName, resultMediaType } from '../../signature-types/index.ts';
import type { TransactionMemory, TransactionStores } from '../dependencies.ts';
import type { CheckedResult, CheckOptions, ResultPlace } from '../content/content.ts';
import { resultDamaged } from '../documents/checked-blocks.ts';
import type { DocumentRecord, ResultRecord } from '../records.ts';
import type { DamagedResult, ResultFile } from '../transaction.ts';
import { isLifetimeOver, readStored } from './views.ts';

/**
 * The result of a SIGNED document; a result in a folder has the name of its file there. A result up to 1 MiB is checked against its SHA-256 each time, a result up to 64 MiB
 * when its file is new to this process or was changed, and a longer result while it is read. Rejects with
 * `TRANSACTION_NOT_FOUND`, `DOCUMENT_NOT_FOUND`, `NOT_SIGNED_YET`, `SIGNING_FAILED` (with the document's reason),
 * `LIFETIME_OVER`, `RESULT_DAMAGED` for a missing or changed result, or `RESULT_DELIVERED` for a result in an object
 * store.
 */
export async function findResult(
  context: TransactionStores & TransactionMemory,
  tcn: string,
  documentId: string,
): Promise<ResultFile> {
  const { transaction, documents } = await readStored(context, tcn, documentId);
  const [document] = documents;
  if (document === undefined) {
    throw new ServiceError('DOCUMENT_NOT_FOUND', 'This transaction has no document with this id.');
  }
  const result = signedResult(document, context.now());
  if (document.destinationUrl !== null) {
    throw new ServiceError('RESULT_DELIVERED', `The signed document is at ${document.destinationUrl}: get it there.`);
  }
  return {
    ...(await readResult(context, document, result)),
    size: result.size,
    mediaType: resultMediaType(transaction.type),
    fileName:
      document.destinationPath === null
        ? resultFileName(document.originalFileName ?? document.id, transaction.type)
        : basename(document.destinationPath),
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
  if (isLifetimeOver(document, now)) throw lifetimeOver();
  return document.result;
}

const lifetimeOver = (): ServiceError =>
  new ServiceError('LIFETIME_OVER', 'The signed document is no longer kept here: sign it again.');

async function readResult(
  context: TransactionStores & TransactionMemory,
  document: DocumentRecord,
  result: ResultRecord,
): Promise<ResultPlace> {
  const checked = await check(context, document, result);
  if (checked.outcome === 'good') return checked.place;
  // The result may have been erased after its row was read.
  const { documents } = await readStored(context, document.tcn, document.id);
  if (documents.some((one) => isLifetimeOver(one, context.now()))) throw lifetimeOver();
  if (document.destinationPath !== null && checked.outcome === 'missing') {
    // A delivered result belongs to the user, who may have moved the file.
    throw new ServiceError('LIFETIME_OVER', 'The signed document is no longer where it was written.');
  }
  noteDamage(context, document, checked.outcome);
  throw resultDamaged();
}

function check(
  context: TransactionStores & TransactionMemory,
  document: DocumentRecord,
  result: ResultRecord,
  options: Pick<CheckOptions, 'whole'> = {},
): Promise<CheckedResult> {
  const onDamage = (): void => noteDamage(context, document, 'changed');
  return context.contents.of(document).checkResult(document, result, { ...options, onDamage });
}

function noteDamage(
  { results, log }: TransactionMemory,
  { key, tcn, id, destinationPath }: DocumentRecord,
  reason: DamagedResult['reason'],
): void {
  log.error({ transaction: shortTcn(tcn), document: id, reason }, 'a stored result is missing or damaged');
  if (destinationPath === null) results.noteDamaged(key, { tcn, documentId: id, reason });
}

/** Checks a stored result completely, whatever its size; damage is recorded and logged. */
export async function scrubResult(
  context: TransactionStores & TransactionMemory,
  document: DocumentRecord,
): Promise<void> {
  const { result, key } = document;
  if (result === null || document.destinationPath !== null || document.destinationUrl !== null) return;
  const checked = await check(context, document, result, { whole: true });
  const { documents } = await readStored(context, document.tcn, document.id);
  if (documents.every((one) => isLifetimeOver(one, context.now()))) context.results.forget(key);
  else if (checked.outcome !== 'good') noteDamage(context, document, checked.outcome);
}
