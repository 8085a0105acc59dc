/**
 * `npm run conformance [-- --short]`: makes signatures of every kind and lets the field's validators judge them, and lets
 * EU DSS sign what we judge. Exits with 1 for a difference that `explained-differences.ts` does not explain, and for a
 * tampered file that anybody passes. `--short`: one file of each level, today and two months later.
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
  type TestServices,
} from '../../src/test-authority/index.ts';
import { pem } from '../pki/openssl.ts';
import { ensureSystemPackages } from '../setup/system-packages.ts';
import { EXPLAINED_DIFFERENCES } from './explained-differences.ts';
import {
  expectPrograms,
  judgeIntegrity,
  judgeOurselves,
  judgeWithDss,
  judgeWithIText,
  judgeWithPyhanko,
  signWithDss,
  type Verdicts,
} from './judges.ts';
import { SampleMaker, type Sample } from './make-set.ts';

const DAY = 24 * 3600 * 1000;
const YEARS = 15;
const PASSWORD = 'conformance';

interface Row {
  readonly when: string;
  readonly judge: string;
  readonly sample: Sample;
  readonly says: string;
  readonly outcome: 'equal' | 'explained' | 'different';
}

const rows: Row[] = [];

/** Judges that tell levels have to name ours; the others have to tell intact files from tampered ones. */
function isEqual(judge: string, { levels, isTampered }: Sample, says: string): boolean {
  if (judge === 'pyHanko') {
    return isTampered === true ? !/^(yes:yes ?)+$/.test(says) : /^(yes:yes ?)+$/.test(says);
  }
  const parts = says.split(', ');
  const isPassed = parts.every((part) => /\bpassed$/.test(part));
  if (isTampered === true) return !isPassed;
  if (['OpenSSL', 'Bouncy Castle', 'PDFBox', 'iText 5'].includes(judge)) return isPassed;
  return isPassed && levels.every((level) => parts.some((part) => part.startsWith(`${level} `)));
}

function compare(when: string, judge: string, verdicts: Verdicts): void {
  for (const [sample, says] of verdicts) {
    const explained = EXPLAINED_DIFFERENCES.some(
      (one) => one.judge === judge && one.files.test(sample.name) && one.says.test(says) && sample.isTampered !== true,
    );
    const outcome = isEqual(judge, sample, says) ? 'equal' : explained ? 'explained' : 'different';
    rows.push({ when, judge, sample, says, outcome });
  }
}

/** What has no evidence inside cannot be proven later with nobody to be asked: only long-term files are judged then. */
const isLongTerm = ({ levels, isTampered }: Sample): boolean =>
  isTampered !== true && levels.every((level) => level === 'B-LT' || level === 'B-LTA');

function printTable(): void {
  const judges = [...new Set(rows.map(({ judge }) => judge))];
  const times = [...new Set(rows.map(({ when }) => when))];
  console.log('when            judge           files  equal  explained  different');
  for (const when of times) {
    for (const judge of judges) {
      const own = rows.filter((row) => row.when === when && row.judge === judge);
      if (own.length === 0) continue;
      const count = (outcome: Row['outcome']): number => own.filter((row) => row.outcome === outcome).length;
      const numbers = [own.length, count('equal'), count('explained'), count('different')];
      const [files, equal, explained, different] = numbers.map(String);
      console.log(
        `${when.padEnd(15)} ${judge.padEnd(15)} ${files?.padStart(5) ?? ''}  ${equal?.padStart(5) ?? ''}  ${explained?.padStart(9) ?? ''}  ${different?.padStart(9) ?? ''}`,
      );
    }
  }
  for (const { when, judge, sample, says } of rows.filter(({ outcome }) => outcome === 'different')) {
    console.log(`DIFFERENT ${when}: ${judge} on ${sample.name} (${sample.levels.join(', ')}): ${says}`);
  }
  for (const { judge, why } of EXPLAINED_DIFFERENCES) console.log(`Explained, ${judge}: ${why}`);
}

