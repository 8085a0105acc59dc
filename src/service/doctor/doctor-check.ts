/** What the Doctor looks at besides the health of the core, and what it found. */

/** One thing that was found: the table of words has a sentence for each. */
export type DoctorFinding =
  | 'tokens-seen'
  | 'tokens-none'
  | 'token-without-driver'
  | 'card-service-stopped'
  | 'drivers-fit'
  | 'driver-other-width'
  | 'driver-other-processor'
  | 'driver-no-library'
  | 'certificates-good'
  | 'certificates-none'
  | 'certificate-expired'
  | 'certificate-expires'
  | 'certificate-chain'
  | 'sites-none'
  | 'sites-arrive'
  | 'sites-refused'
  | 'port-usual'
  | 'port-other'
  | 'port-chosen'
  | 'clock-agrees'
  | 'clock-differs'
  | 'clock-not-compared'
  | 'secrets-kept'
  | 'secrets-in-memory'
  | 'proxy-answers'
  | 'proxy-silent'
  | 'database-whole'
  | 'database-aside'
  | 'store-answers'
  | 'store-silent'
  | 'not-examined';

/** What one click can do about it. */
export type DoctorRepair =
  | { readonly kind: 'add-driver'; readonly path: string }
  | { readonly kind: 'test-store'; readonly id: string }
  | { readonly kind: 'remove-driver'; readonly id: string }
  | { readonly kind: 'open'; readonly page: 'settings' | 'certificates' | 'sites' };

/** What a sentence tells besides its words. */
export type DoctorValues = Readonly<Record<string, string | number>>;

export interface DoctorCheck {
  /** Stable for one thing that is looked at: `card-reader`, `driver:<id>`, `object-store:<id>`, … */
  readonly id: string;
  /** `advice` is no fault: most people can sign as it is. */
  readonly outcome: 'ok' | 'advice' | 'problem';
  readonly finding: DoctorFinding;
  readonly values: DoctorValues;
  readonly repairs: readonly DoctorRepair[];
}

/** A check that is as it should be. */
export function fine(id: string, finding: DoctorFinding, values: DoctorValues = {}): DoctorCheck {
  return { id, outcome: 'ok', finding, values, repairs: [] };
}
