/** The targets of fuzzing: each parser of foreign data, with valid samples to start from. */
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPairSync, hash } from 'node:crypto';
import {
  CrlIndex,
  derSequence,
  examinePdf,
  importTrustMaterial,
  inspectPdf,
  normalizeBer,
  parseCertificate,
  prepareCmsSigner,
  readBasicResponse,
  readDer,
  readIcpBrasilIdentity,
  readPkcs12,
  readTimestampToken,
  repairPdf,
  SigningError,
  signPdf,
  unwrapOcspResponse,
  verifyCms,
  verifyPdf,
  writeOcspRequest,
  type DerElement,
} from '../../src/signing/index.ts';
import { withPdfFacts } from '../../src/signing/pdf/differences/with-pdf-facts.ts';
import { describeDamage } from '../../src/signing/pdf/repair/describe-damage.ts';
import { writeTimestampRequest } from '../../src/signing/timestamps/timestamp-response.ts';
import { answerOcspRequest, answerTimestampRequest, writePkcs12 } from '../../src/test-authority/index.ts';
import { companyWith, personWith } from '../pki/identities.ts';
import { crlsOf, icpBrasilPki } from '../pki/icp-brasil-pki.ts';
import { appendRevision, buildPdf, onePage, taggedPage } from '../signing/pdf/build-pdf.ts';
import { activeObjects } from '../signing/pdf/reading/active-objects.ts';
import { CONTRACT, CONTRACT_SHAPE } from '../signing/pdf/differences/contract.ts';
import { makePdfSigners } from '../signing/pdf/signers.ts';
import { fileTargets } from './file-targets.ts';
import { validateCmsTarget, validateContentTarget, validatePdfTarget } from './validation-targets.ts';
import { makeTestIdentity } from '../signing/cms/test-identities.ts';
import { softwareSigner } from '../../src/signing/keys/software-signer.ts';

/** A reader, and acceptable samples. `read` may reject with `SigningError` and with nothing else. */
export interface Target {
  samples(): Promise<readonly Buffer[]>;
  read(input: Buffer): unknown;
  close?(): void;
}

function walk(element: DerElement): void {
  if (element.constructed) for (const child of element.children) walk(child);
}

const certificates = async (): Promise<Buffer[]> => {
  const { v5 } = await icpBrasilPki();
  const [person, company] = [await personWith(), await companyWith()];
  return [v5.authority.root.certificate, v5.timestampAuthority.certificate, person.certificate, company.certificate];
};

async function cmsSamples(): Promise<Buffer[]> {
  const samples: Buffer[] = [];
  for (const key of [generateKeyPairSync('rsa', { modulusLength: 2048 }), generateKeyPairSync('ed25519')]) {
    const { certificate } = makeTestIdentity({ name: 'Fuzz', key });
    const signer = softwareSigner(key.privateKey, certificate, []);
    const cms = prepareCmsSigner(signer, { digest: 'sha256', profile: 'cades' });
    samples.push(await cms.signContent(Buffer.from('content'), new Date()));
    samples.push(await cms.signDigest(hash(cms.digest, 'content', 'buffer'), new Date()));
  }
  return samples;
}

async function ocspResponse(): Promise<Buffer> {
  const { authority, person, responder } = (await icpBrasilPki()).v5;
  const [certificate, issuer] = [parseCertificate(person.certificate), parseCertificate(authority.issuing.certificate)];
  const request = writeOcspRequest({ certificate, issuer });
  return answerOcspRequest(request, { issuer: issuer.der, responder, statusOf: () => ({ status: 'good' }) });
}

async function timestampToken(): Promise<Buffer> {
  const imprint = hash('sha256', 'content', 'buffer');
  const request = writeTimestampRequest({
    digest: 'sha256',
    imprint,
    policy: undefined,
    nonce: Buffer.of(1, 2, 3, 4, 5, 6, 7, 8),
  });
  const response = answerTimestampRequest((await icpBrasilPki()).v5.timestampAuthority, request);
  return readDer(response).child(1, 'the token').bytes;
}

