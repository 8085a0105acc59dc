// Validates the signatures of a PDF, or a CMS signature and its document, against the roots that you trust. Ends with 0
// only when every signature is valid.
//   node validate.mjs roots.pem signed.pdf
//   node validate.mjs roots.pem contract.docx.p7s contract.docx
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { argv } from 'node:process';
import {
  createPathCompleter,
  createRevocationChecker,
  createTrustAnchors,
  parseCertificate,
  validatePdf,
  validateSignature,
  withPdfFacts,
} from 'sinete/signing';
import { http } from './fetch-http.mjs';

const [rootsPath, signedPath, documentPath] = argv.slice(2);
const pem = await readFile(rootsPath, 'utf8');
const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
const now = () => new Date();
const services = {
  trust: createTrustAnchors(blocks.map((block) => parseCertificate(new X509Certificate(block).raw))),
  revocation: createRevocationChecker({ http, now }),
  completePath: createPathCompleter({ http, now }),
  now,
};

const report =
  documentPath === undefined && signedPath.toLowerCase().endsWith('.pdf')
    ? await validatePdf({ path: signedPath }, services, {}, withPdfFacts)
    : await validateSignature(
        {
          signature: { path: signedPath },
          ...(documentPath === undefined ? {} : { content: { path: documentPath } }),
        },
        services,
      );

for (const { signerName, indication, subIndication, levelProven } of report.signatures) {
  const why = subIndication === undefined ? '' : ` (${subIndication})`;
  // A name of ICP-Brasil ends with the CPF or CNPJ, which is personal data.
  const name = signerName?.replace(/:\d+$/, '') ?? 'unknown signer';
  console.log(`${name}: ${indication}${why}, level ${levelProven}`);
}
const isValid =
  report.signatures.length > 0 && report.signatures.every(({ indication }) => indication === 'TOTAL-PASSED');
process.exitCode = isValid ? 0 : 1;
