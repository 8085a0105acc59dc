/** Our facts about the signatures of one PDF beside the words of foreign programs on their integrity. */
import { createReadStream } from 'node:fs';
import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SigningError } from '../../src/signing/errors.ts';
import { withPdfFacts } from '../../src/signing/pdf/differences/with-pdf-facts.ts';
import type { PdfChangeLevel, PdfSignatureFacts } from '../../src/signing/pdf/differences/pdf-facts.ts';
import type { PdfKeys } from '../../src/signing/pdf/encryption/standard-security.ts';
import { verifyPdf } from '../../src/signing/pdf/verification/verify-pdf.ts';
import { verifyAllWithBouncyCastle } from '../oracles/bouncy-castle.ts';
import { askPdfsig } from '../signing/pdf/oracles.ts';
import { explanationOf } from './explained-differences.ts';

export type Opinion = 'intact' | 'broken' | 'unknown';

export interface SignatureRow {
  readonly field: string;
  /** Structure, digest and signature; trust and time are not asked. */
  readonly integrity: Opinion;
  readonly problem?: string;
  readonly coverage: 'whole file' | `revision ${number}`;
  readonly changeLevel: PdfChangeLevel;
  readonly allowed: boolean;
  readonly pdfsig: Opinion;
  /** Asked only about sound byte ranges, and not about time stamps: their signature is over something else. */
  readonly bouncyCastle: Opinion | 'not asked';
  /** Tools of another opinion, with the explanation of the table, if any. */
  readonly differences: readonly { readonly tool: string; readonly why: string | undefined }[];
}

export interface FileRow {
  readonly name: string;
  /** Why the file could not be read; then there are no signatures. */
  readonly refusal?: string;
  readonly signatures: readonly SignatureRow[];
}

type Asked = Pick<SignatureRow, 'field' | 'integrity' | 'coverage' | 'changeLevel' | 'allowed'> &
  Pick<SignatureRow, 'problem'> & {
    readonly toAsk: { readonly signature: string; readonly content: string } | undefined;
  };

/** Writes the CMS and the covered bytes to files of their own, for Bouncy Castle. */
async function extract(path: string, facts: PdfSignatureFacts, prefix: string): Promise<NonNullable<Asked['toAsk']>> {
  const files = { signature: `${prefix}.p7s`, content: `${prefix}.bin` };
  await writeFile(files.signature, facts.contents);
  await writeFile(files.content, '');
  for (let index = 0; index + 1 < facts.byteRange.length; index += 2) {
    const [start = 0, length = 0] = facts.byteRange.slice(index);
    if (length === 0) continue;
    for await (const chunk of createReadStream(path, { start, end: start + length - 1 })) {
      await appendFile(files.content, chunk as Buffer);
    }
  }
  return files;
}

const opinionOfPdfsig = (verdict: string | undefined): Opinion => {
  if (verdict === 'Signature is Valid.') return 'intact';
  return verdict === 'Signature is Invalid.' || verdict === 'Digest Mismatch.' ? 'broken' : 'unknown';
};

const opinionOfBouncyCastle = (signers: readonly boolean[] | undefined): Opinion => {
  if (signers === undefined || signers.length === 0) return 'unknown';
  return signers.every(Boolean) ? 'intact' : 'broken';
};

/**
 * The verdict of a whole validation goes here as soon as a row needs more than facts: certificates, revocation and time.
 */
async function readRows(path: string, folder: string, keys: PdfKeys): Promise<readonly Asked[]> {
  const { signatures: verified } = await verifyPdf(path, keys);
  return await withPdfFacts(path, keys, async ({ signatures }) => {
    const rows: Asked[] = [];
    for (const [index, facts] of signatures.entries()) {
      const own = verified.find(({ fieldName }) => fieldName === facts.fieldName);
      const isAsked = facts.problem === undefined && !facts.isDocumentTimestamp;
      const problem = facts.problem?.code ?? own?.problem;
      rows.push({
        field: facts.fieldName,
        integrity: facts.problem === undefined ? (own?.outcome ?? 'unknown') : 'broken',
        problem,
        coverage: facts.coversWholeFile ? 'whole file' : `revision ${facts.revision}`,
        changeLevel: facts.changeLevel,
        allowed: facts.changesAllowed,
        toAsk: isAsked ? await extract(path, facts, join(folder, String(index))) : undefined,
      });
    }
    return rows;
  });
}

function differencesOf(name: string, row: Omit<SignatureRow, 'differences'>): SignatureRow['differences'] {
  const opinions = [
    ['pdfsig', row.pdfsig],
    ['Bouncy Castle', row.bouncyCastle],
  ] as const;
  return opinions
    .filter(([, opinion]) => opinion !== 'not asked' && opinion !== row.integrity)
    .map(([tool]) => ({ tool, why: explanationOf(name, row.field, tool) }));
}

/**
 * @param folder empty, for scratch files
 * @param keys the keys of the file
 */
export async function validateFile(
  name: string,
  path: string,
  folder: string,
  { password, recipient }: PdfKeys = {},
): Promise<FileRow> {
  try {
    const rows = await readRows(path, folder, { password, recipient });
    if (rows.length === 0) return { name, signatures: [] };
    const toAsk = rows.flatMap(({ toAsk: files }) => (files === undefined ? [] : [files]));
    const answers = toAsk.length === 0 ? [] : [...(await verifyAllWithBouncyCastle(toAsk))];
    const pdfsig = (await askPdfsig(path, password)) ?? [];
    const signatures = rows.map(({ toAsk: files, ...row }) => {
      const judged: Omit<SignatureRow, 'differences'> = {
        ...row,
        pdfsig: opinionOfPdfsig(pdfsig.find(({ field }) => field === row.field)?.verdict),
        bouncyCastle: files === undefined ? 'not asked' : opinionOfBouncyCastle(answers.shift()),
      };
      return { ...judged, differences: differencesOf(name, judged) };
    });
    await Promise.all(toAsk.flatMap(({ signature, content }) => [rm(signature), rm(content)]));
    return { name, signatures };
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    return { name, refusal: error.code, signatures: [] };
  }
}
