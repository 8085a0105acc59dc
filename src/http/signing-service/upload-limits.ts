import type { IncomingMessage } from 'node:http';
import type { Room } from '../../service/space/index.ts';

/** Limits of an upload, and the folder for parts out of order. */
export interface UploadLimits {
  /** Most bytes of a document. */
  readonly documentSize: number;
  /** Most documents of a request. */
  readonly documents: number;
  /** A folder readable by the owner only. */
  readonly spoolFolder: string;
  /** Reserves disk space before a temporary file is written. Absent: there is always space. */
  readonly room?: Pick<Room, 'take'>;
}

/** The announced length of a body, if any. */
export function announcedOctets({ headers }: IncomingMessage): { readonly announcedOctets?: number } {
  const length = Number(headers['content-length']);
  return Number.isSafeInteger(length) ? { announcedOctets: length } : {};
}
