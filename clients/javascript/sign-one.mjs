// Signs one PDF: node sign-one.mjs contract.pdf contract-signed.pdf
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Sinete } from 'sinete-client';

const [source, target] = process.argv.slice(2);
const sinete = await Sinete.at(process.env.SINETE_ADDRESS ?? 'http://127.0.0.1:17171');
const file = new File([await readFile(source)], basename(source), { type: 'application/pdf' });
const [signed] = await sinete.sign([file], { type: 'PAdES', settings: { reason: 'I agree' } });
const result = await signed.download(); // rejects with the reason when the file was not signed
await writeFile(target, Buffer.from(await result.arrayBuffer()));
console.log(`${target} is signed.`);
