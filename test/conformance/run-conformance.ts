/**
 * `npm run conformance [-- --short]`: makes signatures of every kind and lets the field's validators judge these, lets
 * EU DSS make signatures for our judgement, and lets both change each other's files. Exits with 1 for a difference
 * unexplained in `explained-differences.ts`, and for a tampered file passed by anybody. `--short`: one file of each
 * level and policy, today and two months later.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  createTestAuthority,
  startTestServices,
  testServiceUrls,
  writePkcs12,
  type TestAuthority,
  type TestKeyKind,
  type TestServices,
} from '../../src/test-authority/index.ts';
import { pem } from '../pki/openssl.ts';
import { ensureSystemPackages } from '../setup/system-packages.ts';
import {
  archiveOurselves,
  archiveWithDss,
  changeOurselves,
  changeWithDss,
  signWithDss,
  type Made,
  type Parties,
} from './across.ts';
import { Comparison } from './comparison.ts';
import { judgeWithDss, type DssMeans } from './dss.ts';
import { expectPrograms, judgeIntegrity, judgeOurselves, judgeWithIText, judgeWithPyhanko } from './judges.ts';
import { makeLevels, makePolicies, makeVariants } from './make-set.ts';
import { renew } from './our-changes.ts';
import { judgeRecords, makeRecords, renewRecords } from './records.ts';
import { SampleMaker } from './sample-maker.ts';
import { isArchived, isLongTerm, type Sample, type Verdicts } from './samples.ts';

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;
const TWO_YEARS = 2 * 365;
const YEARS = 15;
const PASSWORD = 'conformance';
/** The keys for signatures of EU DSS; Java has no brainpool curves. */
const DSS_KEYS: readonly TestKeyKind[] = ['rsa-2048', 'rsa-4096', 'ec-p256', 'ec-p384', 'ec-p521'];

/** A PDF opening with a password is judged by Sinete and iText 5. */
const isReadable = ({ password }: Sample): boolean => password === undefined;

const start = (
  authority: TestAuthority | ((origin: string) => Promise<TestAuthority>),
  port: number,
  now: () => Date,
) => startTestServices({ authority, port, now, terms: { years: YEARS } });

/** A run: its files, and the verdicts. */
class Conformance {
  readonly comparison = new Comparison();
  readonly #folder: string;
  readonly #isShort: boolean;
  readonly #today = new Date();

  constructor(folder: string, isShort: boolean) {
    this.#folder = folder;
    this.#isShort = isShort;
  }

  #after(days: number): Date {
    return new Date(this.#today.getTime() + days * DAY);
  }

