/** Makes files with the keys and servers of running test services. */
import { createPrivateKey } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHttpClient } from '../../src/network/index.ts';
import {
  createMaterialCollector,
  createTimestamper,
  parseCertificate,
  prepareCmsSigner,
  signPdf,
  signPdfAtLevel,
  softwareSigner,
  type CmsLevel,
  type CmsSigner,
  type IcpBrasilPolicy,
  type MaterialCollector,
  type PdfLevelOptions,
  type Signer,
  type SignPdfRequest,
  type Timestamper,
} from '../../src/signing/index.ts';
import {
  issueTestPerson,
  type TestIdentity,
  type TestKeyKind,
  type TestServices,
} from '../../src/test-authority/index.ts';
import { buildPdf, onePage } from '../signing/pdf/build-pdf.ts';
import type { Sample } from './samples.ts';

const CPF = '52998224725';
const TIMEOUT = 10_000;
const FIVE_YEARS = 5 * 365 * 24 * 3600 * 1000;

/** The name of a level, and of none. */
export const nameOf = (level: string | undefined): string => level ?? 'B-B';

/** The properties of a signature to make. */
export interface SignerChoice {
  readonly level?: CmsLevel | undefined;
  /** In a PDF the signature dictionary says the time. */
  readonly inPdf?: boolean;
  readonly policy?: IcpBrasilPolicy;
}

/** The properties of a signature to make in a PDF. */
export interface PdfChoice
  extends Omit<SignerChoice, 'level' | 'inPdf'>, Partial<Pick<PdfLevelOptions, 'level' | 'policyArtifacts'>> {
  /** Absent: the plain document. */
  readonly inputPath?: string;
  readonly password?: string;
  readonly options?: Partial<SignPdfRequest['options']>;
}

/** The key of a person, with the path of the certificate. */
export const keyOf = ({ privateKey, certificate, chain }: TestIdentity): Signer =>
  softwareSigner(createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' }), certificate, chain);

/** A new sample; `write` is told the path. */
export type NewSample = Omit<Sample, 'path'>;

export class SampleMaker {
  readonly folder: string;
  readonly #services: TestServices;
  readonly now: () => Date;
  readonly #timestamper: Timestamper;
  readonly #collector: MaterialCollector;
  readonly content = Buffer.from('Signed in every way that there is.\n');
  readonly samples: Sample[] = [];

  constructor(folder: string, services: TestServices, now: () => Date) {
    this.folder = folder;
    this.#services = services;
    this.now = now;
    const http = createHttpClient({ allowLoopback: true });
    const authority = { id: 'test', url: services.timestampUrl, digest: 'sha256', timeout: TIMEOUT } as const;
    this.#timestamper = createTimestamper({
      authorities: [{ ...authority, authentication: { kind: 'none' } }],
      now,
      http,
    });
    const anchors = [parseCertificate(services.authority.root.certificate)];
    this.#collector = createMaterialCollector({ anchors, intermediates: [], http, now });
  }

  /** Writes the documents for signing. */
  async writeDocuments(): Promise<void> {
    await writeFile(this.contentPath, this.content);
    await writeFile(this.pdfPath, buildPdf(onePage()));
  }

  get contentPath(): string {
    return this.path('document.txt');
  }

  get pdfPath(): string {
    return this.path('document.pdf');
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  person(keyKind: TestKeyKind = 'rsa-2048'): Promise<TestIdentity> {
    const notAfter = new Date(this.now().getTime() + FIVE_YEARS);
    return issueTestPerson(this.#services.authority, { keyKind, name: `PESSOA ${keyKind}`, cpf: CPF, notAfter });
  }

  /** Time stamps and revocation data for levels. */
  get means() {
    return { timestamper: this.#timestamper, collector: this.#collector, now: this.now };
  }

  signer(identity: TestIdentity, { level, inPdf = false, policy }: SignerChoice = {}): CmsSigner {
    return prepareCmsSigner(keyOf(identity), {
      digest: 'sha256',
      profile: 'cades',
      omitSigningTime: inPdf,
      policy,
      ...(level === undefined ? {} : { level, ...this.means }),
    });
  }

  async keep(sample: NewSample, bytes: Buffer): Promise<void> {
    const path = this.path(sample.name);
    await writeFile(path, bytes);
    this.samples.push({ ...sample, path });
  }

  /** A detached signature of the document. */
  async detached(identity: TestIdentity, choice: SignerChoice): Promise<Buffer> {
    const outputPath = this.path(`draft-${this.samples.length}`);
    const signer = this.signer(identity, choice);
    await signer.signFile({ inputPath: this.contentPath, outputPath, attached: false, signingTime: this.now() });
    return readFile(outputPath);
  }

  /** Writes a signed PDF. */
  async writePdf(outputPath: string, identity: TestIdentity, choice: PdfChoice): Promise<void> {
    const { level, policy, policyArtifacts, inputPath = this.pdfPath, password, options } = choice;
    const subFilter = policy === undefined ? 'ETSI.CAdES.detached' : 'PBAD.PAdES';
    const request: SignPdfRequest = {
      inputPath,
      outputPath,
      signer: this.signer(identity, { inPdf: true, policy }),
      options: { subFilter, signingTime: this.now(), ...options },
      password,
    };
    if (level === undefined) await signPdf(request);
    else await signPdfAtLevel(request, { level, policyArtifacts, ...this.means });
  }

  async signPdf(sample: NewSample, identity: TestIdentity, choice: PdfChoice): Promise<void> {
    const path = this.path(sample.name);
    await this.writePdf(path, identity, choice);
    this.samples.push({ ...sample, path });
  }

  /** A twin of a sample, with a byte changed in the signed part, or with another document. */
  async tamper(name: string): Promise<void> {
    const sample = this.samples.find((one) => one.name === name);
    if (sample === undefined) throw new Error(`There is no sample ${name}.`);
    const twin = { ...sample, name: `tampered-${name}`, isTampered: true } as const;
    if (sample.content === undefined) {
      const bytes = await readFile(sample.path);
      const at = name.endsWith('.pdf') ? bytes.indexOf('A document') : bytes.indexOf('Signed in every way');
      if (at < 0) throw new Error(`Nothing to change in ${name}.`);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      await this.keep(twin, bytes);
      return;
    }
    const content = this.path('other.txt');
    await writeFile(content, 'Something else.\n');
    this.samples.push({ ...twin, content });
  }
}
