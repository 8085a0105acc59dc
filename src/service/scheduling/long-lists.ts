/** Maximum number of documents handled before other requests are served. */
export const DOCUMENTS_AT_ONCE = 500;

/** Resolves after the requests that are ready now were served. */
export async function letOthersRun(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The documents in parts of at most `DOCUMENTS_AT_ONCE`; other requests are served between two parts. */
export async function* inParts<Document>(documents: readonly Document[]): AsyncGenerator<readonly Document[]> {
  for (let start = 0; start < documents.length; start += DOCUMENTS_AT_ONCE) {
    yield documents.slice(start, start + DOCUMENTS_AT_ONCE);
    if (documents.length > DOCUMENTS_AT_ONCE) await letOthersRun();
  }
}

/** The results of `make` for all documents, computed in the parts of `inParts`. */
export async function mapInParts<Document, Made>(
  documents: readonly Document[],
  make: (document: Document) => Made,
): Promise<Made[]> {
  const made: Made[] = [];
  for await (const part of inParts(documents)) for (const document of part) made.push(make(document));
  return made;
}

/** The documents with their places in the list, in the parts of `inParts`. */
export async function* eachInParts<Document>(
  documents: readonly Document[],
): AsyncGenerator<readonly [place: number, document: Document]> {
  let place = 0;
  for await (const part of inParts(documents)) for (const document of part) yield [place++, document];
}
