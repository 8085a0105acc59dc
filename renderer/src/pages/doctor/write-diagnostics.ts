import type { DoctorCheckView } from '../../../../src/ui-contract/doctor-calls.ts';
import type { Check } from '../../data/checks.ts';

/** What is told to somebody who helps. */
export interface Diagnostics {
  readonly checks: readonly Check[];
  readonly found: readonly DoctorCheckView[];
  readonly version: string | null;
  /** What the browser calls itself: its version and the operating system. */
  readonly browser: string;
  readonly at: Date;
}

/**
 * Diagnostics without personal data: kinds and outcomes only. What the core says of a check may hold names, paths and
 * addresses, and stays here.
 */
export function writeDiagnostics({ checks, found, version, browser, at }: Diagnostics): string {
  const told = [
    ...checks.map(({ kind, outcome }) => ({ check: kind, outcome })),
    ...found.map(({ finding, outcome }) => ({ check: finding, outcome })),
  ];
  return `${JSON.stringify({ product: 'Sinete', version, browser, at: at.toISOString(), checks: told }, null, 2)}\n`;
}
