/** PDFs with signatures foreign to our signers. */
import { readFile, rm } from 'node:fs/promises';
import { signPdf } from '../../../src/signing/index.ts';
import { buildPdf, onePage } from '../pdf/build-pdf.ts';
import { SIGNING_TIME, Workshop } from '../pdf/workshop.ts';

const PLACEHOLDER = 'adbe.pkcs7.detached';
const ROOM = 8192;

type ByteRange = readonly [start: number, hole: number, behind: number, rest: number];

/**
 * A signed PDF whose dictionary names this kind, with the CMS made by `sign` of the covered bytes; `reach` may claim
 * other covered bytes.
 */
export async function craftPdf(
  subFilter: string,
  sign: (covered: Buffer) => Buffer | Promise<Buffer>,
  reach: (range: ByteRange) => ByteRange = (range) => range,
): Promise<Buffer> {
  const workshop = await Workshop.open();
  try {
    const { digest, certificate } = workshop.signers.cms;
    const signer = {
      digest,
      certificate,
      detachedSizeLimit: ROOM,
      signDigest: () => Promise.resolve(Buffer.of(0x30, 0x00)),
    };
    const [inputPath, outputPath] = [await workshop.write(buildPdf(onePage())), workshop.newPath()];
    const options = { subFilter: PLACEHOLDER, signingTime: SIGNING_TIME } as const;
    const { byteRange } = await signPdf({ inputPath, outputPath, signer, options });
    const file = await readFile(outputPath);
    file.write(subFilter.padEnd(PLACEHOLDER.length), file.lastIndexOf(PLACEHOLDER), 'latin1');
    const [first, second, behind, rest] = reach(byteRange);
    const range = `[${byteRange.join(' ')}]`;
    file.write(`[${[first, second, behind, rest].join(' ')}]`.padEnd(range.length), file.lastIndexOf(range), 'latin1');
    const covered = Buffer.concat([file.subarray(first, first + second), file.subarray(behind, behind + rest)]);
    file.write((await sign(covered)).toString('hex').padEnd(2 * ROOM, '0'), byteRange[1] + 1, 'latin1');
    await rm(outputPath);
    return file;
  } finally {
    await workshop.close();
  }
}
