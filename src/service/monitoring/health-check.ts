/** A check of the health and its outcome. */

/** The findings of the health check. */
export type HealthFinding =
  | 'database-works'
  | 'folder-works'
  | 'folder-scarce'
  | 'folder-full'
  | 'folder-quota'
  | 'rows-whole'
  | 'rows-missing'
  | 'rows-unknown'
  | 'mark-unwritten'
  | 'other-history'
  | 'database-gone'
  | 'found-none'
  | 'found-documents'
  | 'found-unanswered'
  | 'results-whole'
  | 'results-damaged'
  | 'source-works'
  | 'source-fails'
  | 'source-quarantined'
  | 'server-answers'
  | 'server-silent'
  | 'store-works'
  | 'store-fails'
  | 'trust-current'
  | 'trust-ends'
  | 'secrets-readable'
  | 'secrets-unreadable'
  | 'clock-plausible'
  | 'clock-ahead'
  | 'clock-behind'
  | 'clock-early'
  | 'clock-doubted'
  | 'clocks-differ'
  | 'check-failed';

/** Values for the text of a finding. */
export type HealthValues = Readonly<Record<string, string | number>>;

/** A health check. */
export interface HealthCheck {
  /**
   * `database`, `document-store`, `database-rows`, `lost-and-found`, `data-folder`, `results`, `secret-store`, `clock`,
   * `key-sources`, `timestamp-servers`, `trust-data`, or `key-source:<id>` and `timestamp-server:<id>` for each.
   */
  readonly id: string;
  readonly ok: boolean;
  /** The code of the finding. The window has a text for each code in every language. */
  readonly finding: HealthFinding;
  /** Values for the finding's text: names, counts, minutes, and sizes in bytes. */
  readonly values: HealthValues;
  /** An English sentence for a person. */
  readonly message: string;
  /** The remedy in English; null for a good state. */
  readonly remedy: string | null;
}

/** The outcome of a check that found a good state. */
export const well = (id: string, finding: HealthFinding, message: string, values: HealthValues = {}): HealthCheck => ({
  id,
  ok: true,
  finding,
  values,
  message,
  remedy: null,
});

/** The outcome of a check that found a problem. */
export const wrong = (
  id: string,
  finding: HealthFinding,
  values: HealthValues,
  words: Pick<HealthCheck, 'message' | 'remedy'>,
): HealthCheck => ({ id, ok: false, finding, values, ...words });

/** Runs a check; a check that throws is a result with this remedy. Never rejects. */
export async function runCheck(
  id: string,
  remedy: string,
  look: () => Promise<readonly HealthCheck[]>,
): Promise<readonly HealthCheck[]> {
  try {
    return await look();
  } catch (error) {
    const reason = error instanceof Error ? ` ${error.message}` : '';
    const message = `The check "${id}" failed.${reason}`;
    return [wrong(id, 'check-failed', {}, { message, remedy })];
  }
}
