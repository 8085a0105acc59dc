/** What is fuzzed: each reader of strangers' data, with good samples to start from. */
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPairSync, hash } from 'node:crypto';
import {
  CrlIndex,
  derSequence,
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
  signPdf,
  unwrapOcspResponse,
  verifyCms,
  verifyPdf,
  writeOcspRequest,
  type DerElement,
} from '../../src/signing/index.ts';
import { writeTimestampRequest } from '../../src/signing/timestamps/timestamp-request.ts';
import { answerOcspRequest, answerTimestampRequest, writePkcs12 } from '../../src/test-authority/index.ts';
import { companyWith, personWith } from '../pki/identities.ts';
import { crlsOf, icpBrasilPki } from '../pki/icp-brasil-pki.ts';
import { buildPdf, onePage } from '../signing/pdf/build-pdf.ts';
import { makePdfSigners } from '../signing/pdf/signers.ts';
import { makeTestIdentity } from '../signing/cms/test-identities.ts';
import { softwareSigner } from '../../src/signing/keys/software-signer.ts';

/** A reader, and samples that it accepts. `read` may reject with `SigningError` and with nothing else. */
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

/** A target that reads files: each input is written to the same place first. */
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

export const targets: Readonly<Record<string, () => Target>> = {
  der: () => ({ samples: certificates, read: (input) => walk(readDer(input)) }),
  ber: () => ({ samples: cmsSamples, read: (input) => normalizeBer(input) }),
  certificate: () => ({
    samples: certificates,
    read: (input) => readIcpBrasilIdentity(parseCertificate(input)),
  }),
  cms: () => ({ samples: cmsSamples, read: (input) => verifyCms(input, Buffer.from('content')) }),
  pkcs12: () => ({
    samples: async () => [
      await writePkcs12(await personWith(), 'open sesame', { iterations: 1 }),
      await writePkcs12(await companyWith(), '', { iterations: 1 }),
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
  'pdf-signatures': () => fileTarget(pdfSamples, verifyPdf),
};
