import { misplacedOptions, optionsForType } from '../../../request/derive.ts';
import { hashTypes } from '../../../request/signature-types.ts';
import { requestOptions, settingOptions, type SignatureRequest } from '../../../request/signature-request.ts';
import { type CodedProblem, refuseProblems } from '../../errors/index.ts';
import { checkCallbackUrl } from '../../notifications/index.ts';
import { eachInParts } from '../../scheduling/index.ts';
import { profileOfPolicy } from '../choices/choose-policy.ts';
import type { SignatureSetting } from '../choices/signature-setting.ts';
import type { TransactionLimits } from '../limits.ts';
import type { DocumentDestination, DocumentSource, PlacedDocument, PlacedRequest } from './document-places.ts';

const IDENTIFIER = /^[A-Za-z0-9._-]{1,64}$/;
const IDENTIFIER_RULE = 'Use 1 to 64 letters, digits, dots, underscores or hyphens.';

/** A checked document of the request: with its places, an id, and a setting if already decided. */
export interface CheckedDocument extends Omit<PlacedDocument, 'source' | 'destination'> {
  readonly id: string;
  /** True if the request names the id; false if it was chosen here. */
  readonly announcedId: boolean;
  /** Undefined only for an announced document whose upload may still choose a setting. */
  readonly settingId: string | undefined;
  readonly source: DocumentSource;
  readonly destination: DocumentDestination;
}

/** A create request after all checks without keys and files. */
export interface CheckedRequest extends Omit<PlacedRequest, 'documents'> {
  /** The name of the list in the request. */
  readonly list: 'documents' | 'hashes';
  readonly documents: readonly CheckedDocument[];
  /** The options that signatures of the type have. */
  readonly options: SignatureRequest;
}

/** Checks the meaning of a request; a refusal lists every problem with its wire name. */
export async function checkRequest(request: PlacedRequest, limits: TransactionLimits): Promise<CheckedRequest> {
  const settings = request.settings.length === 0 ? [{ id: 'default' }] : request.settings;
  const documents: CheckedDocument[] = [];
  const ofDocuments: CodedProblem[] = [];
  const nextId = idsFor(request.documents);
  for await (const [index, document] of eachInParts(request.documents)) {
    const { source, destination } = document;
    ofDocuments.push(...checkDocument(document, index, request, settings));
    if (source.kind === 'unreadable' || destination.kind === 'unreadable') continue;
    const settingId = document.signatureSetting ?? (settings.length === 1 ? settings[0]?.id : undefined);
    const announcedId = document.id !== undefined;
    documents.push({ ...document, id: document.id ?? nextId(index), announcedId, settingId, source, destination });
  }
  refuseProblems([
    ...checkGivenHashes(request),
    ...checkPolicy(request),
    ...checkCallback(request),
    ...checkSettings(settings),
    ...checkCounterSignatures(request, settings),
    ...checkCount(request, limits),
    ...ofDocuments,
    ...checkIdsAreUnique(request),
    ...checkTypes(request, settings),
  ]);
  const { type } = request;
  return {
    ...request,
    list: listOf(request),
    options: optionsForType(requestOptions, request, type),
    settings: settings.map((setting) => ({ id: setting.id, ...optionsForType(settingOptions, setting, type) })),
    documents,
  };
}

/**
 * The first number, as text, that is not yet the id of a document in the transaction; the number is added to `taken`.
 */
export function nextFreeId(position: number, taken: Set<string>): string {
  let candidate = position;
  while (taken.has(String(candidate))) candidate++;
  taken.add(String(candidate));
  return String(candidate);
}

/** The name of the list of documents in the request. */
const listOf = ({ documentsSource }: Pick<PlacedRequest, 'documentsSource'>): CheckedRequest['list'] =>
  documentsSource === 'HASHES' ? 'hashes' : 'documents';

/** Gives each document without an id the next free number. */
function idsFor(documents: readonly PlacedDocument[]): (position: number) => string {
  const taken = new Set(documents.flatMap(({ id }) => (id === undefined ? [] : [id])));
  return (position) => nextFreeId(position, taken);
}

