import { signerOf } from '../../service/certificates/index.ts';
import { ServiceError } from '../../service/errors/index.ts';
import {
  readDocumentHistory,
  readHistory,
  type DocumentView,
  type HistoryFilter,
} from '../../service/transactions/index.ts';
import type { CallHandlers, CallInput, CallOutput } from '../../ui-contract/ui-contract.ts';
import type { Core } from '../compose/open-core.ts';
import { transactionForUi, transactionsForUi } from './views.ts';

type HistoryCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `history.${string}`>>;

/** The calls about the history of signatures. */
export function historyCalls(core: Core): HistoryCalls {
  const {
    storage: { history },
    now,
  } = core;
  let noted: Promise<void> | undefined;
  return {
    'history.documents': async ({ offset, limit, ...input }) => {
      await (noted ??= noteSigners(core));
      const found = await readDocumentHistory({ history, now }, filterOf(input), { offset, limit });
      const documents = [];
      for (const { transaction, batch, signer } of found.documents) {
        const view = await transactionForUi(transaction);
        documents.push(...view.documents.map((document) => ({ ...view, document, batch, signer })));
      }
      return { total: found.total, more: found.more, documents };
    },
    'history.presence': async ({ tcn, documentId }) => ({ state: await presenceOf(core, tcn, documentId) }),
    'history.extend': async (input) => extendDocument(core, input),
    'history.list': async ({ offset, limit, ...input }) => {
      const { total, transactions } = await readHistory({ history, now }, filterOf(input), { offset, limit });
      return { total, transactions: await transactionsForUi(transactions) };
    },
    'history.summary': async ({ minutesAhead, ...input }) => {
      const { days, newestOnly } = await history.countByDay(filterOf(input), minutesAhead);
      return {
        newestOnly,
        days: days.map(({ day, counts }) => ({
          day,
          signed: counts.SIGNED,
          waiting: counts.WAITING,
          failed: counts.ERROR,
        })),
      };
    },
  };
}

/** Whether the file of a result is still there, and still has the bytes that were signed. */
async function presenceOf(
  { transactions }: Pick<Core, 'transactions'>,
  tcn: string,
  documentId: string,
): Promise<CallOutput<'history.presence'>['state']> {
  const { documents } = await transactions.query(tcn, { documents: { limit: Number.POSITIVE_INFINITY } });
  const document = documents.find(({ id }) => id === documentId);
  if (document === undefined) throw new ServiceError('DOCUMENT_NOT_FOUND', 'There is no such document.');
  if (document.status !== 'SIGNED') return 'not-signed';
  if (document.inObjectStore) return 'in-store';
  try {
    await transactions.result(tcn, documentId);
    return document.resultPath === null ? 'kept' : 'there';
  } catch (error) {
    return absenceOf(error, document);
  }
}

/** Extends a signed file, but only if the file has not changed since. */
async function extendDocument(
  { transactions, renewals }: Core,
  { tcn, documentId, ...extension }: CallInput<'history.extend'>,
): Promise<CallOutput<'history.extend'>> {
  const { documents, type } = await transactions.query(tcn, { documents: { limit: Number.POSITIVE_INFINITY } });
  const document = documents.find(({ id }) => id === documentId);
  await transactions.result(tcn, documentId);
  if (document?.resultPath == null || document.inObjectStore) {
    throw new ServiceError('REQUEST_INVALID', 'Sinete keeps this result itself: save it in a folder, then extend it.');
  }
  if (document.pendingLevel !== null) {
    throw new ServiceError(
      'REQUEST_INVALID',
      'Sinete extends this file itself as soon as newer revocation data is available.',
    );
  }
  const content = {
    content: type.includes('detached') ? (document.sourcePath ?? undefined) : undefined,
  };
  const { path, size, warnings } = await renewals.extend(document.resultPath, { ...extension, ...content });
  return { path, size, warnings: [...warnings] };
}

/** Certificates of this computer may have signed before History stored signers. */
async function noteSigners({ keys, storage, log }: Core): Promise<void> {
  try {
    const signers = (await keys.ring.list()).flatMap(({ fingerprint, certificate }) => {
      const signer = signerOf(certificate);
      return signer === undefined ? [] : [[fingerprint, signer] as const];
    });
    await storage.history.noteSigners(new Map(signers));
  } catch (error) {
    log.service.warn({ error }, 'the signers of earlier documents are not known');
  }
}

function absenceOf(error: unknown, { resultPath }: DocumentView): CallOutput<'history.presence'>['state'] {
  if (!(error instanceof ServiceError)) throw error;
  if (error.code === 'LIFETIME_OVER') return resultPath === null ? 'erased' : 'missing';
  if (error.code === 'RESULT_DAMAGED') return 'changed';
  throw error;
}

function filterOf(input: Omit<CallInput<'history.summary'>, 'minutesAhead'>): HistoryFilter {
  const { text, status, type, from, before } = input;
  return {
    text,
    status,
    type,
    from: from === undefined ? undefined : new Date(from),
    before: before === undefined ? undefined : new Date(before),
  };
}
