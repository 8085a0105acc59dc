/** The checks of this computer: tokens and their drivers, certificates, and the surroundings of Sinete. */
import { endDay } from '../certificates/index.ts';
import { found, runCheck, type Check, type Particulars } from './check.ts';
import type { CardFacts, CertificateFacts, ComputerFacts, DriverFacts } from './computer-facts.ts';
import type { Finding, Repair } from './findings.ts';

/** Days before a certificate's end at which warnings begin, because renewal needs an appointment. */
const soon = 30;
const veryClose = 7;
const day = 86_400_000;

/** Finds a plugged-in card or token without a driver. */
async function examineCards({ cards, tokensSeen, drivers }: ComputerFacts): Promise<readonly Check[]> {
  const id = 'card-reader';
  const [{ service, readers, devices }, seen] = await Promise.all([cards(), tokensSeen()]);
  if (seen > 0) return [found(id, 'tokens-seen', { count: seen })];
  const [device] = devices ?? [];
  if (service === 'stopped' && device !== undefined) {
    return [found(id, 'card-service-stopped', { name: device })];
  }
  const reader = readers.find(({ hasCard }) => hasCard)?.name ?? (service === 'unknown' ? device : undefined);
  if (reader === undefined) return [found(id, withoutToken(service, devices))];
  const suggested = (await drivers()).find((driver) => driver.id === undefined);
  const repairs: readonly Repair[] = suggested === undefined ? [] : [{ kind: 'add-driver', path: suggested.path }];
  return [found(id, 'token-without-driver', { name: reader }, { repairs })];
}

/** The finding when no token is seen. Without a list of devices, readers are not mentioned. */
function withoutToken(service: CardFacts['service'], devices: CardFacts['devices']): Finding {
  if (devices !== undefined || service === 'running') return 'tokens-none';
  return service === 'stopped' ? 'card-service-idle' : 'cards-not-told';
}

/** Checks the package that calls drivers; no check if the package works. */
async function examineBinding({ missingBinding }: ComputerFacts): Promise<readonly Check[]> {
  const missing = await missingBinding();
  if (missing === undefined) return [];
  return [found('driver-binding', 'drivers-not-callable', { ...missing })];
}

/** Finds drivers that this program cannot load, by the format of their files; a check for each. */
async function examineDrivers(facts: ComputerFacts): Promise<readonly Check[]> {
  const drivers = await facts.drivers();
  const wrong = drivers.flatMap((driver) => examineDriver(driver, facts.architecture));
  const told = [...wrong, ...examineSuggestions(drivers, new Set(wrong.map(({ values }) => values['file'])))];
  return told.length > 0 ? told : [found('drivers-fit', 'drivers-fit', { count: drivers.length })];
}

/** Suggests drivers on this computer that were not added, except those that cannot be loaded. */
function examineSuggestions(drivers: readonly DriverFacts[], unfit: ReadonlySet<unknown>): readonly Check[] {
  const suggested = drivers.filter(({ id, path }) => id === undefined && !unfit.has(path));
  const [only, another] = suggested;
  if (only === undefined) return [];
  const values = { name: suggested.map(({ product }) => product).join(', '), count: suggested.length };
  const repair: Repair =
    another === undefined ? { kind: 'add-driver', path: only.path } : { kind: 'open', page: 'settings' };
  return [found('driver-suggested', 'driver-suggested', values, { repairs: [repair] })];
}

function examineDriver({ id, path, product, format }: DriverFacts, architecture: string): readonly Check[] {
  // A missing driver file is reported by the driver's own check.
  if (format === undefined) return [];
  const checkId = `driver:${id ?? path}`;
  const shared: Particulars =
    id === undefined ? { outcome: 'advice' } : { outcome: 'problem', repairs: [{ kind: 'remove-driver', id }] };
  const values = { name: product, file: path };
  if (format.kind === 'other') return [found(checkId, 'driver-no-library', values, shared)];
  if (format.architectures.includes(architecture)) return [];
  if (format.bits === 32) return [found(checkId, 'driver-other-width', values, shared)];
  const others = { ...values, architecture: format.architectures.join(', '), own: architecture };
  return [found(checkId, 'driver-other-processor', others, shared)];
}

/**
 * Finds whether there is a signing certificate, certificates near their end, and certificates of unknown authorities.
 */
async function examineCertificates({ certificates, now }: ComputerFacts): Promise<readonly Check[]> {
  const all = await certificates();
  const good = all.filter(({ notAfter }) => notAfter > now());
  const told = all.flatMap((certificate) => examineCertificate(certificate, now(), good.length > 0));
  if (all.length === 0) return [found('certificates', 'certificates-none')];
  return good.length === 0 ? told : [found('certificates', 'certificates-good', { count: good.length }), ...told];
}

