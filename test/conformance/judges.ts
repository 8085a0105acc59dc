/** The judges: ours, EU DSS (Maven), pyHanko (PyPI), OpenSSL, Bouncy Castle, PDFBox and iText 5 (Debian). */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createMemoryRevocationCache,
  createPathCompleter,
  createRevocationChecker,
  createTrustAnchors,
  parseCertificate,
  validatePdf,
  validateSignature,
  type SignatureReport,
} from '../../src/signing/index.ts';
import { withPdfFacts } from '../../src/signing/pdf/differences/with-pdf-facts.ts';
import { verifyAllWithBouncyCastle } from '../oracles/bouncy-castle.ts';
import { compileJava, runJava, type JavaProgram } from '../oracles/java.ts';
import { verifyWithOpenssl } from '../oracles/openssl.ts';
import { verifyWithPdfBox } from '../oracles/pdf-box.ts';
import { fetchJars, fetchPythonPackage, pythonScript } from '../oracles/fetched.ts';
import { runTool } from '../oracles/run-program.ts';
import { javaLibrary, systemFile, systemTool } from '../setup/system-packages.ts';
import type { Sample } from './make-set.ts';
import { dropUndefined } from '../../src/values/drop-undefined.ts';

/** A verdict in one form: `B-LTA passed`, with our level names; several signatures are separated by commas. */
export type Verdicts = ReadonlyMap<Sample, string>;

const here = (name: string): string => fileURLToPath(new URL(`judges/${name}`, import.meta.url));
const kept = fileURLToPath(new URL('../.work/conformance', import.meta.url));

/** The class path of EU DSS with the judge; fetched and compiled on first use. */
async function openDss(): Promise<string> {
  const jars = (await fetchJars('dss-6.4', new URL('judges/pom.xml', import.meta.url))).join(':');
  const classes = join(kept, 'classes');
  await mkdir(classes, { recursive: true });
  await compileJava(jars, classes, [here('DssJudge.java')]);
  return `${classes}:${jars}`;
}

let dss: Promise<string> | undefined;
const runDss = async (...words: readonly string[]): Promise<string> => {
  dss ??= openDss();
  return runTool('java', ['-cp', await dss, 'DssJudge', ...words]);
};

/** Lets EU DSS sign a document and a PDF at each level; its files begin with `name`. */
export async function signWithDss(request: {
  readonly root: string;
  readonly pkcs12: string;
  readonly password: string;
  readonly timestampUrl: string;
  readonly content: string;
  readonly pdf: string;
  readonly folder: string;
  readonly name: string;
}): Promise<readonly Sample[]> {
  const { root, pkcs12, password, timestampUrl, content, pdf, folder, name } = request;
  await runDss('sign', root, pkcs12, password, timestampUrl, content, pdf, folder, name);
  return ['B-B', 'B-T', 'B-LT', 'B-LTA'].flatMap((level): readonly Sample[] =>
    ['p7s', 'p7m', 'pdf'].map((extension) => {
      const file = `${name}-${level}.${extension}`;
      const sample = { name: file, path: join(folder, file), levels: [level] };
      return extension === 'p7s' ? { ...sample, content } : sample;
    }),
  );
}

const DSS_LEVEL = /^(?:CAdES|PAdES)-BASELINE-(B|T|LT|LTA)$/;
const DSS_INDICATION: Readonly<Record<string, string>> = {
  TOTAL_PASSED: 'passed',
  TOTAL_FAILED: 'failed',
  INDETERMINATE: 'undetermined',
};

/** One signature of DSS: `CAdES-BASELINE-LTA:TOTAL_PASSED:` → `B-LTA passed`. Counter-signatures have no level of ours. */
function dssVerdict(text: string): string {
  const [format = '', indication = '', sub = ''] = text.split(':');
  const level = DSS_LEVEL.exec(format)?.[1];
  const outcome = DSS_INDICATION[indication] ?? indication;
  return `${level === undefined ? format : `B-${level}`} ${outcome}${sub === '' ? '' : ` ${sub}`}`;
}

export async function judgeWithDss(
  root: string,
  samples: readonly Sample[],
  at: Date,
  list: string,
): Promise<Verdicts> {
  await writeFile(list, samples.map(({ path, content = '' }) => `${path}\t${content}\t${at.toISOString()}\n`).join(''));
  const lines = (await runDss('judge', root, list)).trim().split('\n');
  return new Map(
    samples.map((sample, index) => {
      const line = lines[index] ?? 'ERROR no answer';
      return [sample, line.startsWith('ERROR') ? line : line.split(' ').map(dssVerdict).join(', ')] as const;
    }),
  );
}

/** The release that the table of differences is about. */
const PYHANKO = 'pyhanko==0.38.0';

