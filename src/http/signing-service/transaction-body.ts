import type { NotificationState } from '../../service/notifications/index.ts';
import type {
  DigestAlgorithm,
  DocumentView,
  TransactionView,
  UploadOutcome,
} from '../../service/transactions/index.ts';
import type { DocumentEntry, hashAlgorithms, TransactionBody, UploadBody } from './schemas.ts';

/** A transaction in wire names. `baseUrl` is the client's address of us, without a slash at its end. */
export function transactionBody(view: TransactionView, baseUrl: string): TransactionBody {
  return {
    tcn: view.tcn,
    status: view.status,
    waiting_for: view.waitingFor,
    certificate_alias: view.certificateAlias,
    type: view.type,
    hash_algorithm: hashNames[view.digest],
    policy: view.policy,
    tsa: view.timestamped,
    documents_source: view.documentsSource,
    documents: view.documents.map((document) => documentEntry(document, view.tcn, baseUrl)),
    created_at: view.createdAt.toISOString(),
    finished_at: view.finishedAt?.toISOString() ?? null,
    ...(view.notification === undefined ? {} : { notification: notificationEntry(view.notification) }),
  };
}

function notificationEntry({ status, attempts, lastError }: NotificationState): TransactionBody['notification'] {
  return { status, attempts, last_error: lastError };
}

/** The answer to an upload. */
export function uploadBody(outcome: UploadOutcome, baseUrl: string): UploadBody {
  return {
    tcn: outcome.tcn,
    documents: outcome.documents.map((document) => documentEntry(document, outcome.tcn, baseUrl)),
    end_of_transaction: outcome.endOfTransaction,
  };
}

const hashNames: Record<DigestAlgorithm, (typeof hashAlgorithms)[number]> = {
  sha256: 'SHA256',
  sha384: 'SHA384',
  sha512: 'SHA512',
};

function documentEntry(document: DocumentView, tcn: string, baseUrl: string): DocumentEntry {
  const { error, signature } = document;
  return {
    id: document.id,
    status: document.status,
    original_file_name: document.originalFileName,
    media_type: document.mediaType,
    size: document.size,
    checksum: document.checksum,
    signature_setting: document.signatureSetting,
    result: resultOf(document, tcn, baseUrl),
    ...(document.inObjectStore ? { destination_file_name: document.destinationFileName } : {}),
    lifetime: document.lifetime,
    ...(error === null ? {} : { error: { code: error.code, detail: error.detail } }),
    ...(signature === null ? {} : { signature }),
    ...(document.repairs.length === 0 ? {} : { repaired: true, repairs: [...document.repairs] }),
  };
}

function resultOf({ status, resultPath, id }: DocumentView, tcn: string, baseUrl: string): string | null {
  if (status !== 'SIGNED') return null;
  return resultPath ?? `${baseUrl}/file-transfer/${encodeURIComponent(tcn)}/${encodeURIComponent(id)}`;
}
