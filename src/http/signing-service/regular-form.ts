import { z } from 'zod';
import { signatureForm, signatureTypes, typeAliases } from '../../request/signature-types.ts';
import { DOCUMENTS_AT_ONCE, inParts } from '../../service/scheduling/index.ts';
import { parseSignaturePolicy } from '../../service/transactions/index.ts';
import { findName } from '../../text/closed-set.ts';
import { fieldSpellings, meanings, policyFamilies, valueSpellings } from '../client-spellings.ts';
import { isObject } from '../read-body.ts';
import { createRequest } from './schemas.ts';

/**
 * Converts a body to its regular form, as its schema demands: names of closed sets in any spelling, texts in place of
 * numbers and of true and false, a single value in place of a list, null or empty text for an absent field. Unknown
 * values stay unchanged, so that the schema can name the field. A body with many documents is converted in several
 * turns of the event loop.
 */
export async function regularForm(body: Record<string, unknown>): Promise<Record<string, unknown>> {
  const lists = { documents: documentList, hashes: hashList } as const;
  const long: Fields = {};
  for (const [name, read] of Object.entries(lists)) {
    const list = body[name];
    if (!isLongList(list)) continue;
    const regular: unknown[] = [];
    for await (const part of inParts(list)) regular.push(...read(part));
    long[name] = regular;
  }
  const empty = Object.fromEntries(Object.keys(long).map((name) => [name, []]));
  return { ...regularBody({ ...body, ...empty }), ...long };
}

/** True if a list is longer than what is handled in one turn of the event loop. */
export const isLongList = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.length > DOCUMENTS_AT_ONCE;

type Fields = Record<string, unknown>;
type Change = (value: unknown) => unknown;

/** Other names for members of the closed sets, by field. */
const aliases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  type: typeAliases,
  documents_source: meanings(valueSpellings.documents_source),
  documents_destination: meanings(valueSpellings.documents_destination),
};

/** The names of fields for the spellings of other programs, by the object that holds the fields. */
const ownNames = {
  documents: new Map(Object.entries(meanings(fieldSpellings.documents))),
  signature_settings: new Map(Object.entries(meanings(fieldSpellings.signature_settings))),
} as const;

/** The fields under their own names; a field under its own name precedes one under another. */
function underOwnNames(fields: Fields, names: ReadonlyMap<string, string>): Fields {
  const entries = Object.entries(fields);
  const others = entries.flatMap(([name, value]) => {
    const own = names.get(name);
    return own === undefined ? [] : [[own, value] as const];
  });
  if (others.length === 0) return fields;
  return Object.fromEntries([...others, ...entries.filter(([name]) => !names.has(name))]);
}

/** The fields of an object's schema that are read liberally, each with its change. */
function changesOf(shape: Readonly<Record<string, unknown>>): ReadonlyMap<string, Change> {
  return new Map(
    Object.entries(shape).flatMap(([name, schema]) => {
      const change = changeOf(schema, aliases[name] ?? {});
      return change === undefined ? [] : [[name, change]];
    }),
  );
}

function changeOf(schema: unknown, others: Readonly<Record<string, string>>): Change | undefined {
  const plain = unwrapped(schema);
  const names = namesIn(plain);
  if (names.length > 0) return inSet(names, others);
  if (plain instanceof z.ZodBoolean) return flag;
  if (plain instanceof z.ZodNumber) return asNumber;
  if (!(plain instanceof z.ZodArray)) return undefined;
  const change = changeOf(plain.element, {}) ?? ((value: unknown) => value);
  return (value) => (Array.isArray(value) ? value : [value]).map(change);
}

/** The schema of the values on the wire, without defaults and other wrappers. */
function unwrapped(schema: unknown): unknown {
  let inner = schema;
  while (isObject(inner) && isObject(inner.def) && ('innerType' in inner.def || 'in' in inner.def)) {
    inner = inner.def.innerType ?? inner.def.in;
  }
  return inner;
}

/** The fields of an object's schema, or of the objects in a list; none for other schemas. */
export function fieldsOf(schema: unknown): Readonly<Record<string, unknown>> {
  const plain = unwrapped(schema);
  if (plain instanceof z.ZodArray) return fieldsOf(plain.element);
  return plain instanceof z.ZodObject ? plain.shape : {};
}

/** The members of a closed set, also of one that a union extends by other texts. */
function namesIn(schema: unknown): readonly string[] {
  if (schema instanceof z.ZodEnum) return schema.options.map(String);
  return schema instanceof z.ZodUnion ? schema.options.flatMap(namesIn) : [];
}

function inSet(names: readonly string[], others: Readonly<Record<string, string>>): Change {
  return (value) => {
    if (typeof value !== 'string') return value;
    const alias = findName(Object.keys(others), value);
    return (alias === undefined ? findName(names, value) : others[alias]) ?? value.trim();
  };
}

const bodyChanges = new Map<string, Change>([
  ...changesOf(createRequest.shape),
  ['documents', documentList],
  ['hashes', hashList],
  ['signature_settings', settingList],
  ['signer_company', company],
  ['signature', withoutSpaces],
]);

const settingChanges = new Map<string, Change>([
  ...changesOf(fieldsOf(createRequest.shape.signature_settings)),
  ['extra_info', informationList],
]);

const hashChanges = new Map<string, Change>([
  ...changesOf(fieldsOf(createRequest.shape.hashes)),
  ['hash', withoutSpaces],
  ['data_to_sign', withoutSpaces],
]);

const regularBody = (body: Fields): Fields =>
  withoutUnusedHashes(regularFields(splitTypedPolicy(withoutAbsent(body)), bodyChanges));

