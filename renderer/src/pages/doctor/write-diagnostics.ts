import type { CheckView } from '../../../../src/ui-contract/doctor-calls.ts';

/** Facts for support. */
export interface Diagnostics {
  readonly checks: readonly CheckView[];
  readonly version: string | null;
  /** The browser's user agent: its version and the operating system. */
  readonly browser: string;
  readonly at: Date;
}

/**
 * Diagnostics without personal data: only kinds and outcomes. The core's sentences are left out, because they may
 * contain names, paths and addresses.
 */
export function writeDiagnostics({ checks, version, browser, at }: Diagnostics): string {
  const told = checks.map(({ finding, outcome }) => ({ check: finding, outcome }));
  return `${JSON.stringify({ product: 'Sinete', version, browser, at: at.toISOString(), checks: told }, null, 2)}\n`;
}
