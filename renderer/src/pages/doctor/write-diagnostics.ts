import type { DoctorCheckView } from '../../../../src/ui-contract/doctor-calls.ts';
import type { Check } from '../../data/checks.ts';

/** Facts for support. */
export interface Diagnostics {
  readonly checks: readonly Check[];
  readonly found: readonly DoctorCheckView[];
  readonly version: string | null;
  /** The browser's user agent: its version and the operating system. */
  readonly browser: string;
  readonly at: Date;
}

/**
 * Diagnostics without personal data: only kinds and outcomes. The core's sentences are left out, because they may
 * contain names, paths and addresses.
 */
export function writeDiagnostics({ checks, found, version, browser, at }: Diagnostics): string {
  const told = [
    ...checks.map(({ kind, outcome }) => ({ check: kind, outcome })),
    ...found.map(({ finding, outcome }) => ({ check: finding, outcome })),
  ];
  return `${JSON.stringify({ product: 'Sinete', version, browser, at: at.toISOString(), checks: told }, null, 2)}\n`;
}
