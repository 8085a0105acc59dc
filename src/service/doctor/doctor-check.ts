/** The Doctor's checks besides the health of the core, and their findings. */

/** A finding: the table of words has a sentence for each. */
export type DoctorFinding =
  | 'tokens-seen'
  | 'tokens-none'
  | 'token-without-driver'
  | 'card-service-stopped'
  | 'card-service-idle'
  | 'cards-not-told'
  | 'drivers-not-callable'
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
  | 'secrets-in-memory-windows'
  | 'secrets-in-memory-macos'
  | 'proxy-answers'
  | 'proxy-silent'
  | 'database-whole'
  | 'database-aside'
  | 'store-answers'
  | 'store-silent'
  | 'not-examined';

/** Repairs with a single click. */
export type DoctorRepair =
  | { readonly kind: 'add-driver'; readonly path: string }
  | { readonly kind: 'test-store'; readonly id: string }
  | { readonly kind: 'remove-driver'; readonly id: string }
  | { readonly kind: 'open'; readonly page: 'settings' | 'certificates' | 'sites' };

/** Values for a sentence. */
export type DoctorValues = Readonly<Record<string, string | number>>;

export interface DoctorCheck {
  /** Stable for each checked thing: `card-reader`, `driver:<id>`, `object-store:<id>`, … */
  readonly id: string;
  /** `advice` is no fault: most people can sign without following the advice. */
  readonly outcome: 'ok' | 'advice' | 'problem';
  readonly finding: DoctorFinding;
  readonly values: DoctorValues;
  readonly repairs: readonly DoctorRepair[];
}

/** A check without a problem. */
export function fine(id: string, finding: DoctorFinding, values: DoctorValues = {}): DoctorCheck {
  return { id, outcome: 'ok', finding, values, repairs: [] };
}
