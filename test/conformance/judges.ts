/** The judges: ours, pyHanko (PyPI), OpenSSL, Bouncy Castle, PDFBox and iText 5 (Debian). */
import { writeFile } from 'node:fs/promises';
import { createHttpClient } from '../../src/network/index.ts';
import {
  createMemoryRevocationCache,
  createPathCompleter,
  createRevocationChecker,
  createTrustAnchors,
  parseCertificate,
  policyOfOid,
  validatePdf,
  validateSignature,
  type SignatureReport,
  type ValidationReport,
  type ValidationServices,
} from '../../src/signing/index.ts';
import { withPdfFacts } from '../../src/signing/pdf/differences/with-pdf-facts.ts';
import { verifyAllWithBouncyCastle } from '../oracles/bouncy-castle.ts';
import { runJava, type JavaProgram } from '../oracles/java.ts';
import { verifyWithOpenssl } from '../oracles/openssl.ts';
import { verifyWithPdfBox } from '../oracles/pdf-box.ts';
import { fetchPythonPackage, pythonScript } from '../oracles/fetched.ts';
import { runTool } from '../oracles/run-program.ts';
import { javaLibrary, systemFile, systemTool } from '../setup/system-packages.ts';
import { isLongTerm, isPdf, type Sample, type Verdicts } from './samples.ts';

/** The release of the table of differences. */
const PYHANKO = 'pyhanko==0.38.0';

/** The level expected from pyHanko: only the content of the file counts, and B-B and B-T prove nothing. */
function provableLevel(sample: Sample): string {
  if (!isLongTerm(sample)) return '';
  return sample.levels.includes('B-LT') ? 'B-LT' : 'B-LTA';
}

/**
 * PDFs only, for each signature: `yes:yes` for an intact signature, with allowed changes, and `passed` where the
 * content of the file proves the signature for the level.
 */
export async function judgeWithPyhanko(root: string, samples: readonly Sample[], list: string): Promise<Verdicts> {
  const folder = await fetchPythonPackage(PYHANKO);
  const pdfs = samples.filter(isPdf);
  await writeFile(list, pdfs.map((sample) => `${sample.path}\t${provableLevel(sample)}\n`).join(''));
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

/** One signature: its proven level, or its form where nothing is proven, and the profile of the kept policy. */
function describe({ level, levelProven, indication, subIndication, policy }: SignatureReport): string {
  const shown = levelProven === 'none' ? level : levelProven;
  const isKept = policy?.recognised === true && policy.complete;
  const under = isKept ? ` under ${policyOfOid(policy.oid)?.profile ?? policy.oid}` : '';
  return `${shown} ${OURS[indication]}${under}${subIndication === undefined ? '' : ` ${subIndication}`}`;
}

/** The worst time stamp of the record: a record in a file of its own is beside the signatures of the report. */
function describeRecord({ documentTimestamps }: ValidationReport): string {
  const own = documentTimestamps.filter(({ role }) => role === 'evidence-record');
  const worst = own.find(({ indication }) => indication !== 'TOTAL-PASSED') ?? own[0];
  if (worst === undefined) return 'RECORD missing';
  return ['RECORD', OURS[worst.indication], ...(worst.subIndication === undefined ? [] : [worst.subIndication])].join(
    ' ',
  );
}

function servicesAt(root: Buffer, at: Date, isAsking: boolean): ValidationServices {
  const anchor = parseCertificate(root);
  const now = (): Date => at;
  const cache = createMemoryRevocationCache({ now });
  const http = isAsking ? createHttpClient({ allowLoopback: true }) : undefined;
  const options = { cache, now, http };
  return {
    // The test root stands in for the roots named by the policies.
    trust: createTrustAnchors([anchor], [], { homologation: new Set([anchor.fingerprint]) }),
    revocation: createRevocationChecker(options),
    completePath: createPathCompleter({ cache, now }),
    now,
  };
}

/** Ours, as of a time, with servers to be asked about revocations, or with nobody to be asked. */
export async function judgeOurselves(
  root: Buffer,
  samples: readonly Sample[],
  at: Date,
  isAsking: boolean,
): Promise<Verdicts> {
  const services = servicesAt(root, at, isAsking);
  const found = new Map<Sample, string>();
  for (const sample of samples) {
    const { path, content, record, password } = sample;
    const records = record === undefined ? undefined : [{ path: record }];
    const input = {
      signature: { path },
      content: content === undefined ? undefined : { path: content },
      records,
    };
    const report = isPdf(sample)
      ? await validatePdf({ path, password, records }, services, {}, withPdfFacts)
      : await validateSignature(input, services);
    const all = report.signatures.flatMap((one) => [one, ...one.counterSignatures]);
    const kept = record === undefined ? [] : [describeRecord(report)];
    found.set(sample, [...all.map(describe), ...kept].join(', '));
  }
  return found;
}

const word = (isIntact: boolean): string => (isIntact ? 'passed' : 'failed');

/** OpenSSL (CMS), Bouncy Castle (CMS) and PDFBox (PDF): whether the signatures are intact. */
export async function judgeIntegrity(
  rootPem: string,
  samples: readonly Sample[],
): Promise<Readonly<Record<string, Verdicts>>> {
  const messages = samples.filter((sample) => !isPdf(sample));
  const requests = messages.map(({ path, content }) => ({
    signature: path,
    content,
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
