import { posix, win32 } from 'node:path';
import { type CodedProblem, ServiceError } from '../../errors/index.ts';
import type { CreateTransaction, GrantedRoot, NewDocument, Reach } from '../transaction.ts';
import { destinationBeside, findWindowsNameProblem } from '../documents/file-names.ts';
import { storeKindOf } from '../documents/object-documents.ts';
import { namesObjectUrl, objectUrl, parseObjectAddress, parseObjectUrl } from '../../stores/index.ts';
import { pathOfDocument } from './check-request.ts';

/** Folders and places to compare with, all as text. */
interface ReachRules {
  /** Folders of the configuration (`files.roots`). */
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
 * Refuses paths and stores that the caller may not name, before revealing anything about them. Compares text only:
 * nothing is opened, resolved or looked up, because on Windows even a look-up of `\\host\share` sends the user's
 * credentials to that host. `SOURCE_NOT_ALLOWED`, `DESTINATION_NOT_ALLOWED`.
 */
export function checkReach(request: CreateTransaction, rules: ReachRules): void {
  const problems =
    request.reach.kind === 'guest'
      ? [...guestSources(request, request.reach, rules), ...guestDestinations(request, request.reach, rules)]
      : networkPaths(request, request.reach, rules);
  const [first] = problems;
  if (first !== undefined) throw new ServiceError(first.code, first.detail, { problems });
}

/** The granted folder or store prefix that contains a path or an object; undefined without such a grant. */
export function grantFor(
  { grants }: Reach & { readonly kind: 'guest' },
  access: 'read' | 'write',
  place: string | undefined,
  platform: NodeJS.Platform = process.platform,
): GrantedRoot | undefined {
  if (place === undefined) return undefined;
  const fitting = grants.filter((grant) => grant.access === access || grant.access === 'both');
  return fitting.find(({ root }) => holds(root, place, platform));
}

/** The grants that a checked request of a guest uses, each once. */
export function usedGrants(request: CreateTransaction, platform?: NodeJS.Platform): readonly GrantedRoot[] {
  const { reach, documents } = request;
  if (reach.kind === 'owner') return [];
  const used = documents.flatMap((document) => [
    grantFor(reach, 'read', sourceOf(request, document, platform), platform),
    grantFor(reach, 'write', destinationOf(request, document, platform), platform),
  ]);
  return [...new Set(used)].filter((grant) => grant !== undefined);
}

/**
 * Keeps results here for a guest who may read a folder, may not write to it, and asked for no destination: the default
 * place beside the source is forbidden.
 */
export function reachableDestination(request: CreateTransaction, { platform }: Pick<ReachRules, 'platform'> = {}) {
  const { destination, documents, reach } = request;
  if (destination !== 'BESIDE_SOURCE' || reach.kind === 'owner') return request;
  const mayWrite = documents.every(
    (document) => grantFor(reach, 'write', destinationOf(request, document, platform), platform) !== undefined,
  );
  return mayWrite ? request : { ...request, destination: 'LOCAL' as const };
}

function guestSources(
  request: CreateTransaction,
  reach: Reach & { readonly kind: 'guest' },
  { platform }: ReachRules,
): CodedProblem[] {
  const { documentsSource, documents } = request;
  if (documentsSource !== 'FILE_PATH' && storeKindOf(documentsSource) === undefined) return [];
  if (!reach.grants.some(({ access }) => access !== 'write')) return [{ field: 'documents_source', ...refusals.read }];
  return documents.flatMap((document, index): CodedProblem[] => {
    if (grantFor(reach, 'read', sourceOf(request, document, platform), platform) !== undefined) return [];
    return [{ field: `documents[${index}].data`, ...refusals.read }];
  });
}

function guestDestinations(
  request: CreateTransaction,
  reach: Reach & { readonly kind: 'guest' },
  { platform }: ReachRules,
): CodedProblem[] {
  const { destination, documents } = request;
  if (destination === 'LOCAL') {
    return documents.flatMap(({ destinationFileName }, index): CodedProblem[] =>
      destinationFileName === undefined
        ? []
        : [{ field: `documents[${index}].destination_file_name`, ...refusals.write }],
    );
  }
  if (!reach.grants.some(({ access }) => access !== 'read')) {
    return [{ field: 'documents_destination', ...refusals.write }];
  }
  return documents.flatMap((document, index): CodedProblem[] => {
    const place = destinationOf(request, document, platform);
    if (grantFor(reach, 'write', place, platform) !== undefined) return [];
    const named = document.destinationFileName === undefined ? 'data' : 'destination_file_name';
    return [{ field: `documents[${index}].${named}`, ...refusals.write }];
  });
}

/** The path, or the URL of the object, from which a document is read; undefined for a document sent as bytes. */
function sourceOf(
  { documentsSource }: CreateTransaction,
  { data }: NewDocument,
  platform?: NodeJS.Platform,
): string | undefined {
  const kind = storeKindOf(documentsSource);
  const address = kind === undefined ? undefined : parseObjectAddress(data, kind);
  if (address !== undefined) return objectUrl(address);
  return documentsSource === 'FILE_PATH' ? pathOfDocument(data, platform) : undefined;
}

/** The destination of the result; undefined if the text alone names no place, such as a bare name in a store. */
function destinationOf(
  { destination, documentsSource, type }: CreateTransaction,
  { data, destinationFileName: named }: NewDocument,
  platform?: NodeJS.Platform,
): string | undefined {
  if (destination === 'LOCAL') return undefined;
  const kind = storeKindOf(destination);
  if (kind !== undefined) {
    const address = named === undefined ? undefined : parseObjectUrl(named);
    return address?.kind === kind ? objectUrl(address) : undefined;
  }
  if (named !== undefined) return pathOfDocument(named, platform);
  const source = documentsSource === 'FILE_PATH' ? pathOfDocument(data, platform) : undefined;
  return source === undefined ? undefined : destinationBeside(source, type);
}

/**
 * Programs of the owner may name any path of this computer, and paths of other computers only inside configured
 * folders.
 */
function networkPaths(
  { documentsSource, documents, destination }: CreateTransaction,
  { overNetwork }: Reach & { readonly kind: 'owner' },
  { roots, platform = process.platform }: ReachRules,
): CodedProblem[] {
  if (overNetwork) return [];
  const isRefused = (text: string | undefined): boolean => {
    if (text === undefined || !namesOtherComputer(text)) return false;
    const path = pathOfDocument(text, platform);
    return path === undefined || !roots.some((root) => holds(root, path, platform));
  };
  return documents.flatMap(({ data, destinationFileName }, index): CodedProblem[] => [
    ...(documentsSource === 'FILE_PATH' && isRefused(data)
      ? [{ field: `documents[${index}].data`, code: 'SOURCE_NOT_ALLOWED', detail: networkDetail } as const]
      : []),
    ...(['FILE_PATH', 'BESIDE_SOURCE', 'FREE_PATH'].includes(destination) && isRefused(destinationFileName)
      ? [
          {
            field: `documents[${index}].destination_file_name`,
            code: 'DESTINATION_NOT_ALLOWED',
            detail: networkDetail,
          } as const,
        ]
      : []),
  ]);
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
function holds(root: string, place: string, platform: NodeJS.Platform): boolean {
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
