/** The short form of `npm run cluster`. */
import { expect, it } from 'vitest';
import { describeTakeovers, runCluster } from './cluster-run.ts';
import { shortPlan } from './plans.ts';

it('loses and doubles nothing while nodes are killed and the database restarts', async () => {
  const { takeovers, repeated, ...outcome } = await runCluster(shortPlan, () => undefined);
  console.log(`${describeTakeovers(takeovers)} ${repeated} requests were sent again.`);
  expect(outcome).toEqual({
    signed: shortPlan.documents,
    failed: 0,
    lost: 0,
    doubled: 0,
    callbacksMissing: 0,
    differing: 0,
    audit: 'intact',
  });
}, 1_800_000);
