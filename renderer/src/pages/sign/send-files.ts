import type { CallError } from '../../../../src/ui-contract/ui-contract.ts';
import type { Bridge, FileOfDocument } from '../../bridge/bridge.ts';

/** Simultaneous requests: a browser opens six connections, and calls and events need some. */
const lanes = 3;
/** Maximum number of files in a request, and of their bytes together; a larger file is sent alone. */
const mostFiles = 100;
const mostBytes = 4 * 2 ** 20;

/** Input of `sendFiles`. */
export interface FilesToSend {
  readonly bridge: Pick<Bridge, 'sendDocuments'>;
  readonly tcn: string;
  readonly files: readonly FileOfDocument[];
  readonly signal: AbortSignal;
  /** Resolves before each request; false if the batch was cancelled. */
  readonly mayGoOn: () => Promise<boolean>;
  /** Reports how many bytes of a request were sent. */
  readonly onProgress: (files: readonly FileOfDocument[], sent: number) => void;
  readonly onSent: (files: readonly FileOfDocument[]) => void;
  /** Called for a refused file; the other files continue. */
  readonly onRefused: (file: FileOfDocument, error: CallError) => void;
}

/**
 * Sends the files of a transaction in several simultaneous requests; small files share a request. Answers the error
 * that stopped the transfer, else null.
 */
export async function sendFiles(sending: FilesToSend): Promise<CallError | null> {
  const queue = parcelsOf(sending.files);
  let failure: CallError | null = null;
  const lane = async (): Promise<void> => {
    for (let parcel = queue.shift(); parcel !== undefined && failure === null; parcel = queue.shift()) {
      const error = await sendParcel(sending, parcel);
      if (error === null) sending.onSent(parcel);
      else if (!isAboutAFile(error)) {
        const lost = await unreadableOf(parcel);
        if (lost.size === 0) failure ??= error;
        for (const file of lost) sending.onRefused(file, unreadable);
        queue.unshift(...parcel.filter((file) => lost.size > 0 && !lost.has(file)).map((file) => [file]));
      } else if (parcel.length > 1) queue.unshift(...parcel.map((file) => [file]));
      else for (const file of parcel) sending.onRefused(file, error);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return failure;
}

async function sendParcel(
  { bridge, tcn, signal, mayGoOn, onProgress }: FilesToSend,
  parcel: readonly FileOfDocument[],
): Promise<CallError | null> {
  if (!(await mayGoOn())) return cancelled;
  onProgress(parcel, 0);
  const result = await bridge.sendDocuments(tcn, parcel, (sent) => onProgress(parcel, sent), signal);
  return result.ok ? null : result.error;
}

/** The error of a batch that its owner stopped. */
export const cancelled: CallError = { code: 'CANCELLED', message: 'The batch was stopped.' };

/** The error of a file that was removed or changed since it was chosen. */
const unreadable: CallError = { code: 'DOCUMENT_UNREADABLE', message: 'The file cannot be read any more.' };

/** The files that the browser cannot read: a request with such a file fails as if the connection were lost. */
async function unreadableOf(parcel: readonly FileOfDocument[]): Promise<ReadonlySet<FileOfDocument>> {
  const lost = new Set<FileOfDocument>();
  for (const entry of parcel) {
    await entry.file
      .slice(0, 1)
      .arrayBuffer()
      .catch(() => lost.add(entry));
  }
  return lost;
}

/** Groups neighbouring files that fit into one request. */
function parcelsOf(files: readonly FileOfDocument[]): (readonly FileOfDocument[])[] {
  const parcels: FileOfDocument[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const entry of files) {
    const last = parcels.at(-1);
    if (last === undefined || last.length === mostFiles || bytes + entry.file.size > mostBytes) {
      parcels.push([entry]);
      bytes = entry.file.size;
    } else {
      last.push(entry);
      bytes += entry.file.size;
    }
  }
  return parcels;
}

/** True for an error about one file only, so that the rest of the batch continues. */
function isAboutAFile({ code }: CallError): boolean {
  return code.startsWith('DOCUMENT_') || code.startsWith('PDF_');
}
