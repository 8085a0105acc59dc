import { posix, win32 } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CodedProblem, refuseProblems } from '../../errors/index.ts';
import { checkCallbackUrl } from '../../notifications/index.ts';
import { parseObjectAddress, type ObjectStoreKind } from '../../stores/index.ts';
import { misplacedOptions, optionsForType } from '../../../request/derive.ts';
import { requestOptions, settingOptions } from '../../../request/signature-request.ts';
import type { TransactionLimits } from '../limits.ts';
import { addressRule, destinationRule, isDestinationName, storeKindOf } from '../documents/object-documents.ts';
import { eachByTurn } from '../../scheduling/index.ts';
import type { SignatureSetting } from '../choices/signature-setting.ts';
import type { CreateTransaction, NewDocument } from '../transaction.ts';
import { findWindowsNameProblem } from '../documents/file-names.ts';

const IDENTIFIER = /^[A-Za-z0-9._-]{1,64}$/;
const IDENTIFIER_RULE = 'Use 1 to 64 letters, digits, dots, underscores or hyphens.';

/** A checked document of the request: with an id, and a setting if already decided. */
export interface CheckedDocument extends NewDocument {
  readonly id: string;
  /** True if the request names the id; false if it was chosen here. */
  readonly announcedId: boolean;
  /** Undefined only for an announced document whose upload may still choose a setting. */
  readonly settingId: string | undefined;
}

/** A create request after all checks without keys and files. */
export interface CheckedRequest extends Omit<CreateTransaction, 'documents'> {
  readonly documents: readonly CheckedDocument[];
}

/**
 * Checks the meaning of a request; a refusal lists every problem with its wire name. Paths follow the rules of
 * `platform`.
 */
export async function checkRequest(
  request: CreateTransaction,
  limits: TransactionLimits,
  platform: NodeJS.Platform = process.platform,
): Promise<CheckedRequest> {
  const settings = request.settings.length === 0 ? [{ id: 'default' }] : request.settings;
  const ofDocuments: CodedProblem[] = [];
  for await (const [index, document] of eachByTurn(request.documents)) {
    ofDocuments.push(...checkDocument(document, index, request, settings, platform));
  }
  refuseProblems([
    ...checkPolicy(request),
    ...checkTypes(request, settings),
    ...(request.callback === undefined ? [] : checkCallbackUrl(request.callback.url)),
    ...checkSettings(settings),
    ...checkCounterSignatures(request, settings),
    ...checkCount(request, limits),
    ...ofDocuments,
    ...checkIdsAreUnique(request.documents),
  ]);
  const { type } = request;
  return {
    ...request,
    settings: settings.map((setting) => ({ id: setting.id, ...optionsForType(settingOptions, setting, type) })),
    documents: nameDocuments(request.documents, settings),
  };
}

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
 * The first number, as text, that is not yet the id of a document in the transaction; the number is added to `taken`.
 */
export function nextFreeId(position: number, taken: Set<string>): string {
  let candidate = position;
  while (taken.has(String(candidate))) candidate++;
  taken.add(String(candidate));
  return String(candidate);
}

function nameDocuments(
  documents: readonly NewDocument[],
  settings: readonly SignatureSetting[],
): readonly CheckedDocument[] {
  const taken = new Set(documents.flatMap(({ id }) => (id === undefined ? [] : [id])));
  const only = settings.length === 1 ? settings[0]?.id : undefined;
  return documents.map((document, index) => ({
    ...document,
    id: document.id ?? nextFreeId(index, taken),
    announcedId: document.id !== undefined,
    settingId: document.signatureSetting ?? only,
  }));
}

function checkPolicy({ policy, type }: CreateTransaction): CodedProblem[] {
  if (policy === 'none' || type.startsWith('CAdES') || type === 'PAdES') return [];
  const isBaseline = policy.startsWith('B-');
  if (type === 'PDFSignature' && isBaseline) return [];
  const detail = `The policy ${policy} needs the type CAdES or PAdES${isBaseline ? ', or PDFSignature' : ''}.`;
  return [{ field: 'policy', code: 'POLICY_NOT_SUPPORTED', detail }];
}

