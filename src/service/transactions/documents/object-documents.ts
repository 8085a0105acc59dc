/** Transactions with object stores: documents from stores, and results for stores. */
import { ServiceError } from '../../errors/index.ts';
import {
  isObjectKey,
  namesObjectUrl,
  objectUrl,
  parseObjectUrl,
  type ObjectAddress,
  type ObjectPlace,
  type ObjectStoreKind,
  type ObjectStores,
} from '../../stores/index.ts';
import { resultFileName, resultMediaType } from '../../signature-types/index.ts';
import type { CreateTransaction, DocumentsDestination, DocumentsSource, SignatureType } from '../transaction.ts';

/** The kinds of stores of the sources and destinations of the interface; undefined for others. */
export const storeKinds: Readonly<Record<DocumentsSource | DocumentsDestination, ObjectStoreKind | undefined>> = {
  STORE_A_S3: 's3',
  STORE_B_STORAGE: 'gcs',
  DATA_URL: undefined,
  FILE_PATH: undefined,
  BESIDE_SOURCE: undefined,
  FREE_PATH: undefined,
  UPLOAD_REFERENCE: undefined,
  HASHES: undefined,
  LOCAL: undefined,
};

/** Refuses a request for an unconfigured kind of store, with the field's name. */
export async function expectStores(
  objects: Pick<ObjectStores, 'expectConfigured'>,
  { documentsSource, destination }: Pick<CreateTransaction, 'documentsSource' | 'destination'>,
): Promise<void> {
  const fields = [
    ['documents_source', storeKinds[documentsSource]],
    ['documents_destination', storeKinds[destination]],
  ] as const;
  for (const [field, kind] of fields) {
    if (kind === undefined) continue;
    try {
      await objects.expectConfigured(kind);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'STORE_NOT_CONFIGURED') throw error;
      const { code, message } = error;
      throw new ServiceError(code, message, { cause: error, problems: [{ field, code, detail: message }] });
    }
  }
}

/** The properties that determine the place of a result. */
export interface ResultToPlace {
  readonly type: SignatureType;
  /** The request's destination: an address, or a key below the place of results. */
  readonly destinationFileName: string | null;
  readonly originalFileName: string | null;
  readonly id: string;
}

/** The address and the name of a result. */
export interface PlacedResult {
  readonly destinationUrl: string;
  readonly destinationFileName: string;
}

/**
 * The place of a result in a store: the given address; else, by its name, next to an original in the same kind of
 * store, or in the first store. `place` is the place of results in the first store, and `source` the address of an
 * original of the same kind.
 */
export function placeResult(place: ObjectPlace, result: ResultToPlace, source?: ObjectAddress): PlacedResult {
  const { destinationFileName: named, type } = result;
  const { kind } = place;
  if (named !== null && namesObjectUrl(named)) {
    const address = parseObjectUrl(named);
    if (address?.kind !== kind) throw new ServiceError('REQUEST_INVALID', destinationRule(kind));
    return { destinationUrl: objectUrl(address), destinationFileName: named };
  }
  const name = named ?? resultFileName(result.originalFileName ?? result.id, type);
  const beside = source === undefined ? undefined : source.key.slice(0, source.key.lastIndexOf('/') + 1);
  const address: ObjectAddress = {
    kind,
    bucket: named === null ? (source?.bucket ?? place.bucket) : place.bucket,
    key: `${named === null ? (beside ?? place.prefix) : place.prefix}${name}`,
  };
  if (!isObjectKey(address.key)) throw new ServiceError('REQUEST_INVALID', destinationRule(kind));
  return { destinationUrl: objectUrl(address), destinationFileName: name };
}

/** Explains how a request must name the object of a result. */
export function destinationRule(kind: ObjectStoreKind): string {
  const url = kind === 's3' ? 's3://bucket/key' : 'gs://bucket/key';
  return `Give ${url}, or a name without leading slash, "." and ".." for the first store of this kind.`;
}

/** A result that will be written to an object. */
export interface ResultForObject {
  readonly destinationUrl: string;
  readonly path: string;
  readonly size: number;
  readonly checksum: string;
  readonly type: SignatureType;
}

/** Writes a result to its object. Rejects as `ObjectStores.write` does. */
export async function writeResult(
  objects: Pick<ObjectStores, 'write'>,
  { destinationUrl, path, size, checksum, type }: ResultForObject,
): Promise<void> {
  await objects.write(addressOf(destinationUrl), { path, size, checksum, mediaType: resultMediaType(type) });
}

/** True for an existing, complete object of a result. False for an unreachable store. */
export async function holdsResult(
  objects: Pick<ObjectStores, 'holds'>,
  destinationUrl: string,
  { size, checksum }: { readonly size: number; readonly checksum: string },
): Promise<boolean> {
  return objects.holds(addressOf(destinationUrl), size, checksum).catch(() => false);
}

/** Rejects if the destination cannot be written to: outside of the stores, or taken. */
export async function expectDestination(
  objects: Pick<ObjectStores, 'expectConfigured' | 'expectFree'>,
  destinationUrl: string,
): Promise<void> {
  const address = addressOf(destinationUrl);
  await objects.expectConfigured(address.kind, address);
  await objects.expectFree(address);
}

function addressOf(url: string): ObjectAddress {
  const address = parseObjectUrl(url);
  if (address === undefined) throw new ServiceError('INTERNAL', 'A result has a destination that cannot be read.');
  return address;
}
