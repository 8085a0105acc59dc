import { posix, win32 } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CodedProblem, ServiceError } from '../../errors/index.ts';
import { eachInParts } from '../../scheduling/index.ts';
import {
  namesObjectUrl,
  objectUrl,
  parseObjectAddress,
  readObjectName,
  type ObjectAddress,
  type ObjectName,
  type ObjectStoreKind,
} from '../../stores/index.ts';
import { bytesOfDataUrl, type BytesInText } from '../documents/data-url.ts';
import { readGivenHash } from '../documents/given-hash.ts';
import { destinationBeside } from '../documents/destination-names.ts';
import { findWindowsNameProblem } from '../documents/file-names.ts';
import { destinationRule, storeKinds } from '../documents/object-documents.ts';
import type {
  CreateTransaction,
  DocumentHash,
  DocumentsDestination,
  GrantedRoot,
  NewDocument,
} from '../transaction.ts';

/** Where the bytes of a document come from, read once from the texts of the request. */
export type DocumentSource =
  | { readonly kind: 'announced' }
  | ({ readonly kind: 'bytes' } & BytesInText)
  /** The document stays with the caller. */
  | { readonly kind: 'hash'; readonly hash: DocumentHash }
  /** `below`: the granted folder of a guest, whose file is opened without following links out of the folder. */
  | { readonly kind: 'path'; readonly path: string; readonly below: string | undefined }
  | { readonly kind: 'object'; readonly address: ObjectAddress };

/** Where the result of a document goes, read once from the texts of the request. */
export type DocumentDestination =
  | { readonly kind: 'here' }
  | {
      readonly kind: 'path';
      readonly path: string;
      /** The next free name is taken where the name is not free. */
      readonly isNumbered: boolean;
      /** The granted folder of a guest. */
      readonly below: string | undefined;
      /** A guest who may not read there gets a fresh name, because a refusal would tell which files are there. */
      readonly isFresh: boolean;
    }
  /** The address is complete when the document's name is known (`placeResult`). */
  | { readonly kind: 'object'; readonly store: ObjectStoreKind };

/** A text that names no source or no destination; `detail` says what to write instead. */
interface Unreadable {
  readonly kind: 'unreadable';
  readonly detail: string;
  /** The field of the text; absent: that of the documents. */
  readonly field?: string;
}

/** A document of the request with its places, which the caller may name. */
export interface PlacedDocument extends Omit<NewDocument, 'data' | 'hash' | 'dataToSign'> {
  readonly source: DocumentSource | Unreadable;
  readonly destination: DocumentDestination | Unreadable;
}

/** A request whose caller may name every place in it. */
export interface PlacedRequest extends Omit<CreateTransaction, 'documents'> {
  readonly documents: readonly PlacedDocument[];
  /** The grants that the request uses, each once. */
  readonly grants: readonly GrantedRoot[];
}

/** Folders of the configuration (`files.roots`), and the system whose rules paths follow. */
export interface PlaceRules {
  readonly roots: readonly string[];
  readonly platform?: NodeJS.Platform;
}

/** How the two refusals speak about their place. */
const refusals = {
  read: {
    code: 'SOURCE_NOT_ALLOWED',
    detail:
      'This caller brings its documents (DATA_URL, UPLOAD_REFERENCE). The owner can grant it a folder or a store for reading, on the page Sites or with "sinete sites allow-folder".',
  },
  write: {
    code: 'DESTINATION_NOT_ALLOWED',
    detail:
      'Results for this caller stay here and are downloaded: leave documents_destination and destination_file_name out. The owner can grant it a folder or a store for writing, on the page Sites or with "sinete sites allow-folder".',
  },
} as const;

const networkDetail =
  'Paths on other computers are not opened for programs: add the folder to files.roots, or sign the file with the window or the command line.';

/**
 * Reads where each document comes from and where its result goes. Refuses places that the caller may not name, before
 * anything about them is revealed: `SOURCE_NOT_ALLOWED`, `DESTINATION_NOT_ALLOWED`. Compares text only: nothing is
 * opened, resolved or looked up, because on Windows even a look-up of `\\host\share` sends the user's credentials to
 * that host.
 *
 * Results of a guest who may read a folder, may not write to it, and asked for no destination, stay here: the default
 * place beside the source is forbidden.
 */
