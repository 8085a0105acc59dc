import type { IncomingMessage } from 'node:http';
import type { Room } from '../../service/index.ts';

/** What an upload may be, and where parts wait that arrive out of order. */
export interface UploadLimits {
  /** Octets of one document. */
  readonly documentSize: number;
  /** Documents of one request. */
  readonly documents: number;
  /** A folder that only the owner can read. */
  readonly spoolFolder: string;
  /** Asked before a file is taken that goes with its request. Absent: there is always room. */
  readonly room?: Pick<Room, 'take'>;
}

/** Octets of a body that tells its length. */
export function announcedOctets({ headers }: IncomingMessage): { readonly announcedOctets?: number } {
  const length = Number(headers['content-length']);
  return Number.isSafeInteger(length) ? { announcedOctets: length } : {};
}
