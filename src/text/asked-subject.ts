/** The things that a request asks to sign: documents, hashes in place of documents, or bytes for bare signatures. */
export type AskedSubject = 'documents' | 'hashes' | 'data';

/** The subject of a request with this signature type; texts count its documents by this name. */
export function askedSubject(type: string, documents: readonly { readonly hash?: unknown }[]): AskedSubject {
  if (documents.some(({ hash }) => hash !== undefined)) return 'hashes';
  return type === 'RAW' ? 'data' : 'documents';
}