export async function placeDocuments(
  request: CreateTransaction,
  { roots, platform = process.platform }: PlaceRules,
): Promise<PlacedRequest> {
  const { reach } = request;
  const reader = new PlaceReader(request, roots, platform);
  for await (const [, document] of eachInParts(request.documents)) reader.read(document);
  const problems = reach.kind === 'guest' ? reader.refusedToGuest() : reader.refusedToOwner();
  const [first] = problems;
  if (first !== undefined) throw new ServiceError(first.code, first.detail, { problems });
  return { ...request, ...reader.placed() };
}

/** A document with the grants for its places, and the problems of its texts. */
interface ReadDocument {
  readonly document: PlacedDocument;
  readonly readGrant: GrantedRoot | undefined;
  readonly writeGrant: GrantedRoot | undefined;
  /** The texts lead to another computer, outside of the folders of the configuration. */
  readonly isSourceAbroad: boolean;
  readonly isDestinationAbroad: boolean;
}

/** A place, and the grant that lets a guest name it. */
interface ReadSource extends Pick<PlacedDocument, 'source'> {
  readonly grant?: GrantedRoot | undefined;
}

interface ReadDestination extends Pick<PlacedDocument, 'destination'> {
  readonly grant?: GrantedRoot | undefined;
}

/** Reads the places of documents for a caller, and collects the refusals. */
class PlaceReader {
  readonly #request: CreateTransaction;
  readonly #roots: readonly string[];
  readonly #platform: NodeJS.Platform;
  readonly #documents: ReadDocument[] = [];

  constructor(request: CreateTransaction, roots: readonly string[], platform: NodeJS.Platform) {
    this.#request = request;
    this.#roots = roots;
    this.#platform = platform;
  }

  read({ data, hash, dataToSign, ...document }: NewDocument): void {
    const { documentsSource, destination: wanted } = this.#request;
    const { destinationFileName: named } = document;
    const isSourceAbroad = documentsSource === 'FILE_PATH' && this.#isAbroad(data);
    const isDestinationAbroad = pathDestinations.includes(wanted) && this.#isAbroad(named);
    const bytes = documentsSource === 'DATA_URL' ? bytesOfDataUrl(data) : undefined;
    const store = storeKinds[documentsSource];
    const address = store === undefined ? undefined : parseObjectAddress(data, store);
    const object = named !== undefined && storeKinds[wanted] !== undefined ? readObjectName(named) : undefined;
    const { source, grant: readGrant } =
      documentsSource === 'HASHES'
        ? { source: readGivenHash({ hash, dataToSign }, this.#request.digest), grant: undefined }
        : this.#readSource(data, bytes, address);
    const { destination, grant: writeGrant } = this.#readDestination(named, source, object);
    this.#documents.push({
      document: { ...document, source, destination },
      readGrant,
      writeGrant,
      isSourceAbroad,
      isDestinationAbroad,
    });
  }

  /** The places, in the form of the request. */
  placed(): Pick<PlacedRequest, 'destination' | 'documents' | 'grants'> {
    const used = this.#documents.flatMap(({ readGrant, writeGrant }) => [readGrant, writeGrant]);
    if (!this.#isKeptHere()) {
      const { destination } = this.#request;
      return { destination, documents: this.#documents.map(({ document }) => document), grants: unique(used) };
    }
    return {
      destination: 'LOCAL',
      documents: this.#documents.map(({ document }) => ({ ...document, destination: { kind: 'here' } })),
      grants: unique(this.#documents.map(({ readGrant }) => readGrant)),
    };
  }

  refusedToGuest(): readonly CodedProblem[] {
    return [...this.#refusedSources(), ...this.#refusedDestinations()];
  }

  /**
   * Programs of the owner may name any path of this computer, and paths of other computers only inside configured
   * folders.
   */
  refusedToOwner(): readonly CodedProblem[] {
    return this.#documents.flatMap(({ isSourceAbroad, isDestinationAbroad }, index): CodedProblem[] => [
      ...(isSourceAbroad
        ? [{ field: `documents[${index}].data`, code: refusals.read.code, detail: networkDetail } as const]
        : []),
      ...(isDestinationAbroad
        ? [
            {
              field: `documents[${index}].destination_file_name`,
              code: refusals.write.code,
              detail: networkDetail,
            } as const,
          ]
        : []),
    ]);
  }

  /** True if a result may not be written beside a source of this guest. */
  #isKeptHere(): boolean {
    const { destination, reach } = this.#request;
    if (destination !== 'BESIDE_SOURCE' || reach.kind === 'owner') return false;
    return this.#documents.some(({ writeGrant }) => writeGrant === undefined);
  }

