/** Archives whose algorithms come to their end: renewed before, by real stamps with the clock set on, and judged later. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Renewals, type RenewalOutcome } from '../../../src/service/renewals/index.ts';
import {
  createMemoryRevocationCache,
  createMaterialCollector,
  createPathCompleter,
  createRevocationChecker,
  createTimestamper,
  createTrustAnchors,
  DEFAULT_ALGORITHM_POLICY,
  derOid,
  extendAlgorithmPolicy,
  parseCertificate,
  raiseCmsFile,
  raisePdf,
  signPdfAtLevel,
  timestampDigestsOf,
  validatePdf,
  validateSignature,
  type AlgorithmPolicy,
  type Certificate,
  type HttpRequest,
  type SignatureReport,
  type TimestampDigest,
} from '../../../src/signing/index.ts';
import { withPdfFacts } from '../../../src/signing/pdf/differences/with-pdf-facts.ts';
import {
  answerTimestampRequest,
  issueTestTimestampAuthority,
  type TestIdentity,
  type TestKeyKind,
} from '../../../src/test-authority/index.ts';
import { buildPdf, onePage } from '../../signing/pdf/build-pdf.ts';
import { codesOf, date, onlySignature, SIGNED_AT, ValidationWorld } from '../../signing/validation/validation-world.ts';
import { openTestStorage } from '../../storage/engine.ts';

const DAY = 86_400_000;
const SHA3_256 = derOid('2.16.840.1.101.3.4.2.8');
const YEARS = 20;
const FILES = ['contract.p7m', 'contract.pdf'];

/** An authority of the time of the signature, and one of the time after: each stamps at an address with its name. */
class TwoAges {
  readonly folder: string;
  readonly before: ValidationWorld;
  readonly after: ValidationWorld;
  readonly policy: AlgorithmPolicy;
  readonly asked: string[] = [];

  constructor(folder: string, [before, after]: readonly [ValidationWorld, ValidationWorld], policy: AlgorithmPolicy) {
    this.folder = folder;
    this.before = before;
    this.after = after;
    this.policy = policy;
  }

  static async open(policy: AlgorithmPolicy, keyKind: TestKeyKind, hashes?: 'sha3'): Promise<TwoAges> {
    const before = await ValidationWorld.open({ keyKind, years: YEARS });
    const after = await ValidationWorld.open({
      keyKind: 'ec-p521',
      label: 'later',
      years: YEARS,
      ...(hashes === undefined ? {} : { hashes }),
    });
    const ages = new TwoAges(await mkdtemp(join(tmpdir(), 'sinete-ages-')), [before, after], policy);
    const terms = { notBefore: date('2026-01-01'), notAfter: date('2044-01-01') };
    before.tsa = await issueTestTimestampAuthority(before.authority, { keyKind, ...terms });
    after.tsa = await issueTestTimestampAuthority(after.authority, { keyKind: 'ec-p521', ...terms });
    const stampsOf =
      (tsa: TestIdentity) =>
      ({ body }: Pick<HttpRequest, 'body'>) =>
        answerTimestampRequest(tsa, body ?? Buffer.alloc(0), { now: before.now });
    before.http.answers = {
      ...after.http.answers,
      ...before.http.answers,
      'http://before.test/': stampsOf(before.tsa),
      'http://after.test/': stampsOf(after.tsa),
    };
    return ages;
  }

  get roots(): readonly Certificate[] {
    return [this.before, this.after].map(({ authority }) => parseCertificate(authority.root.certificate));
  }

  setClock(now: Date): void {
    this.before.now = now;
    this.after.now = now;
  }

  readonly now = (): Date => this.before.now;

  path(name: string): string {
    return join(this.folder, name);
  }

  level(server: string, digest: TimestampDigest) {
    const { http } = this.before;
    const { now, roots: anchors } = this;
    const authority = { id: server, url: `http://${server}.test/`, digest, timeout: 1000 } as const;
    const authorities = [{ ...authority, authentication: { kind: 'none' } }] as const;
    return {
      level: 'B-LTA',
      timestamper: createTimestamper({ authorities, http, now }),
      collector: createMaterialCollector({ anchors, intermediates: [], http, now }),
      now,
    } as const;
  }

  /** A CMS message and a PDF at B-LTA. */
  async sign(): Promise<void> {
    const signer = this.before.cms(await this.before.person(), 'B-LTA');
    await writeFile(this.path('contract.p7m'), await signer.signContent(Buffer.from('A contract.'), SIGNED_AT));
    await writeFile(this.path('plain'), buildPdf(onePage()));
    const options = { subFilter: 'ETSI.CAdES.detached', signingTime: SIGNED_AT } as const;
    const paths = { inputPath: this.path('plain'), outputPath: this.path('contract.pdf') };
    const person = this.before.cms(await this.before.person(), undefined, { omitSigningTime: true });
    await signPdfAtLevel({ ...paths, signer: person, options }, this.level('before', 'sha256'));
    await rm(this.path('plain'));
  }

