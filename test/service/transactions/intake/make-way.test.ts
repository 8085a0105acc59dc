import { expect, it } from 'vitest';
import { FairScheduler } from '../../../../src/service/scheduling/index.ts';
import { createTransaction } from '../../../../src/service/transactions/intake/create.ts';
import { personWith } from '../../../pki/identities.ts';
import { createRequest } from '../create-request.ts';
import { IntakeWorld, keyOf } from './intake-world.ts';

it('makes the batches of other owners make way while a document of its owner is on its way', async () => {
  const memory = new FairScheduler({ overall: 10, perQueue: [8], perQueueBesideOthers: 2 }, () => 0);
  const files = new FairScheduler({ overall: 1 });
  const world = new IntakeWorld({ queues: { memory, files } });
  world.keys = [keyOf(await personWith())];
  const started: string[] = [];
  const begin = (name: string): void => void memory.enter(['batch']).then(() => started.push(name));
  for (const name of ['1', '2', '3']) begin(name);
  const requester = { kind: 'site', name: 'https://portal.example' } as const;
  await createTransaction(world.context, createRequest({ documentsSource: 'UPLOAD_REFERENCE' }), {
    requester,
    authority: undefined,
  });
  begin('4');
  // A task that may start does so in the same turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  expect(started).toEqual(['1', '2', '3']);
});
