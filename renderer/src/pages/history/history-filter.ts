import type { CallInput } from '../../../../src/ui-contract/ui-contract.ts';

type ListInput = CallInput<'history.list'>;

/** The user's filter; empty texts do not filter. */
export interface HistoryChoice {
  readonly text: string;
  readonly status: NonNullable<ListInput['status']> | '';
  readonly type: NonNullable<ListInput['type']> | '';
  /** Local days, `2026-11-20`. */
  readonly from: string;
  readonly until: string;
}

/** The filter in the form of the calls. */
export type HistoryFilter = Omit<ListInput, 'offset' | 'limit'>;

export const everything: HistoryChoice = { text: '', status: '', type: '', from: '', until: '' };

export const statuses = ['SIGNED', 'WAITING', 'ERROR'] as const satisfies HistoryFilter['status'][];

export const types = [
  'PAdES',
  'PDFSignature',
  'CAdES-attached',
  'CAdES-detached',
  'CMS-attached',
  'CMS-detached',
] as const satisfies HistoryFilter['type'][];

/** True when the first day is not after the last; an empty field counts as in order. */
export function datesInOrder({ from, until }: HistoryChoice): boolean {
  return from === '' || until === '' || from <= until;
}

/** Days are local: the first day counts from its midnight, the last to its end. */
export function filterOf({ text, status, type, from, until }: HistoryChoice): HistoryFilter {
  const first = from === '' ? null : new Date(`${from}T00:00:00`);
  const last = until === '' ? null : new Date(`${until}T00:00:00`);
  last?.setDate(last.getDate() + 1);
  return {
    ...(text.trim() === '' ? {} : { text: text.trim() }),
    ...(status === '' ? {} : { status }),
    ...(type === '' ? {} : { type }),
    ...(first === null || Number.isNaN(first.getTime()) ? {} : { from: first.toISOString() }),
    ...(last === null || Number.isNaN(last.getTime()) ? {} : { before: last.toISOString() }),
  };
}
