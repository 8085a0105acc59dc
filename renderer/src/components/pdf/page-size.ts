/** In points. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A rectangle on a page as displayed: points from its top left corner. */
export interface Box extends Size {
  readonly left: number;
  readonly top: number;
}
