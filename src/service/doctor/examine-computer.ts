/** Tokens, their drivers, and certificates. */
import { endDay } from '../certificates/index.ts';
import {
  fine,
  type DoctorCheck,
  type DoctorFinding,
  type DoctorRepair,
  type CardFacts,
  type CertificateFacts,
  type DoctorFacts,
  type DriverFacts,
} from './doctor-facts.ts';

/** Days before a certificate's end at which warnings begin, because renewal needs an appointment. */
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

/** The finding when no token is seen. Without a list of devices, readers are not mentioned. */
function withoutToken(service: CardFacts['service'], devices: CardFacts['devices']): DoctorFinding {
  if (devices !== undefined || service === 'running') return 'tokens-none';
  return service === 'stopped' ? 'card-service-idle' : 'cards-not-told';
}

/** Checks the package that calls drivers; no check if the package works. */
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
  const told = [...wrong, ...examineSuggestions(drivers, new Set(wrong.map(({ values }) => values['file'])))];
  return told.length > 0 ? told : [fine('drivers-fit', 'drivers-fit', { count: drivers.length })];
}

/** Suggests drivers on this computer that were not added, except those that cannot be loaded. */
function examineSuggestions(drivers: readonly DriverFacts[], unfit: ReadonlySet<unknown>): readonly DoctorCheck[] {
  const found = drivers.filter(({ id, path }) => id === undefined && !unfit.has(path));
  const [only, another] = found;
  if (only === undefined) return [];
  const values = { name: found.map(({ product }) => product).join(', '), count: found.length };
  const repair: DoctorRepair =
    another === undefined ? { kind: 'add-driver', path: only.path } : { kind: 'open', page: 'settings' };
  return [{ id: 'driver-suggested', outcome: 'advice', finding: 'driver-suggested', values, repairs: [repair] }];
}

function examineDriver({ id, path, product, format }: DriverFacts, architecture: string): readonly DoctorCheck[] {
  // A missing driver file is reported by the driver's own check.
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
  id: 'certificates',
  outcome: 'problem',
  finding: 'certificates-none',
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
    ...shared,
    outcome: days <= veryClose ? 'problem' : 'advice',
    finding: 'certificate-expires',
    values: { name: holder, count: days, day: dayOf(notAfter) },
  };
  const lost: DoctorCheck = {
    ...shared,
    id: `chain:${alias}`,
    outcome: 'advice',
    finding: 'certificate-chain',
    values: { name: holder },
    repairs: [{ kind: 'open', page: 'settings' }],
  };
  return [...(days <= soon && !isTest ? [ending] : []), ...(chainIsComplete || isTest ? [] : [lost])];
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

const noRoots = {
  id: 'trust-data',
  outcome: 'problem',
  finding: 'trust-none',
  repairs: [{ kind: 'update-trust' }, { kind: 'open', page: 'settings' }],
} as const satisfies Omit<DoctorCheck, 'values'>;

/** Checks for roots, authorities and policy lists that have expired or expire soon. */
export async function examineTrust({ officialRoots, staleTrust }: DoctorFacts): Promise<readonly DoctorCheck[]> {
  const [roots, stale] = await Promise.all([officialRoots(), staleTrust()]);
  if (roots === 0) return [{ ...noRoots, values: {} }];
  if (stale.length === 0) return [fine('trust-data', 'trust-current')];
  return stale.map((one): DoctorCheck => {
    const { kind, name, hasEnded } = one;
    const finding = kind === 'policy-list' ? 'policy-list-ended' : hasEnded ? 'trust-ended' : 'trust-ends';
    const values = kind === 'policy-list' ? { day: endDay(one) } : { name, day: endDay(one) };
    const repairs = [{ kind: 'open', page: 'settings' }] as const;
    return { id: `trust-data:${kind}:${name}`, outcome: 'advice', finding, values, repairs };
  });
}

