import type { z } from 'zod';
import { ServiceError, type FieldProblem, type ServiceErrorCode } from '../../service/errors/index.ts';
import { optionsOfBody } from '../../request/derive.ts';
import { pdfTypes } from '../../request/signature-types.ts';
import { signaturePolicies } from '../../request/signature-policies.ts';
import {
  digestOfName,
  hashAlgorithms,
  requestOptions,
  settingOptions,
  type SignatureSetting,
  type VisibleSignature,
} from '../../request/signature-request.ts';
import {
  parseSignaturePolicy,
  usualPlace,
  type CreateTransaction,
  type DocumentsSource,
  type NewDocument,
} from '../../service/transactions/index.ts';
import { createRequest, documentsSources, type CreateRequestBody } from './schemas.ts';
import type { NotificationCallback } from '../../service/notifications/index.ts';
import { HttpError } from '../http-error.ts';
import { invalidFields, isObject, parseFields } from '../read-body.ts';
import { mostProblems } from '../problems/send-error.ts';
import { inParts } from '../../service/scheduling/index.ts';
import { ignoredFields, refuseOversized, type IgnoredFields } from './request-fields.ts';
import { isLongList, readTypedPolicy, regularForm } from './regular-form.ts';

/**
 * Refuses options that the interface allows and this instance does not support, by the name of the field, so that no
 * option is ignored silently. `body` is in regular form; the schema reports values of a wrong type.
 */
export function refuseUnsupported(body: Record<string, unknown>): void {
  refuseType(body.type);
  refuseAlgorithm('hash_algorithm', body.hash_algorithm);
  refuseAlgorithm('tsa_hash_algorithm', body.tsa_hash_algorithm);
  refusePolicy(body.policy, body.type);
}

function refuseType(type: unknown): void {
  if (typeof type !== 'string' || !/^xades/i.test(type)) return;
  throw refusal(
    'TYPE_NOT_SUPPORTED',
    'type',
    'XML signatures are not made here: use CMS, CAdES, PDFSignature or PAdES.',
  );
}

function refuseAlgorithm(field: string, name: unknown): void {
  if (typeof name !== 'string' || hashAlgorithms.some((known) => known === name)) return;
  throw refusal('ALGORITHM_NOT_SUPPORTED', field, `Use ${hashAlgorithms.join(', ')}; older hashes are not safe.`);
}

function refusePolicy(policy: unknown, type: unknown): void {
  if (typeof policy !== 'string' || parseSignaturePolicy(policy) !== undefined) return;
  const typed = readTypedPolicy(policy);
  if (typed !== undefined) {
    const { family, policy: name } = typed;
    const sentence = `${policy} is a policy of ${family}, and the type is ${String(type)}: send ${name}, or another type.`;
    throw refusal('POLICY_NOT_SUPPORTED', 'policy', sentence);
  }
  const sentence = `Use ${signaturePolicies.join(', ')}, or the OID of an ICP-Brasil policy.`;
  throw refusal('POLICY_NOT_SUPPORTED', 'policy', sentence);
}

function refusal(code: ServiceErrorCode, field: string, detail: string): ServiceError {
  return new ServiceError(code, `${field}: ${detail}`, { problems: [{ field, code, detail }] });
}

/** Maximum length of an `Idempotency-Key`. */
const idempotencyKeyLimit = 255;

/** Values from the headers of a create request. */
export interface CreateHeaders {
  readonly idempotencyKey: string | undefined;
  /** The caller as identified by its credentials, so that the idempotency keys of two callers stay separate. */
  readonly principal?: string;
  /** Lower-case hex SHA-256 of the body as received. */
  readonly bodyDigest: string;
  readonly reach: CreateTransaction['reach'];
  /** Facts about the caller for notifications. */
  readonly notify: Omit<NotificationCallback, 'url'>;
}

/** The body of endpoint 1 in its regular form, and its fields that change nothing. */
export interface CreateBody {
  readonly regular: Record<string, unknown>;
  readonly ignored: IgnoredFields;
}

/**
 * Brings the body of endpoint 1 into its regular form. Throws an `HttpError` if the body is not an object, and the
 * errors of `refuseOversized`.
 */
export async function readCreateBody(body: unknown, mostDocuments: number): Promise<CreateBody> {
  if (!isObject(body)) throw new HttpError('REQUEST_MALFORMED', 'The body must be a JSON object.');
  refuseOversized(body, mostDocuments);
  const regular = await regularForm(body);
  return { regular, ignored: await ignoredFields(body, regular) };
}

/**
 * Reads a body in regular form: strict in meaning, unknown keys ignored. Wire names are used only up to this function.
 * Throws a `ServiceError` that names every wrong field.
 */