const checkCallback = ({ callback }: PlacedRequest): CodedProblem[] =>
  callback === undefined ? [] : [...checkCallbackUrl(callback.url)];

function checkPolicy({ policy, type }: PlacedRequest): CodedProblem[] {
  if (policy === 'none' || type.startsWith('CAdES') || type === 'PAdES') return [];
  const isBaseline = policy.startsWith('B-');
  if (type === 'PDFSignature' && isBaseline) return [];
  const detail = `The policy ${policy} needs the type CAdES or PAdES${isBaseline ? ', or PDFSignature' : ''}.`;
  return [{ field: 'policy', code: 'POLICY_NOT_SUPPORTED', detail }];
}

/** Refuses options that signatures of this type do not have, as the table of options says. */
function checkTypes(request: PlacedRequest, settings: readonly SignatureSetting[]): CodedProblem[] {
  const refused = (table: Parameters<typeof misplacedOptions>[0], values: object, at: string): CodedProblem[] =>
    misplacedOptions(table, values, request.type).flatMap(({ field, refusal }) =>
      refusal === undefined ? [] : [{ field: `${at}${field}`, code: 'FEATURE_NOT_SUPPORTED', detail: refusal }],
    );
  return [
    ...refused(requestOptions, request, ''),
    ...settings.flatMap((setting, index) => refused(settingOptions, setting, `signature_settings[${index}].`)),
  ];
}

function checkSettings(settings: readonly SignatureSetting[]): CodedProblem[] {
  const seen = new Set<string>();
  return settings.flatMap(({ id }, index): CodedProblem[] => {
    const field = `signature_settings[${index}].id`;
    if (!IDENTIFIER.test(id)) return [{ field, code: 'REQUEST_INVALID', detail: IDENTIFIER_RULE }];
    if (seen.has(id)) return [{ field, code: 'REQUEST_INVALID', detail: `The id "${id}" is used twice.` }];
    seen.add(id);
    return [];
  });
}

/**
 * A counter-signature is an attribute of an existing signature: not possible with a further signer, with a claimed role,
 * or above B-B.
 */
function checkCounterSignatures(
  { policy, claimedRole, existingSignature, destination }: PlacedRequest,
  settings: readonly SignatureSetting[],
): CodedProblem[] {
  if (settings.every(({ counterSign }) => counterSign === undefined)) return [];
  if (existingSignature !== undefined || destination === 'LOCAL') {
    const detail = settingOptions.counterSign.otherTypes;
    return [{ field: 'type', code: 'FEATURE_NOT_SUPPORTED', detail }];
  }
  if (claimedRole !== undefined) {
    const detail = requestOptions.claimedRole.otherTypes;
    return [{ field: 'claimed_role', code: 'FEATURE_NOT_SUPPORTED', detail }];
  }
  if (policy === 'none' || policy === 'B-B') return [];
  const detail = 'A counter-signature is made without a policy: use none or B-B.';
  return [{ field: 'policy', code: 'POLICY_NOT_SUPPORTED', detail }];
}

function checkCount({ documents, documentsSource }: PlacedRequest, limits: TransactionLimits): CodedProblem[] {
  const field = listOf({ documentsSource });
  const most = limits.documentsPerTransaction;
  if (documents.length > most) {
    return [{ field, code: 'TOO_MANY_DOCUMENTS', detail: `A transaction takes at most ${most} ${field}.` }];
  }
  if (documents.length > 0 || documentsSource === 'UPLOAD_REFERENCE') return [];
  return [
    {
      field,
      code: 'NO_DOCUMENTS',
      detail: field === 'hashes' ? 'Send at least one hash.' : 'Name at least one document.',
    },
  ];
}

function checkIdsAreUnique({ documents, documentsSource }: PlacedRequest): CodedProblem[] {
  const list = listOf({ documentsSource });
  const seen = new Set<string>();
  return documents.flatMap(({ id }, index): CodedProblem[] => {
    if (id === undefined) return [];
    if (seen.has(id)) {
      const detail = `The id "${id}" is used twice: ids are unique in a transaction.`;
      return [{ field: `${list}[${index}].id`, code: 'REQUEST_INVALID', detail }];
    }
    seen.add(id);
    return [];
  });
}