// The surroundings of Sinete: browsers, other programs, the clock, the network, the disk.

/** Allowed milliseconds between clocks: time-stamp authorities refuse more, and answers take their time. */
const clockTolerance = 120_000;

/** The guard's refusals of a site's requests, except refusals for a missing scope. */
const guardRefusals: ReadonlySet<string> = new Set([
  'ORIGIN_OPAQUE',
  'ORIGIN_NOT_SECURE',
  'ORIGIN_NOT_GRANTED',
  'BLIND_REQUEST_REFUSED',
  'CROSS_SITE_REFUSED',
  'NAVIGATION_REFUSED',
]);

/** Checks whether browsers let the requests of web sites through, and how the last request ended. */
export function examineVisits({ visits }: DoctorFacts): readonly DoctorCheck[] {
  const all = visits();
  const id = 'sites';
  const [last] = all;
  if (last === undefined) return [fine(id, 'sites-none')];
  const values = { name: last.origin, browser: last.browser, count: all.length };
  if (!guardRefusals.has(last.outcome)) return [fine(id, 'sites-arrive', values)];
  const repairs = [{ kind: 'open', page: 'sites' }] as const;
  return [{ id, outcome: 'advice', finding: 'sites-refused', values: { ...values, code: last.outcome }, repairs }];
}

export async function examinePort({ port: readPort }: DoctorFacts): Promise<readonly DoctorCheck[]> {
  const id = 'port';
  const found = await readPort();
  if (found === undefined) return [];
  const { port, usual, kept, owners } = found;
  if (port === usual[0] || port === kept) return [fine(id, 'port-usual', { port })];
  const repairs = [{ kind: 'keep-port' }] as const;
  if (!usual.includes(port)) return [{ id, outcome: 'advice', finding: 'port-chosen', values: { port }, repairs }];
  const taken = owners.map((owner) => `${owner.port}${owner.program === undefined ? '' : ` (${owner.program})`}`);
  const values = { port, taken: taken.join(', ') };
  return [{ id, outcome: 'advice', finding: 'port-other', values, repairs }];
}

export async function examineClock({ clock }: DoctorFacts): Promise<readonly DoctorCheck[]> {
  const id = 'clock-compared';
  const compared = await clock();
  if (compared === undefined) return [fine(id, 'clock-not-compared')];
  const { ahead, source } = compared;
  const values = { seconds: Math.round(Math.abs(ahead) / 1000), source };
  if (Math.abs(ahead) <= clockTolerance) return [fine(id, 'clock-agrees', values)];
  const minutes = Math.round(ahead / 60_000);
  return [{ id, outcome: 'problem', finding: 'clock-differs', values: { ...values, minutes }, repairs: [] }];
}

/** The remedy names the keychain of the operating system. */
const inMemory: Partial<Record<NodeJS.Platform, DoctorFinding>> = {
  win32: 'secrets-in-memory-windows',
  darwin: 'secrets-in-memory-macos',
};

export function examineSecrets({ secretStore, platform }: DoctorFacts): readonly DoctorCheck[] {
  const id = 'secret-place';
  const { kind, canMove } = secretStore();
  if (kind !== 'memory') return [fine(id, 'secrets-kept', { kind })];
  const repairs: readonly DoctorRepair[] = canMove ? [{ kind: 'keep-keys' }] : [];
  return [{ id, outcome: 'problem', finding: inMemory[platform] ?? 'secrets-in-memory', values: {}, repairs }];
}

/** Checks the proxy; no check without a proxy. */
export async function examineProxy({ proxy }: DoctorFacts): Promise<readonly DoctorCheck[]> {
  const id = 'proxy';
  const found = await proxy();
  if (found === undefined) return [];
  const values = { address: found.address };
  if (found.answers) return [fine(id, 'proxy-answers', values)];
  const repairs = [{ kind: 'open', page: 'settings' }] as const;
  return [{ id, outcome: 'problem', finding: 'proxy-silent', values, repairs }];
}

