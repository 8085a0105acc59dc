import type { ConnectionEnds } from '../../../src/http/peer/connection-ends.ts';

/** The two ends of a connection on this computer, to port 0x9887 as in the recorded tables. */
export const endsFrom = (remotePort: number, changes: Partial<ConnectionEnds> = {}): ConnectionEnds => ({
  remoteAddress: '127.0.0.1',
  remotePort,
  localAddress: '127.0.0.1',
  localPort: 0x9887,
  ...changes,
});
