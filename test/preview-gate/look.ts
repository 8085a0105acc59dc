import type { Area } from '../../renderer/src/components/pdf/compare-drawings.ts';

/** A signature field, in pixels of a drawing. */
export interface FieldArea extends Area {
  /** The full name of the field. */
  readonly name: string;
  readonly hasAppearance: boolean;
}

/** The window's findings about a page. */
export interface PageLook {
  /** How the window could draw the page. */
  readonly drawing: string;
  /** The second engine's opinion; null where there is no drawing. */
  readonly opinion: string | null;
  /** Size of the drawing in pixels; 0 when there is none. */
  readonly width: number;
  readonly height: number;
  /** Signature fields, signed or not. */
  readonly fields: readonly FieldArea[];
}

/** The window's findings about a file: its opening, and its pages. */
export interface FileLook {
  /** `open`, or the reason why the window shows no page. */
  readonly opening: string;
  readonly pages: number;
  readonly looks: readonly PageLook[];
}
