/** `node sign-once.ts INPUT OUTPUT`: signs and verifies in a process of its own, and prints its peak memory in bytes. */
import { readFileSync } from 'node:fs';
import { signPdf } from '../../../src/signing/pdf/signature/sign-pdf.ts';
import { verifyPdf } from '../../../src/signing/pdf/verification/verify-pdf.ts';
import { makePdfSigners } from './signers.ts';

const [inputPath = '', outputPath = ''] = process.argv.slice(2);
const options = { subFilter: 'ETSI.CAdES.detached', signingTime: new Date() } as const;
await signPdf({ inputPath, outputPath, signer: makePdfSigners().pades, options });
const { signatures } = await verifyPdf(outputPath);
const outcomes = signatures.map(({ outcome, coversWholeFile }) => ({ outcome, coversWholeFile }));
// Not maxRSS: Linux starts it with the memory of the parent process.
const kibibytes = /VmHWM:\s*(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
console.log(JSON.stringify({ peak: Number(kibibytes) * 1024, outcomes }));
