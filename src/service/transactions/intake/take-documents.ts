import { normalize } from 'node:path';
import { refuseProblems } from '../../errors/index.ts';
import { storeKinds } from '../documents/object-documents.ts';
import { eachInParts } from '../../scheduling/index.ts';
import type { CheckedRequest } from './check-request.ts';
import { checkDestinations } from './check-destinations.ts';
import { asProblem, failuresOfFiles, type DocumentProblem } from './document-problems.ts';
import type { DocumentSource } from './document-places.ts';
import type { TransactionContext } from '../dependencies.ts';
import { recordOfDocument, unreadRecord, withName, type ReceivedDocument } from './document-records.ts';
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
  readonly receive: ContentIntake['receive'];
  readonly signal: AbortSignal | undefined;
  readonly receiveHash: ContentIntake['receiveHash'];
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
  return withRoom(needs, request, { bytes: announcedBytes(request) }, async ({ begin, came }) => {
    await begin();
    return takeAll({ ...needs, came, signal }, transaction, request);
  });
}

/** The announced size of documents that came with the request; other sources are measured when they are read. */
const announcedBytes = ({ documents }: CheckedRequest): number =>
  documents.reduce((sum, { source }) => sum + (source.kind === 'bytes' ? source.announced : 0), 0);

async function takeAll(
  needs: Omit<Intake, 'receive' | 'receiveHash'>,
  { tcn, certificate, approval }: IntakeOf,
  request: CheckedRequest,
): Promise<DocumentRecord[]> {
  const store = storeKinds[request.destination];
  const place = store === undefined ? undefined : await needs.objects.defaultPlace(store);
  const records: DocumentRecord[] = [];
  const problems: DocumentProblem[] = [];
  const { came } = needs;
  const { list } = request;
  const choice = { ...request, approval, certificate, bytesTogether: BYTES_TOGETHER, came };
  let intake: ContentIntake | undefined;
  const opened = (): ContentIntake => (intake ??= new ContentIntake(needs, choice));
  const receive: Intake['receive'] = async (key, bytes) => opened().receive(key, bytes);
  const receiveHash: Intake['receiveHash'] = (hash) => opened().receiveHash(hash);
  try {
    for await (const [position, document] of eachInParts(request.documents)) {
      const { blank, nameAtSource } = unreadRecord(tcn, position, document);
      const received = await takeDocument({ ...needs, receive, receiveHash }, document.source, blank.key).catch(
        asProblem(
          `${list}[${position}].${list === 'hashes' ? 'data_to_sign' : 'data'}`,
          withName(blank, nameAtSource),
          problems,
        ),
      );
      if (received === 'refused') continue;
      records.push(recordOfDocument(blank, nameAtSource, request, document, received, place));
    }
    const settled = records.length === 0 ? records : await checkDestinations(needs, request, records, problems);
    const failures = failuresOfFiles(request, settled, problems);
    if (failures.length === 0) refuseProblems(problems.map(({ field, code, detail }) => ({ field, code, detail })));
    await intake?.keep();
    return [...settled, ...failures].toSorted((left, right) => left.position - right.position);
  } catch (error) {
    await needs.contents.discardOriginals(records);
    throw error;
  }
}

/** Receives a document from its source; undefined for a document that will be uploaded. */
async function takeDocument(needs: Intake, source: DocumentSource, key: string): Promise<ReceivedDocument | undefined> {
  const { receive } = needs;
  switch (source.kind) {
    case 'announced':
      return undefined;
    case 'hash':
      return needs.receiveHash(source.hash);
    case 'bytes': {
      const { mediaType, content } = source.decode();
      return { mediaType, ...(await receive(key, oneChunk(content))) };
    }
    case 'path':
      return source.below === undefined
        ? takePath(needs, source.path)
        : takeGrantedPath(needs, source.path, source.below, key);
    case 'object':
      return needs.objects.read(
        source.address,
        async ({ mediaType, content }) => ({
          mediaType,
          ...(await receive(key, content)),
        }),
        needs.signal,
      );
  }
}

async function takePath({ files, limits, came }: Intake, named: string): Promise<ReceivedDocument> {
  const { path, size, checksum, head, kind } = await files.inspect(named, limits.documentSize);
  await came(size);
  return { content: { kind: 'path', path }, size, checksum, head, kind };
}

/** A guest's file is copied through the checked descriptor: its path is never opened again. */
async function takeGrantedPath(
  { files, receive }: Intake,
  named: string,
  root: string,
  key: string,
): Promise<ReceivedDocument> {
  const path = normalize(named);
  const file = await files.openBelow(normalize(root), path);
  try {
    return await receive(key, file.content);
  } finally {
    await file.close();
  }
}

// eslint-disable-next-line @typescript-eslint/require-await -- an iterable must be asynchronous to be received
async function* oneChunk(content: Buffer): AsyncGenerator<Uint8Array> {
  yield content;
}
