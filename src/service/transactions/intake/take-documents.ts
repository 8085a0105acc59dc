import { basename, normalize } from 'node:path';
import { ServiceError, type CodedProblem, refuseProblems } from '../../errors/index.ts';
import type { ObjectStoreKind } from '../../stores/index.ts';
import { expectDestination, receiveObject } from '../documents/object-documents.ts';
import { eachByTurn } from '../../scheduling/index.ts';
import { grantFor } from './check-reach.ts';
import { type CheckedDocument, type CheckedRequest, pathOfDocument } from './check-request.ts';
import { parseDataUrl } from '../documents/data-url.ts';
import type { TransactionContext } from '../dependencies.ts';
import { blankRecord, failureByContent, placed, placeOf } from './document-records.ts';
import {
  checkedIfFree,
  destinationBeside,
  freeDestination,
  freshName,
  plainFileName,
} from '../documents/file-names.ts';
import type { DocumentRecord, TransactionRecord } from '../records.ts';
import { type RoomForDocuments, withRoom } from '../documents/room-for-documents.ts';
import { ContentIntake } from '../content/content-intake.ts';

/** A request holds its documents in memory anyway, so large commits cost little memory. */
const BYTES_TOGETHER = 2 ** 20;

type Needs = Pick<
  TransactionContext,
  'contents' | 'documents' | 'smallDocuments' | 'files' | 'objects' | 'limits' | 'room'
>;

/** The services of a request's intake: the storage of its documents, the disk space, and the signal that aborts it. */
type Intake = Needs & {
  readonly came: RoomForDocuments['came'];
  readonly intake: ContentIntake;
  readonly signal: AbortSignal | undefined;
};

/** The properties of the transaction that receives the documents. */
type IntakeOf = Pick<TransactionRecord, 'tcn' | 'approval'> & { readonly certificate: Buffer };

/**
 * Receives the documents of a create request as records of the transaction. Refuses the request, with every unusable
 * document, without storing anything.
 */
export async function takeDocuments(
  needs: Needs,
  transaction: IntakeOf,
  request: CheckedRequest,
  signal?: AbortSignal,
): Promise<DocumentRecord[]> {
  return withRoom(needs, request, announcedBytes(request), async ({ begin, came }) => {
    await begin();
    return takeAll({ ...needs, came, signal }, transaction, request);
  });
}

/** The announced size of data URLs in base64; unknown for other sources. */
function announcedBytes({ documentsSource, documents }: CheckedRequest): number {
  if (documentsSource !== 'DATA_URL') return 0;
  return documents.reduce((sum, { data = '' }) => sum + Math.floor((data.length * 3) / 4), 0);
}

async function takeAll(
  needs: Omit<Intake, 'intake'>,
  { tcn, certificate, approval }: IntakeOf,
  request: CheckedRequest,
): Promise<DocumentRecord[]> {
  const place = await placeOf(needs.objects, request.destination);
  const records: DocumentRecord[] = [];
  const problems: FileProblem[] = [];
  const { came } = needs;
  const choice = { ...request, approval, certificate, bytesTogether: BYTES_TOGETHER, came };
  const taking: Intake = { ...needs, intake: new ContentIntake(needs, choice) };
  try {
    for await (const [position, document] of eachByTurn(request.documents)) {
      const blank = blankRecord(tcn, position, document);
      const fields = await takeDocument(taking, request, document, blank.key).catch(
        asProblem(`documents[${position}].data`, blankOf(blank, document), problems),
      );
      if (fields !== undefined) records.push(placed({ ...blank, ...fields }, place, request, document.data));
    }
    const settled = await checkDestinations(needs, request, records, problems);
    const failures = failuresOfFiles(request, settled, problems);
    if (failures.length === 0) refuseProblems(problems.map(({ field, code, detail }) => ({ field, code, detail })));
    await taking.intake.keep();
    return [...settled, ...failures].toSorted((left, right) => left.position - right.position);
  } catch (error) {
    await needs.contents.discardOriginals(records);
    throw error;
  }
}

/** A problem of the request with the record of its document. */
type FileProblem = CodedProblem & { readonly record: DocumentRecord; readonly isOfFile: boolean };