export async function examineDatabases({ damaged }: DoctorFacts): Promise<readonly DoctorCheck[]> {
  const id = 'database-aside';
  const [newest, ...others] = await damaged();
  if (newest === undefined) return [fine(id, 'database-whole')];
  const repairs = [{ kind: 'open', page: 'settings' }] as const;
  const values = { name: newest, count: others.length + 1 };
  return [{ id, outcome: 'advice', finding: 'database-aside', values, repairs }];
}

/** Checks each object store; no checks without stores. */
export async function examineStores({ stores }: DoctorFacts): Promise<readonly DoctorCheck[]> {
  return (await stores()).map(({ id: name, problem }) => {
    const id = `object-store:${name}`;
    if (problem === undefined) return fine(id, 'store-answers', { name });
    return {
      id,
      outcome: 'problem',
      finding: 'store-silent',
      values: { name, code: problem.code, problem: problem.message },
      repairs: [
        { kind: 'test-store', id: name },
        { kind: 'open', page: 'settings' },
      ],
    };
  });
}

/** Checks files kept valid: due but not renewed, failed, and missing ones. No checks without such files. */
export async function examineRenewals({ renewals }: DoctorFacts): Promise<readonly DoctorCheck[]> {
  const counts = await renewals();
  const sum = (...states: readonly (keyof typeof counts)[]): number =>
    states.reduce((before, state) => before + (counts[state] ?? 0), 0);
  const repairs = [{ kind: 'open', page: 'renewals' }] as const;
  const told = [
    ['missing', 'problem', sum('content-missing', 'file-missing')],
    ['failed', 'problem', sum('failed', 'locked')],
    ['due', 'advice', sum('due')],
  ] as const;
  const found = told
    .filter(([, , count]) => count > 0)
    .map(([name, outcome, count]): DoctorCheck => {
      return { id: `renewals:${name}`, outcome, finding: `renewals-${name}`, values: { count }, repairs };
    });
  const kept = sum('renewed', 'not-due', 'new');
  return found.length > 0 || kept === 0 ? found : [fine('renewals', 'renewals-current', { count: kept })];
}

type Examine = (facts: DoctorFacts) => readonly DoctorCheck[] | Promise<readonly DoctorCheck[]>;

const parts: Readonly<Record<string, Examine>> = {
  certificates: examineCertificates,
  'trust-data': examineTrust,
  'card-reader': examineCards,
  'driver-binding': examineBinding,
  'drivers-fit': examineDrivers,
  sites: examineVisits,
  port: examinePort,
  'clock-compared': examineClock,
  'secret-place': examineSecrets,
  proxy: examineProxy,
  'database-aside': examineDatabases,
  renewals: examineRenewals,
  stores: examineStores,
};

/** Milliseconds for each part; a slower part is reported as not examined. */
const patience = 20_000;

/** Examines everything now. Never rejects: a failed examination is reported as a check. */
export async function examineComputer(facts: DoctorFacts, limit = patience): Promise<readonly DoctorCheck[]> {
  const groups = await Promise.all(
    Object.entries(parts).map(async ([id, examine]) => guarded(id, limit, examine, facts)),
  );
  return groups.flat();
}

async function guarded(
  id: string,
  limit: number,
  examine: Examine,
  facts: DoctorFacts,
): Promise<readonly DoctorCheck[]> {
  const notExamined: readonly DoctorCheck[] = [
    { id, outcome: 'advice', finding: 'not-examined', values: { name: id }, repairs: [] },
  ];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly DoctorCheck[]>((resolve) => {
    timer = setTimeout(() => {
      resolve(notExamined);
    }, limit);
  });
  try {
    return await Promise.race([Promise.resolve(examine(facts)), late]);
  } catch {
    return notExamined;
  } finally {
    clearTimeout(timer);
  }
}
