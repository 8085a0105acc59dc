import type { ClusterPlan } from './cluster-run.ts';

/** `npm run cluster`. */
export const fullPlan: ClusterPlan = {
  nodes: 3,
  documents: 20_000,
  kills: 100,
  databaseRestarts: 5,
  clients: 12,
  store: 's3',
};
/** The form of `npm run test:all`; the shared folder, to try both places of documents. */
export const shortPlan: ClusterPlan = {
  nodes: 3,
  documents: 1000,
  kills: 8,
  databaseRestarts: 1,
  clients: 6,
  store: 'folder',
};