/** The record of a file that cannot be opened, with its name. */
const blankOf = (blank: DocumentRecord, { data }: CheckedDocument): DocumentRecord => ({
  ...blank,
  originalFileName: blank.originalFileName ?? plainFileName(pathOfDocument(data)) ?? null,
});

/** A refusal of a single document becomes a problem of the request; other errors end the request. */
function asProblem(field: string, record: DocumentRecord, problems: FileProblem[]): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof ServiceError) || isOurs(error)) throw error;
    const isOfFile = aboutAFile.has(error.code) || isForbiddenBySystem(error);
    problems.push({ field, code: error.code, detail: error.message, record, isOfFile });
    return undefined;
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
function failuresOfFiles(
  { documentsSource }: CheckedRequest,
  settled: readonly DocumentRecord[],
  problems: readonly FileProblem[],
): readonly DocumentRecord[] {
  const isOfFiles = documentsSource === 'FILE_PATH' || documentsSource.startsWith('STORE_');
  const isLeft = settled.some(({ status }) => status !== 'ERROR');
  if (!isOfFiles || !isLeft || !problems.every(({ isOfFile }) => isOfFile)) return [];
  return problems.map(({ record, code, detail }) => ({
    ...record,
    content: null,
    destinationPath: null,
    destinationUrl: null,
    ...failed({ code, detail }),
  }));
}

/** A temporary failure independent of the document. */
const isOurs = ({ code }: ServiceError): boolean => code.startsWith('STORAGE_') || code === 'STORE_UNAVAILABLE';

async function takeDocument(
  needs: Intake,
  request: CheckedRequest,
  document: CheckedDocument,
  key: string,
): Promise<Partial<DocumentRecord>> {
  switch (request.documentsSource) {
    case 'DATA_URL':
      return takeDataUrl(needs, request, document, key);
    case 'FILE_PATH':
      return request.reach.kind === 'guest'
        ? takeGrantedPath(needs, request, { ...document, key })
        : takePath(needs, request, document);
    case 'STORE_A_S3':
      return takeObject(needs, request, { ...document, key, kind: 's3' });
    case 'STORE_B_STORAGE':
      return takeObject(needs, request, { ...document, key, kind: 'gcs' });
    case 'UPLOAD_REFERENCE':
      return {};
  }
}

async function takeObject(
  { intake, objects, signal }: Intake,
  { type }: CheckedRequest,
  document: CheckedDocument & { readonly key: string; readonly kind: ObjectStoreKind },
): Promise<Partial<DocumentRecord>> {
  const { key, originalFileName, mediaType } = document;
  const { content, size, checksum, head, ...found } = await receiveObject(
    objects,
    { kind: document.kind, data: document.data },
    (bytes) => intake.receive(key, bytes),
    signal,
  );
  return {
    originalFileName: plainFileName(originalFileName) ?? found.fileName ?? null,
    mediaType: mediaType ?? found.mediaType ?? null,
    content,
    size,
    checksum,
    ...failed(failureByContent(type, head)),
  };
}

async function takeDataUrl(
  { intake }: Intake,
  request: CheckedRequest,
  document: CheckedDocument,
  key: string,
): Promise<Partial<DocumentRecord>> {
  const parsed = parseDataUrl(document.data ?? '');
  if (parsed === undefined) {
    throw new ServiceError('REQUEST_INVALID', 'The data URL cannot be read: data:<media type>;base64,<content>.');
  }
  const { content, size, checksum, head } = await intake.receive(key, oneChunk(parsed.content));
  return {
    mediaType: document.mediaType ?? parsed.mediaType,
    content,
    size,
    checksum,
    ...failed(failureByContent(request.type, head)),
  };
}

async function takePath(
  { files, limits, came }: Intake,
  { type, destination }: CheckedRequest,
  document: CheckedDocument,
): Promise<Partial<DocumentRecord>> {
  const named = pathOfDocument(document.data) ?? '';
  const { path, size, checksum, head } = await files.inspect(named, limits.documentSize);
  await came(size);
  const beside =
    (destination === 'FILE_PATH' || destination === 'BESIDE_SOURCE') && document.destinationFileName === undefined;
  return {
    originalFileName: plainFileName(document.originalFileName) ?? basename(named),
    content: { kind: 'path', path },
    size,
    checksum,
    ...(beside ? { destinationPath: destinationBeside(named, type) } : {}),
    ...failed(failureByContent(type, head)),
  };
}

