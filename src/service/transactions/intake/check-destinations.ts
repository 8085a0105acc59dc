import { ServiceError } from '../../errors/index.ts';
import { eachInParts } from '../../scheduling/index.ts';
import type { TransactionContext } from '../dependencies.ts';
import { checkedIfFree, freeDestination, freshName } from '../documents/destination-names.ts';
import { expectDestination } from '../documents/object-documents.ts';
import type { DocumentRecord } from '../records.ts';
import type { CheckedRequest } from './check-request.ts';
import type { DocumentDestination } from './document-places.ts';
import { asProblem, type DocumentProblem } from './document-problems.ts';

type Needs = Pick<TransactionContext, 'files' | 'objects'>;

/** Adds every unusable destination to `problems`; answers the records, with symbolic links of the folders resolved. */
export async function checkDestinations(
  { files, objects }: Needs,
  request: CheckedRequest,
  records: readonly DocumentRecord[],
  problems: DocumentProblem[],
): Promise<DocumentRecord[]> {
  const settled: DocumentRecord[] = [];
  const seen = new Set<string>();
  for await (const [, record] of eachInParts(records)) {
    const { position, destinationUrl } = record;
    const { destination, destinationFileName } = request.documents[position] ?? {};
    const field = `documents[${position}].${destinationFileName === undefined ? 'data' : 'destination_file_name'}`;
    try {
      if (destinationUrl !== null) await expectDestination(objects, destinationUrl);
      const path = destination?.kind === 'path' ? await checkPath(files, destination, seen) : null;
      const place = destinationUrl ?? path;
      if (place !== null && seen.has(place)) {
        throw new ServiceError('DESTINATION_EXISTS', 'Two documents of this request have the same destination.');
      }
      if (place !== null) seen.add(place);
      settled.push({ ...record, destinationPath: path });
    } catch (error) {
      asProblem(field, record, problems)(error);
    }
  }
  return settled;
}

/**
 * The destination with the links of its folder resolved, and a number where the name is taken on the disk or in this
 * request. A guest who may write and not read always gets a fresh name beside the name it chose: refusing a name that
 * is taken would tell which files are there (decision 110).
 */
async function checkPath(
  files: Needs['files'],
  { path, isNumbered, isFresh, below }: DocumentDestination & { readonly kind: 'path' },
  seen: ReadonlySet<string>,
): Promise<string> {
  if (isFresh) return files.checkDestination(freshName(path), below);
  if (!isNumbered) return files.checkDestination(path, below);
  const check = async (wanted: string): Promise<string> => files.checkDestination(wanted, below);
  let free: string | undefined;
  // Only checked now: if another result takes the name later, this result gets a number when it is written.
  await freeDestination(path, async (wanted) => {
    const resolved = await checkedIfFree(check, wanted);
    if (resolved !== undefined && !seen.has(resolved)) free = resolved;
    return free !== undefined;
  });
  if (free === undefined) throw new ServiceError('DESTINATION_EXISTS', 'Too many results are beside the document.');
  return free;
}
