import { DOCUMENTS_A_TURN, partsByTurn } from '../../service/scheduling/index.ts';
import { isObject } from '../read-body.ts';
import { evidenceWishes, signatureTypes } from '../../request/signature-request.ts';
import { certifications, documentsDestinations, documentsSources, pageCorners } from './schemas.ts';
import { dropUndefined } from '../../values/drop-undefined.ts';

/**
 * Converts a body to its regular form: letter case of closed sets, a single object in place of a list, hash names with
 * a hyphen, null or empty text for an absent field. Unknown values stay unchanged, so that the schema can name the
 * field.
 */
export function regularForm(body: Record<string, unknown>): Record<string, unknown> {
  const fields = withoutAbsent(body);
  return {
    ...fields,
    ...changed(fields, 'type', typeName),
    ...changed(fields, 'documents_source', storeOr(documentsSources)),
    ...changed(fields, 'documents_destination', storeOr(documentsDestinations)),
    ...changed(fields, 'mode', oneOf(['async', 'sync'])),
    ...changed(fields, 'evidence', oneOf(evidenceWishes)),
    ...changed(fields, 'hash_algorithm', hashName),
    ...changed(fields, 'tsa_hash_algorithm', hashName),
    ...changed(fields, 'policy', policyName),
    ...changed(fields, 'auto_fix_document', flag),
    ...changed(fields, 'return_signature', flag),
    ...changed(fields, 'documents', documentList),
    ...changed(fields, 'signature_settings', settingList),
    ...changed(fields, 'signer_company', company),
    ...changed(fields, 'signature', withoutSpaces),
  };
}

/** The same for a body with many documents, whose list is made regular in several turns of the event loop. */
export async function regularFormByTurn(body: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { documents } = body;
  if (!isLongList(documents)) return regularForm(body);
  const regular: unknown[] = [];
  for await (const part of partsByTurn(documents)) regular.push(...documentList(part));
  return { ...regularForm({ ...body, documents: [] }), documents: regular };
}

/** True if a list is longer than what is handled in one turn of the event loop. */
export const isLongList = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.length > DOCUMENTS_A_TURN;

/** `sha-256` and `SHA256` are the same name. */
export function hashName(value: unknown): unknown {
  return typeof value === 'string' ? value.trim().toUpperCase().replaceAll('-', '') : value;
}

/** The same object without fields of null, undefined or empty text, which mean "absent". */
export function withoutAbsent(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  );
}

type Change = (value: unknown) => unknown;

function changed(fields: Record<string, unknown>, name: string, change: Change): Record<string, unknown> {
  return name in fields ? { [name]: change(fields[name]) } : {};
}

function oneOf(names: readonly string[]): Change {
  return (value) => (typeof value === 'string' ? (names.find((name) => sameName(name, value)) ?? value.trim()) : value);
}

/** Names that other programs use for the two kinds of object stores. */
export const storeAliases = { AWS_S3: 'STORE_A_S3', GCP_STORAGE: 'STORE_B_STORAGE' } as const;

function storeOr(names: readonly string[]): Change {
  return (value) => {
    const alias = Object.entries(storeAliases).find(([name]) => typeof value === 'string' && sameName(name, value));
    return oneOf(names)(alias?.[1] ?? value);
  };
}

function typeName(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const bare = /^(cms|cades)$/i.test(value.trim()) ? `${value.trim()}-attached` : value;
  return oneOf(signatureTypes)(bare);
}

function policyName(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value.trim().toLowerCase() === 'none' ? 'none' : value.trim().toUpperCase();
}

function flag(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return sameName(value, 'true') || (sameName(value, 'false') ? false : value);
}

function documentList(value: unknown): readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.map((one) => {
    if (typeof one === 'string') return { data: one };
    if (!isObject(one)) return one;
    const { path, mediatype, ...fields } = withoutAbsent(one);
    return {
      ...dropUndefined({ data: path, media_type: mediatype }),
      ...fields,
      ...textIds(fields),
    };
  });
}

function settingList(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(settingFields);
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  const isMap = entries.length > 0 && entries.every(([, setting]) => isObject(setting));
  return isMap ? entries.map(([id, setting]) => settingFields({ ...asObject(setting), id })) : [settingFields(value)];
}

function settingFields(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { extraInfo, ...given } = withoutAbsent(value);
  const fields: Record<string, unknown> = { ...dropUndefined({ extra_info: extraInfo }), ...pageList(given) };
  const numbers = Object.keys(fields).filter((name) => /^visible_sign_(page|x|y|width|height)$/.test(name));
  return {
    ...fields,
    ...textIds(fields),
    ...changed(fields, 'certify', oneOf(certifications)),
    ...changed(fields, 'keep_standard', flag),
    ...changed(fields, 'visible_signature', flag),
    ...changed(fields, 'visible_sign_corner', cornerName),
    ...changed(fields, 'extra_info', (info): readonly unknown[] => (Array.isArray(info) ? info : [info])),
    ...changed(fields, 'visible_sign_pages', (pages) => [pages].flat().map(asNumber)),
    ...Object.fromEntries(numbers.map((name) => [name, asNumber(fields[name])])),
  };
}

/** Accepts a list of pages under the name of the field for one page. */
function pageList(fields: Record<string, unknown>): Record<string, unknown> {
  const { visible_sign_page: page, ...others } = fields;
  if (!Array.isArray(page) || 'visible_sign_pages' in fields) return fields;
  return { ...others, visible_sign_pages: page };
}

/** `TOP_LEFT` and `top-left` are the same corner. */
function cornerName(value: unknown): unknown {
  return oneOf(pageCorners)(typeof value === 'string' ? value.replaceAll('_', '-') : value);
}

/** Reads `"12.5"` as 12.5. */
function asNumber(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value;
}

/** Accepts a plain CNPJ, as text or number, in place of the object with the CNPJ. */
function company(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'number') return { cnpj: String(value).padStart(14, '0') };
  return isObject(value) ? withoutAbsent(value) : value;
}

/** Removes line breaks from base64: some programs send base64 in lines. */
function withoutSpaces(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\s/g, '') : value;
}

/** Converts ids given as numbers to text: `{"id": 1}` means "1". */
function textIds(fields: Record<string, unknown>): Record<string, unknown> {
  const ids = ['id', 'signature_setting'].filter((name) => typeof fields[name] === 'number');
  return Object.fromEntries(ids.map((name) => [name, String(fields[name])]));
}

function asObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

function sameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
