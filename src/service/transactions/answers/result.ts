/** Results of signed documents, given out only as they were written. */
import { hash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { ServiceError } from '../../errors/index.ts';
import { shortTcn } from '../../monitoring/index.ts';
import { resultFileName, resultMediaType } from '../../signature-types/index.ts';
import type { TransactionContext } from '../dependencies.ts';
import { BLOCK_SIZE, hashFile, readCheckedBlocks, resultDamaged } from '../documents/checked-blocks.ts';
import { resultName } from '../documents/result-names.ts';
import { hasSmallResult } from '../documents/small-documents.ts';
import type { DocumentRecord, ResultRecord } from '../records.ts';
import type { DamagedResult, ResultFile } from '../transaction.ts';
import { isLifetimeOver, readStored } from './views.ts';
import { dropUndefined } from '../../../values/drop-undefined.ts';

/** Largest file that is hashed before the first byte is given; longer files are checked block by block. */
const CHECKED_BEFORE = 64 * 2 ** 20;

/**
 * The result of a SIGNED document. A result up to 1 MiB is checked against its SHA-256 each time, a result up to 64 MiB
 * when its file is new to this process or was changed, and a longer result while it is read. Rejects with
 * `TRANSACTION_NOT_FOUND`, `DOCUMENT_NOT_FOUND`, `NOT_SIGNED_YET`, `SIGNING_FAILED` (with the document's reason),
 * `LIFETIME_OVER`, `RESULT_DAMAGED` for a missing or changed result, or `RESULT_DELIVERED` for a result in an object
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
  return {
    ...(await readResult(context, document, result)),
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
  if (isLifetimeOver(document, now)) throw lifetimeOver();
  return document.result;
}

const lifetimeOver = (): ServiceError =>
  new ServiceError('LIFETIME_OVER', 'The signed document is no longer kept here: sign it again.');

type ResultPlace =
  | { readonly bytes: Buffer; readonly path?: undefined; readonly read?: undefined }
  | ({ readonly path: string } & Pick<ResultFile & { readonly path: string }, 'read'>);

async function readResult(
  context: TransactionContext,
  document: DocumentRecord,
  result: ResultRecord,
): Promise<ResultPlace> {
  const checked = await checkResult(context, document, result);
  if (checked.outcome === 'good') return checked.place;
  // The result may have been erased since its row was read.
  const { documents } = await readStored(context, document.tcn, document.id);
  if (documents.some((one) => isLifetimeOver(one, context.now()))) throw lifetimeOver();
  if (document.destinationPath !== null && checked.outcome === 'missing') {
    // A delivered result belongs to the user, who may have moved the file.
    throw new ServiceError('LIFETIME_OVER', 'The signed document is no longer where it was written.');
  }
  noteDamage(context, document, checked.outcome);
  throw resultDamaged();
}

type CheckedResult =
  { readonly outcome: 'good'; readonly place: ResultPlace } | { readonly outcome: 'missing' | 'changed' };

/** Compares a stored result with its record. Rejects with the system's errors other than a missing file. */
async function checkResult(
  context: TransactionContext,
  document: DocumentRecord,
  { size, checksum }: ResultRecord,
): Promise<CheckedResult> {
  const { key, content, destinationPath } = document;
  const matches = (bytes: Buffer): boolean => bytes.length === size && hash('sha256', bytes, 'hex') === checksum;
  if (hasSmallResult(content)) {
    const bytes = await context.smallDocuments.result(key);
    if (bytes === undefined) return { outcome: 'missing' };
    return matches(bytes) ? { outcome: 'good', place: { bytes } } : { outcome: 'changed' };
  }
  const path = destinationPath ?? context.documents.resultPath(resultName(document));
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  if (found?.isFile() !== true) return { outcome: 'missing' };
  if (Number(found.size) !== size) return { outcome: 'changed' };
  if (size <= BLOCK_SIZE) {
    const bytes = await readFile(path);
    return matches(bytes) ? { outcome: 'good', place: { bytes } } : { outcome: 'changed' };
  }
  const blocks = destinationPath === null ? await context.transactions.resultBlocks(key) : undefined;
  const place = {
    path,
    ...dropUndefined({ read: blocks === undefined ? undefined : checkedReader(context, document, path, blocks) }),
  };
  const state = `${found.ino} ${found.mtimeNs} ${found.ctimeNs}`;
  if ((blocks !== undefined && size > CHECKED_BEFORE) || context.results.isGood(key, state)) {
    return { outcome: 'good', place };
  }
  if ((await hashFile(path)).checksum !== checksum) return { outcome: 'changed' };
  context.results.noteGood(key, state);
  return { outcome: 'good', place };
}

function checkedReader(
  context: TransactionContext,
  document: DocumentRecord,
  path: string,
  blocks: Buffer,
): NonNullable<(ResultFile & { readonly path: string })['read']> {
  return async function* (range) {
    try {
      yield* readCheckedBlocks(path, blocks, range);
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'RESULT_DAMAGED') noteDamage(context, document, 'changed');
      throw error;
    }
  };
}

function noteDamage(
  { results, log }: TransactionContext,
  { key, tcn, id, destinationPath }: DocumentRecord,
  reason: DamagedResult['reason'],
): void {
  log.error({ transaction: shortTcn(tcn), document: id, reason }, 'a stored result is missing or damaged');
  if (destinationPath === null) results.noteDamaged(key, { tcn, documentId: id, reason });
}

/** Checks a stored result completely, whatever its size; damage is noted and logged. */
export async function scrubResult(context: TransactionContext, document: DocumentRecord): Promise<void> {
  const { result, key } = document;
  if (result === null || document.destinationPath !== null || document.destinationUrl !== null) return;
  let checked = await checkResult(context, document, result);
  const path = checked.outcome === 'good' ? checked.place.path : undefined;
  if (path !== undefined && result.size > CHECKED_BEFORE && (await hashFile(path)).checksum !== result.checksum) {
    checked = { outcome: 'changed' };
  }
  const { documents } = await readStored(context, document.tcn, document.id);
  if (documents.every((one) => isLifetimeOver(one, context.now()))) context.results.forget(key);
  else if (checked.outcome !== 'good') noteDamage(context, document, checked.outcome);
}
