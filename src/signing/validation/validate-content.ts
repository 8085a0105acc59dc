/**
 * Signatures inside the content of a signature. People who sign one after another often wrap the signed file once more
 * (`.p7m.p7m`), so the content of an attached signature is validated as well, where it is a signed file itself.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { detectFileKind } from '../../values/file-kind.ts';
import { readZip, type ZipFile } from '../certificates/trust/read-zip.ts';
import { SigningError } from '../errors.ts';
import type { WithPdfFacts } from '../pdf/differences/pdf-facts.ts';
import { withOpenSignature } from './input/open-signature.ts';
import { finding, worstOf } from './judge/verdict.ts';
import { withCounterSignatures } from './report/write-report.ts';
import { validatePdf } from './validate-pdf.ts';
import { validateSignature } from './validate-signature.ts';
import type { SignatureReport, ValidationCheck, ValidationReport } from './validation-report.ts';
import type { SignatureInput, ValidationOptions, ValidationServices } from './validation-request.ts';

/** Content above this size is not looked into. */
const LARGEST_CONTENT = 64 * 2 ** 20;
/** Signatures in signatures, and signed files in the archives among them. */
const MOST_LAYERS = 8;
const MOST_FILES = 50;

/** The signatures found in a content, and findings about parts that were not examined. */
interface Found {
  readonly signatures: readonly SignatureReport[];
  readonly checks: readonly ValidationCheck[];
}

const NOTHING: Found = { signatures: [], checks: [] };

const notExamined = (sentence: string): Found => ({
  signatures: [],
  checks: [finding('CONTENT_NOT_EXAMINED', sentence)],
});

/** Gives the signatures of a file in the content ids of their own: `content/1`, `content/letter.pdf/1`. */
function below(place: string, signatures: readonly SignatureReport[]): readonly SignatureReport[] {
  return signatures.map((one) => ({
    ...one,
    id: `${place}/${one.id}`,
    counterSignatures: below(place, one.counterSignatures),
  }));
}

const together = (found: readonly Found[]): Found => ({
  signatures: found.flatMap(({ signatures }) => signatures),
  checks: found.flatMap(({ checks }) => checks),
});

class ContentValidator {
  readonly #services: ValidationServices;
  readonly #options: ValidationOptions;
  readonly #withPdfFacts: WithPdfFacts;
  #files = 0;

  constructor(services: ValidationServices, options: ValidationOptions, withPdfFacts: WithPdfFacts) {
    this.#services = services;
    this.#options = options;
    this.#withPdfFacts = withPdfFacts;
  }

  /** The signatures in the content that a signature encloses. */
  async contentOf(input: SignatureInput, place: string, layer: number): Promise<Found> {
    const content = await withOpenSignature(input, async (open) => {
      const { enclosed } = 'record' in open ? {} : open;
      if (enclosed?.length === undefined) return undefined;
      const whole = enclosed.length <= LARGEST_CONTENT;
      return { whole, bytes: await enclosed.head(whole ? enclosed.length : 1024) };
    });
    if (content === undefined) return NOTHING;
    const { kind } = detectFileKind(content.bytes);
    if (!content.whole && (kind === 'cms' || kind === 'zip')) {
      return notExamined('The content seems to be signed itself, and is too large to be examined.');
    }
    return content.whole ? this.#file(content.bytes, place, layer) : NOTHING;
  }

  /** The signatures of a file in a content; `beside` has the other files of its archive. */
  async #file(bytes: Buffer, place: string, layer: number, beside?: Buffer): Promise<Found> {
    const { kind, form } = detectFileKind(bytes);
    const isPossible = kind === 'cms' || kind === 'zip' || (kind === 'pdf' && bytes.includes('/ByteRange'));
    if (kind === 'xml' && bytes.includes('http://www.w3.org/2000/09/xmldsig#')) {
      return notExamined('The content has an XML signature, which is not validated here.');
    }
    if (!isPossible || (kind === 'pdf' && form !== 'none')) return NOTHING;
    this.#files += 1;
    if (layer >= MOST_LAYERS || this.#files > MOST_FILES) {
      return notExamined('The content holds more signed files than are examined.');
    }
    try {
      if (kind === 'zip') return await this.#archive(bytes, place, layer);
      return kind === 'pdf' ? await this.#pdf(bytes, place) : await this.#signature(bytes, place, layer, beside);
    } catch (error) {
      if (!(error instanceof SigningError) || error.code === 'CANCELLED') throw error;
      // Certificates alone and encrypted messages are no signatures.
      if (error.code === 'CMS_UNSUPPORTED') return NOTHING;
      return notExamined(`The content seems to be signed itself, and cannot be examined. ${error.message}`);
    }
  }

  async #signature(bytes: Buffer, place: string, layer: number, beside: Buffer | undefined): Promise<Found> {
    const input = beside === undefined ? { signature: bytes } : { signature: bytes, content: beside };
    const { signatures, kind } = await validateSignature(input, this.#services, this.#options);
    const inner = kind === 'cms-attached' ? await this.contentOf(input, `${place}/content`, layer + 1) : NOTHING;
    return together([{ signatures: below(place, signatures), checks: [] }, inner]);
  }

  async #pdf(bytes: Buffer, place: string): Promise<Found> {
    const folder = await mkdtemp(join(tmpdir(), 'sinete-content-'));
    try {
      const path = join(folder, 'content.pdf');
      await writeFile(path, bytes, { mode: 0o600 });
      const { signatures } = await validatePdf({ path }, this.#services, this.#options, this.#withPdfFacts);
      return { signatures: below(place, signatures), checks: [] };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #archive(bytes: Buffer, place: string, layer: number): Promise<Found> {
    const files = readZip(bytes);
    const contents = new Map(files.map(({ name, content }) => [name, content]));
    if (files.some(({ name }) => /^META-INF\/.*signature.*\.xml$|^_xmlsignatures\//i.test(name))) {
      return notExamined('The content is an archive with XML signatures, which are not validated here.');
    }
    const found: Found[] = [];
    for (const { name, content } of files.filter(isReadable)) {
      const document = contents.get(name.replace(/\.(?:p7s|sig|p7)$/i, ''));
      const beside = document === content ? undefined : document;
      found.push(await this.#file(content, `${place}/${name}`, layer + 1, beside));
    }
    return together(found);
  }
}

const isReadable = (file: ZipFile): file is ZipFile & { readonly content: Buffer } => file.content !== undefined;

/**
 * `validateSignature`, and the signatures of the content: a CMS signature, a signed PDF, or an archive of such files. They
 * follow the outer signatures in the report, and the verdict counts them. Rejects like `validateSignature`.
 */
export async function validateWithContent(
  input: SignatureInput,
  services: ValidationServices,
  options: ValidationOptions,
  withPdfFacts: WithPdfFacts,
): Promise<ValidationReport> {
  const report = await validateSignature(input, services, options);
  if (report.kind !== 'cms-attached') return report;
  const validator = new ContentValidator(services, options, withPdfFacts);
  const { signatures: inner, checks } = await validator.contentOf(input, 'content', 0);
  if (inner.length + checks.length === 0) return report;
  const signatures = [...report.signatures, ...inner];
  const open = checks.length === 0 ? [] : [{ indication: 'INDETERMINATE' } as const];
  const isSigned = inner.length === 0 ? [] : [finding('CONTENT_SIGNED', 'The content is itself a signed file.')];
  return {
    ...report,
    ...worstOf([...signatures.flatMap(withCounterSignatures), ...open]),
    signatures,
    checks: [...report.checks, ...isSigned, ...checks],
  };
}
