/** Archives of two ages: an authority of the time of the signature, and another of the time after. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentBeside, recordBeside } from '../../../src/app/evidence/document-beside.ts';
import { Renewals, type RenewalOutcome } from '../../../src/service/renewals/index.ts';
import type { ValidationRequest } from '../../../src/service/validation/index.ts';
import { extendCmsFile } from '../../../src/signing/evidence-records/index.ts';
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
import { date, onlySignature, SIGNED_AT, ValidationWorld } from '../../signing/validation/validation-world.ts';
import { openTestStorage } from '../../storage/engine.ts';

const DAY = 86_400_000;
const SHA3_256 = derOid('2.16.840.1.101.3.4.2.8');
const YEARS = 20;
export const FILES = ['contract.p7m', 'contract.pdf'];

/**
 * An authority of the time of the signature, and another of the time after: each stamps at an address with its name.
 */
export class TwoAges {
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
      hashes,
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

  async report(path: string, { contentPath, recordPaths = [] }: Partial<ValidationRequest> = {}) {
    const { now, policy: algorithms } = this;
    const cache = createMemoryRevocationCache({ now });
    const services = {
      trust: createTrustAnchors(this.roots),
      revocation: createRevocationChecker({ cache, now }),
      completePath: createPathCompleter({ cache, now }),
      now,
    };
    const bytes = await readFile(path);
    const records = recordPaths.map((record) => ({ path: record }));
    if (bytes.subarray(0, 5).toString() !== '%PDF-') {
      const content = contentPath === undefined ? undefined : { path: contentPath };
      const input = { signature: bytes, records, content };
      return validateSignature(input, services, { algorithms });
    }
    return validatePdf({ path, records }, services, { algorithms }, withPdfFacts);
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
      validate: async ({ signaturePath, ...request }) => this.report(signaturePath, request),
      extend: async ({ path, destination, content, server = '', digest = 'sha256' }) => {
        this.asked.push(`${server} ${digest}`);
        const request = { inputPath: path, outputPath: destination, ...this.level(server, digest) };
        if (path.endsWith('.pdf')) return raisePdf(request);
        await extendCmsFile({ ...request, digest, contentPath: content });
        return { warnings: [] };
      },
      servers: async (_, digest = 'sha256') =>
        Promise.resolve(['before', 'after'].map((id) => ({ id, digests: timestampDigestsOf(digest, this.policy) }))),
      documentBeside,
      recordBeside,
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
export const END = '2030-01-01';
export const sha2EndsAt = (end: string): AlgorithmPolicy =>
  extendAlgorithmPolicy(DEFAULT_ALGORITHM_POLICY, { ...none, hashes: { sha256: end, sha384: end, sha512: end } });
export const sha2Ends = sha2EndsAt(END);
export const rsaEnds = extendAlgorithmPolicy(DEFAULT_ALGORITHM_POLICY, { ...none, rsa: { 2048: END } });
