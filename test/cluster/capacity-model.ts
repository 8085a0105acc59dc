/** The reach of nodes by the cost of a document: the part used up first is the limit. */

/** The cost of a document, in seconds. */
export interface DocumentCost {
  /** Of the main thread of its node; the thread uses one processor at most. */
  readonly mainThread: number;
  /** Of all threads of its node. */
  readonly node: number;
  /** Of the processors of the database server. */
  readonly database: number;
  /** Of the processors of the reverse proxy. */
  readonly proxy: number;
  /** The time of all other commits waiting for the commits of the document; see `orderSeconds`. */
  readonly order: number;
}

/** The work of the database for a document, and the database's speed, in seconds. */
export interface DatabaseTrips {
  readonly statements: number;
  /** Transactions writing. */
  readonly commits: number;
  /** From a node to the database and back. */
  readonly roundTrip: number;
  /** One flush of the disk of the database. */
  readonly flush: number;
}

/**
 * Seconds of others waiting for the commits of a document, at most: as if each of its statements belonged to a
 * transaction holding the lock of its order (`inOrder`) until the disk has the commit.
 */
export const orderSeconds = ({ statements, commits, roundTrip, flush }: DatabaseTrips): number =>
  statements * roundTrip + commits * flush;

/** The computers of a service. */
export interface Machines {
  readonly nodes: number;
  readonly coresOfNode: number;
  readonly coresOfDatabase: number;
  readonly coresOfProxy: number;
}

/** An exhaustible part of a service. */
export type Limit =
  | 'main threads of the nodes'
  | 'processors of the nodes'
  | 'processors of PostgreSQL'
  | 'order of commits'
  | 'processors of the proxy';

/**
 * Documents per second to use up each part, the first limit first. The model is linear: without queues, so a service
 * stays well below its first limit when answers are to be quick.
 */
export function limitsOf(cost: DocumentCost, machines: Machines): readonly (readonly [Limit, number])[] {
  const { nodes, coresOfNode, coresOfDatabase, coresOfProxy } = machines;
  const limits: readonly (readonly [Limit, number])[] = [
    ['main threads of the nodes', nodes / cost.mainThread],
    ['processors of the nodes', (nodes * coresOfNode) / cost.node],
    ['processors of PostgreSQL', coresOfDatabase / cost.database],
    ['order of commits', 1 / cost.order],
    ['processors of the proxy', coresOfProxy / cost.proxy],
  ];
  return limits.toSorted(([, one], [, other]) => one - other);
}
