import type { AskedHash, HashCall } from '../../service/hash-calls/index.ts';
import { readDigestName } from '../authorization/digest-names.ts';
import { OAuthRefusal } from '../authorization/oauth-library.ts';
import { isObject } from '../read-body.ts';

/** A hash of a request, and the members that find the answer. */
export interface NamedHash {
  readonly hash: AskedHash;
  /** As sent, text or number; some programs send `alias` only. */
  readonly names: Readonly<Record<string, unknown>>;
}

/** A signature request in the words of DOC-ICP-17.01. */
export interface PscSignatureRequest {
  readonly certificateAlias: string | undefined;
  readonly hashes: readonly NamedHash[];
  readonly signatureAlgorithm: HashCall['signatureAlgorithm'];
}

/** `signature_format`, without regard to case: bare signatures, detached CMS, and the CAdES of one provider. */
const formats: Readonly<Record<string, Pick<AskedHash, 'type' | 'policy'>>> = {
  RAW: { type: 'RAW', policy: 'none' },
  CMS: { type: 'CMS-detached', policy: 'none' },
  CADES_AD_RB: { type: 'CAdES-detached', policy: 'AD-RB' },
  CADES_AD_RT: { type: 'CAdES-detached', policy: 'AD-RT' },
};

/** `padding_method` of one provider. */
const paddings: Readonly<Record<string, NonNullable<HashCall['signatureAlgorithm']>>> = {
  PKCS1V1_5: 'RSASSA-PKCS1-v1_5',
  PSS: 'RSASSA-PSS',
};

type Fields = Readonly<Record<string, unknown>>;

/** Reads the fields of a body with names in lower case. Throws `OAuthRefusal` `invalid_request`. */
export function readSignatureRequest(fields: Fields): PscSignatureRequest {
  const entries = entriesOf(fields.hashes ?? nestedFields(fields));
  if (entries.length === 0) throw invalid('hashes: send a list with at least one hash.');
  const hashes = entries.map((entry, index) => readEntry(lowerCase(entry), fields, `hashes[${index}]`));
  const algorithms = new Set(entries.map((entry) => paddingOf(lowerCase(entry), fields)));
  if (algorithms.size > 1) throw invalid('padding_method: use one for all hashes of a call.');
  const [signatureAlgorithm] = algorithms;
  return { certificateAlias: textOf(fields.certificate_alias), hashes, signatureAlgorithm };
}

function readEntry(entry: Fields, request: Fields, at: string): NamedHash {
  const text = textOf(entry.hash);
  if (text === undefined) throw invalid(`${at}.hash is missing.`);
  const algorithm = textOf(entry.hash_algorithm ?? request.hash_algorithm) ?? 'SHA-256';
  const digest = readDigestName(algorithm);
  if (digest === undefined) throw invalid(`${at}.hash_algorithm: use the OID of SHA-256, SHA-384 or SHA-512.`);
  const format = textOf(entry.signature_format ?? request.signature_format) ?? 'RAW';
  const kind = formats[format.toUpperCase()];
  if (kind === undefined) throw invalid(`${at}.signature_format: use RAW, CMS, CAdES_AD_RB or CAdES_AD_RT.`);
  // A plus sign that a form did not encode arrives as a blank.
  const hash = { ...kind, digest, text: text.replaceAll(' ', '+'), name: textOf(entry.alias) };
  const names = entry.id === undefined ? { id: entry.alias ?? at, ...aliasOf(entry) } : { id: entry.id };
  return { hash, names };
}

const aliasOf = ({ alias }: Fields): Fields => (alias === undefined ? {} : { alias });

function paddingOf(entry: Fields, request: Fields): HashCall['signatureAlgorithm'] {
  const padding = textOf(entry.padding_method ?? request.padding_method);
  if (padding === undefined) return undefined;
  const algorithm = paddings[padding.toUpperCase()];
  if (algorithm === undefined) throw invalid('padding_method: use PKCS1V1_5 or PSS.');
  return algorithm;
}

/** A list or a single entry; in a form also as JSON. */
function entriesOf(value: unknown): readonly Fields[] {
  const list: unknown = typeof value === 'string' ? parsed(value) : value;
  const entries: readonly unknown[] = Array.isArray(list) ? list : [list];
  if (list === undefined) return [];
  if (entries.every(isObject)) return entries;
  throw invalid('hashes: send a list of objects with id, alias, hash, hash_algorithm and signature_format.');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('hashes: the form has no JSON list in this field.');
  }
}

/** `hashes[0][id]=…` as PHP writes lists into forms. */
function nestedFields(fields: Fields): readonly Fields[] | undefined {
  const entries = new Map<string, Record<string, unknown>>();
  for (const [name, value] of Object.entries(fields)) {
    const [, place, member] = /^hashes\[(\d{1,5})\]\[(\w{1,40})\]$/i.exec(name) ?? [];
    if (place === undefined || member === undefined) continue;
    entries.set(place, { ...entries.get(place), [member.toLowerCase()]: value });
  }
  return entries.size === 0 ? undefined : [...entries.values()];
}

const lowerCase = (entry: Fields): Fields =>
  Object.fromEntries(Object.entries(entry).map(([name, value]) => [name.toLowerCase(), value]));

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw invalid('Send texts for alias, hash, hash_algorithm and signature_format.');
}

const invalid = (description: string): OAuthRefusal => new OAuthRefusal('invalid_request', description);
