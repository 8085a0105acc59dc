/** What becomes of documents, in the order in which the charts show it. */
export const shares = ['signed', 'failed', 'waiting'] as const;
