import type { DeskItem, Outcome } from './desk-state.ts';

/** A file of a batch and its state. */
export interface BatchEntry {
  readonly item: DeskItem;
  readonly outcome: Outcome;
}
