/**
 * Child process of `connections.bench.ts`: opens long polls in sequence, each after the connection of the one before,
 * and holds all until told to leave. A process of its own, to keep its work apart from the server's.
 */
import { request, type ClientRequest } from 'node:http';

/** The order to open polls of this address; any other message is the order to leave. */
export interface PollOrder {
  readonly address: string;
  readonly polls: number;
}

/** The answer to each order: open polls, and polls ended by themselves, with an answer or without. */
export interface PollReport {
  readonly open: number;
  readonly ended: number;
}

const open = new Set<ClientRequest>();
let ended = 0;

async function openPoll(address: string): Promise<void> {
  const poll = request(address, { agent: false });
  open.add(poll);
  const end = (): void => {
    if (open.delete(poll)) ended += 1;
  };
  poll.on('response', end).on('error', end).end();
  await new Promise((resolve) =>
    poll.once('socket', (socket) => socket.once('connect', resolve).once('error', resolve)),
  );
}

process.on('message', (order: PollOrder | 'leave') => {
  void (async () => {
    if (order === 'leave') {
      const polls = [...open];
      open.clear();
      for (const poll of polls) poll.destroy();
    } else {
      ended = 0;
      for (let opened = 0; opened < order.polls; opened += 1) await openPoll(order.address);
    }
    process.send?.({ open: open.size, ended } satisfies PollReport);
  })();
});
process.once('disconnect', () => process.exit());
