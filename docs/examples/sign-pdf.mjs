// Signs a PDF as PAdES, with a visible stamp at the bottom right of the last page.
//   node sign-pdf.mjs contract.pdf key.p12 contract-signed.pdf < password.txt
import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { argv, stdin } from 'node:process';
import { text } from 'node:stream/consumers';
import { prepareCmsSigner, readPkcs12, signPdf, softwareSigner } from 'sinete/signing';

const [inputPath, keyPath, outputPath] = argv.slice(2);
const password = (await text(stdin)).replace(/\r?\n$/, '');

const { keys } = await readPkcs12(await readFile(keyPath), password);
const [key] = keys;
if (key === undefined) throw new Error(`${keyPath} holds no key with a certificate.`);
const privateKey = createPrivateKey({ key: key.privateKey, format: 'der', type: 'pkcs8' });
key.privateKey.fill(0);

const signingTime = new Date();
const { size, fieldName } = await signPdf({
  inputPath,
  outputPath, // A new file: an existing one is never overwritten.
  signer: prepareCmsSigner(softwareSigner(privateKey, key.certificate, key.chain), {
    digest: 'sha256',
    profile: 'cades',
    omitSigningTime: true, // PAdES says the time in the PDF.
  }),
  options: {
    subFilter: 'ETSI.CAdES.detached',
    reason: 'I agree',
    signingTime,
    appearance: {
      pages: [-1],
      corner: 'bottom-right',
      ...{ x: 36, y: 36, width: 200, height: 60 },
      text: `Signed electronically\n${signingTime.toISOString()}`,
    },
  },
});
console.log(`${outputPath}: ${size} bytes, signature in the field ${fieldName}`);
