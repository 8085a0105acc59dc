/** The fields of a create request by number and name, whatever their values are. */
import { misplacedOptions, optionsOfBody } from '../../request/derive.ts';
import { requestOptions, settingOptions } from '../../request/signature-request.ts';
import { pdfTypes, signatureTypes, type SignatureType } from '../../request/signature-types.ts';
import { closeName, ServiceError } from '../../service/errors/index.ts';
import { inParts } from '../../service/scheduling/index.ts';
import { isWrittenByPrograms } from '../../service/transactions/index.ts';
import { invalidFields, isObject } from '../read-body.ts';
import { fieldsOf } from './regular-form.ts';
import { createRequest } from './schemas.ts';

/** Maximum number of fields of one object: the schema knows about forty. */
const mostFields = 200;
const mostSettings = 1000;

/**
 * Refuses a create request with more documents, settings or fields than any transaction has, only by counting them.
 * Checking each document would keep the server busy for minutes with a single small request. Throws
 * `TOO_MANY_DOCUMENTS` and `REQUEST_INVALID`.
 */
export function refuseOversized(body: unknown, mostDocuments: number): void {
  if (!isObject(body)) return;
  refuseFields(body, 'body');
  const { documents, hashes, signature_settings: settings } = body;
  for (const [field, list] of Object.entries({ documents, hashes })) {
    if (!Array.isArray(list) || list.length <= mostDocuments) continue;
    const detail = `A transaction takes at most ${mostDocuments} ${field}.`;
    throw new ServiceError('TOO_MANY_DOCUMENTS', detail, { problems: [{ field, code: 'TOO_MANY_DOCUMENTS', detail }] });
  }
  if (isObject(settings)) refuseCount(Object.keys(settings).length, mostSettings, 'signature_settings');
  if (Array.isArray(settings)) refuseCount(settings.length, mostSettings, 'signature_settings');
  for (const [name, list] of Object.entries({ documents, hashes, signature_settings: settings })) {
    const inner: readonly unknown[] = isObject(list) ? Object.values(list) : Array.isArray(list) ? list : [];
    for (const one of [...inner, list]) if (isObject(one)) refuseFields(one, name);
  }
}

function refuseFields(fields: Record<string, unknown>, field: string): void {
  refuseCount(Object.keys(fields).length, field === 'signature_settings' ? mostSettings : mostFields, field);
}

function refuseCount(count: number, most: number, field: string): void {
  if (count <= most) return;
  throw invalidFields([{ field, code: 'TOO_BIG', detail: `Give at most ${most} entries.` }]);
}

/** A field of a request that changes nothing, and for an unknown field the known one with the most similar name. */
export interface IgnoredField {
  readonly field: string;
  readonly did_you_mean?: string;
}

/** The fields of a request that change nothing. */
export interface IgnoredFields {
  readonly unknown: readonly IgnoredField[];
  /** Options that signatures of the requested type do not have. */
  readonly misplaced: readonly IgnoredField[];
}

/** Maximum number of ignored fields reported in an answer. */
const mostTold = 50;
const longestName = 100;

/**
 * The fields of a create request that change nothing, with their paths: unknown fields, and options that signatures of
 * the requested type do not have. The answer reports them, because a mistyped option would otherwise change a signature
 * unnoticed. `regular` is the body in regular form.
 */
export async function ignoredFields(
  body: Record<string, unknown>,
  regular: Record<string, unknown>,
): Promise<IgnoredFields> {
  const { documents, hashes, signature_settings: settings } = createRequest.shape;
  const found = [
    ...unknownIn(body, Object.keys(createRequest.shape), ''),
    ...(await unknownInDocuments(regular.documents, Object.keys(fieldsOf(documents)), 'documents')),
    ...(await unknownInDocuments(regular.hashes, Object.keys(fieldsOf(hashes)), 'hashes')),
    ...unknownInList(regular.signature_settings, Object.keys(fieldsOf(settings)), 'signature_settings'),
  ];
  const unknown = found.slice(0, mostTold).map(({ at, name, known }) => {
    const meant = likelyName(name.slice(0, longestName), known);
    const field = `${at}${name.slice(0, longestName)}`;
    return meant === undefined ? { field } : { field, did_you_mean: `${at}${meant}` };
  });
  return { unknown, misplaced: optionsOfOtherTypes(regular).slice(0, mostTold) };
}

