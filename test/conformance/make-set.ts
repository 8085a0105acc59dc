/** Makes the files that the judges see: every level, type and algorithm, and twins with a changed byte. */
import { createPrivateKey } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHttpClient } from '../../src/network/index.ts';
import {
  addSigner,
  counterSign,
  createMaterialCollector,
  createTimestamper,
  parseCertificate,
  prepareCmsSigner,
  raiseCms,
  raisePdf,
  signPdf,
  signPdfAtLevel,
  softwareSigner,
  type CmsLevel,
  type CmsSigner,
  type MaterialCollector,
  type PdfLevel,
  type SignPdfRequest,
  type Timestamper,
} from '../../src/signing/index.ts';
import {
  issueTestPerson,
  type TestIdentity,
  type TestKeyKind,
  type TestServices,
} from '../../src/test-authority/index.ts';
import { runTool } from '../oracles/run-program.ts';
import { buildPdf, onePage } from '../signing/pdf/build-pdf.ts';
import { dropUndefined } from '../../src/values/drop-undefined.ts';

/** A file for the judges. */
export interface Sample {
  readonly name: string;
  readonly path: string;
  /** The document of a detached signature. */
  readonly content?: string;
  /** The level of each signature in our words. */
  readonly levels: readonly string[];
  /** Of an encrypted PDF, which not every judge opens. */
  readonly password?: string;
  /** One byte of what was signed is another one: no judge may accept it. */
  readonly isTampered?: true;
}

const PDF_PASSWORD = 'segredo';
const CPF = '52998224725';
const LEVELS = [undefined, 'B-T', 'B-LT', 'B-LTA'] as const;
const nameOf = (level: string | undefined): string => level ?? 'B-B';

/** Keys beyond RSA, each at the highest level. */
const KEYS: readonly TestKeyKind[] = [
  'rsa-pss',
  'rsa-4096',
  'ec-p256',
  'ec-p384',
  'ec-p521',
  'brainpool',
  'ed25519',
  'ed448',
];

/** Makes samples in a folder with the keys and servers of running test services. */
export class SampleMaker {
  readonly #folder: string;
  readonly #services: TestServices;
  readonly #now: () => Date;
  readonly #timestamper: Timestamper;
  readonly #collector: MaterialCollector;
  readonly #content = Buffer.from('Signed in every way that there is.\n');
  readonly #pdf = buildPdf(onePage());
  readonly samples: Sample[] = [];

