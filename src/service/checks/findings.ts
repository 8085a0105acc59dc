/** The registry of findings: the outcomes of the checks that health, Doctor and the window show. */

/** The checked things. Each has a title in every language, and the window groups findings by them. */
export type Area =
  | 'database'
  | 'document-store'
  | 'database-rows'
  | 'lost-and-found'
  | 'results'
  | 'data-folder'
  | 'secret-store'
  | 'clock'
  | 'key-sources'
  | 'key-files'
  | 'key-source'
  | 'timestamp-servers'
  | 'timestamp-server'
  | 'certificates'
  | 'certificate'
  | 'trust'
  | 'tokens'
  | 'drivers'
  | 'sites'
  | 'port'
  | 'clock-compared'
  | 'secrets'
  | 'proxy'
  | 'damaged-databases'
  | 'store'
  | 'renewals'
  | 'part';

/** `advice` is no fault: most people can sign without the remedy. */
export type Outcome = 'ok' | 'advice' | 'problem';

/** Pages and parts of Settings that a repair opens. */
export type RepairPlace = 'settings' | 'network' | 'backups' | 'history' | 'certificates' | 'sites' | 'renewals';

/** Repairs with a single click. */
export type Repair =
  | { readonly kind: 'add-driver'; readonly path: string }
  | { readonly kind: 'remove-driver' | 'retry-driver' | 'test-store' | 'test-server'; readonly id: string }
  /** `keep-keys` moves the master key from memory into a key file; `keep-port` keeps the port for every later start. */
  | { readonly kind: 'update-trust' | 'keep-keys' | 'keep-port' | 'accept-clock' }
  | { readonly kind: 'open'; readonly page: RepairPlace };

interface Row<Is extends Outcome> {
  readonly area: Area;
  /** The usual outcome. A check may give another one, but a finding in order stays in order. */
  readonly outcome: Is;
  /** The repairs that need no target. Those with a target come from the check. */
  readonly repairs: readonly Repair[];
  /** True for a finding that every page of the window shows, because it affects all results. */
  readonly isUrgent: boolean;
}

const row =
  <Is extends Outcome>(outcome: Is) =>
  (area: Area, ...repairs: readonly Repair[]): Row<Is> => ({ area, outcome, repairs, isUrgent: false });

const ok = row('ok');
const advice = row('advice');
const problem = row('problem');
const urgent = <Is extends Outcome>(one: Row<Is>): Row<Is> => ({ ...one, isUrgent: true });

const open = (page: RepairPlace): Repair => ({ kind: 'open', page });
const acceptClock: Repair = { kind: 'accept-clock' };
const keepPort: Repair = { kind: 'keep-port' };

/**
 * Each finding with its area, its usual outcome and its repairs. `words-en.ts` and `words-pt-br.ts` have its sentences:
 * the compiler demands them, and a remedy for each finding that is not in order.
 */
export const findings = {
  'database-works': ok('database'),
  'database-fails': problem('database'),
  'database-damaged': problem('database'),
  'database-server-fails': problem('database'),
  'store-works': ok('document-store'),
  'store-fails': problem('document-store'),
  'folder-works': ok('data-folder'),
  'folder-fails': problem('data-folder'),
  'folder-scarce': problem('data-folder'),
  'folder-full': problem('data-folder'),
  'folder-quota': problem('data-folder'),
  'rows-whole': ok('database-rows'),
  'rows-missing': urgent(problem('database-rows', open('backups'))),
  'rows-unknown': urgent(problem('database-rows', open('backups'))),
  'other-history': urgent(problem('database-rows', open('backups'))),
  'database-gone': urgent(problem('database-rows', open('backups'))),
  'mark-unwritten': problem('database-rows'),
  'found-none': ok('lost-and-found'),
  'found-unanswered': ok('lost-and-found'),
  'found-documents': problem('lost-and-found'),
  'found-fails': problem('lost-and-found'),
  'results-whole': ok('results'),
  'results-damaged': problem('results', open('history'), open('backups')),
  'source-works': ok('key-source'),
  'source-fails': problem('key-source'),
  'source-quarantined': problem('key-source'),
  'sources-fail': problem('key-sources'),
  'server-answers': ok('timestamp-server'),
  'server-silent': problem('timestamp-server'),
  'servers-fail': problem('timestamp-servers'),
  'secrets-readable': ok('secret-store'),
  'secrets-unreadable': problem('secret-store'),
  'secrets-fail': problem('secret-store'),
  'clock-plausible': ok('clock'),
  'clock-doubted': ok('clock', acceptClock),
  'clock-ahead': urgent(problem('clock')),
  'clock-behind': urgent(problem('clock')),
  'clock-early': urgent(problem('clock', acceptClock)),
  'clocks-differ': problem('clock'),
  'clock-fails': problem('clock'),
  'tokens-seen': ok('tokens'),
  'tokens-none': ok('tokens'),
  'token-without-driver': problem('tokens', open('settings')),
  'card-service-stopped': problem('tokens'),
  'card-service-idle': ok('tokens'),
  'cards-not-told': ok('tokens'),
  'drivers-not-callable': problem('tokens'),
  'drivers-fit': ok('drivers'),
  'driver-other-width': problem('drivers'),
  'driver-other-processor': problem('drivers'),
  'driver-no-library': problem('drivers'),
  'driver-suggested': advice('drivers'),
  'certificates-good': ok('certificates'),
  'certificates-none': problem('certificates', open('certificates')),
  'certificate-expired': advice('certificate', open('certificates')),
  'certificate-expires': advice('certificate', open('certificates')),
  'certificate-chain': advice('certificate', open('settings')),
  'trust-current': ok('trust'),
  'trust-ends-soon': ok('trust'),
  'trust-none': problem('trust', { kind: 'update-trust' }, open('settings')),
  'trust-ended': advice('trust', open('settings')),
  'trust-ends': advice('trust', open('settings')),
  'policy-list-ended': advice('trust', open('settings')),
  'sites-none': ok('sites'),
  'sites-arrive': ok('sites'),
  'sites-refused': advice('sites', open('sites')),
  'port-usual': ok('port'),
  'port-other': advice('port', keepPort),
  'port-chosen': advice('port', keepPort),
  'clock-agrees': ok('clock-compared'),
  'clock-not-compared': ok('clock-compared'),
  'clock-differs': urgent(problem('clock-compared')),
  'secrets-kept': ok('secrets'),
  'secrets-in-memory': problem('secrets'),
  'secrets-in-memory-windows': problem('secrets'),
  'secrets-in-memory-macos': problem('secrets'),
  'proxy-answers': ok('proxy'),
  'proxy-silent': problem('proxy', open('network')),
  'database-whole': ok('damaged-databases'),
  'database-aside': urgent(advice('damaged-databases', open('backups'))),
  'store-answers': ok('store'),
  'store-silent': problem('store', open('network')),
  'renewals-current': ok('renewals'),
  'renewals-due': advice('renewals', open('renewals')),
  'renewals-failed': problem('renewals', open('renewals')),
  'renewals-missing': problem('renewals', open('renewals')),
  'check-failed': problem('part'),
  'not-examined': advice('part'),
} as const satisfies Readonly<Record<string, Row<Outcome>>>;

/** The code of a finding. */
export type Finding = keyof typeof findings;
