/** Tokens, their drivers, and certificates. */
import { fine, type DoctorCheck, type DoctorFinding, type DoctorRepair } from './doctor-check.ts';
import type { CardFacts, CertificateFacts, DoctorFacts, DriverFacts } from './doctor-facts.ts';

/** Days before a certificate's end for the first warning: renewing takes an appointment. */
const soon = 30;
const veryClose = 7;
const day = 86_400_000;

/** Finds a plugged-in card or token without a driver. */
export async function examineCards({ cards, tokensSeen, drivers }: DoctorFacts): Promise<readonly DoctorCheck[]> {
  const id = 'card-reader';
  const [{ service, readers, devices }, seen] = await Promise.all([cards(), tokensSeen()]);
  if (seen > 0) return [fine(id, 'tokens-seen', { count: seen })];
  const [device] = devices ?? [];
  if (service === 'stopped' && device !== undefined) {
    return [{ id, outcome: 'problem', finding: 'card-service-stopped', values: { name: device }, repairs: [] }];
  }
  const reader = readers.find(({ hasCard }) => hasCard)?.name ?? (service === 'unknown' ? device : undefined);
  if (reader === undefined) return [fine(id, withoutToken(service, devices))];
  const found = (await drivers()).find((driver) => driver.id === undefined);
  const repairs: readonly DoctorRepair[] = [
    ...(found === undefined ? [] : [{ kind: 'add-driver', path: found.path } as const]),
    { kind: 'open', page: 'settings' },
  ];
  return [{ id, outcome: 'problem', finding: 'token-without-driver', values: { name: reader }, repairs }];
}

/** What may be said where no token is seen: nothing is said of readers that this system does not list. */
function withoutToken(service: CardFacts['service'], devices: CardFacts['devices']): DoctorFinding {
  if (devices !== undefined || service === 'running') return 'tokens-none';
  return service === 'stopped' ? 'card-service-idle' : 'cards-not-told';
}

/** The package through which drivers are called; nothing where it works. */
export async function examineBinding({ missingBinding }: DoctorFacts): Promise<readonly DoctorCheck[]> {
  const missing = await missingBinding();
  if (missing === undefined) return [];
  const values = { ...missing };
  return [{ id: 'driver-binding', outcome: 'problem', finding: 'drivers-not-callable', values, repairs: [] }];
}

/** Finds drivers that this program cannot load, by the format of their files; a check for each. */
export async function examineDrivers(facts: DoctorFacts): Promise<readonly DoctorCheck[]> {
  const drivers = await facts.drivers();
  const wrong = drivers.flatMap((driver) => examineDriver(driver, facts.architecture));
  return wrong.length > 0 ? wrong : [fine('drivers-fit', 'drivers-fit', { count: drivers.length })];
}

function examineDriver({ id, path, product, format }: DriverFacts, architecture: string): readonly DoctorCheck[] {
  // A missing driver shows in its own state.
  if (format === undefined) return [];
  const repairs: readonly DoctorRepair[] = id === undefined ? [] : [{ kind: 'remove-driver', id }];
  const shared = { id: `driver:${id ?? path}`, outcome: id === undefined ? 'advice' : 'problem', repairs } as const;
  const values = { name: product, file: path };
  if (format.kind === 'other') return [{ ...shared, finding: 'driver-no-library', values }];
  if (format.architectures.includes(architecture)) return [];
  if (format.bits === 32) return [{ ...shared, finding: 'driver-other-width', values }];
  const others = { ...values, architecture: format.architectures.join(', '), own: architecture };
  return [{ ...shared, finding: 'driver-other-processor', values: others }];
}

/**
 * Finds whether there is a signing certificate, certificates near their end, and certificates of unknown authorities.
 */
export async function examineCertificates({ certificates, now }: DoctorFacts): Promise<readonly DoctorCheck[]> {
  const all = await certificates();
  const good = all.filter(({ notAfter }) => notAfter > now());
  const told = all.flatMap((certificate) => examineCertificate(certificate, now(), good.length > 0));
  if (all.length === 0) return [{ ...none, values: {} }];
  return good.length === 0 ? told : [fine('certificates', 'certificates-good', { count: good.length }), ...told];
}

const none = {
  ...{ id: 'certificates', outcome: 'problem', finding: 'certificates-none' },
  repairs: [{ kind: 'open', page: 'certificates' }],
} as const satisfies Omit<DoctorCheck, 'values'>;

function examineCertificate(
  { alias, holder, notAfter, isTest, chainIsComplete }: CertificateFacts,
  now: Date,
  hasAnother: boolean,
): readonly DoctorCheck[] {
  const repairs = [{ kind: 'open', page: 'certificates' }] as const;
  const shared = { id: `certificate:${alias}`, repairs } as const;
  const days = Math.ceil((notAfter.getTime() - now.getTime()) / day);
  if (days <= 0) {
    const outcome = hasAnother ? 'advice' : 'problem';
    return [{ ...shared, outcome, finding: 'certificate-expired', values: { name: holder, day: dayOf(notAfter) } }];
  }
  const ending: DoctorCheck = {
    ...{ ...shared, outcome: days <= veryClose ? 'problem' : 'advice', finding: 'certificate-expires' },
    values: { name: holder, count: days, day: dayOf(notAfter) },
  };
  const lost: DoctorCheck = {
    ...{ ...shared, id: `chain:${alias}`, outcome: 'advice', finding: 'certificate-chain', values: { name: holder } },
    repairs: [{ kind: 'open', page: 'settings' }],
  };
  return [...(days <= soon && !isTest ? [ending] : []), ...(chainIsComplete || isTest ? [] : [lost])];
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);