  async run(): Promise<void> {
    const urls = (origin: string): Promise<TestAuthority> =>
      createTestAuthority({ urls: testServiceUrls(origin), years: 20 });
    const services = await start(urls, 0, () => new Date());
    const { authority, origin } = services;
    await writeFile(this.#path('root.cer'), authority.root.certificate);
    await writeFile(this.#path('root.pem'), pem('CERTIFICATE', authority.root.certificate));
    let all: readonly Sample[];
    try {
      all = await this.#judgeToday(services);
    } finally {
      await services.close();
    }
    await this.#judge('+2 months', all.filter(isLongTerm), this.#after(61), authority);
    if (this.#isShort) return;
    const later = await start(authority, Number(new URL(origin).port), () => this.#after(TWO_YEARS));
    try {
      const renewed = await this.#renew(later, all);
      await this.#judge('+2 years', renewed, this.#after(TWO_YEARS + 1), authority);
      await this.#judge('+10 years', renewed, this.#after(10 * 365), authority);
    } finally {
      await later.close();
    }
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }

  /** Makes all files, and has each judged. */
  async #judgeToday(services: TestServices): Promise<readonly Sample[]> {
    const maker = new SampleMaker(this.#folder, services, () => new Date());
    await makeLevels(maker);
    await makePolicies(maker);
    if (!this.#isShort) await makeVariants(maker);
    const kinds = this.#isShort ? DSS_KEYS.slice(0, 1) : DSS_KEYS;
    const foreign: Sample[] = [];
    for (const kind of kinds) {
      const parties = await this.#parties(maker, services, kind);
      foreign.push(...this.#kept('DSS makes', await signWithDss(parties, kind, kind === 'rsa-2048')));
    }
    const across = await this.#makeAcross(maker, services, foreign);
    const signed = [...maker.samples, ...foreign, ...across];
    const recorded = await makeRecords(maker, services.timestampUrl, signed);
    const all = [...signed, ...recorded];
    const { authority } = services;
    await this.#judge('today, asked', all, new Date(), authority, true);
    // Without evidence inside, a signature proves nothing when nobody is asked.
    const lasting = all.filter((one) => one.isTampered === true || isLongTerm(one));
    await this.#judge('today', lasting, new Date(), authority);
    await this.#judgeIntegrity(signed);
    this.comparison.add('today', 'Bouncy Castle', await judgeRecords(recorded));
    return all;
  }

  async #parties(maker: SampleMaker, services: TestServices, kind: TestKeyKind, daysAhead = 0): Promise<Parties> {
    const identity = await maker.person(kind);
    const pkcs12 = this.#path(`${kind}-${daysAhead}.p12`);
    await writeFile(pkcs12, await writePkcs12(identity, PASSWORD));
    const { timestampUrl } = services;
    const folder = this.#folder;
    const dss: DssMeans = { root: this.#path('root.cer'), pkcs12, password: PASSWORD, timestampUrl, folder, daysAhead };
    return { maker, identity, dss };
  }

  /** The resulting files; a missing file is a difference. */
  #kept(judge: string, { samples, outcomes }: Made, when = 'today'): readonly Sample[] {
    this.comparison.add(when, judge, outcomes);
    return samples;
  }

  /** Both change each other's files; the second round changes the files of the first. */
  async #makeAcross(
    maker: SampleMaker,
    services: TestServices,
    foreign: readonly Sample[],
  ): Promise<readonly Sample[]> {
    const parties = await this.#parties(maker, services, 'rsa-2048');
    const ours = maker.samples.filter(({ name }) => /^(cades|pades)-(B-|AD-)/.test(name));
    const theirs = foreign.filter(({ name }) => name.startsWith('dss-rsa-2048-'));
    const pick = (from: readonly Sample[]): readonly Sample[] =>
      this.#isShort ? from.filter(({ name }) => /-B-B\.(p7s|pdf)$/.test(name)) : from;
    const byDss = this.#kept('DSS makes', await changeWithDss(parties, pick(ours)));
    const byUs = this.#kept('Sinete makes', await changeOurselves(parties, pick(theirs)));
    const isCountered = ({ name }: Sample): boolean => name.includes('-countersigned-');
    const twice = [
      ...this.#kept('Sinete makes', await archiveOurselves(parties, byDss.filter(isCountered), 'our-LTA')),
      ...this.#kept('DSS makes', await archiveWithDss(parties, byUs.filter(isCountered), 'dss-LTA')),
    ];
    return [...byDss, ...byUs, ...twice];
  }

  async #judge(
    when: string,
    samples: readonly Sample[],
    at: Date,
    { root }: TestAuthority,
    isAsking = false,
  ): Promise<void> {
    this.comparison.add(when, 'ours', await judgeOurselves(root.certificate, samples, at, isAsking));
    const question = { root: this.#path('root.cer'), at, isAsking, folder: this.#folder };
    this.comparison.add(when, 'EU DSS', await judgeWithDss(samples.filter(isReadable), question));
  }

  async #judgeIntegrity(all: readonly Sample[]): Promise<void> {
    const readable = all.filter(isReadable);
    const list = this.#path('judged.list');
    this.comparison.add('today', 'pyHanko', await judgeWithPyhanko(this.#path('root.cer'), readable, list));
    this.comparison.add('today', 'iText 5', await judgeWithIText(all, list));
    for (const [judge, verdicts] of Object.entries(await judgeIntegrity(this.#path('root.pem'), readable))) {
      this.comparison.add('today', judge, verdicts);
    }
  }

  /** We and DSS renew, two years later, the files with archive time stamps. */
  async #renew(services: TestServices, all: readonly Sample[]): Promise<readonly Sample[]> {
    const from = all.filter((one) => isArchived(one) && one.record === undefined);
    const maker = new SampleMaker(this.#folder, services, () => this.#after(TWO_YEARS));
    const parties = await this.#parties(maker, services, 'rsa-2048', TWO_YEARS);
    const when = '+2 years';
    const outcomes = await renew(maker, from);
    this.comparison.add(when, 'Sinete makes', outcomes);
    const ours = [...outcomes].filter(([, outcome]) => outcome === 'made').map(([sample]) => sample);
    const theirs = await archiveWithDss(parties, from.filter(isReadable), 'dss-renewed');
    return [...ours, ...this.#kept('DSS makes', theirs, when), ...(await this.#renewRecords(maker, services, all))];
  }

  /** The records of two years ago, renewed by us and by Bouncy Castle. */
  async #renewRecords(maker: SampleMaker, services: TestServices, all: readonly Sample[]): Promise<readonly Sample[]> {
    const recorded = all.filter(({ record, isTampered }) => record !== undefined && isTampered !== true);
    const { ours, theirs } = await renewRecords(maker, services.timestampUrl, recorded);
    const when = '+2 years';
    this.comparison.add(when, 'Sinete makes', ours);
    this.comparison.add(when, 'Bouncy makes', theirs);
    const madeOf = (outcomes: Verdicts): readonly Sample[] =>
      [...outcomes].filter(([, outcome]) => outcome === 'made').map(([sample]) => sample);
    this.comparison.add(when, 'Bouncy Castle', await judgeRecords([...madeOf(ours), ...madeOf(theirs)]));
    // Bouncy Castle puts no revocation data into records.
    const soon = new Date(this.#after(TWO_YEARS).getTime() + MINUTE);
    await this.#judge('+2 years, asked', madeOf(theirs), soon, services.authority, true);
    return madeOf(ours);
  }
}

const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } });
if (!ensureSystemPackages('conformance')) process.exit(2);
expectPrograms();
const folder = await mkdtemp(join(tmpdir(), 'sinete-conformance-'));
const conformance = new Conformance(folder, values.short);
try {
  await conformance.run();
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exitCode = conformance.comparison.print() === 0 ? 0 : 1;