/** PDFs only: `yes:yes` for each signature that is intact, with changes that it allows. */
export async function judgeWithPyhanko(root: string, samples: readonly Sample[], list: string): Promise<Verdicts> {
  const folder = await fetchPythonPackage(PYHANKO);
  const pdfs = samples.filter(isPdf);
  await writeFile(list, pdfs.map(({ path }) => `${path}\n`).join(''));
  const script = pythonScript(folder, new URL('judges/pyhanko_judge.py', import.meta.url));
  const lines = (await runTool('python3', [...script, root, list])).trim().split('\n');
  return new Map(pdfs.map((sample, index) => [sample, lines[index] ?? 'ERROR no answer'] as const));
}

const ITEXT: JavaProgram = {
  main: 'ITextJudge',
  sources: [new URL('judges/ITextJudge.java', import.meta.url)],
  libraries: ['itext5', 'bcprov', 'bcpkix', 'bcutil'],
};

/** PDFs only: all signatures and document time stamps are intact. */
export async function judgeWithIText(samples: readonly Sample[], list: string): Promise<Verdicts> {
  const pdfs = samples.filter(isPdf);
  await writeFile(list, pdfs.map(({ path, password = '' }) => `${path}\t${password}\n`).join(''));
  const lines = await runJava(ITEXT, [list]);
  return new Map(pdfs.map((sample, index) => [sample, lines[index] ?? 'ERROR no answer'] as const));
}

const OURS = { 'TOTAL-PASSED': 'passed', 'TOTAL-FAILED': 'failed', INDETERMINATE: 'undetermined' } as const;

/** Ours, with nothing to be asked, as of a time: the level proven, or the form where nothing is. */
export async function judgeOurselves(root: Buffer, samples: readonly Sample[], at: Date): Promise<Verdicts> {
  const anchors = [parseCertificate(root)];
  const now = (): Date => at;
  const cache = createMemoryRevocationCache({ now });
  const services = {
    trust: createTrustAnchors(anchors),
    revocation: createRevocationChecker({ cache, now }),
    completePath: createPathCompleter({ cache, now }),
    now,
  };
  const describe = ({ level, levelProven, indication, subIndication }: SignatureReport): string => {
    const shown = levelProven === 'none' ? level : levelProven;
    return `${shown} ${OURS[indication]}${subIndication === undefined ? '' : ` ${subIndication}`}`;
  };
  const found = new Map<Sample, string>();
  for (const sample of samples) {
    const { path, content, name, password } = sample;
    const input = {
      signature: { path },
      ...dropUndefined({ content: content === undefined ? undefined : { path: content } }),
    };
    const { signatures } = name.endsWith('.pdf')
      ? await validatePdf({ path, password }, services, {}, withPdfFacts)
      : await validateSignature(input, services);
    const all = signatures.flatMap((one) => [one, ...one.counterSignatures]);
    found.set(sample, all.map(describe).join(', '));
  }
  return found;
}

const isPdf = ({ name }: Sample): boolean => name.endsWith('.pdf');
const word = (isIntact: boolean): string => (isIntact ? 'passed' : 'failed');

/** OpenSSL (CMS), Bouncy Castle (CMS) and PDFBox (PDF): whether the signatures are intact. */
export async function judgeIntegrity(
  rootPem: string,
  samples: readonly Sample[],
): Promise<Readonly<Record<string, Verdicts>>> {
  const messages = samples.filter((sample) => !isPdf(sample));
  const requests = messages.map(({ path, content }) => ({
    signature: path,
    ...dropUndefined({ content }),
  }));
  const openssl = new Map<Sample, string>();
  for (const [index, sample] of messages.entries()) {
    const request = requests[index] ?? { signature: sample.path };
    openssl.set(sample, word((await verifyWithOpenssl({ ...request, trusted: rootPem, cades: true })).valid));
  }
  const signers = await verifyAllWithBouncyCastle(requests);
  const castle = new Map(
    messages.map((sample, index) => {
      const answers = signers[index] ?? [];
      return [sample, word(answers.length > 0 && answers.every(Boolean))] as const;
    }),
  );
  const box = new Map<Sample, string>();
  for (const sample of samples.filter(isPdf)) {
    const [line = ''] = await verifyWithPdfBox([sample.path]);
    box.set(sample, word(/^(signature|stamped)\b/.test(line) && !/\bbad\b/.test(line)));
  }
  return { OpenSSL: openssl, 'Bouncy Castle': castle, PDFBox: box };
}

/** Every judge program is there before anything is made. */
export function expectPrograms(): void {
  systemTool('mvn');
  systemTool('java');
  javaLibrary('eclipse-jdt-core');
  systemTool('python3');
  systemTool('openssl');
  systemFile('pip');
}
