import type { DeskItem, Outcome } from './desk-state.ts';

/** A file of a batch and where it stands. */
export interface BatchEntry {
  readonly item: DeskItem;
  readonly outcome: Outcome;
}
