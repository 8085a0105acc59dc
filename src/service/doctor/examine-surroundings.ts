/** The surroundings of Sinete: browsers, other programs, the clock, the network, the disk. */
import { fine, type DoctorCheck, type DoctorFinding } from './doctor-check.ts';
import type { DoctorFacts } from './doctor-facts.ts';

/** Allowed milliseconds between clocks: time-stamp authorities refuse more, and answers take their time. */
const clockTolerance = 120_000;

/** Refusals by the guard, as opposed to refusals for a missing scope. */
const guardRefusals: ReadonlySet<string> = new Set([
  'ORIGIN_OPAQUE',
  'ORIGIN_NOT_SECURE',
  'ORIGIN_NOT_GRANTED',
  'BLIND_REQUEST_REFUSED',
  'CROSS_SITE_REFUSED',
  'NAVIGATION_REFUSED',
]);

/** Whether browsers let the requests of web sites through, and the outcome of the last request. */
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
  const { port, usual, owners } = found;
  if (port === usual[0]) return [fine(id, 'port-usual', { port })];
  if (!usual.includes(port)) return [{ id, outcome: 'advice', finding: 'port-chosen', values: { port }, repairs: [] }];
  const taken = owners.map((owner) => `${owner.port}${owner.program === undefined ? '' : ` (${owner.program})`}`);
  const values = { port, taken: taken.join(', ') };
  return [{ id, outcome: 'advice', finding: 'port-other', values, repairs: [] }];
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

/** The system's own keychain is what the remedy names. */
const inMemory: Partial<Record<NodeJS.Platform, DoctorFinding>> = {
  win32: 'secrets-in-memory-windows',
  darwin: 'secrets-in-memory-macos',
};

export function examineSecrets({ secretStore, platform }: DoctorFacts): readonly DoctorCheck[] {
  const id = 'secret-place';
  const { kind } = secretStore();
  if (kind !== 'memory') return [fine(id, 'secrets-kept', { kind })];
  return [{ id, outcome: 'problem', finding: inMemory[platform] ?? 'secrets-in-memory', values: {}, repairs: [] }];
}

/** Nothing where there is no proxy. */
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

/** A check for each store; nothing without stores. */
export async function examineStores({ stores }: DoctorFacts): Promise<readonly DoctorCheck[]> {
  return (await stores()).map(({ id: name, problem }) => {
    const id = `object-store:${name}`;
    if (problem === undefined) return fine(id, 'store-answers', { name });
    return {
      ...{ id, outcome: 'problem', finding: 'store-silent', values: { name, problem } },
      repairs: [
        { kind: 'test-store', id: name },
        { kind: 'open', page: 'settings' },
      ],
    };
  });
}
