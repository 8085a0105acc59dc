import { basename } from 'node:path';
import { Readable } from 'node:stream';
import type { CallInput } from '../../../ui-contract/ui-contract.ts';
import type { Core } from '../../compose/open-core.ts';

/** A file named in a call: uploaded before, on this computer, or a stored result. */
type FileReference = CallInput<'validation.run'>['signature'];

/**
 * The path of a call's file. A small result is stored in the database, so it is written to a file first. Rejects with
 * `NOT_FOUND` for a removed file.
 */
export async function givenFile(
  { receivedFiles, transactions }: Pick<Core, 'receivedFiles' | 'transactions'>,
  reference: FileReference,
): Promise<{ readonly name: string; readonly path: string }> {
  if ('upload' in reference) return receivedFiles.find(reference.upload);
  if ('path' in reference) return { name: basename(reference.path), path: reference.path };
  const { path, bytes, fileName } = await transactions.result(reference.result.tcn, reference.result.documentId);
  return path === undefined ? receivedFiles.receive(fileName, Readable.from([bytes])) : { name: fileName, path };
}
