// Signs a PDF with the Sinete that runs on this computer: node sign-with-helper.mjs contract.pdf signed.pdf [PORT]
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Sinete } from 'sinete/client';

const [input, output, port] = process.argv.slice(2);
if (input === undefined || output === undefined) throw new Error('Name the PDF and the file for the result.');

const sinete = await Sinete.find(port === undefined ? {} : { ports: [Number(port)] });
const file = new File([await readFile(input)], basename(input), { type: 'application/pdf' });
const onProgress = ({ phase }) => {
  if (phase === 'approval') console.log('Approve the signature in the window of Sinete.');
};
const [signed] = await sinete.sign([file], { type: 'PAdES', onProgress });
const result = await signed.download(); // rejects with the reason when the file was not signed
await writeFile(output, Buffer.from(await result.arrayBuffer()));
console.log(`${output}: ${result.name}, ${result.size} bytes`);