/** Refuses options that signatures of this type do not have, as the table of options says. */
function checkTypes(request: CreateTransaction, settings: readonly SignatureSetting[]): CodedProblem[] {
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
  { policy, claimedRole, existingSignature, destination }: CreateTransaction,
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

function checkCount({ documents, documentsSource }: CreateTransaction, limits: TransactionLimits): CodedProblem[] {
  const field = 'documents';
  const most = limits.documentsPerTransaction;
  if (documents.length > most) {
    return [{ field, code: 'TOO_MANY_DOCUMENTS', detail: `A transaction takes at most ${most} documents.` }];
  }
  if (documents.length > 0 || documentsSource === 'UPLOAD_REFERENCE') return [];
  return [{ field, code: 'NO_DOCUMENTS', detail: 'Name at least one document.' }];
}

function checkIdsAreUnique(documents: readonly NewDocument[]): CodedProblem[] {
  const seen = new Set<string>();
  return documents.flatMap(({ id }, index): CodedProblem[] => {
    if (id === undefined) return [];
    if (seen.has(id)) {
      const detail = `The id "${id}" is used twice: ids are unique in a transaction.`;
      return [{ field: `documents[${index}].id`, code: 'REQUEST_INVALID', detail }];
    }
    seen.add(id);
    return [];
  });
}

function checkDocument(
  document: NewDocument,
  index: number,
  request: CreateTransaction,
  settings: readonly SignatureSetting[],
  platform: NodeJS.Platform,
): CodedProblem[] {
  const at = `documents[${index}]`;
  const problems: CodedProblem[] = [];
  if (document.id !== undefined && !IDENTIFIER.test(document.id)) {
    problems.push({ field: `${at}.id`, code: 'REQUEST_INVALID', detail: IDENTIFIER_RULE });
  }
  problems.push(...checkSettingOf(document, at, request, settings));
  problems.push(...checkData(document, at, request, platform));
  problems.push(...checkDestinationOf(document, at, request, platform));
  return problems;
}

function checkSettingOf(
  { signatureSetting }: NewDocument,
  at: string,
  { documentsSource }: CreateTransaction,
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

function checkData(
  { data }: NewDocument,
  at: string,
  { documentsSource }: CreateTransaction,
  platform: NodeJS.Platform,
): CodedProblem[] {
  const field = `${at}.data`;
  switch (documentsSource) {
    case 'UPLOAD_REFERENCE':
      if (data === undefined) return [];
      return [
        { field, code: 'REQUEST_INVALID', detail: 'Documents of UPLOAD_REFERENCE are uploaded: leave data out.' },
      ];
    case 'FILE_PATH':
      if (pathOfDocument(data, platform) !== undefined) return [];
      return [{ field, code: 'REQUEST_INVALID', detail: 'Give an absolute path or a file: URL of this computer.' }];
    case 'DATA_URL':
      if (data !== undefined && /^data:[^,]*,/i.test(data)) return [];
      return [{ field, code: 'REQUEST_INVALID', detail: 'Give a data URL: data:<media type>;base64,<content>.' }];
    case 'STORE_A_S3':
      return parseObjectAddress(data, 's3') === undefined ? objectProblem(field, 's3') : [];
    case 'STORE_B_STORAGE':
      return parseObjectAddress(data, 'gcs') === undefined ? objectProblem(field, 'gcs') : [];
  }
}

function objectProblem(field: string, kind: ObjectStoreKind): CodedProblem[] {
  return [{ field, code: 'REQUEST_INVALID', detail: addressRule(kind) }];
}

function checkDestinationOf(
  document: NewDocument,
  at: string,
  { destination, documentsSource }: CreateTransaction,
  platform: NodeJS.Platform,
): CodedProblem[] {
  const { destinationFileName } = document;
  const problem = (detail: string): CodedProblem[] => [
    { field: `${at}.destination_file_name`, code: 'REQUEST_INVALID', detail },
  ];
  const kind = storeKindOf(destination);
  if (kind !== undefined) return isDestinationName(document, kind) ? [] : problem(destinationRule(kind));
  if (destinationFileName === undefined) {
    if (destination === 'LOCAL' || documentsSource === 'FILE_PATH') return [];
    return problem('Say where the result goes: without a source path there is no folder to put it in.');
  }
  if (destination === 'LOCAL') return problem('Ask for a documents_destination, or leave this out.');
  const path = pathOfDocument(destinationFileName, platform);
  if (path === undefined) return problem('Give an absolute path.');
  const refused = platform === 'win32' ? findWindowsNameProblem(path) : undefined;
  return refused === undefined ? [] : problem(refused);
}
