// Extends the signatures of a PDF to B-LTA: a time stamp, the certificates and revocation data, and a time stamp over
// everything. Run again before the last time stamp's authority expires, it renews.
//   node extend-to-b-lta.mjs signed.pdf archived.pdf https://tsa.example.org root.pem
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { argv } from 'node:process';
import { createMaterialCollector, createTimestamper, parseCertificate, raisePdf } from 'sinete/signing';
import { http } from './fetch-http.mjs';

const [inputPath, outputPath, timestampUrl, rootPath] = argv.slice(2);
const root = parseCertificate(new X509Certificate(await readFile(rootPath)).raw);
const now = () => new Date();

const { size, added } = await raisePdf({
  inputPath,
  outputPath,
  level: 'B-LTA',
  timestamper: createTimestamper({
    authorities: [
      { id: 'tsa', url: timestampUrl, digest: 'sha256', authentication: { kind: 'none' }, timeout: 15_000 },
    ],
    http,
    now,
  }),
  collector: createMaterialCollector({ anchors: [root], intermediates: [], http, now }),
});
console.log(`${outputPath}: ${size} bytes, added: ${added.join(', ')}`);
