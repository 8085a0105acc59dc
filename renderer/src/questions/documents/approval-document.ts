import { askedSubject, type AskedSubject } from '../../../../src/text/asked-subject.ts';
import type { OriginalInspection, UiDocument, UiTransaction } from '../../../../src/ui-contract/ui-contract.ts';

/** A document of a question, with its transaction. */
export interface ApprovalDocument extends UiDocument {
  /** Unique among all documents of the question. */
  readonly key: string;
  readonly tcn: string;
  readonly subject: AskedSubject;
}

/** The documents that are approved together. */
export function documentsOf(transactions: readonly UiTransaction[]): readonly ApprovalDocument[] {
  return transactions.flatMap(({ tcn, type, documents }) => {
    const subject = askedSubject(type, documents);
    return documents.map((document) => ({ ...document, tcn, subject, key: `${tcn} ${document.id}` }));
  });
}

/** Active or hidden content, and reasons why the content of a PDF cannot be determined. */
export type Concern =
  | Extract<NonNullable<OriginalInspection['pdf']>, { state: 'examined' }>['activeContent'][number]
  | 'encrypted'
  | 'unreadable'
  | 'incomplete';

/** Warnings about a document for the signer. */
export function concernsOf({ pdf }: OriginalInspection): readonly Concern[] {
  switch (pdf?.state) {
    case undefined:
      return [];
    case 'examined':
      return [...pdf.activeContent, ...(pdf.complete ? [] : (['incomplete'] as const))];
    case 'encrypted':
    case 'unreadable':
      return [pdf.state];
  }
}
