import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendRevision, buildPdf, onePage } from '../build-pdf.ts';
import { Workshop } from '../workshop.ts';
import { factsOf } from './contract.ts';

let workshop: Workshop;
/** A file with two signatures. */
let signed: Buffer;
beforeAll(async () => {
  workshop = await Workshop.open();
  const one = await workshop.sign(await workshop.write(buildPdf(onePage())));
  signed = await readFile((await workshop.sign(one.path)).path);
});
afterAll(() => workshop.close());

/** The file with its last link to an earlier version replaced by another of the same length. */
function withLastPrevious(file: Buffer, previous: string): Buffer {
  const match = [...file.toString('latin1').matchAll(/\/Prev \d+/g)].at(-1)!;
  const copy = Buffer.from(file);
  copy.write(previous.padEnd(match[0].length), match.index, 'latin1');
  return copy;
}

/** The problems of all signatures, and the problems of the file. */
async function told(file: Buffer): Promise<{ signatures: readonly unknown[]; problems: readonly string[] }> {
  const { signatures, problems } = await factsOf(await workshop.write(file));
  return {
    signatures: signatures.map(({ fieldName, problem }) => problem?.code ?? fieldName),
    problems: problems.map(({ code }) => code),
  };
}

describe('a signature held by the file', () => {
  it.each(['/Prev 0', '/Older 1'])('is listed as lost when the last version has %s', async (previous) => {
    const file = withLastPrevious(appendRevision(signed, onePage()), previous);
    const { signatures } = await told(file);
    expect(signatures).toEqual(['SIGNATURE_UNREACHABLE', 'SIGNATURE_UNREACHABLE']);
  });

  it('is listed as lost beside a signature of the version hiding the signature', async () => {
    const hiding = withLastPrevious(appendRevision(signed, onePage()), '/Prev 0');
    const { path } = await workshop.sign(await workshop.write(hiding));
    const { signatures } = await told(await readFile(path));
    expect(signatures).toEqual(['SIGNATURE_UNREACHABLE', 'SIGNATURE_UNREACHABLE', 'Signature1']);
  });

  it('is listed as cut off when the file lost its end', async () => {
    expect(await told(signed.subarray(0, -200))).toEqual({
      signatures: ['Signature1', 'BYTE_RANGE_OUTSIDE'],
      problems: ['LAST_VERSION_CUT_OFF'],
    });
  });

  it('leaves the file incomplete when the signature itself is cut off', async () => {
    const middle = signed.lastIndexOf('/Contents <') + 300;
    const { signatures, problems } = await told(signed.subarray(0, middle));
    expect({ signatures, problems }).toEqual({ signatures: ['Signature1'], problems: ['LAST_VERSION_CUT_OFF'] });
  });

  it('is told as removed when an earlier version shows the signature', async () => {
    const emptied = appendRevision(signed, { 1: '<</Type /Catalog /Pages 2 0 R>>' });
    expect(await told(emptied)).toEqual({ signatures: [], problems: ['SIGNATURE_REMOVED'] });
  });

  it('is none of this file when part of a signed PDF inside', async () => {
    const outer = buildPdf({ ...onePage(), 6: { dictionary: '/Type /EmbeddedFile', data: signed } });
    expect(await told(outer)).toEqual({ signatures: [], problems: [] });
  });

  it('is none when its reserved space was never filled', async () => {
    const { path } = await workshop.sign(await workshop.write(buildPdf(onePage())));
    const draft = (await readFile(path)).toString('latin1').replace(/\/Contents <[0-9a-f]+>/, (hex) => {
      return hex.replace(/<[0-9a-f]+>/, (digits) => `<${'0'.repeat(digits.length - 2)}>`);
    });
    const file = withLastPrevious(appendRevision(Buffer.from(draft, 'latin1'), onePage()), '/Prev 0');
    expect((await told(file)).signatures).toEqual([]);
  });
});
