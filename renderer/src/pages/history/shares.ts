/** The status of documents, in the order of the charts. */
export const shares = ['signed', 'failed', 'waiting'] as const;
