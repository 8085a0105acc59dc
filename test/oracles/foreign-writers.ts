/** Programs by others that change PDFs incrementally: iText 5 and 9, OpenPDF, PDFBox, pyHanko, EU DSS and pdf.js. */
import { hash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { fetchJars, fetchPythonPackage, pythonScript } from './fetched.ts';
import { runJava, type JavaProgram } from './java.ts';
import { ResidentProgram } from './resident-program.ts';
import { runTool } from './run-program.ts';

const source = (name: string, kind = 'java'): URL => new URL(`writers/${name}.${kind}`, import.meta.url);

/** Programs of Debian's libraries. These writers make their own key in each Java machine. */
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

/** OpenPDF, of Maven Central. OpenPDF makes its own key too. */
const OPENPDF: JavaProgram = {
  main: 'SignWithOpenPdf',
  sources: [source('SignWithOpenPdf'), source('TestSigner')],
  libraries: ['bcprov', 'bcpkix', 'bcutil'],
  jars: () => fetchJars('openpdf-2.0.3', new URL('openpdf/pom.xml', import.meta.url)),
};

/** The JAR files of iText 9, with its own Bouncy Castle. */
export const fetchIText9 = (): Promise<readonly string[]> =>
  fetchJars('itext-9.1.0', new URL('itext9/pom.xml', import.meta.url));

/** iText 9, of Maven Central. iText makes its own key too. */
const ITEXT9: JavaProgram = {
  main: 'SignWithIText9',
  sources: [source('SignWithIText9'), source('TestSigner')],
  libraries: [],
  jars: fetchIText9,
};

/** The JAR files of EU DSS with its reader of evidence records. */
export const fetchDss = (): Promise<readonly string[]> =>
  fetchJars('dss-6.4-records', new URL('../conformance/judges/pom.xml', import.meta.url));

/** EU DSS, which brings PDFBox 3. */
const DSS: JavaProgram = {
  main: 'SignWithDss',
  sources: [source('SignWithDss')],
  libraries: [],
  jars: fetchDss,
};

/** The requirement of PyPI. */
export const PYHANKO = 'pyhanko==0.38.0';
const PYHANKO_CLI = 'pyhanko-cli==0.6.0';

/** A change by a foreign writer: an incremental update from `input` to `output`. */
export interface ForeignChange {
  /**
   * `lock` signs and locks the field `name`, `lock-others` all other fields; `fill` gives every text field a value;
   * `comment` adds a note. Each writer has some of them.
   */
  readonly operation: 'sign' | 'visible' | 'lock' | 'lock-others' | 'fill' | 'comment' | 'timestamp' | 'extend';
  readonly input: string;
  readonly output: string;
  readonly password?: string;
}

const wordsOf = ({ operation, input, output, password = '' }: ForeignChange): readonly string[] => [
  operation,
  input,
  output,
  password,
];

/** Makes these changes in sequence, in a single run of Java. */
export async function writeWith(writer: keyof typeof PROGRAMS, changes: readonly ForeignChange[]): Promise<void> {
  await runJava(PROGRAMS[writer], changes.flatMap(wordsOf));
}

export async function writeWithOpenPdf(change: ForeignChange): Promise<void> {
  await runJava(OPENPDF, wordsOf(change));
}

const FONT = fileURLToPath(new URL('../../assets/fonts/NotoSans-Regular.ttf', import.meta.url));

/** Makes a change with iText 9; time stamps come from the authority at this address. */
export async function writeWithIText9(timestampUrl: string, change: ForeignChange): Promise<void> {
  await runJava(ITEXT9, [timestampUrl, FONT, ...wordsOf(change)]);
}

/** The key with which DSS signs, and the time-stamp authority. */
export interface DssMeans {
  /** Paths of the root certificate and of the PKCS#12 file. */
  readonly root: string;
  readonly pkcs12: string;
  readonly password: string;
  readonly timestampUrl: string;
}

export async function writeWithDss(means: DssMeans, change: ForeignChange): Promise<void> {
  const { root, pkcs12, password, timestampUrl } = means;
  await runJava(DSS, [root, pkcs12, password, timestampUrl, ...wordsOf(change)]);
}

/** pyHanko takes seconds to load. */
let pyhanko: Promise<ResidentProgram> | undefined;

async function startPyhanko(): Promise<ResidentProgram> {
  const folder = await fetchPythonPackage(PYHANKO);
  return new ResidentProgram('python3', pythonScript(folder, source('pyhanko_writer', 'py')));
}

export async function writeWithPyhanko(change: ForeignChange): Promise<void> {
  pyhanko ??= startPyhanko();
  await (await pyhanko).run(['pyHanko', ...wordsOf(change)]);
}

/** A PKCS#12 file, and the file with its password. */
export interface SignerFiles {
  readonly pkcs12: string;
  readonly passwordFile: string;
}

/** Signs with the command line of pyHanko: invisibly, or visibly in the middle of the first page. */
export async function writeWithPyhankoCli(
  { pkcs12, passwordFile }: SignerFiles,
  { operation, input, output }: ForeignChange,
): Promise<void> {
  const folder = await fetchPythonPackage(PYHANKO_CLI);
  const name = `cli${hash('sha1', input).slice(0, 8)}`;
  const field = operation === 'visible' ? `1/200,400,300,440/${name}` : name;
  const options = ['--field', field, '--reason', 'foreign', '--no-strict-syntax'];
  const words = ['sign', 'addsig', ...options, 'pkcs12', '--passfile', passwordFile, input, output, pkcs12];
  await runTool('python3', [...pythonScript(folder, source('pyhanko_cli', 'py')), ...words]);
}

interface PdfJsField {
  readonly id: string;
  readonly type: string;
}

/** Gives every text field a value and saves, as the viewer of Firefox does. */
export async function fillWithPdfJs({ input, output, password }: ForeignChange): Promise<void> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const data = new Uint8Array(await readFile(input));
  const task = getDocument({ data, verbosity: 0, password });
  try {
    const document = await task.promise;
    // The type of the package says Object, and the value is a Map.
    const fields = (await document.getFieldObjects()) as unknown as ReadonlyMap<string, readonly PdfJsField[]> | null;
    const texts = [...(fields?.values() ?? [])].flat().filter(({ type }) => type === 'text');
    for (const { id } of texts) document.annotationStorage.setValue(id, { value: 'filled' });
    await writeFile(output, await document.saveDocument());
  } finally {
    await task.destroy();
  }
}
