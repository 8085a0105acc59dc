/** Checks a changed PDF before the change is kept. */
import { rm } from 'node:fs/promises';
import { SigningError } from '../errors.ts';
import { expectLastVersionWhole } from './differences/unreachable-signatures.ts';
import { judgeFields, type JudgedField } from './differences/with-pdf-facts.ts';
import { PdfDocument } from './reading/pdf-document.ts';
import { keysOf, type PdfKeys } from './encryption/standard-security.ts';

/** A change of a PDF from a file into another file. */
export interface PdfChangeRequest extends PdfKeys {
  readonly inputPath: string;
  readonly outputPath: string;
}

const isGood = ({ problem, changesAllowed }: JudgedField): boolean => problem === undefined && changesAllowed;
const joinRange = ({ byteRange }: JudgedField): string => byteRange.join(' ');

/** Throws `PDF_MALFORMED` for an input whose last version was cut off: the version before would be changed. */
async function expectWholeInput(request: PdfChangeRequest): Promise<void> {
  const document = await PdfDocument.open(request.inputPath, keysOf(request));
  try {
    expectLastVersionWhole(document);
  } finally {
    await document.close();
  }
}

/**
 * Throws `PDF_CHANGE_FORBIDDEN` when a good signature of the input is broken in the output, and an error without a code
 * when the new signature is broken, which is a fault of this program.
 */
async function expectSignaturesKept(request: PdfChangeRequest): Promise<void> {
  const keys = keysOf(request);
  const suspects = (await judgeFields(request.outputPath, keys)).filter((field) => !isGood(field));
  if (suspects.length === 0) return;
  // Signatures already broken in the input are ignored.
  const before = new Map((await judgeFields(request.inputPath, keys)).map((field) => [joinRange(field), field]));
  const broken = suspects.find((field) => {
    const earlier = before.get(joinRange(field));
    return earlier === undefined || isGood(earlier);
  });
  if (broken === undefined) return;
  if (!before.has(joinRange(broken))) {
    const why = broken.problem?.code ?? broken.changes.find(({ level }) => level === 'other')?.code ?? 'FORBIDDEN';
    throw new Error(`The new signature in the field "${broken.fieldName}" is not valid (${why}). The program failed.`);
  }
  const sentence = broken.problem?.sentence ?? broken.changes.find(({ level }) => level === 'other')?.sentence ?? '';
  throw new SigningError(
    'PDF_CHANGE_FORBIDDEN',
    `The signature in the field "${broken.fieldName}" would not be valid any more. ${sentence} ` +
      'Ask the author for a version that may still be signed.',
  );
}

/**
 * Runs `write`, and keeps the output only when every good signature of the input is still good and the new signature is
 * good. Otherwise the output is removed. Rejects with the errors of `write`, with `PDF_MALFORMED` for an input whose last
 * version was cut off, with `PDF_CHANGE_FORBIDDEN`, and with an error without a code for a fault of this program.
 */
export async function withSignaturesKept<Result>(
  request: PdfChangeRequest,
  write: () => Promise<Result>,
): Promise<Result> {
  await expectWholeInput(request);
  const result = await write();
  try {
    await expectSignaturesKept(request);
  } catch (error) {
    await rm(request.outputPath, { force: true });
    throw error;
  }
  return result;
}
