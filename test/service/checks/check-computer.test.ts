import { describe, expect, it } from 'vitest';
import {
  checkComputer,
  describeCheck,
  type CardFacts,
  type Check,
  type CheckWords,
  type ComputerFacts,
  type DriverFacts,
  type SiteVisit,
} from '../../../src/service/checks/index.ts';
import type { LibraryFormat } from '../../../src/signing/index.ts';

const now = new Date('2026-06-01T12:00:00Z');
const later = (days: number): Date => new Date(now.getTime() + days * 86_400_000);
const maria = { alias: 'maria', holder: 'Maria', notAfter: later(300), isTest: false, chainIsComplete: true };
const x64: LibraryFormat = { kind: 'library', bits: 64, architectures: ['x64'] };
const driver: DriverFacts = { id: 'd1', path: '/usr/lib/d.so', product: 'Driver', format: x64 };
const visit: SiteVisit = { origin: 'https://portal.example', browser: 'Chrome', outcome: 'passed', at: now };
const nobody: CardFacts = { service: 'running', readers: [], devices: [] };
const withCard: CardFacts = {
  ...nobody,
  readers: [
    { name: 'Reader 1', hasCard: false },
    { name: 'SafeNet', hasCard: true },
  ],
};

/** A computer without problems. */
const well: ComputerFacts = {
  cards: () => Promise.resolve(withCard),
  tokensSeen: () => Promise.resolve(1),
  missingBinding: () => Promise.resolve(undefined),
  drivers: () => Promise.resolve([driver]),
  certificates: () => Promise.resolve([maria]),
  officialRoots: () => Promise.resolve(13),
  staleTrust: () => Promise.resolve([]),
  renewals: () => Promise.resolve({ 'not-due': 4, renewed: 1 }),
  visits: () => [visit],
  port: () => Promise.resolve({ port: 17_171, usual: [17_171, 27_171], kept: undefined, owners: [] }),
  clock: () => Promise.resolve({ ahead: 900, source: 'act.example' }),
  secretStore: () => ({ kind: 'os-keychain', canMove: false }),
  proxy: () => Promise.resolve({ address: 'proxy.example:3128', answers: true }),
  damaged: () => Promise.resolve([]),
  stores: () => Promise.resolve([{ id: 'office', problem: undefined }]),
  architecture: 'x64',
  platform: 'linux',
  now: () => now,
};

const examine = async (changes: Partial<ComputerFacts>): Promise<readonly Check[]> =>
  checkComputer({ ...well, ...changes });

const drivers = (...formats: readonly (LibraryFormat | undefined)[]): Partial<ComputerFacts> => ({
  drivers: () => Promise.resolve(formats.map((format) => ({ ...driver, format }))),
});
const certificate = (change: Partial<typeof maria>): Partial<ComputerFacts> => ({
  certificates: () => Promise.resolve([{ ...maria, ...change }]),
});
const noToken = (cards: CardFacts): Partial<ComputerFacts> => ({
  cards: () => Promise.resolve(cards),
  tokensSeen: () => Promise.resolve(0),
});
const trustEnd = new Date('2029-03-02T12:00:00Z');
const inMemory = (): { kind: string; canMove: boolean } => ({ kind: 'memory', canMove: true });
const port = (number: number, program?: string, kept?: number): Partial<ComputerFacts> => ({
  port: () => Promise.resolve({ port: number, usual: [17_171, 27_171], kept, owners: [{ port: 17_171, program }] }),
});

describe('checkComputer on a computer without problems', () => {
  it('finds nothing to do', async () => {
    const checks = await examine({});
    expect(checks.map(({ outcome }) => outcome)).toEqual(checks.map(() => 'ok'));
    expect(checks.map(({ finding }) => finding)).toEqual([
      'certificates-good',
      'trust-current',
      'tokens-seen',
      'drivers-fit',
      'sites-arrive',
      'port-usual',
      'clock-agrees',
      'secrets-kept',
      'proxy-answers',
      'database-whole',
      'renewals-current',
      'store-answers',
    ]);
    expect(checks.every((check) => describeCheck(check).remedy === null)).toBe(true);
  });

  it('says nothing of missing parts', async () => {
    const nothing = {
      proxy: () => Promise.resolve(undefined),
      stores: () => Promise.resolve([]),
      renewals: () => Promise.resolve({}),
    };
    const quiet = { visits: () => [], clock: () => Promise.resolve(undefined), port: () => Promise.resolve(undefined) };
    const checks = await examine({ ...nothing, ...quiet, ...noToken(nobody) });
    expect(checks.every(({ outcome }) => outcome === 'ok')).toBe(true);
    expect(checks.map(({ finding }) => finding)).toEqual([
      'certificates-good',
      'trust-current',
      'tokens-none',
      'drivers-fit',
      'sites-none',
      'clock-not-compared',
      'secrets-kept',
      'database-whole',
    ]);
  });
});

