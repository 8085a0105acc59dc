/** The writers of the chains: foreign programs and Sinete, each with its operations. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addDocumentTimestamp } from '../../src/signing/pdf/long-term/add-document-timestamp.ts';
import { raisePdf } from '../../src/signing/pdf/long-term/raise-pdf.ts';
import type { PdfSignatureOptions } from '../../src/signing/pdf/sign-request.ts';
import { signPdf } from '../../src/signing/pdf/signature/sign-pdf.ts';
import { writePkcs12 } from '../../src/test-authority/index.ts';
import {
  fillWithPdfJs,
  writeWith,
  writeWithDss,
  writeWithIText9,
  writeWithOpenPdf,
  writeWithPyhanko,
  writeWithPyhankoCli,
  type DssMeans,
  type ForeignChange,
} from '../oracles/foreign-writers.ts';
import { pem } from '../pki/openssl.ts';
import { LOCKING_FIELD } from './bases.ts';
import { writeWithLibPdf } from './libpdf-writer.ts';
import { openLongTermAuthority, type LongTermAuthority } from '../signing/pdf/long-term-authority.ts';

export type Writer =
  'itext' | 'itext9' | 'libpdf' | 'pyhanko-cli' | 'openpdf' | 'pdfbox' | 'pyhanko' | 'dss' | 'pdfjs' | 'sinete';

/**
 * `p1`, `p2` and `p3` certify: no changes, form filling, annotations (ISO 32000-2 Table 257). Sinete only. Sinete locks
 * by the field of the base, and other writers by an added field.
 */
export type Operation = ForeignChange['operation'] | 'p1' | 'p2' | 'p3';

export interface WrittenChange extends Omit<ForeignChange, 'operation'> {
  readonly writer: Writer;
  readonly operation: Operation;
}

const PASSWORD = 'interop';
const CERTIFICATIONS = { p1: 'no-changes', p2: 'form-filling', p3: 'annotations' } as const;

/** Runs writers, which share a test authority. */
export class Writers {
  readonly #authority: LongTermAuthority;
  readonly #dss: DssMeans;
  readonly #passwordFile: string;

  private constructor(authority: LongTermAuthority, dss: DssMeans, passwordFile: string) {
    this.#authority = authority;
    this.#dss = dss;
    this.#passwordFile = passwordFile;
  }

  /** Starts the services of the authority and writes its files into a folder. */
  static async open(folder: string): Promise<Writers> {
    const authority = await openLongTermAuthority();
    const { services, person } = authority;
    const dss = {
      root: join(folder, 'root.pem'),
      pkcs12: join(folder, 'person.p12'),
      password: PASSWORD,
      timestampUrl: services.timestampUrl,
    };
    await writeFile(dss.root, pem('CERTIFICATE', services.authority.root.certificate));
    await writeFile(dss.pkcs12, await writePkcs12(person, PASSWORD));
    const passwordFile = join(folder, 'password.txt');
    await writeFile(passwordFile, PASSWORD);
    return new Writers(authority, dss, passwordFile);
  }

  /** The path of the root certificate. */
  get root(): string {
    return this.#dss.root;
  }

  close(): Promise<void> {
    return this.#authority.close();
  }

  /** Writes `output`; rejects when the writer fails or refuses. */
  async write({ writer, operation, ...files }: WrittenChange): Promise<void> {
    if (writer === 'sinete') return this.#writeOurselves(operation, files);
    if (operation === 'p1' || operation === 'p2' || operation === 'p3') {
      throw new TypeError(`${writer} does not certify here.`);
    }
    const change = { operation, ...files };
    switch (writer) {
      case 'itext':
      case 'pdfbox':
        return writeWith(writer, [change]);
      case 'itext9':
        return writeWithIText9(this.#authority.services.timestampUrl, change);
      case 'openpdf':
        return writeWithOpenPdf(change);
      case 'libpdf':
        return writeWithLibPdf(this.#dss, change);
      case 'pyhanko-cli':
        return writeWithPyhankoCli({ pkcs12: this.#dss.pkcs12, passwordFile: this.#passwordFile }, change);
      case 'pyhanko':
        return writeWithPyhanko(change);
      case 'dss':
        return writeWithDss(this.#dss, change);
      case 'pdfjs':
        return fillWithPdfJs(change);
    }
  }

  async #writeOurselves(operation: Operation, files: Omit<ForeignChange, 'operation'>): Promise<void> {
    const { signer, timestamper, collector } = this.#authority;
    const { input: inputPath, output: outputPath, password } = files;
    const paths = { inputPath, outputPath, password };
    if (operation === 'timestamp') {
      await addDocumentTimestamp({ ...paths, timestamper });
      return;
    }
    if (operation === 'extend') {
      await raisePdf({ ...paths, level: 'B-LTA', timestamper, collector });
      return;
    }
    const looks = { pages: [1], x: 300, y: 30, width: 100, height: 40, text: 'Sinete' };
    const options: PdfSignatureOptions = {
      subFilter: 'ETSI.CAdES.detached',
      signingTime: new Date(),
      ...(operation === 'visible' ? { appearance: looks } : {}),
      ...(operation === 'lock' ? { fieldName: LOCKING_FIELD } : {}),
      ...(operation === 'p1' || operation === 'p2' || operation === 'p3' ? { certify: CERTIFICATIONS[operation] } : {}),
    };
    await signPdf({ ...paths, signer, options });
  }
}
