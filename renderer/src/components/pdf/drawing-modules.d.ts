declare module '~drawing/pdfium' {
  /** PDFium's WebAssembly: gzip in base64. */
  export const packed: string;
}

declare module '~drawing/character-maps' {
  /** First and last place of each file in the unpacked bytes, by the file's name. */
  export const places: Readonly<Record<string, readonly [number, number]>>;
  /** Every file, one after the other: gzip in base64. */
  export const packed: string;
}
