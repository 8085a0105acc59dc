/** Red, green and blue from 0 to 1. */
export type TextColour = readonly [red: number, green: number, blue: number];

/** A paragraph in a single style. Lengths are in points. */
export interface TextBlock {
  readonly text: string;
  readonly size: number;
  /** The structure type, for screen readers; by default a paragraph. */
  readonly role?: 'H1' | 'H2' | 'H3' | 'P';
  readonly indent?: number;
  readonly spaceBefore?: number;
  /** Black when absent. */
  readonly colour?: TextColour;
  /** A word before the text, in grey in a column of its own. */
  readonly label?: string;
  /** The ground of the paragraph, as wide as the page's text, and the colour of a bar at its left. */
  readonly band?: { readonly ground: TextColour; readonly bar: TextColour };
  /** A thin line above the paragraph. */
  readonly ruled?: boolean;
  /** An address opened by a click on the paragraph. */
  readonly link?: string;
}
