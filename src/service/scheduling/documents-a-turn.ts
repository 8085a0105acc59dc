/** Maximum number of documents handled in one turn of the event loop, so that other work gets its turn. */
export const DOCUMENTS_A_TURN = 500;

/** Resolves in the next turn of the event loop, after the requests that are ready now. */
export async function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The documents in parts of at most `DOCUMENTS_A_TURN`; after each part of a longer list comes another turn. */
export async function* partsByTurn<Document>(documents: readonly Document[]): AsyncGenerator<readonly Document[]> {
  for (let start = 0; start < documents.length; start += DOCUMENTS_A_TURN) {
    yield documents.slice(start, start + DOCUMENTS_A_TURN);
    if (documents.length > DOCUMENTS_A_TURN) await nextTurn();
  }
}

/** The results of `make` for all documents, computed in the parts of `partsByTurn`. */
export async function mapByTurn<Document, Made>(
  documents: readonly Document[],
  make: (document: Document) => Made,
): Promise<Made[]> {
  const made: Made[] = [];
  for await (const part of partsByTurn(documents)) for (const document of part) made.push(make(document));
  return made;
}

/** The documents with their places in the list, in the parts of `partsByTurn`. */
export async function* eachByTurn<Document>(
  documents: readonly Document[],
): AsyncGenerator<readonly [place: number, document: Document]> {
  let place = 0;
  for await (const part of partsByTurn(documents)) for (const document of part) yield [place++, document];
}