/** A PDF that opens with a password is judged by Sinete and iText 5. */
const isReadable = ({ password }: Sample): boolean => password === undefined;

const start = (
  authority: TestAuthority | ((origin: string) => Promise<TestAuthority>),
  port: number,
  now: () => Date,
) => startTestServices({ authority, port, now, terms: { years: YEARS } });

async function judgeAll(when: string, samples: readonly Sample[], at: Date, root: Root, folder: string): Promise<void> {
  compare(when, 'ours', await judgeOurselves(root.der, samples, at));
  const readable = samples.filter(isReadable);
  compare(when, 'EU DSS', await judgeWithDss(root.path, readable, at, join(folder, 'dss.list')));
}

interface Root {
  readonly der: Buffer;
  readonly path: string;
  readonly pem: string;
}

async function run(isShort: boolean, folder: string): Promise<void> {
  const clock = (): Date => new Date();
  let services: TestServices = await start(
    (origin) => createTestAuthority({ urls: testServiceUrls(origin), years: 20 }),
    0,
    clock,
  );
  try {
    const { authority, origin } = services;
    const root: Root = {
      der: authority.root.certificate,
      path: join(folder, 'root.cer'),
      pem: join(folder, 'root.pem'),
    };
    await writeFile(root.path, root.der);
    await writeFile(root.pem, pem('CERTIFICATE', root.der));
    const maker = new SampleMaker(folder, services, clock);
    await maker.makeLevels();
    if (!isShort) await maker.makeVariants();
    const keys = isShort ? (['rsa-2048'] as const) : (['rsa-2048', 'ec-p256', 'ec-p384'] as const);
    const foreign: Sample[] = [];
    for (const kind of keys) {
      const pkcs12 = join(folder, `${kind}.p12`);
      await writeFile(pkcs12, await writePkcs12(await maker.person(kind), PASSWORD));
      const request = { root: root.path, pkcs12, password: PASSWORD, timestampUrl: services.timestampUrl, folder };
      const documents = { content: maker.contentPath, pdf: maker.pdfPath, name: `dss-${kind}` };
      foreign.push(...(await signWithDss({ ...request, ...documents })));
    }
    const made = [...maker.samples];
    const today = new Date();
    // Without evidence inside, only the levels with evidence are judged with nobody to be asked.
    const judged = [...made, ...foreign].filter((one) => one.isTampered === true || isLongTerm(one));
    await judgeAll('today', judged, today, root, folder);
    const all = [...made, ...foreign];
    const readable = all.filter(isReadable);
    compare('today', 'pyHanko', await judgeWithPyhanko(root.path, readable, join(folder, 'pyhanko.list')));
    compare('today', 'iText 5', await judgeWithIText(all, join(folder, 'itext.list')));
    for (const [judge, verdicts] of Object.entries(await judgeIntegrity(root.pem, readable))) {
      compare('today', judge, verdicts);
    }
    const longTerm = [...made, ...foreign].filter(isLongTerm);
    await judgeAll('+2 months', longTerm, new Date(today.getTime() + 61 * DAY), root, folder);
    if (isShort) return;

    const twoYears = new Date(today.getTime() + 2 * 365 * DAY);
    const port = Number(new URL(origin).port);
    await services.close();
    services = await start(authority, port, () => twoYears);
    const renewing = new SampleMaker(folder, services, () => twoYears);
    await renewing.renew([...made, ...foreign]);
    await judgeAll('+2 years', renewing.samples, new Date(twoYears.getTime() + DAY), root, folder);
    await judgeAll('+10 years', renewing.samples, new Date(today.getTime() + 10 * 365 * DAY), root, folder);
  } finally {
    await services.close();
  }
}

const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } });
if (!ensureSystemPackages('conformance')) process.exit(2);
expectPrograms();
const folder = await mkdtemp(join(tmpdir(), 'sinete-conformance-'));
try {
  await run(values.short, folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}
printTable();
const different = rows.filter(({ outcome }) => outcome === 'different').length;
console.log(`${rows.length - different} passed, ${different} failed`);
process.exitCode = different === 0 ? 0 : 1;