  #refusedSources(): CodedProblem[] {
    const { documentsSource, reach } = this.#request;
    if (documentsSource !== 'FILE_PATH' && storeKinds[documentsSource] === undefined) return [];
    if (!mayEver(reach, 'read')) return [{ field: 'documents_source', ...refusals.read }];
    return this.#documents.flatMap(({ readGrant }, index): CodedProblem[] =>
      readGrant === undefined ? [{ field: `documents[${index}].data`, ...refusals.read }] : [],
    );
  }

  #refusedDestinations(): CodedProblem[] {
    const { destination, reach } = this.#request;
    const isHere = destination === 'LOCAL' || this.#isKeptHere();
    if (!isHere && !mayEver(reach, 'write')) return [{ field: 'documents_destination', ...refusals.write }];
    return this.#documents.flatMap(({ document, writeGrant }, index): CodedProblem[] => {
      const isNamed = document.destinationFileName !== undefined;
      if (isHere ? !isNamed : writeGrant !== undefined) return [];
      return [{ field: `documents[${index}].${isNamed ? 'destination_file_name' : 'data'}`, ...refusals.write }];
    });
  }

  #readSource(
    data: string | undefined,
    bytes: BytesInText | undefined,
    address: ObjectAddress | undefined,
  ): ReadSource {
    const { documentsSource } = this.#request;
    switch (documentsSource) {
      case 'HASHES':
      case 'UPLOAD_REFERENCE':
        if (data === undefined) return { source: { kind: 'announced' } };
        return { source: unreadable('Documents of UPLOAD_REFERENCE are uploaded: leave data out.') };
      case 'FILE_PATH': {
        const path = pathOfDocument(data, this.#platform);
        if (path === undefined) return { source: unreadable('Give an absolute path or a file: URL of this computer.') };
        const grant = this.#grantFor('read', path);
        return { source: { kind: 'path', path, below: grant?.root }, grant };
      }
      case 'DATA_URL':
        if (bytes !== undefined) return { source: { kind: 'bytes', ...bytes } };
        return { source: unreadable('Give a data URL: data:<media type>;base64,<content>.') };
      case 'STORE_A_S3':
      case 'STORE_B_STORAGE': {
        if (address !== undefined) {
          return { source: { kind: 'object', address }, grant: this.#grantFor('read', objectUrl(address)) };
        }
        const scheme = documentsSource === 'STORE_A_S3' ? 's3' : 'gs';
        return { source: unreadable(`Give the object as bucket/key or ${scheme}://bucket/key.`) };
      }
    }
  }

  #readDestination(
    named: string | undefined,
    source: PlacedDocument['source'],
    object: ObjectName | undefined,
  ): ReadDestination {
    const store = storeKinds[this.#request.destination];
    if (store === undefined) return named !== undefined ? this.#namedPath(named) : this.#usualPath(source);
    const destination = { kind: 'object', store } as const;
    if (object === undefined) return { destination };
    const { address, isKey } = object;
    if (address?.kind === store) return { destination, grant: this.#grantFor('write', objectUrl(address)) };
    return { destination: isKey ? destination : unreadable(destinationRule(store)) };
  }

  #namedPath(named: string): ReadDestination {
    const { destination: wanted } = this.#request;
    if (wanted === 'LOCAL') return { destination: unreadable('Ask for a documents_destination, or leave this out.') };
    const path = pathOfDocument(named, this.#platform);
    if (path === undefined) return { destination: unreadable('Give an absolute path.') };
    const refused = this.#platform === 'win32' ? findWindowsNameProblem(path) : undefined;
    return refused === undefined ? this.#pathFor(path, wanted === 'FREE_PATH') : { destination: unreadable(refused) };
  }

  #usualPath(source: PlacedDocument['source']): ReadDestination {
    const { destination: wanted, documentsSource, type } = this.#request;
    if (wanted !== 'LOCAL' && documentsSource !== 'FILE_PATH') {
      const detail = 'Say where the result goes: without a source path there is no folder to put it in.';
      return { destination: unreadable(detail) };
    }
    if (wanted === 'LOCAL' || wanted === 'FREE_PATH' || source.kind !== 'path')
      return { destination: { kind: 'here' } };
    return this.#pathFor(destinationBeside(source.path, type), wanted === 'BESIDE_SOURCE');
  }

  #pathFor(path: string, isNumbered: boolean): ReadDestination {
    const grant = this.#grantFor('write', path);
    const isFresh = this.#request.reach.kind === 'guest' && this.#grantFor('read', path) === undefined;
    return { destination: { kind: 'path', path, isNumbered, below: grant?.root, isFresh }, grant };
  }

  /** The granted folder or store prefix that contains a path or an object; undefined for the owner. */
  #grantFor(access: 'read' | 'write', place: string): GrantedRoot | undefined {
    const { reach } = this.#request;
    if (reach.kind === 'owner') return undefined;
    const fitting = reach.grants.filter((grant) => grant.access === access || grant.access === 'both');
    return fitting.find(({ root }) => isBelow(root, place, this.#platform));
  }

  #isAbroad(text: string | undefined): boolean {
    const { reach } = this.#request;
    if (reach.kind === 'guest' || reach.overNetwork || text === undefined || !namesOtherComputer(text)) return false;
    const path = pathOfDocument(text, this.#platform);
    return path === undefined || !this.#roots.some((root) => isBelow(root, path, this.#platform));
  }
}

const pathDestinations: readonly DocumentsDestination[] = ['FILE_PATH', 'BESIDE_SOURCE', 'FREE_PATH'];

const unreadable = (detail: string): Unreadable => ({ kind: 'unreadable', detail });

const unique = (grants: readonly (GrantedRoot | undefined)[]): readonly GrantedRoot[] =>
  [...new Set(grants)].filter((grant) => grant !== undefined);

/** True if a guest has a grant of this access anywhere. */
const mayEver = (reach: CreateTransaction['reach'], access: 'read' | 'write'): boolean =>
  reach.kind === 'guest' && reach.grants.some((grant) => grant.access === access || grant.access === 'both');

/** The absolute path of a FILE_PATH document, given as path or `file:` URL; undefined for another text. */
export function pathOfDocument(
  data: string | undefined,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  if (data === undefined) return undefined;
  const isWindows = platform === 'win32';
  const rules = isWindows ? win32 : posix;
  if (!/^file:/i.test(data)) return rules.isAbsolute(data) && !data.includes('\0') ? data : undefined;
  try {
    return fileURLToPath(data, { windows: isWindows });
  } catch {
    return undefined;
  }
}

/**
 * True if a path or `file:` URL leads to another computer, or uses a device name that may do so: `\\host\share`,
 * `//host/share`, `\\?\UNC\…`, `\\.\…`, `\??\…`, `file://host/…`. Drive letters after `\\?\` are on this computer.
 */
export function namesOtherComputer(text: string): boolean {
  const url = /^file:/i.test(text.trim()) ? URL.parse(text.trim()) : undefined;
  if (url === null) return true;
  const path = url === undefined ? text.trim() : decoded(url.pathname);
  if (url !== undefined && url.host !== '') return true;
  if (/^[\\/](?:[\\/]\?|\?\?)[\\/][a-z]:(?:[\\/]|$)/i.test(path)) return false;
  return /^[\\/](?:[\\/]|\?\?[\\/])/.test(path);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** True if `place` is below `root`, as text: both absolute paths, or both URLs of objects. */
function isBelow(root: string, place: string, platform: NodeJS.Platform): boolean {
  if (namesObjectUrl(root) || namesObjectUrl(place)) {
    return namesObjectUrl(root) && place.startsWith(root.endsWith('/') ? root : `${root}/`);
  }
  const rules = platform === 'win32' ? win32 : posix;
  if (!rules.isAbsolute(place) || place.includes('\0')) return false;
  // Windows removes dots and spaces at the end of names, and reads ":" as a stream.
  if (platform === 'win32' && findWindowsNameProblem(place) !== undefined) return false;
  const way = rules.relative(rules.normalize(root), rules.normalize(place));
  return way !== '' && way !== '..' && !way.startsWith(`..${rules.sep}`) && !rules.isAbsolute(way);
}