  constructor(folder: string, services: TestServices, now: () => Date) {
    this.#folder = folder;
    this.#services = services;
    this.#now = now;
    const http = createHttpClient({ allowLoopback: true });
    const authority = { id: 'test', url: services.timestampUrl, digest: 'sha256', timeout: 10_000 } as const;
    this.#timestamper = createTimestamper({
      authorities: [{ ...authority, authentication: { kind: 'none' } }],
      now,
      http,
    });
    const anchors = [parseCertificate(services.authority.root.certificate)];
    this.#collector = createMaterialCollector({ anchors, intermediates: [], http, now });
  }

  get contentPath(): string {
    return this.#path('document.txt');
  }

  get pdfPath(): string {
    return this.#path('document.pdf');
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }

  person(keyKind: TestKeyKind = 'rsa-2048'): Promise<TestIdentity> {
    const notAfter = new Date(this.#now().getTime() + 5 * 365 * 24 * 3600 * 1000);
    return issueTestPerson(this.#services.authority, { keyKind, name: `PESSOA ${keyKind}`, cpf: CPF, notAfter });
  }

  get #means() {
    return { timestamper: this.#timestamper, collector: this.#collector, now: this.#now };
  }

  #signer(identity: TestIdentity, level?: CmsLevel, inPdf = false): CmsSigner {
    const key = createPrivateKey({ key: identity.privateKey, format: 'der', type: 'pkcs8' });
    return prepareCmsSigner(softwareSigner(key, identity.certificate, identity.chain), {
      digest: 'sha256',
      profile: 'cades',
      omitSigningTime: inPdf,
      ...(level === undefined ? {} : { level, ...this.#means }),
    });
  }

  async #keep(name: string, bytes: Buffer, levels: readonly string[], content?: string): Promise<void> {
    const path = this.#path(name);
    await writeFile(path, bytes);
    this.samples.push({ name, path, levels, ...dropUndefined({ content }) });
  }

  async #detached(identity: TestIdentity, level: CmsLevel | undefined): Promise<Buffer> {
    const outputPath = this.#path(`draft-${this.samples.length}`);
    const signer = this.#signer(identity, level);
    await signer.signFile({ inputPath: this.contentPath, outputPath, attached: false, signingTime: this.#now() });
    return readFile(outputPath);
  }

  async #signPdf(name: string, identity: TestIdentity, level: PdfLevel | undefined, more: object = {}): Promise<void> {
    const request: SignPdfRequest = {
      inputPath: this.pdfPath,
      outputPath: this.#path(name),
      signer: this.#signer(identity, undefined, true),
      options: { subFilter: 'ETSI.CAdES.detached', signingTime: this.#now(), ...more },
    };
    if (level === undefined) await signPdf(request);
    else await signPdfAtLevel(request, { level, ...this.#means });
    this.samples.push({ name, path: request.outputPath, levels: [nameOf(level)] });
  }

  async #tamper(name: string): Promise<void> {
    const sample = this.samples.find((one) => one.name === name);
    if (sample === undefined) throw new Error(`There is no sample ${name}.`);
    if (sample.content === undefined) {
      const bytes = await readFile(sample.path);
      const at = name.endsWith('.pdf') ? bytes.indexOf('A document') : bytes.indexOf('Signed in every way');
      if (at < 0) throw new Error(`Nothing to change in ${name}.`);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      const path = this.#path(`tampered-${name}`);
      await writeFile(path, bytes);
      this.samples.push({ ...sample, name: `tampered-${name}`, path, isTampered: true });
      return;
    }
    const content = this.#path('other.txt');
    await writeFile(content, 'Something else.\n');
    this.samples.push({ ...sample, name: `tampered-${name}`, content, isTampered: true });
  }

  /** A file of each level, and a twin of each. */
  async makeLevels(): Promise<void> {
    await writeFile(this.contentPath, this.#content);
    await writeFile(this.pdfPath, this.#pdf);
    const identity = await this.person();
    for (const level of LEVELS) {
      const name = nameOf(level);
      await this.#keep(`cades-${name}.p7s`, await this.#detached(identity, level), [name], this.contentPath);
      await this.#tamper(`cades-${name}.p7s`);
      const attached = await this.#signer(identity, level).signContent(this.#content, this.#now());
      await this.#keep(`cades-${name}.p7m`, attached, [name]);
      await this.#tamper(`cades-${name}.p7m`);
      await this.#signPdf(`pades-${name}.pdf`, identity, level);
      await this.#tamper(`pades-${name}.pdf`);
    }
  }

  /** Every algorithm, several signers, extensions, certification. */
  async makeVariants(): Promise<void> {
    for (const kind of KEYS) {
      const identity = await this.person(kind);
      await this.#keep(`cades-${kind}.p7s`, await this.#detached(identity, 'B-LTA'), ['B-LTA'], this.contentPath);
      await this.#signPdf(`pades-${kind}.pdf`, identity, 'B-LTA');
    }
    const [first, second] = [await this.person(), await this.person('ec-p256')];
    const content = this.#content;
    const base = await this.#detached(first, 'B-T');
    const other = this.#signer(second, 'B-T');
    const parallel = await addSigner(base, other, { signingTime: this.#now(), content });
    await this.#keep('parallel.p7s', parallel, ['B-T', 'B-T'], this.contentPath);
    const raised = await raiseCms(parallel, { level: 'B-LTA', content, ...this.#means });
    await this.#keep('parallel-extended.p7s', raised, ['B-LTA', 'B-LTA'], this.contentPath);
    const renewed = await raiseCms(raised, { level: 'B-LTA', content, ...this.#means });
    await this.#keep('parallel-renewed.p7s', renewed, ['B-LTA', 'B-LTA'], this.contentPath);
    const key = createPrivateKey({ key: second.privateKey, format: 'der', type: 'pkcs8' });
    const signer = softwareSigner(key, second.certificate, second.chain);
    const time = { signingTime: this.#now(), profile: 'cades', digest: 'sha256' } as const;
    const countered = await counterSign(base, { signer, signerIndex: 0, ...time });
    const archived = await raiseCms(countered, { level: 'B-LTA', content, ...this.#means });
    await this.#keep('countersigned-extended.p7s', archived, ['B-LTA'], this.contentPath);
    await this.#signPdf('certified-no-changes.pdf', first, 'B-LTA', { certify: 'no-changes' });
    await this.#makeEncrypted(first);
    const extended = this.#path('pades-extended.pdf');
    await raisePdf({ inputPath: this.#path('pades-B-B.pdf'), outputPath: extended, level: 'B-LTA', ...this.#means });
    this.samples.push({ name: 'pades-extended.pdf', path: extended, levels: ['B-LTA'] });
  }

  /** A PDF that opens with a password (AES-128), signed at the highest level. */
  async #makeEncrypted(identity: TestIdentity): Promise<void> {
    const [plain, name] = [this.#path('locked.pdf'), 'pades-encrypted.pdf'];
    await runTool('qpdf', ['--encrypt', PDF_PASSWORD, 'owner', '128', '--use-aes=y', '--', this.pdfPath, plain]);
    const request: SignPdfRequest = {
      inputPath: plain,
      outputPath: this.#path(name),
      password: PDF_PASSWORD,
      signer: this.#signer(identity, undefined, true),
      options: { subFilter: 'ETSI.CAdES.detached', signingTime: this.#now() },
    };
    await signPdfAtLevel(request, { level: 'B-LTA', ...this.#means });
    this.samples.push({ name, path: request.outputPath, levels: ['B-LTA'], password: PDF_PASSWORD });
  }

  /** Renews the samples of the highest level with the servers and the time of this maker. */
  async renew(from: readonly Sample[]): Promise<void> {
    for (const { name, path, content, levels, isTampered, password } of from) {
      if (isTampered === true || levels.some((level) => level !== 'B-LTA')) continue;
      const renewed = `renewed-${name}`;
      if (name.endsWith('.pdf')) {
        const outputPath = this.#path(renewed);
        await raisePdf({ inputPath: path, outputPath, level: 'B-LTA', password, ...this.#means });
        this.samples.push({ name: renewed, path: outputPath, levels, ...dropUndefined({ password }) });
      } else {
        const given = dropUndefined({ content: content === undefined ? undefined : { path: content } });
        const bytes = await raiseCms(await readFile(path), { level: 'B-LTA', ...given, ...this.#means });
        await this.#keep(renewed, bytes, levels, content);
      }
    }
  }
}