/** The words of checks in every language for every reader. */
const allWords = (checks: readonly Check[]): readonly CheckWords[] =>
  (['en', 'pt-BR'] as const).flatMap((language) =>
    (['program', 'window'] as const).flatMap((reader) => checks.map((check) => describeCheck(check, language, reader))),
  );

const problems: readonly [string, Partial<ComputerFacts>, string, 'advice' | 'problem', Record<string, unknown>][] = [
  ['a card that no driver answers for', noToken(withCard), 'token-without-driver', 'problem', { name: 'SafeNet' }],
  [
    'a token on a system that has no service to ask',
    noToken({ ...nobody, service: 'unknown', devices: ['ePass'] }),
    ...(['token-without-driver', 'problem', { name: 'ePass' }] as const),
  ],
  [
    'a reader without its service',
    noToken({ ...nobody, service: 'stopped', devices: ['Gemalto'] }),
    ...(['card-service-stopped', 'problem', { name: 'Gemalto' }] as const),
  ],
  [
    'a package that is missing and that calls the drivers',
    {
      missingBinding: () =>
        Promise.resolve({ name: 'koffi', problem: 'koffi is not installed.', remedy: 'Run "npm ci".' }),
    },
    ...(['drivers-not-callable', 'problem', { name: 'koffi' }] as const),
  ],
  [
    'a driver for 32 bits',
    drivers({ kind: 'library', bits: 32, architectures: ['ia32'] }),
    ...(['driver-other-width', 'problem', { name: 'Driver', file: '/usr/lib/d.so' }] as const),
  ],
  [
    'a driver for another processor',
    drivers({ kind: 'library', bits: 64, architectures: ['arm64'] }),
    ...(['driver-other-processor', 'problem', { architecture: 'arm64', own: 'x64' }] as const),
  ],
  ['a driver that is no library', drivers({ kind: 'other' }), 'driver-no-library', 'problem', { name: 'Driver' }],
  [
    'a signed document that is missing beside its signature',
    { renewals: () => Promise.resolve({ 'content-missing': 1, 'file-missing': 1, renewed: 2 }) },
    ...(['renewals-missing', 'problem', { count: 2 }] as const),
  ],
  [
    'files that cannot be renewed',
    { renewals: () => Promise.resolve({ failed: 1, locked: 1 }) },
    ...(['renewals-failed', 'problem', { count: 2 }] as const),
  ],
  [
    'files that are due and only listed',
    { renewals: () => Promise.resolve({ due: 3 }) },
    ...(['renewals-due', 'advice', { count: 3 }] as const),
  ],
  ['no certificate', { certificates: () => Promise.resolve([]) }, 'certificates-none', 'problem', {}],
  [
    'an expired certificate',
    certificate({ notAfter: later(-3) }),
    'certificate-expired',
    'problem',
    { day: '2026-05-29' },
  ],
  ['one that ends in a month', certificate({ notAfter: later(29.5) }), 'certificate-expires', 'advice', { count: 30 }],
  ['one that ends in a week', certificate({ notAfter: later(6.5) }), 'certificate-expires', 'problem', { count: 7 }],
  [
    'one of an unknown authority',
    certificate({ chainIsComplete: false }),
    'certificate-chain',
    'advice',
    { name: 'Maria' },
  ],
  [
    'a site that the guard refused',
    { visits: () => [{ ...visit, outcome: 'ORIGIN_NOT_SECURE' }] },
    ...(['sites-refused', 'advice', { code: 'ORIGIN_NOT_SECURE', browser: 'Chrome' }] as const),
  ],
  ['a port that another program has', port(27_171, 'java'), 'port-other', 'advice', { taken: '17171 (java)' }],
  ['a port that nobody tells about', port(27_171), 'port-other', 'advice', { taken: '17171' }],
  ['a port that pages do not look at', port(8080), 'port-chosen', 'advice', { port: 8080 }],
  [
    'a clock that is an hour behind',
    { clock: () => Promise.resolve({ ahead: -3_600_000, source: 'act.example' }) },
    ...(['clock-differs', 'problem', { minutes: -60, source: 'act.example' }] as const),
  ],
  ['keys in memory', { secretStore: inMemory }, 'secrets-in-memory', 'problem', {}],
  [
    'keys in memory on Windows',
    { secretStore: inMemory, platform: 'win32' },
    ...(['secrets-in-memory-windows', 'problem', {}] as const),
  ],
  [
    'keys in memory on macOS',
    { secretStore: inMemory, platform: 'darwin' },
    ...(['secrets-in-memory-macos', 'problem', {}] as const),
  ],
  [
    'a proxy that does not answer',
    { proxy: () => Promise.resolve({ address: 'proxy.example:3128', answers: false }) },
    ...(['proxy-silent', 'problem', { address: 'proxy.example:3128' }] as const),
  ],
  [
    'a root that ends soon',
    { staleTrust: () => Promise.resolve([{ kind: 'root', name: 'Raiz v5', end: trustEnd, hasEnded: false }]) },
    ...(['trust-ends', 'advice', { name: 'Raiz v5', day: '2029-03-02' }] as const),
  ],
  [
    'an authority that ended',
    { staleTrust: () => Promise.resolve([{ kind: 'authority', name: 'AC', end: trustEnd, hasEnded: true }]) },
    ...(['trust-ended', 'advice', { name: 'AC', day: '2029-03-02' }] as const),
  ],
  [
    'a list of approved policies past its end',
    { staleTrust: () => Promise.resolve([{ kind: 'policy-list', name: '', end: trustEnd, hasEnded: true }]) },
    ...(['policy-list-ended', 'advice', { day: '2029-03-02' }] as const),
  ],
  [
    'a database that was set aside',
    { damaged: () => Promise.resolve(['sinete.db.damaged-2', 'sinete.db.damaged-1']) },
    ...(['database-aside', 'advice', { name: 'sinete.db.damaged-2', count: 2 }] as const),
  ],
  [
    'a store that refuses',
    {
      stores: () =>
        Promise.resolve([{ id: 'office', problem: { code: 'STORE_REFUSED', message: 'It does not let us in.' } }]),
    },
    ...(['store-silent', 'problem', { name: 'office', code: 'STORE_REFUSED' }] as const),
  ],
];