function examineCertificate(
  { alias, holder, notAfter, isTest, chainIsComplete }: CertificateFacts,
  now: Date,
  hasAnother: boolean,
): readonly Check[] {
  const id = `certificate:${alias}`;
  const days = Math.ceil((notAfter.getTime() - now.getTime()) / day);
  if (days <= 0) {
    const outcome = hasAnother ? 'advice' : 'problem';
    return [found(id, 'certificate-expired', { name: holder, day: dayOf(notAfter) }, { outcome })];
  }
  const values = { name: holder, count: days, day: dayOf(notAfter) };
  const outcome = days <= veryClose ? 'problem' : 'advice';
  return [
    ...(days <= soon && !isTest ? [found(id, 'certificate-expires', values, { outcome })] : []),
    ...(chainIsComplete || isTest ? [] : [found(`chain:${alias}`, 'certificate-chain', { name: holder })]),
  ];
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** Checks for roots, authorities and policy lists that have expired or expire soon. */
async function examineTrust({ officialRoots, staleTrust }: ComputerFacts): Promise<readonly Check[]> {
  const [roots, stale] = await Promise.all([officialRoots(), staleTrust()]);
  if (roots === 0) return [found('trust-data', 'trust-none')];
  if (stale.length === 0) return [found('trust-data', 'trust-current')];
  return stale.map((one) => {
    const { kind, name, hasEnded } = one;
    const finding = kind === 'policy-list' ? 'policy-list-ended' : hasEnded ? 'trust-ended' : 'trust-ends';
    const values: Check['values'] = kind === 'policy-list' ? { day: endDay(one) } : { name, day: endDay(one) };
    return found(`trust-data:${kind}:${name}`, finding, values);
  });
}

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
function examineVisits({ visits }: ComputerFacts): readonly Check[] {
  const all = visits();
  const id = 'sites';
  const [last] = all;
  if (last === undefined) return [found(id, 'sites-none')];
  const values = { name: last.origin, browser: last.browser, count: all.length };
  if (!guardRefusals.has(last.outcome)) return [found(id, 'sites-arrive', values)];
  return [found(id, 'sites-refused', { ...values, code: last.outcome })];
}

async function examinePort({ port: readPort }: ComputerFacts): Promise<readonly Check[]> {
  const id = 'port';
  const listening = await readPort();
  if (listening === undefined) return [];
  const { port, usual, kept, owners } = listening;
  if (port === usual[0] || port === kept) return [found(id, 'port-usual', { port })];
  if (!usual.includes(port)) return [found(id, 'port-chosen', { port })];
  const taken = owners.map((owner) => `${owner.port}${owner.program === undefined ? '' : ` (${owner.program})`}`);
  return [found(id, 'port-other', { port, taken: taken.join(', ') })];
}

async function examineClock({ clock }: ComputerFacts): Promise<readonly Check[]> {
  const id = 'clock-compared';
  const compared = await clock();
  if (compared === undefined) return [found(id, 'clock-not-compared')];
  const { ahead, source } = compared;
  const values = { seconds: Math.round(Math.abs(ahead) / 1000), source };
  if (Math.abs(ahead) <= clockTolerance) return [found(id, 'clock-agrees', values)];
  const minutes = Math.round(ahead / 60_000);
  return [found(id, 'clock-differs', { ...values, minutes })];
}

/** The remedy names the keychain of the operating system. */
const inMemory: Partial<Record<NodeJS.Platform, Finding>> = {
  win32: 'secrets-in-memory-windows',
  darwin: 'secrets-in-memory-macos',
};

function examineSecrets({ secretStore, platform }: ComputerFacts): readonly Check[] {
  const id = 'secret-place';
  const { kind, canMove } = secretStore();
  if (kind !== 'memory') return [found(id, 'secrets-kept', { kind })];
  const repairs: readonly Repair[] = canMove ? [{ kind: 'keep-keys' }] : [];
  return [found(id, inMemory[platform] ?? 'secrets-in-memory', {}, { repairs })];
}

/** Checks the proxy; no check without a proxy. */
async function examineProxy({ proxy }: ComputerFacts): Promise<readonly Check[]> {
  const id = 'proxy';
  const tried = await proxy();
  if (tried === undefined) return [];
  return [found(id, tried.answers ? 'proxy-answers' : 'proxy-silent', { address: tried.address })];
}

async function examineDatabases({ damaged }: ComputerFacts): Promise<readonly Check[]> {
  const id = 'database-aside';
  const [newest, ...others] = await damaged();
  if (newest === undefined) return [found(id, 'database-whole')];
  return [found(id, 'database-aside', { name: newest, count: others.length + 1 })];
}

/** Checks each object store; no checks without stores. */
async function examineStores({ stores }: ComputerFacts): Promise<readonly Check[]> {
  return (await stores()).map(({ id: name, problem }) => {
    const id = `object-store:${name}`;
    if (problem === undefined) return found(id, 'store-answers', { name });
    const values = { name, code: problem.code, reason: problem.message };
    return found(id, 'store-silent', values, { repairs: [{ kind: 'test-store', id: name }] });
  });
}

/** Checks files kept valid: due but not renewed, failed, and missing ones. No checks without such files. */
async function examineRenewals({ renewals }: ComputerFacts): Promise<readonly Check[]> {
  const counts = await renewals();
  const sum = (...states: readonly (keyof typeof counts)[]): number =>
    states.reduce((before, state) => before + (counts[state] ?? 0), 0);
  const counted = [
    ['renewals:missing', 'renewals-missing', sum('content-missing', 'file-missing')],
    ['renewals:failed', 'renewals-failed', sum('failed', 'locked')],
    ['renewals:due', 'renewals-due', sum('due')],
  ] as const;
  const told = counted.filter(([, , count]) => count > 0).map(([id, finding, count]) => found(id, finding, { count }));
  const kept = sum('renewed', 'not-due', 'new');
  return told.length > 0 || kept === 0 ? told : [found('renewals', 'renewals-current', { count: kept })];
}

type Examine = (facts: ComputerFacts) => readonly Check[] | Promise<readonly Check[]>;

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

/** Checks this computer now. Never rejects: a failed check is a result. */
export async function checkComputer(facts: ComputerFacts, limit = patience): Promise<readonly Check[]> {
  const groups = await Promise.all(
    Object.entries(parts).map(async ([id, examine]) =>
      runCheck(id, 'not-examined', async () => inTime(limit, async () => examine(facts))),
    ),
  );
  return groups.flat();
}

/** Rejects when the work takes longer than `limit` milliseconds. */
async function inTime<Value>(limit: number, work: () => Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`The check took longer than ${limit} ms.`));
    }, limit);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
