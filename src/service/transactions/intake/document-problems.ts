/** Documents of a create request that cannot be read or written: problems of the request, or failures of single files. */
import { ServiceError, type CodedProblem } from '../../errors/index.ts';
import type { DocumentRecord } from '../records.ts';
import type { CheckedRequest } from './check-request.ts';

/** A problem of the request with the record of its document. */
export type DocumentProblem = CodedProblem & { readonly record: DocumentRecord; readonly isOfFile: boolean };

/** A refusal of a single document becomes a problem of the request; other errors end the request. */
export function asProblem(
  field: string,
  record: DocumentRecord,
  problems: DocumentProblem[],
): (error: unknown) => 'refused' {
  return (error) => {
    if (!(error instanceof ServiceError) || isOurs(error)) throw error;
    const isOfFile = aboutAFile.has(error.code) || isForbiddenBySystem(error);
    problems.push({ field, code: error.code, detail: error.message, record, isOfFile });
    return 'refused';
  };
}

/** Problems of a file on a disk or in a store, which the author of the request may not know of. */
const aboutAFile: ReadonlySet<string> = new Set([
  'DOCUMENT_UNREADABLE',
  'DOCUMENT_TOO_LARGE',
  'DESTINATION_EXISTS',
  'FOLDER_NOT_FOUND',
]);

/** True for a file that the operating system does not let this program read. */
const isForbiddenBySystem = ({ cause }: ServiceError): boolean =>
  cause instanceof Error && 'code' in cause && (cause.code === 'EACCES' || cause.code === 'EPERM');

/**
 * One file must not end the batch: files that cannot be read or written get the status ERROR while others can be
 * signed. Empty when the request has to be refused: nothing is left to sign, or a problem is a mistake of the request.
 */
export function failuresOfFiles(
  { documentsSource }: CheckedRequest,
  settled: readonly DocumentRecord[],
  problems: readonly DocumentProblem[],
): readonly DocumentRecord[] {
  const isOfFiles = documentsSource === 'FILE_PATH' || documentsSource.startsWith('STORE_');
  const isLeft = settled.some(({ status }) => status !== 'ERROR');
  if (!isOfFiles || !isLeft || !problems.every(({ isOfFile }) => isOfFile)) return [];
  return problems.map(({ record, code, detail }) => ({
    ...record,
    content: null,
    destinationPath: null,
    destinationUrl: null,
    status: 'ERROR',
    error: { code, detail },
  }));
}

/** A temporary failure independent of the document. */
const isOurs = ({ code }: ServiceError): boolean => code.startsWith('STORAGE_') || code === 'STORE_UNAVAILABLE';