/** The options that requests of this type may name without an effect. */
function optionsOfOtherTypes(regular: Record<string, unknown>): readonly IgnoredField[] {
  const type = signatureTypes.find((one) => one === regular.type);
  if (type === undefined) return [];
  const settings: readonly unknown[] = Array.isArray(regular.signature_settings) ? regular.signature_settings : [];
  return [
    ...droppedOptions(requestOptions, regular, type, ''),
    ...settings.flatMap((one, index) =>
      isObject(one)
        ? [
            ...droppedOptions(settingOptions, one, type, `signature_settings[${index}].`),
            ...misplacedInformation(one, type, `signature_settings[${index}].`),
          ]
        : [],
    ),
  ];
}

/**
 * Entries of `extra_info` without an effect: all of them where the signature is no PDF, lines for a stamp that is not
 * there or does not show lines, and entries of the information dictionary that only programs write.
 */
function misplacedInformation(
  setting: Record<string, unknown>,
  type: SignatureType,
  at: string,
): readonly IgnoredField[] {
  const { extra_info: extra, visible_signature: isVisible, visible_sign_text: template } = setting;
  if (!Array.isArray(extra) || extra.length === 0) return [];
  const showsLines = isVisible !== false && (typeof template !== 'string' || /\{\s*extra_info\s*\}/.test(template));
  const places = extra.flatMap((one: unknown, index) => {
    if (!isObject(one)) return [];
    const { name, label } = one;
    const isWritten = typeof name === 'string' && !isWrittenByPrograms(name);
    const isShown = showsLines && (label !== undefined || name === undefined);
    return isWritten || isShown ? [] : [index];
  });
  if (!pdfTypes.includes(type) || places.length === extra.length) return [{ field: `${at}extra_info` }];
  return places.map((index) => ({ field: `${at}extra_info[${index}]` }));
}

function droppedOptions(
  table: typeof requestOptions | typeof settingOptions,
  fields: Record<string, unknown>,
  type: SignatureType,
  at: string,
): readonly IgnoredField[] {
  return misplacedOptions(table, optionsOfBody(table, fields), type)
    .filter(({ refusal }) => refusal === undefined)
    .map(({ field }) => ({ field: `${at}${field}` }));
}

/** Refuses fields that change nothing for `Prefer: handling=strict` (RFC 7240 §4.4). Throws `REQUEST_INVALID`. */
export function refuseIgnored({ unknown, misplaced }: IgnoredFields): void {
  const problems = [
    ...unknown.map(({ field, did_you_mean: meant }) => ({
      field,
      code: 'UNKNOWN_FIELD',
      detail: meant === undefined ? 'This field is not known: leave it out.' : `Did you mean "${meant}"?`,
    })),
    ...misplaced.map(({ field }) => ({
      field,
      code: 'FEATURE_NOT_SUPPORTED',
      detail: 'This option has no effect on this signature: leave it out.',
    })),
  ];
  if (problems.length > 0) throw invalidFields(problems);
}

/** True if a request asks for strict handling; letter case of preferences is ignored. */
export function wantsStrictHandling(preferences: string | undefined): boolean {
  return (preferences ?? '').split(/[,;]/).some((one) => /^\s*handling\s*=\s*"?strict"?\s*$/i.test(one));
}

interface UnknownField {
  /** The path in front of the name. */
  readonly at: string;
  readonly name: string;
  readonly known: readonly string[];
}

/** At most as many as are told: a long list is looked through in several turns of the event loop. */
async function unknownInDocuments(list: unknown, known: readonly string[], name: string): Promise<UnknownField[]> {
  const found: UnknownField[] = [];
  if (!Array.isArray(list)) return found;
  let before = 0;
  for await (const part of inParts<unknown>(list)) {
    found.push(...unknownInList(part, known, name, before));
    before += part.length;
    if (found.length >= mostTold) break;
  }
  return found;
}

/** `before` elements are in front of the list. */
function unknownInList(list: unknown, known: readonly string[], at: string, before = 0): UnknownField[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((one: unknown, index) =>
    isObject(one) ? unknownIn(one, known, `${at}[${before + index}].`) : [],
  );
}

function unknownIn(fields: Record<string, unknown>, known: readonly string[], at: string): UnknownField[] {
  return Object.keys(fields)
    .filter((name) => !known.includes(name))
    .map((name) => ({ at, name, known }));
}

/** The most similar known name: the same in another spelling, or with few letters changed. */
function likelyName(name: string, known: readonly string[]): string | undefined {
  const words = name
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    .replaceAll(/[\s-]/g, '_')
    .toLowerCase();
  return closeName(words, known);
}
