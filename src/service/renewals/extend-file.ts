/** Extends one signed file at its owner's request: in place, or into a new file beside it. */
import { copyFile, link } from 'node:fs/promises';
import { constants } from 'node:fs';
import { dirname, extname } from 'node:path';
import type { PdfKeys, PdfLevel } from '../../signing/index.ts';
import { ServiceError } from '../errors/index.ts';
import { summarizeReport } from '../validation/index.ts';
import { draftOf, removeDrafts } from './find-files.ts';
import type { ExtendedFile } from './renewal.ts';
import { finishDraft, flush, hashOf, moveDraft, type BeforeReplacement, type RenewalParts } from './renew-file.ts';

export interface FileExtension extends PdfKeys {
  readonly level: PdfLevel;
  /** `replace`: the extended file takes the name of the earlier one. `beside`: the earlier file stays as it is. */
  readonly place: 'replace' | 'beside';
  /** The document of a detached signature, if it cannot be found by the signature's name. */
  readonly content?: string;
}

/** Numbers that are tried for a name beside the file. */
const MOST_NAMES = 1000;

/**
 * Extends a signed file. The extended file gets its name only when it is complete, flushed, and at least as good as the
 * earlier one; until then the earlier file stays unchanged. `beforeReplacement` is called before the earlier file is
 * replaced. Rejects with `ServiceError`, `SigningError`, or the system's errors.
 */
export async function extendFile(
  parts: Pick<RenewalParts, 'validate' | 'extend' | 'documentBeside' | 'recordBeside'>,
  path: string,
  { level, place, content: named, ...keys }: FileExtension,
  beforeReplacement: BeforeReplacement,
): Promise<ExtendedFile> {
  if (place === 'replace' && parts.recordBeside(path) !== undefined) {
    throw new ServiceError(
      'DOCUMENT_CHANGE_FORBIDDEN',
      'The evidence record beside the file proves it only as it stands. Renew the record, or save the extended file beside.',
    );
  }
  const content = parts.documentBeside(path) ?? named;
  const isGood = async (signaturePath: string): Promise<boolean> =>
    summarizeReport(await parts.validate({ kind: 'detect', signaturePath, contentPath: content, ...keys })).status;
  const draft = draftOf(path);
  try {
    await removeDrafts(path);
    const sha256Before = await hashOf(path);
    const { warnings } = await parts.extend({ path, destination: draft, level, content, ...keys });
    if ((await isGood(path)) && !(await isGood(draft))) {
      throw new ServiceError('SIGNING_FAILED', 'The extended file is not valid: the earlier file stays as it is.');
    }
    if ((await hashOf(path)) !== sha256Before) {
      throw new ServiceError('RESULT_DAMAGED', 'The file changed meanwhile: it stays as it is.');
    }
    const extended = { ...(await finishDraft(draft, path)), sha256Before, warnings };
    if (place === 'beside') return { ...extended, path: await nameBeside(draft, path, level) };
    await beforeReplacement(extended.sha256);
    await moveDraft(draft, path);
    return { ...extended, path };
  } finally {
    await removeDrafts(path);
  }
}

/** Gives the draft a free name beside the file: `contract-B-LTA.pdf`, then `contract-B-LTA (2).pdf`. */
async function nameBeside(draft: string, path: string, level: PdfLevel): Promise<string> {
  const end = extname(path);
  const base = path.slice(0, path.length - end.length);
  for (let number = 1; number <= MOST_NAMES; number += 1) {
    const name = `${base}-${level}${number === 1 ? '' : ` (${number})`}${end}`;
    if (await takeName(draft, name)) {
      await flush(name);
      await flush(dirname(name));
      return name;
    }
  }
  throw new ServiceError('DESTINATION_EXISTS', 'Too many extended files are beside the file.');
}

/** Gives the draft this name; false if the name is taken. An existing file is never replaced. */
async function takeName(draft: string, name: string): Promise<boolean> {
  const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';
  try {
    // Some file systems do not support links, so the file is copied.
    await link(draft, name).catch(async (error: unknown) => {
      if (isTaken(error)) throw error;
      await copyFile(draft, name, constants.COPYFILE_EXCL);
    });
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
    throw error;
  }
}