export async function readCreateRequest({ regular }: CreateBody, headers: CreateHeaders): Promise<CreateTransaction> {
  refuseUnsupported(regular);
  refuseDataElsewhere(regular.documents);
  refuseTwoSources(regular);
  const { fields, documents } = await parseByTurn(regular);
  const documentsSource = sourceOf(regular, fields);
  refuseRepeatedIds(fields);
  refuseTwoPlaces(fields);
  return {
    ...optionsOfBody(requestOptions, fields),
    reach: headers.reach,
    documentsSource,
    documents,
    mode: fields.mode,
    policy: policyOf(fields, regular),
    settings: fields.signature_settings.map((setting) => signatureSetting(setting, fields.type)),
    destination: fields.documents_destination ?? (documentsSource === 'FILE_PATH' ? 'BESIDE_SOURCE' : 'LOCAL'),
    autoFixDocument: fields.auto_fix_document,
    // The signature of a hash is the answer itself.
    returnSignature: fields.return_signature || documentsSource === 'HASHES',
    certificateAlias: fields.certificate_alias,
    existingSignature: fields.signature === undefined ? undefined : Buffer.from(fields.signature, 'base64'),
    callback: callbackOf(fields, headers),
    ...idempotencyOf(headers),
  };
}

interface ParsedRequest {
  readonly fields: CreateRequestBody;
  readonly documents: readonly NewDocument[];
}

/**
 * Checks the form of the fields; a long list of documents is checked in several turns of the event loop. Names the
 * wrong fields of all parts, up to the most that an answer carries.
 */
async function parseByTurn(regular: Record<string, unknown>): Promise<ParsedRequest> {
  const list = regular.hashes === undefined ? 'documents' : 'hashes';
  const all = regular[list];
  if (!isLongList(all)) {
    const fields = parseFields(createRequest, regular);
    return { fields, documents: documentsIn(fields) };
  }
  const problems: FieldProblem[] = [];
  const fields = parsedOrProblems(createRequest, { ...regular, [list]: [] }, problems);
  const documents: NewDocument[] = [];
  let before = 0;
  for await (const part of inParts(all)) {
    const ofPart: FieldProblem[] = [];
    const parsed = parsedOrProblems(listsAlone, { [list]: part }, ofPart);
    documents.push(...(parsed === undefined ? [] : documentsIn(parsed)));
    problems.push(...ofPart.map((problem) => ({ ...problem, field: placeInList(problem.field, before) })));
    if (problems.length >= mostProblems) break;
    before += part.length;
  }
  if (fields === undefined || problems.length > 0) throw invalidFields(problems.slice(0, mostProblems));
  return { fields, documents };
}

const listsAlone = createRequest.pick({ documents: true, hashes: true });

const documentsIn = ({ documents, hashes }: z.output<typeof listsAlone>): readonly NewDocument[] =>
  hashes === undefined ? documents.map(newDocument) : hashes.map(newHash);

