// Validates a signed PDF, or a detached signature with its document: node validate.mjs signed.pdf [document]
import { readFile } from 'node:fs/promises';
import { Sinete } from 'sinete-client';

const [signature, document] = process.argv.slice(2);
const sinete = await Sinete.at(process.env.SINETE_ADDRESS ?? 'http://127.0.0.1:17171');
const { status, detail } = await sinete.validate(new Blob([await readFile(signature)]), {
  type: signature.endsWith('.pdf') ? 'PAdES' : 'CAdES',
  content: document === undefined ? undefined : new Blob([await readFile(document)]),
});
console.log(`signature: ${detail.signature.message} (${detail.signature.code})`);
console.log(`trust: ${detail.trust.code}, revocation: ${detail.crl.code}, dates: ${detail.date.code}`);
console.log(status ? 'valid' : 'not confirmed');