function checkDocument(
  document: PlacedDocument,
  index: number,
  request: PlacedRequest,
  settings: readonly SignatureSetting[],
): CodedProblem[] {
  const at = `${listOf(request)}[${index}]`;
  const { id, source, destination } = document;
  const problems: CodedProblem[] = [];
  if (id !== undefined && !IDENTIFIER.test(id)) {
    problems.push({ field: `${at}.id`, code: 'REQUEST_INVALID', detail: IDENTIFIER_RULE });
  }
  problems.push(...checkSettingOf(document, at, request, settings));
  if (request.documentsSource === 'HASHES') problems.push(...checkGivenHash(document, request, at));
  if (source.kind === 'unreadable') {
    problems.push({ field: `${at}.${source.field ?? 'data'}`, code: 'REQUEST_INVALID', detail: source.detail });
  }
  if (destination.kind === 'unreadable') {
    problems.push({ field: `${at}.destination_file_name`, code: 'REQUEST_INVALID', detail: destination.detail });
  }
  return problems;
}

function checkSettingOf(
  { signatureSetting }: PlacedDocument,
  at: string,
  { documentsSource }: PlacedRequest,
  settings: readonly SignatureSetting[],
): CodedProblem[] {
  const field = `${at}.signature_setting`;
  const ids = settings.map(({ id }) => id).join(', ');
  if (signatureSetting === undefined) {
    if (settings.length === 1 || documentsSource === 'UPLOAD_REFERENCE') return [];
    return [{ field, code: 'SIGNATURE_SETTING_REQUIRED', detail: `Choose one of the signature settings: ${ids}.` }];
  }
  if (settings.some(({ id }) => id === signatureSetting)) return [];
  const detail = `No signature setting has the id "${signatureSetting}"; there are: ${ids}.`;
  return [{ field, code: 'SIGNATURE_SETTING_UNKNOWN', detail }];
}

/** Problems of hashes in place of documents, and of a type that is for hashes only. */
function checkGivenHashes({ documentsSource, type, policy, destination }: PlacedRequest): CodedProblem[] {
  if (documentsSource !== 'HASHES') {
    if (type !== 'RAW') return [];
    return [
      { field: 'type', code: 'REQUEST_INVALID', detail: 'RAW signs hashes: send them in hashes, without documents.' },
    ];
  }
  const problems: CodedProblem[] = [];
  if (!hashTypes.some((one) => one === type)) {
    problems.push({ field: 'type', code: 'REQUEST_INVALID', detail: `Hashes are signed as ${hashTypes.join(', ')}.` });
  }
  if (destination !== 'LOCAL') {
    const detail = 'Signatures of hashes stay here, and in the answer: leave the destination out.';
    problems.push({ field: 'documents_destination', code: 'FEATURE_NOT_SUPPORTED', detail });
  }
  if (profileOfPolicy(policy) === 'AD-RA') {
    const detail = 'The archive time stamp of AD-RA covers the document itself: send the document, or use AD-RC.';
    problems.push({ field: 'policy', code: 'POLICY_NOT_SUPPORTED', detail });
  }
  return problems;
}

/** The problems of one entry beside its text. */
function checkGivenHash(
  { source }: PlacedDocument,
  { type, policy, timestampDigest }: PlacedRequest,
  at: string,
): CodedProblem[] {
  if (source.kind === 'bytes' && type !== 'RAW') {
    const detail = 'Bytes to sign go with the type RAW only: send the hash of the document.';
    return [{ field: `${at}.data_to_sign`, code: 'REQUEST_INVALID', detail }];
  }
  if (source.kind !== 'hash' || policy !== 'B-LTA' || timestampDigest === undefined) return [];
  if (source.hash.digest === timestampDigest) return [];
  const detail = `The archive time stamp needs the document's hash by ${timestampDigest.toUpperCase()}: leave tsa_hash_algorithm out.`;
  return [{ field: 'tsa_hash_algorithm', code: 'ALGORITHM_NOT_SUPPORTED', detail }];
}
