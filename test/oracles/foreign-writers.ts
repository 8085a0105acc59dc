/** Programs by others that sign and fill PDFs incrementally: iText 5 and PDFBox. Each run makes its own key. */
import { runJava, type JavaProgram } from './java.ts';

const source = (name: string): URL => new URL(`writers/${name}.java`, import.meta.url);

const PROGRAMS = {
  itext: {
    main: 'SignWithIText',
    sources: [source('SignWithIText'), source('TestSigner')],
    libraries: ['itext5', 'bcprov', 'bcpkix', 'bcutil'],
  },
  pdfbox: {
    main: 'SignWithPdfBox',
    sources: [source('SignWithPdfBox'), source('TestSigner')],
    libraries: ['pdfbox2', 'fontbox2', 'commons-logging', 'bcprov', 'bcpkix', 'bcutil'],
  },
} as const satisfies Record<string, JavaProgram>;

/** A change by a foreign writer: an incremental update from `input` to `output`. */
export interface ForeignChange {
  /** `fill` gives every text field a value; iText only. */
  readonly operation: 'sign' | 'visible' | 'fill';
  readonly input: string;
  readonly output: string;
  readonly password?: string;
}

/** Makes these changes one after the other, in a single run of Java. */
export async function writeWith(writer: keyof typeof PROGRAMS, changes: readonly ForeignChange[]): Promise<void> {
  const words = changes.flatMap(({ operation, input, output, password }) => [operation, input, output, password ?? '']);
  await runJava(PROGRAMS[writer], words);
}
