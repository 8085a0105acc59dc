/** The columns of the tables for renewals, revocation data and short-lived entries. */
import type { RevocationCacheEntry, RevocationCacheKey } from '../../../service/certificates/index.ts';
import { reviveOutcome, type KeptFile } from '../../../service/renewals/index.ts';
import type { ShortLivedEntry, ShortLivedKind } from '../../../service/short-lived/index.ts';
import {
  bytes,
  converted,
  date,
  nullable,
  optional,
  partColumns,
  recordColumns,
  text,
  type RowOf,
  type RowOfAll,
} from './columns.ts';

/** A file that is kept valid. */
export const renewalColumns = recordColumns<KeptFile>()({
  path: text('path'),
  origin: text('origin'),
  outcome: nullable(converted('outcome', JSON.stringify, (stored) => reviveOutcome(JSON.parse(stored) as never))),
  checkedAt: nullable(date('checked_at')),
  nextAt: date('next_at'),
  renewedAt: nullable(date('renewed_at')),
  troubledSince: nullable(date('troubled_since')),
  replacement: nullable(text('replacement')),
});

export type RenewalRow = RowOf<typeof renewalColumns> & {
  /** 0 if a person does not want this file of History to be kept valid. */
  kept: number;
  /** Null before the first check; then the state of `outcome`. */
  state: string | null;
  protected_until: number | null;
};

type CachedData = Extract<RevocationCacheEntry, { readonly kind: 'data' }>;
type CachedFailure = Extract<RevocationCacheEntry, { readonly kind: 'failure' }>;

export const revocationKeyColumns = recordColumns<RevocationCacheKey & { readonly freshUntil: Date }>()({
  issuerKey: text('issuer_key'),
  kind: text('kind'),
  locator: text('locator'),
  freshUntil: date('fresh_until'),
});

/** Either these columns or those of the failure are there. */
export const cachedDataColumns = partColumns<Pick<CachedData, 'der' | 'index'>>()({
  der: bytes('der'),
  index: optional(bytes('crl_index')),
});

export const cachedFailureColumns = partColumns<Pick<CachedFailure, 'code' | 'sentence'>>()({
  code: text('problem_code'),
  sentence: text('problem_sentence'),
});

export type RevocationCacheRow = RowOfAll<
  [typeof revocationKeyColumns, typeof cachedDataColumns, typeof cachedFailureColumns]
>;

export const shortLivedColumns = recordColumns<ShortLivedEntry & { readonly kind: ShortLivedKind }>()({
  kind: text('kind'),
  key: text('key'),
  owner: text('owner'),
  content: text('content'),
  endsAt: date('ends_at'),
});
