import type { RoomTaken } from '../../space/index.ts';
import type { TransactionContext } from '../dependencies.ts';
import { signatureForm } from '../../signature-types/index.ts';
import type { TransactionRecord } from '../records.ts';

/** The properties that determine the disk space of a transaction's documents. */
type Choice = Pick<TransactionRecord, 'type' | 'documentsSource' | 'destination'>;

/**
 * Number of on-disk copies (0–2): +1 for the stored original, +1 if the result embeds the document and is stored here.
 */
function copiesHere({ type, documentsSource, destination }: Choice): number {
  const { container, attached } = signatureForm(type);
  const original = documentsSource === 'FILE_PATH' || documentsSource === 'HASHES' ? 0 : 1;
  const result = (container === 'pdf' || attached) && destination !== 'FILE_PATH' ? 1 : 0;
  return original + result;
}

/** The reserved disk space of a request. */
export interface RoomForDocuments {
  /** Call this before the first document is read; later calls do nothing. Rejects with `STORAGE_FULL`. */
  readonly begin: () => Promise<void>;
  /** Reports received bytes. Rejects with `STORAGE_FULL` if more arrive than were announced and they do not fit. */
  readonly came: (bytes: number) => Promise<void>;
}

/**
 * Runs `action` with reserved disk space for a transaction's documents; `bytes` is their announced size, `caller` names
 * their sender.
 */
export async function withRoom<Value>(
  { room }: Pick<TransactionContext, 'room'>,
  choice: Choice,
  { bytes, caller }: { readonly bytes: number; readonly caller?: string },
  action: (room: RoomForDocuments) => Promise<Value>,
): Promise<Value> {
  const copies = copiesHere(choice);
  let taken: RoomTaken | undefined;
  const begin = async (): Promise<void> => {
    taken ??= await room.take({ bytes, copies, isPassing: copies === 0, caller });
  };
  try {
    return await action({ begin, came: async (more) => taken?.came(more) });
  } finally {
    taken?.leave();
  }
}
