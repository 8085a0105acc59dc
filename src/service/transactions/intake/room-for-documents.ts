import type { RoomTaken } from '../../space/index.ts';
import type { TransactionContext } from '../dependencies.ts';
import { signatureForm } from './document-form.ts';
import type { TransactionRecord } from '../records.ts';

/** What decides how much room documents of a transaction need here. */
type Choice = Pick<TransactionRecord, 'type' | 'documentsSource' | 'destination'>;

/**
 * How often a document of such a transaction is on our disk at once: its original, unless that stays where it is, and
 * its result, where it holds the document and is made here.
 */
function copiesHere({ type, documentsSource, destination }: Choice): number {
  const { container, attached } = signatureForm(type);
  const original = documentsSource === 'FILE_PATH' ? 0 : 1;
  const result = (container === 'pdf' || attached) && destination !== 'FILE_PATH' ? 1 : 0;
  return original + result;
}

/** The room of one request. */
export interface RoomForDocuments {
  /** Before the first document is read; later calls do nothing. Rejects with `STORAGE_FULL`. */
  readonly begin: () => Promise<void>;
  /** So many octets came. Rejects with `STORAGE_FULL` where more came than was announced, and does not fit. */
  readonly came: (octets: number) => Promise<void>;
}

/** Runs `action` with room for documents of the transaction, `octets` of which are announced. */
export async function withRoom<Value>(
  { room }: Pick<TransactionContext, 'room'>,
  choice: Choice,
  octets: number,
  action: (room: RoomForDocuments) => Promise<Value>,
): Promise<Value> {
  const copies = copiesHere(choice);
  let taken: RoomTaken | undefined;
  const begin = async (): Promise<void> => {
    taken ??= await room.take({ octets, copies, isPassing: copies === 0 });
  };
  try {
    return await action({ begin, came: async (more) => taken?.came(more) });
  } finally {
    taken?.leave();
  }
}