/** A target reading files: each input is written to the same place first. */
function fileTarget(samples: Target['samples'], read: (path: string) => Promise<unknown>): Target {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-fuzz-'));
  const path = join(folder, 'input');
  return {
    samples,
    async read(input) {
      await writeFile(path, input);
      await read(path);
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function pdfSamples(): Promise<Buffer[]> {
  const { pades } = makePdfSigners();
  const plain = [buildPdf(onePage()), buildPdf(onePage(), { kind: 'stream', compressed: [1, 2] })];
  const folder = mkdtempSync(join(tmpdir(), 'sinete-fuzz-'));
  try {
    const [inputPath, outputPath] = [join(folder, 'plain.pdf'), join(folder, 'signed.pdf')];
    await writeFile(inputPath, buildPdf(onePage()));
    const options = { subFilter: 'ETSI.CAdES.detached', signingTime: new Date() } as const;
    await signPdf({ inputPath, outputPath, signer: pades, options });
    return [...plain, await readFile(outputPath)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Files with scripts, attachments, forms and layers. */
const activePdfSamples = async (): Promise<Buffer[]> =>
  Promise.resolve([buildPdf(activeObjects), buildPdf(activeObjects, { kind: 'stream', compressed: [1, 3, 6, 7, 8] })]);

/** The trees of a tagged page, written anew in other nodes. */
const OTHER_NODES = {
  2: '<</Type /Pages /Kids [80 0 R] /Count 1 /MediaBox [0 0 595 842]>>',
  3: '<</Type /Page /Parent 80 0 R /Contents 4 0 R /StructParents 0 /Resources <</Font <</F1 5 0 R>>>>>>',
  20: '<</Type /StructTreeRoot /K [81 0 R] /ParentTree 82 0 R /ParentTreeNextKey 2 /RoleMap <<>>>>',
  21: '<</Type /StructElem /S /Part /P 81 0 R /K [22 0 R]>>',
  80: '<</Type /Pages /Parent 2 0 R /Kids [3 0 R] /Count 1>>',
  81: '<</Type /StructElem /S /Document /P 20 0 R /K [21 0 R]>>',
  82: '<</Kids [83 0 R]>>',
  83: '<</Limits [0 0] /Nums [0 [22 0 R]]>>',
};

/** Signed files with honest and with hostile revisions behind the signature. */
async function revisedPdfSamples(): Promise<Buffer[]> {
  const { pades } = makePdfSigners();
  const folder = mkdtempSync(join(tmpdir(), 'sinete-fuzz-'));
  try {
    const paths = ['plain', 'one', 'two'].map((name) => join(folder, name));
    const [plain = '', one = '', two = ''] = paths;
    const samples: Buffer[] = [];
    await writeFile(plain, buildPdf(taggedPage({ 21: '<</Type /StructElem /S /Part /P 20 0 R /K [22 0 R]>>' })));
    const tagging = { subFilter: 'ETSI.CAdES.detached', signingTime: new Date() } as const;
    await signPdf({ inputPath: plain, outputPath: one, signer: pades, options: tagging });
    samples.push(appendRevision(await readFile(one), OTHER_NODES));
    await rm(one);
    for (const shape of [CONTRACT_SHAPE, { ...CONTRACT_SHAPE, kind: 'stream', compressed: [5, 6, 11, 15] } as const]) {
      const options = { subFilter: 'ETSI.CAdES.detached', signingTime: new Date() } as const;
      await writeFile(plain, buildPdf(CONTRACT, shape));
      await signPdf({
        inputPath: plain,
        outputPath: one,
        signer: pades,
        options: { ...options, certify: 'form-filling' },
      });
      await signPdf({ inputPath: one, outputPath: two, signer: pades, options: { ...options, fieldName: 'approval' } });
      const signed = await readFile(two);
      const text = (CONTRACT[6] as string).replace('/FT', '/V (Ana) /FT');
      samples.push(
        signed,
        appendRevision(signed, { 6: text, 70: '<<>>' }, { ...CONTRACT_SHAPE, kind: shape.kind ?? 'table' }),
      );
      await Promise.all(paths.map((path) => rm(path)));
    }
    return samples;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Everything that the facts offer: digests of sound signatures too. */
const readAllFacts = (path: string): Promise<void> =>
  withPdfFacts(path, {}, async ({ signatures }) => {
    for (const { problem, digestOf } of signatures) if (problem === undefined) await digestOf('sha256');
  });

/** Unsigned files of several revisions, the last of them cut off. */
async function cutPdfSamples(): Promise<Buffer[]> {
  const revised = appendRevision(buildPdf(CONTRACT, CONTRACT_SHAPE), { 70: '<</Type /Page /Parent 2 0 R>>' });
  const packed = buildPdf(CONTRACT, { ...CONTRACT_SHAPE, kind: 'stream', compressed: [5, 6, 11, 15] });
  const cut = (file: Buffer): Buffer => file.subarray(0, file.lastIndexOf('startxref'));
  return Promise.resolve([revised, cut(revised), packed, cut(packed)]);
}

/** Describes the damage, repairs the file, and reads the repaired copy. */
async function repairAndRead(path: string): Promise<void> {
  const outputPath = `${path}.repaired`;
  try {
    await describeDamage(path, {}, new SigningError('PDF_MALFORMED', 'The PDF is damaged.'));
    await repairPdf({ inputPath: path, outputPath });
    await inspectPdf(outputPath);
  } finally {
    await rm(outputPath, { force: true });
  }
}

export const targets: Readonly<Record<string, () => Target>> = {
  der: () => ({ samples: certificates, read: (input) => walk(readDer(input)) }),
  ber: () => ({ samples: cmsSamples, read: (input) => normalizeBer(input) }),
  certificate: () => ({
    samples: certificates,
    read: (input) => readIcpBrasilIdentity(parseCertificate(input)),
  }),
  cms: () => ({ samples: cmsSamples, read: (input) => verifyCms(input, Buffer.from('content')) }),
  'validate-cms': validateCmsTarget,
  'validate-content': validateContentTarget,
  'validate-pdf': validatePdfTarget,
  pkcs12: () => ({
    samples: async () => [
      await writePkcs12(await personWith(), 'open sesame', { iterations: 1 }),
      await writePkcs12(await companyWith(), '', { iterations: 1 }),
      Buffer.from((await writePkcs12(await personWith(), 'open sesame', { iterations: 1 })).toString('base64')),
    ],
    read: (input) => readPkcs12(input, 'open sesame', { maxIterations: 5_000 }),
  }),
  crl: () => ({
    samples: async () => crlsOf((await icpBrasilPki()).v5),
    async read(input) {
      const { authority } = (await icpBrasilPki()).v5;
      await CrlIndex.build(input, parseCertificate(authority.issuing.certificate));
    },
  }),
  ocsp: () => ({
    samples: async () => [await ocspResponse()],
    read: (input) => readBasicResponse(unwrapOcspResponse(input)),
  }),
  timestamp: () => ({ samples: async () => [await timestampToken()], read: (input) => readTimestampToken(input) }),
  trust: () => ({
    samples: async () => [derSequence(), ...(await certificates())],
    read: (input) => importTrustMaterial(input),
  }),
  'pdf-structure': () => fileTarget(pdfSamples, inspectPdf),
  'pdf-active-content': () => fileTarget(activePdfSamples, examinePdf),
  'pdf-repair': () => fileTarget(cutPdfSamples, repairAndRead),
  'pdf-signatures': () => fileTarget(pdfSamples, verifyPdf),
  'pdf-facts': () => fileTarget(revisedPdfSamples, readAllFacts),
  ...fileTargets,
};