/** Generated clients send an empty list for each list that their caller leaves out. */
function withoutUnusedHashes({ hashes, ...others }: Fields): Fields {
  const isUnused = Array.isArray(hashes) && hashes.length === 0 && others.documents_source !== undefined;
  return hashes === undefined || isUnused ? others : { ...others, hashes };
}

const regularFields = (fields: Fields, changes: ReadonlyMap<string, Change>): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, changes.get(name)?.(value) ?? value]));

/** The same object without fields of null, undefined or empty text, which mean "absent". */
const withoutAbsent = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  );

function flag(value: unknown): unknown {
  if (value === 1 || value === 0) return value === 1;
  if (typeof value !== 'string') return value;
  const name = findName(['true', 'false'], value);
  return name === undefined ? value : name === 'true';
}

function documentList(value: unknown): readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.map((one) => {
    if (typeof one === 'string') return { data: one };
    if (!isObject(one)) return one;
    const fields = underOwnNames(withoutAbsent(one), ownNames.documents);
    return { ...fields, ...textIds(fields) };
  });
}

/** Entries of `hashes`; a text alone is a hash. */
function hashList(value: unknown): readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.map((one) => {
    if (typeof one === 'string') return { hash: withoutSpaces(one) };
    if (!isObject(one)) return one;
    const fields = regularFields(withoutAbsent(one), hashChanges);
    return { ...fields, ...textIds(fields) };
  });
}

function settingList(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(settingFields);
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  const isMap = entries.length > 0 && entries.every(([, one]) => isObject(one));
  if (!isMap) return [settingFields(value)];
  return entries.map(([id, fields]) => settingFields(isObject(fields) ? { ...fields, id } : fields));
}

function settingFields(value: unknown): unknown {
  if (!isObject(value)) return value;
  const given = underOwnNames(withoutAbsent(value), ownNames.signature_settings);
  const fields = regularFields(pageList(given), settingChanges);
  return { ...fields, ...textIds(fields) };
}

/** Entries without names and labels of empty text; a number as value is its text. */
function informationList(value: unknown): readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.map((one) => {
    if (!isObject(one)) return one;
    const { value: text, ...others } = one;
    const isKept = text !== null && text !== undefined;
    return { ...withoutAbsent(others), ...(isKept ? { value: typeof text === 'number' ? String(text) : text } : {}) };
  });
}

/** Accepts a list of pages under the name of the field for one page. */
function pageList(fields: Fields): Fields {
  const { visible_sign_page: page, ...others } = fields;
  if (!Array.isArray(page) || 'visible_sign_pages' in fields) return fields;
  return { ...others, visible_sign_pages: page };
}

/** Reads `"12.5"` as 12.5. */
function asNumber(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value;
}

/** Accepts a plain CNPJ, as text or number, in place of the object with the CNPJ. */
function company(value: unknown): unknown {
  if (typeof value === 'number') return { cnpj: String(value).padStart(14, '0') };
  if (typeof value === 'string') return { cnpj: /^\d+$/.test(value) ? value.padStart(14, '0') : value };
  return isObject(value) ? withoutAbsent(value) : value;
}

/** Removes line breaks from base64: some programs send base64 in lines. */
function withoutSpaces(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\s/g, '') : value;
}

/** Converts ids given as numbers to text: `{"id": 1}` means "1". */
function textIds(fields: Fields): Fields {
  const ids = ['id', 'signature_setting'].filter((name) => typeof fields[name] === 'number');
  return Object.fromEntries(ids.map((name) => [name, String(fields[name])]));
}

/** A policy with the name of a signature family in front, as in `PAdES_AD_RT`. */
export interface TypedPolicy {
  readonly family: (typeof policyFamilies)[number]['family'];
  readonly policy: string;
}

const families = policyFamilies.map(({ family }) => family);

/** Reads `CAdES_AD_RB`: letter case and the kind of hyphen do not matter. Undefined for any other text. */
export function readTypedPolicy(text: unknown): TypedPolicy | undefined {
  if (typeof text !== 'string') return undefined;
  const [, named = '', rest = ''] = /^\s*([a-z]+)[-_ ](.+)$/i.exec(text) ?? [];
  const family = findName(families, named);
  const policy = parseSignaturePolicy(rest);
  return family === undefined || policy === undefined ? undefined : { family, policy };
}

/**
 * Splits a name of type and policy in either of the two fields. A name in `policy` gives the type only where the request
 * has none; a name that contradicts the other field stays as sent, for `refuseUnsupported`.
 */
export function splitTypedPolicy(body: Record<string, unknown>): Record<string, unknown> {
  const ofPolicy = readTypedPolicy(body.policy);
  const ofType = readTypedPolicy(body.type);
  const type = ofType?.family ?? body.type ?? ofPolicy?.family;
  const isSplit = ofPolicy !== undefined && agrees(ofPolicy, type);
  const policy = isSplit ? ofPolicy.policy : (body.policy ?? ofType?.policy);
  return { ...body, ...(type === undefined ? {} : { type }), ...(policy === undefined ? {} : { policy }) };
}

function agrees({ family }: TypedPolicy, type: unknown): boolean {
  const named = typeof type === 'string' ? type : '';
  const alias = findName(['CMS', 'CAdES'], named);
  const known = alias === undefined ? findName(signatureTypes, named) : typeAliases[alias];
  // An unknown type is refused by its own name.
  if (known === undefined) return true;
  const { container, profile } = signatureForm(known);
  return profile === 'cades' && container === (family === 'PAdES' ? 'pdf' : 'cms');
}