describe('a port other than the default', () => {
  it('is wanted once a person has kept the port, and can be kept before', async () => {
    for (const number of [27_171, 8080]) {
      const before = await examine(port(number, 'java'));
      expect(before.find(({ id }) => id === 'port')).toMatchObject({
        outcome: 'advice',
        repairs: [{ kind: 'keep-port' }],
      });
      const after = await examine(port(number, 'java', number));
      expect(after.find(({ id }) => id === 'port')).toMatchObject({ outcome: 'ok', values: { port: number } });
    }
  });
});

describe('checkComputer', () => {
  it('finds nothing of ICP-Brasil trusted, in spite of other ends', async () => {
    const checks = await examine({ officialRoots: () => Promise.resolve(0) });
    expect(checks.filter(({ outcome }) => outcome !== 'ok')).toEqual([
      {
        id: 'trust-data',
        area: 'trust',
        outcome: 'problem',
        finding: 'trust-none',
        values: {},
        repairs: [{ kind: 'update-trust' }, { kind: 'open', page: 'settings' }],
      },
    ]);
  });

  it.each([
    ['a driver', [{ ...driver, id: undefined }], { kind: 'add-driver', path: driver.path }],
    ['two drivers', [driver, driver].map((one) => ({ ...one, id: undefined })), { kind: 'open', page: 'settings' }],
  ])('offers an unadded %s', async (_name, found, repair) => {
    const checks = await examine({ drivers: () => Promise.resolve(found) });
    const told = checks.filter(({ outcome }) => outcome !== 'ok');
    expect(told).toMatchObject([{ finding: 'driver-suggested', outcome: 'advice', repairs: [repair] }]);
    expect(describeCheck(told[0]!).message).toContain('Driver');
  });

  it.each(problems)('finds %s', async (_name, facts, finding, outcome, values) => {
    const checks = await examine(facts);
    const found = checks.filter((check) => check.outcome !== 'ok');
    expect(found).toMatchObject([{ finding, outcome, values }]);
    for (const words of allWords(found)) {
      expect(words.remedy).not.toBeNull();
      expect(JSON.stringify(words)).not.toMatch(/undefined|\{\{/);
    }
  });

  it.each([
    ['lists no devices and runs no service', 'stopped', undefined, 'card-service-idle'],
    ['lists no devices and does not answer', 'unknown', undefined, 'cards-not-told'],
    ['lists no devices, but readers', 'running', undefined, 'tokens-none'],
    ['lists devices and runs no service', 'stopped', [], 'tokens-none'],
  ] as const)('says no more than known where the system %s', async (_name, service, devices, finding) => {
    const checks = await examine(noToken({ service, readers: [], devices }));
    expect(checks.find(({ id }) => id === 'card-reader')).toMatchObject({ finding, outcome: 'ok' });
  });

  it('names nothing of Linux on Windows', async () => {
    const cards = [nobody, { ...nobody, devices: undefined, service: 'stopped' }, { ...withCard, devices: undefined }];
    for (const found of cards as readonly CardFacts[]) {
      const checks = await examine({ ...noToken(found), secretStore: inMemory, platform: 'win32' });
      const told = checks.map((check) => JSON.stringify(describeCheck(check))).join();
      expect(told).not.toMatch(/pcscd|systemctl|GNOME|KWallet|Secret Service|chmod|sudo|\.so\b/);
      expect(told).toMatch(/Credential Manager/);
    }
  });

  it('takes an expired certificate for a matter of advice while another can sign', async () => {
    const both = [{ ...maria, alias: 'old', notAfter: later(-1) }, maria];
    const checks = await examine({ certificates: () => Promise.resolve(both) });
    expect(checks.slice(0, 2)).toMatchObject([
      { finding: 'certificates-good', outcome: 'ok', values: { count: 1 } },
      { finding: 'certificate-expired', outcome: 'advice', id: 'certificate:old' },
    ]);
  });

  it('says nothing of the end or the unknown authority of test certificates', async () => {
    const checks = await examine(certificate({ isTest: true, chainIsComplete: false, notAfter: later(2) }));
    expect(checks.every(({ outcome }) => outcome === 'ok')).toBe(true);
  });

  it('proposes a found driver for a card without a driver', async () => {
    const found = { ...driver, id: undefined, path: '/usr/lib/libeToken.so' };
    const checks = await examine({ ...noToken(withCard), drivers: () => Promise.resolve([found]) });
    expect(checks.find(({ id }) => id === 'card-reader')?.repairs).toEqual([
      { kind: 'add-driver', path: '/usr/lib/libeToken.so' },
      { kind: 'open', page: 'settings' },
    ]);
  });

  it('takes universal and unreadable libraries as no reason to complain', async () => {
    const checks = await examine(drivers({ ...x64, architectures: ['arm64', 'x64'] }, undefined));
    expect(checks.find(({ id }) => id === 'drivers-fit')).toMatchObject({ outcome: 'ok' });
  });

  it('names each failed or late check, and makes the rest', async () => {
    const fail = (): Promise<never> => Promise.reject(new Error('It broke.'));
    const never = (): Promise<never> => new Promise(() => undefined);
    const checks = await checkComputer({ ...well, certificates: fail, stores: never }, 50);
    expect(checks.filter(({ outcome }) => outcome !== 'ok')).toMatchObject([
      { id: 'certificates', finding: 'not-examined', outcome: 'advice' },
      { id: 'stores', finding: 'not-examined', outcome: 'advice' },
    ]);
    expect(checks).toHaveLength((await examine({})).length);
  });
});