/** Undefined for a value with problems, which are added to the list. */
function parsedOrProblems<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  problems: FieldProblem[],
): z.output<Schema> | undefined {
  try {
    return parseFields(schema, value);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

/** `documents[3].data` of a part becomes `documents[503].data` with 500 documents before the part. */
const placeInList = (field: string, before: number): string =>
  field.replace(/^(documents|hashes)\[(\d+)\]/, (_all, list, place) => `${list}[${Number(place) + before}]`);

/**
 * The requested policy. A request with a time-stamp server or a hash for stamps, but without a policy, gets a time
 * stamp.
 */
function policyOf(fields: CreateRequestBody, given: Record<string, unknown>): CreateTransaction['policy'] {
  const { tsa_server_id: server, tsa_hash_algorithm: hash, policy, type } = fields;
  const isAsked = given.policy === undefined && (server !== undefined || hash !== undefined);
  return isAsked && !type.startsWith('CMS') && type !== 'RAW' ? 'B-T' : policy;
}

function callbackOf(
  { notification_callback: url }: CreateRequestBody,
  { notify }: CreateHeaders,
): CreateTransaction['callback'] {
  return url === undefined ? undefined : { url, ...notify };
}

function newDocument(document: CreateRequestBody['documents'][number]): NewDocument {
  const { id, signature_setting, original_file_name, media_type, destination_file_name, data } = document;
  return {
    id,
    signatureSetting: signature_setting,
    originalFileName: original_file_name,
    mediaType: media_type,
    destinationFileName: destination_file_name,
    data,
  };
}

function newHash(given: NonNullable<CreateRequestBody['hashes']>[number]): NewDocument {
  const { id, hash, hash_algorithm, data_to_sign, original_file_name } = given;
  const digest = hash_algorithm === undefined ? undefined : digestOfName[hash_algorithm];
  return {
    id,
    originalFileName: original_file_name,
    hash: hash === undefined ? undefined : { text: hash, digest },
    dataToSign: data_to_sign,
  };
}

/** Refuses documents beside hashes: each entry would have two meanings. */
function refuseTwoSources({ hashes, documents, documents_source }: Record<string, unknown>): void {
  if (hashes === undefined) return;
  const detail = 'Send hashes, or documents with their source, not both.';
  const given = {
    documents_source,
    documents: Array.isArray(documents) && documents.length === 0 ? undefined : documents,
  };
  const problems = Object.entries(given).flatMap(([field, value]) =>
    value === undefined ? [] : [{ field, code: 'INVALID_VALUE', detail }],
  );
  if (problems.length > 0) throw invalidFields(problems);
}

function sourceOf({ hashes }: Record<string, unknown>, { documents_source }: CreateRequestBody): DocumentsSource {
  if (hashes !== undefined) return 'HASHES';
  if (documents_source !== undefined) return documents_source;
  const detail = `Say where the documents come from: ${documentsSources.join(', ')}; or send hashes.`;
  throw invalidFields([{ field: 'documents_source', code: 'REQUIRED', detail }]);
}

type Setting = CreateRequestBody['signature_settings'][number];

/** The entries for the stamp: those with a label, and those without a name. */
const stampLines = (extra: NonNullable<Setting['extra_info']>): NonNullable<VisibleSignature['extraInfo']> =>
  extra
    .filter(({ name, label }) => label !== undefined || name === undefined)
    .map(({ label = '', value = '' }) => ({ label, value }));

function signatureSetting(setting: Setting, type: CreateRequestBody['type']): SignatureSetting {
  const extra = setting.extra_info ?? [];
  const information = extra.flatMap(({ name, value }) => (name === undefined ? [] : [{ name, value }]));
  // A signature that is no PDF has no stamp; `ignored_fields` names its lines.
  const lines = pdfTypes.includes(type) ? stampLines(extra) : [];
  return {
    ...optionsOfBody(settingOptions, setting),
    id: setting.id,
    visible: visibleSignature(setting, lines),
    information: information.length === 0 ? undefined : information,
    ...(setting.visible_signature === false ? { invisible: true } : {}),
  };
}

/**
 * The requested stamp. Any option of a stamp requests a stamp, unless `visible_signature` is false. Positions count
 * from the top left corner, as in existing clients; a stamp without a position gets the usual one.
 */
function visibleSignature(
  setting: Setting,
  lines: NonNullable<VisibleSignature['extraInfo']>,
): VisibleSignature | undefined {
  const { visible_sign_img: image, visible_sign_text: text } = setting;
  const extraInfo = lines.length === 0 ? undefined : lines;
  const { visible_sign_page: page, visible_sign_pages: pages = page === undefined ? undefined : [page] } = setting;
  const { visible_sign_x: x, visible_sign_y: y, visible_sign_width: width, visible_sign_height: height } = setting;
  const isAsked = [image, text, extraInfo, pages, x, y, width, height].some((part) => part !== undefined);
  if (!(setting.visible_signature ?? isAsked)) return undefined;
  const isPlaced = x !== undefined || y !== undefined;
  return {
    ...usualPlace,
    corner: setting.visible_sign_corner ?? (isPlaced ? 'top-left' : 'bottom-left'),
    pages: pages ?? usualPlace.pages,
    x: x ?? usualPlace.x,
    y: y ?? usualPlace.y,
    width: width ?? usualPlace.width,
    height: height ?? usualPlace.height,
    image: image === undefined ? undefined : image.slice(image.indexOf(',') + 1),
    text,
    extraInfo,
  };
}

/** Refuses documents whose data URL is in a field of another name: the answer names both. */
function refuseDataElsewhere(documents: unknown): void {
  if (!Array.isArray(documents)) return;
  const problems: FieldProblem[] = [];
  for (const [index, document] of documents.entries()) {
    if (!isObject(document) || document.data !== undefined) continue;
    const name = Object.keys(document).find((key) => /^data:[^,]*,/i.test(startOf(document[key])));
    if (name === undefined || problems.length === mostProblems) continue;
    const detail = `Send the data URL as "data": the field "${name.slice(0, 40)}" is not known.`;
    problems.push({ field: `documents[${index}].data`, code: 'REQUIRED', detail });
  }
  if (problems.length > 0) throw invalidFields(problems);
}

const startOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 200) : '');

function refuseRepeatedIds({ signature_settings }: CreateRequestBody): void {
  const seen = new Set<string>();
  for (const [index, { id }] of signature_settings.entries()) {
    const field = `signature_settings[${index}].id`;
    if (seen.has(id)) throw invalidFields([{ field, code: 'REPEATED', detail: `The id "${id}" is used twice.` }]);
    seen.add(id);
  }
}

/** Refuses a setting that has both one page and a list of pages. */
function refuseTwoPlaces({ signature_settings }: CreateRequestBody): void {
  const index = signature_settings.findIndex((setting) => setting.visible_sign_page && setting.visible_sign_pages);
  if (index === -1) return;
  const field = `signature_settings[${index}].visible_sign_pages`;
  const detail = 'Send visible_sign_page for one page or visible_sign_pages for several, not both.';
  throw invalidFields([{ field, code: 'INVALID_VALUE', detail }]);
}

function idempotencyOf({
  idempotencyKey,
  principal,
  bodyDigest,
}: CreateHeaders): Pick<CreateTransaction, 'idempotency'> {
  if (idempotencyKey === undefined || idempotencyKey === '') return {};
  if (idempotencyKey.length > idempotencyKeyLimit) {
    const detail = `Use at most ${idempotencyKeyLimit} characters.`;
    throw invalidFields([{ field: 'Idempotency-Key', code: 'TOO_BIG', detail }]);
  }
  const key = principal === undefined ? idempotencyKey : `${principal} ${idempotencyKey}`;
  return { idempotency: { key, bodyDigest } };
}
