import type { z } from 'zod';
import { closeName } from '../../service/errors/index.ts';
import { invalidFields, isObject } from '../read-body.ts';
import { partsByTurn } from '../../service/scheduling/index.ts';
import { regularFormByTurn } from './regular-form.ts';
import { createRequest } from './schemas.ts';

/** An unknown field of a request, and the known field with the most similar name. */
export interface IgnoredField {
  readonly field: string;
  readonly did_you_mean?: string;
}

/** Names that are read in addition to those of the schema (`regularForm`). */
const otherNames = { documents: ['path', 'mediatype'], signature_settings: ['extraInfo'] } as const;

/** Maximum number of ignored fields reported in an answer. */
const mostTold = 50;
const longestName = 100;

/**
 * The unknown fields of a create request, with their paths. The answer reports them, because a mistyped option would
 * otherwise change a signature unnoticed.
 */
export async function ignoredFields(body: Record<string, unknown>): Promise<readonly IgnoredField[]> {
  const { documents, signature_settings: settings } = createRequest.shape;
  const regular = await regularFormByTurn(body);
  const found = [
    ...unknownIn(body, Object.keys(createRequest.shape), ''),
    ...(await unknownInDocuments(regular.documents, namesOf(documents, otherNames.documents))),
    ...unknownInList(
      regular.signature_settings,
      namesOf(settings, otherNames.signature_settings),
      'signature_settings',
    ),
  ];
  return found.slice(0, mostTold).map(({ at, name, known }) => {
    const meant = likelyName(name.slice(0, longestName), known);
    const field = `${at}${name.slice(0, longestName)}`;
    return meant === undefined ? { field } : { field, did_you_mean: `${at}${meant}` };
  });
}

/** Refuses unknown fields for `Prefer: handling=strict` (RFC 7240 §4.4). Throws `REQUEST_INVALID`. */
export function refuseIgnored(ignored: readonly IgnoredField[]): void {
  if (ignored.length === 0) return;
  throw invalidFields(
    ignored.map(({ field, did_you_mean: meant }) => ({
      field,
      code: 'UNKNOWN_FIELD',
      detail: meant === undefined ? 'This field is not known: leave it out.' : `Did you mean "${meant}"?`,
    })),
  );
}

/** True if a request asks for strict handling; letter case of preferences is ignored. */
export function wantsStrictHandling(preferences: string | undefined): boolean {
  return (preferences ?? '').split(/[,;]/).some((one) => /^\s*handling\s*=\s*"?strict"?\s*$/i.test(one));
}

/** The known field names of a list's entries. */
function namesOf(list: z.ZodType, others: readonly string[]): readonly string[] {
  let inner: unknown = list;
  while (isObject(inner) && 'def' in inner) {
    if ('shape' in inner && isObject(inner.shape)) return [...Object.keys(inner.shape), ...others];
    const { def } = inner;
    inner = isObject(def) ? (def.element ?? def.innerType) : undefined;
  }
  return others;
}

interface UnknownField {
  /** The path in front of the name. */
  readonly at: string;
  readonly name: string;
  readonly known: readonly string[];
}

/** At most as many as are told: a long list is looked through in several turns of the event loop. */
async function unknownInDocuments(list: unknown, known: readonly string[]): Promise<UnknownField[]> {
  const found: UnknownField[] = [];
  if (!Array.isArray(list)) return found;
  let before = 0;
  for await (const part of partsByTurn<unknown>(list)) {
    found.push(...unknownInList(part, known, 'documents', before));
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