  async report(path: string) {
    const { now, policy: algorithms } = this;
    const cache = createMemoryRevocationCache({ now });
    const services = {
      trust: createTrustAnchors(this.roots),
      revocation: createRevocationChecker({ cache, now }),
      completePath: createPathCompleter({ cache, now }),
      now,
    };
    const bytes = await readFile(path);
    if (bytes.subarray(0, 5).toString() !== '%PDF-') {
      return validateSignature({ signature: bytes }, services, { algorithms });
    }
    return validatePdf({ path }, services, { algorithms }, withPdfFacts);
  }

  /** One look of the job with both servers; the outcomes by their file names. */
  async renew(): Promise<Readonly<Record<string, RenewalOutcome>>> {
    const storage = await openTestStorage(this.path('data'));
    const renewals = new Renewals({
      store: storage.renewals,
      settings: storage.settings,
      mode: 'automatic',
      within: 90 * DAY,
      mayChange: true,
      validate: async ({ signaturePath }) => this.report(signaturePath),
      extend: async ({ path, destination, server = '', digest = 'sha256' }) => {
        this.asked.push(`${server} ${digest}`);
        const request = { inputPath: path, outputPath: destination, ...this.level(server, digest) };
        if (path.endsWith('.pdf')) return raisePdf(request);
        await raiseCmsFile(request);
        return { warnings: [] };
      },
      servers: async () =>
        Promise.resolve(['before', 'after'].map((id) => ({ id, digests: timestampDigestsOf('sha256', this.policy) }))),
      documentBeside: () => undefined,
      recordBeside: () => undefined,
      onChange: () => undefined,
      log: { info: () => undefined, error: () => undefined },
      now: this.now,
    });
    try {
      await renewals.addFolder(this.folder);
      const outcomes = await renewals.look();
      return Object.fromEntries(outcomes.map((one) => [one.path.slice(this.folder.length + 1), one]));
    } finally {
      await renewals.close();
      await storage.close();
    }
  }

  async judged(name: string): Promise<SignatureReport> {
    return onlySignature(await this.report(this.path(name)));
  }

  async hasSha3(name: string): Promise<boolean> {
    const bytes = await readFile(this.path(name));
    return bytes.includes(SHA3_256) || bytes.toString('latin1').toLowerCase().includes(SHA3_256.toString('hex'));
  }
}

const none = { hashes: {}, rsa: {}, curves: {} };
const END = '2030-01-01';
const sha2Ends = extendAlgorithmPolicy(DEFAULT_ALGORITHM_POLICY, {
  ...none,
  hashes: { sha256: END, sha384: END, sha512: END },
});
const rsaEnds = extendAlgorithmPolicy(DEFAULT_ALGORITHM_POLICY, { ...none, rsa: { 2048: END } });

let ages: TwoAges;
afterEach(async () => rm(ages.folder, { recursive: true, force: true }));

describe.each([
  {
    what: 'SHA-2',
    policy: sha2Ends,
    open: () => TwoAges.open(sha2Ends, 'ec-p256', 'sha3'),
    // SHA-3 is asked for first; the authority of before signs with SHA-2 in any case.
    asked: ['before sha3-256', 'before sha256', 'after sha3-256'],
    sha3: true,
    ended: /SHA256 stopped being strong enough/,
  },
  {
    what: 'RSA',
    policy: rsaEnds,
    open: () => TwoAges.open(rsaEnds, 'rsa-2048'),
    asked: ['before sha256', 'after sha256'],
    sha3: false,
    ended: /RSA 2048 stopped being strong enough/,
  },
])('an archive when $what comes to its end', ({ open, asked, sha3, ended }) => {
  beforeEach(async () => {
    ages = await open();
    await ages.sign();
  });

  it('is not due before its time, and says afterwards what ended when it was not renewed', async () => {
    ages.setClock(date('2029-06-01'));
    expect(Object.values(await ages.renew()).map(({ state }) => state)).toEqual(['not-due', 'not-due']);
    expect(ages.asked).toEqual([]);
    ages.setClock(date('2036-03-01'));
    for (const name of FILES) {
      const { checks, indication } = await ages.judged(name);
      expect([name, indication]).toEqual([name, 'INDETERMINATE']);
      const sentence = checks.find(({ code }) => code === 'PROTECTION_ENDED')?.sentence;
      expect(sentence).toMatch(ended);
      expect(sentence).toContain(END);
    }
  });

  it('is renewed by the authority that lasts, and proves itself years later with nobody to be asked', async () => {
    ages.setClock(date('2029-11-15'));
    const outcomes = await ages.renew();
    expect(Object.keys(outcomes).toSorted()).toEqual(FILES);
    for (const one of Object.values(outcomes)) {
      expect(one).toMatchObject({ state: 'renewed', protectedUntilBefore: new Date(END) });
      expect(one.protectedUntil?.getTime()).toBeGreaterThan(date('2040-01-01').getTime());
    }
    expect(ages.asked).toEqual([...asked, ...asked]);
    ages.setClock(date('2036-03-01'));
    for (const name of FILES) {
      const report = await ages.judged(name);
      expect([name, report]).toMatchObject([
        name,
        { indication: 'TOTAL-PASSED', level: 'B-LTA', levelProven: 'B-LTA' },
      ]);
      expect([name, report.provenTime]).toEqual([name, SIGNED_AT]);
      expect(codesOf(report)).not.toContain('PROTECTION_ENDED');
      expect([name, await ages.hasSha3(name)]).toEqual([name, sha3]);
    }
  });
});
