import type { Server, ServerResponse } from 'node:http';
import type { Core } from '../compose/open-core.ts';
import type { Drain } from './readiness.ts';

/** Milliseconds for the last spans of a trace, whose receiver may be away. */
const LONGEST_FLUSH = 5000;
const SHORTEST_FLUSH = 500;

/** The parts of a running instance that its shutdown uses. */
type EndingCore = Pick<Core, 'configuration' | 'consent' | 'transactions' | 'tracing' | 'log' | 'close'>;

/**
 * Ends an instance that takes no new work any more. Running signatures come first; then streams and waiting requests
 * get their answers, and transfers end. All of it takes at most `shutdown_timeout`. Queries and probes are answered to
 * the end, so that load balancers see why the instance goes.
 *
 * False: signatures were still running after that time. Nothing of theirs is closed, so that no document fails because
 * the process ends: it stays WAITING, as after a crash, and the next start signs it.
 */
export async function endInOrder(
  core: EndingCore,
  listening: { readonly requests: OpenRequests; close(): Promise<void> },
  drain: Drain,
): Promise<boolean> {
  const patience = core.configuration.shutdownTimeout * 1000;
  const end = performance.now() + patience;
  // Answers the requests of sites that wait for a permission: no window will ask the user any more.
  await core.consent.close();
  const areSigned = await core.transactions.close(patience);
  drain.endStreams();
  await listening.requests.answered(Math.max(0, end - performance.now()));
  await listening.close();
  await core.tracing.close(Math.min(LONGEST_FLUSH, Math.max(SHORTEST_FLUSH, end - performance.now())));
  if (areSigned) {
    await core.close();
    return true;
  }
  core.log.service.warn({}, 'signatures did not end in time; the next start goes on with their documents');
  return false;
}

/** Counts the running requests of servers, so that a shutdown can wait for them. */
export class OpenRequests {
  readonly #running = new Set<ServerResponse>();

  constructor(servers: readonly Server[]) {
    for (const server of servers) {
      server.on('request', (_request, response: ServerResponse) => {
        this.#running.add(response);
        response.once('close', () => this.#running.delete(response));
      });
    }
  }

  /** Resolves when the requests that run now have been answered, or after these milliseconds. */
  async answered(patience: number): Promise<void> {
    const answers = [...this.#running].map(
      async (response) => new Promise((resolve) => response.once('close', resolve)),
    );
    let timer: NodeJS.Timeout | undefined;
    const impatient = new Promise((resolve) => {
      timer = setTimeout(resolve, patience);
    });
    await Promise.race([Promise.all(answers), impatient]);
    clearTimeout(timer);
  }
}

/** Milliseconds for connections to end: browsers open connections in advance, and streams never end by themselves. */
const CONNECTION_PATIENCE = 1000;

/** Stops accepting connections, closes idle ones at once, and all others a second later. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const impatient = setTimeout(() => {
    server.closeAllConnections();
  }, CONNECTION_PATIENCE);
  await closed;
  clearTimeout(impatient);
}