/** A guest's file is copied through the checked descriptor: its path is never opened again. */
async function takeGrantedPath(
  { files, intake }: Intake,
  { type, destination, reach }: CheckedRequest,
  document: CheckedDocument & { readonly key: string },
): Promise<Partial<DocumentRecord>> {
  const named = pathOfDocument(document.data) ?? '';
  const grant = reach.kind === 'guest' ? grantFor(reach, 'read', named) : undefined;
  if (grant === undefined) throw new ServiceError('SOURCE_NOT_ALLOWED', 'This folder is not granted to the caller.');
  const path = normalize(named);
  const file = await files.openBelow(normalize(grant.root), path);
  try {
    const { content, size, checksum, head } = await intake.receive(document.key, file.content);
    const beside =
      (destination === 'FILE_PATH' || destination === 'BESIDE_SOURCE') && document.destinationFileName === undefined;
    return {
      originalFileName: plainFileName(document.originalFileName) ?? basename(path),
      content,
      size,
      checksum,
      ...(beside ? { destinationPath: destinationBeside(path, type) } : {}),
      ...failed(failureByContent(type, head)),
    };
  } finally {
    await file.close();
  }
}

const failed = (error: DocumentRecord['error']): Partial<DocumentRecord> =>
  error === null ? {} : { status: 'ERROR', error };

/** Adds every unusable destination to `problems`; answers the records, with symbolic links of the folders resolved. */
async function checkDestinations(
  { files, objects }: Needs,
  request: CheckedRequest,
  records: readonly DocumentRecord[],
  problems: FileProblem[],
): Promise<DocumentRecord[]> {
  const settled: DocumentRecord[] = [];
  const seen = new Set<string>();
  for await (const [, record] of eachByTurn(records)) {
    const { position, destinationPath, destinationUrl } = record;
    const named = request.documents[position]?.destinationFileName !== undefined;
    const field = `documents[${position}].${named ? 'destination_file_name' : 'data'}`;
    try {
      if (destinationUrl !== null) await expectDestination(objects, destinationUrl);
      const check = async (path: string): Promise<string> => checkPath(files, request, path);
      const isNumbered = request.destination === 'FREE_PATH' || (request.destination === 'BESIDE_SOURCE' && !named);
      const resolved =
        destinationPath === null
          ? null
          : await (isNumbered ? freePath(check, destinationPath, seen) : check(destinationPath));
      const destination = destinationUrl ?? resolved;
      if (destination !== null && seen.has(destination)) {
        throw new ServiceError('DESTINATION_EXISTS', 'Two documents of this request have the same destination.');
      }
      if (destination !== null) seen.add(destination);
      settled.push({ ...record, destinationPath: resolved });
    } catch (error) {
      asProblem(field, record, problems)(error);
    }
  }
  return settled;
}

/** A path beside the source that is free on the disk and in this request. */
async function freePath(
  check: (path: string) => Promise<string>,
  wanted: string,
  seen: ReadonlySet<string>,
): Promise<string> {
  let free: string | undefined;
  // Only checked now: if another result takes the name later, this result gets a number when it is written.
  await freeDestination(wanted, async (path) => {
    const resolved = await checkedIfFree(check, path);
    if (resolved !== undefined && !seen.has(resolved)) free = resolved;
    return free !== undefined;
  });
  if (free === undefined) throw new ServiceError('DESTINATION_EXISTS', 'Too many results are beside the document.');
  return free;
}

/**
 * The destination with the links of its folder resolved. A guest who may write and not read always gets a fresh name
 * beside the name it chose: refusing a name that is taken would tell which files are there (decision 110).
 */
async function checkPath(files: Needs['files'], { reach }: CheckedRequest, path: string): Promise<string> {
  if (reach.kind === 'owner') return files.checkDestination(path);
  const mayRead = grantFor(reach, 'read', path) !== undefined;
  return files.checkDestination(mayRead ? path : freshName(path), grantFor(reach, 'write', path)?.root);
}

// eslint-disable-next-line @typescript-eslint/require-await -- an iterable must be asynchronous to be received
async function* oneChunk(content: Buffer): AsyncGenerator<Uint8Array> {
  yield content;
}
