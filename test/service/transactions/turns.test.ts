import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serviceProblems } from '../../../src/http/problems/error-statuses.ts';
import type { Authority } from '../../../src/service/authorization/index.ts';
import { documentSigners, type Requester } from '../../../src/service/transactions/index.ts';
import { signPdf } from '../../../src/signing/index.ts';
import { noEvidence } from '../../../src/service/transactions/choices/choose-policy.ts';
import { personWith } from '../../pki/identities.ts';
import { letTimePass } from '../../setup/waits.ts';
import { createRequest, dataUrl, filesOnly, finished, incoming, openWorld, type World } from './transaction-world.ts';

/** One document at a time: the queue alone makes the order. */
const limits = {
  ...filesOnly,
  documentsAtOnce: 1,
  documentsAtOncePerOwner: 1,
  documentsAtOnceOverall: 1,
  uploadsAtOnce: 3,
  uploadsAtOncePerOwner: 2,
  uploadsWaiting: 2,
  uploadsWaitingPerOwner: 1,
  documentsHeldPerOwner: 30,
};

let world: World;
let order: string[];
/** Signing begins when this is settled. */
let gate: PromiseWithResolvers<undefined>;

beforeEach(async () => {
  order = [];
  gate = Promise.withResolvers();
  const prepare = documentSigners({
    signPdf: async (request) => signPdf(request),
    repairPdf: () => Promise.reject(new Error('not asked for')),
    evidence: noEvidence,
  });
  world = await openWorld({
    limits,
    prepareDocumentSigner: async (signer, choice) => {
      const real = await prepare(signer, choice);
      return {
        sign: async (request) => {
          order.push(request.setting.id);
          await gate.promise;
          return real.sign(request);
        },
      };
    },
  });
  await world.addKey(await personWith());
});
afterEach(async () => {
  gate.resolve(undefined);
  await world.end();
});

const site = (name: string): Requester => ({ kind: 'site', name });
const portal: Requester = { kind: 'application', name: 'Portal' };

/** The authority of a token of an application. */
const bearer = (client: string, token: string): Authority => ({
  username: undefined,
  approvedBy: 'authorize-page',
  documentLimit: undefined,
  turn: [`application ${client}`, token],
  claim: () => Promise.resolve(),
});

/** A transaction; its documents are noted under its name at their turns. */
async function ask(name: string, count: number, requester: Requester, authority?: Authority): Promise<string> {
  const documents = Array.from({ length: count }, () => ({ data: dataUrl(name) }));
  const request = createRequest({ documentsSource: 'DATA_URL', documents, settings: [{ id: name }] });
  const { tcn } = await world.transactions.create(request, requester, undefined, authority);
  await expect.poll(() => order.length).toBeGreaterThan(0);
  return tcn;
}

/** Every run has handed its documents to the queue. */
const settle = (): Promise<void> => letTimePass(50);

describe('documents of many callers', () => {
  it('are signed in turns of sites and applications, however many any single caller has brought', async () => {
    const all = [
      await ask('many', 12, site('https://many.example')),
      await ask('more', 6, site('https://many.example')),
    ];
    all.push(await ask('one', 1, site('https://one.example')), await ask('portal', 1, portal, bearer('p', 't1')));
    await settle();
    gate.resolve(undefined);
    await Promise.all(all.map(async (tcn) => finished(world.transactions, tcn)));
    expect(order).toHaveLength(20);
    expect(Math.max(order.indexOf('one'), order.indexOf('portal'))).toBeLessThan(5);
  });

  it('are signed in turns of the tokens of a single application', async () => {
    const all = [await ask('first', 8, portal, bearer('p', 't1'))];
    all.push(await ask('again', 8, portal, bearer('p', 't1')), await ask('other', 1, portal, bearer('p', 't2')));
    await settle();
    gate.resolve(undefined);
    await Promise.all(all.map(async (tcn) => finished(world.transactions, tcn)));
    expect(order.indexOf('other')).toBeLessThan(4);
  });

  it('are signed in turns of the tokens of a single application after a restart as well', async () => {
    const all: string[] = [];
    for (let n = 0; n < 8; n++) all.push(await ask(`first-${n}`, 2, portal, bearer('p', 't1')));
    all.push(await ask('other', 1, portal, bearer('p', 't2')));
    await settle();
    const restarted = world.restart();
    gate.resolve(undefined);
    world = await restarted;
    [gate, order] = [Promise.withResolvers(), []];
    await world.transactions.resume();
    await settle();
    gate.resolve(undefined);
    await Promise.all(all.map(async (tcn) => finished(world.transactions, tcn)));
    expect(order.indexOf('other')).toBeLessThan(4);
    const turns = await world.storage.database
      .selectFrom('transactions')
      .select(['turn_owner', 'turn_token'])
      .execute();
    expect(new Set(turns.map((turn) => turn.turn_owner)).size).toBe(1);
    expect(new Set(turns.map((turn) => turn.turn_token)).size).toBe(2);
    expect(JSON.stringify(turns)).not.toContain('application');
  });

  it('are refused with a time to come back when their owner has too many waiting, and others are not', async () => {
    await ask('many', 30, site('https://many.example'));
    await settle();
    const refused = ask('more', 1, site('https://many.example'));
    await expect(refused).rejects.toMatchObject({ code: 'BUSY', retryAfter: 10 });
    const tcn = await ask('one', 1, site('https://one.example'));
    gate.resolve(undefined);
    await finished(world.transactions, tcn);
  });
});

describe('uploads of many callers', () => {
  it('wait for the part of their owner, are refused when there is no place to wait, and leave room for others', async () => {
    const end = Promise.withResolvers<undefined>();
    const read: string[] = [];
    const slow = async function* (name: string) {
      read.push(name);
      await end.promise;
      yield* incoming([name, 'content']);
    };
    const begin = async (requester: Requester): Promise<string> =>
      (await world.transactions.create(createRequest(), requester)).tcn;
    const [many, one] = [await begin(site('https://many.example')), await begin(site('https://one.example'))];
    const upload = async (tcn: string, name: string, signal?: AbortSignal) =>
      world.transactions.upload(tcn, { endOfTransaction: false }, slow(name), signal);

    const running = [upload(many, 'a'), upload(many, 'b')];
    await expect.poll(() => read).toEqual(['a', 'b']);
    const left = new AbortController();
    const gone = upload(many, 'c', left.signal);
    await settle();
    await expect(upload(many, 'd')).rejects.toMatchObject({ code: 'BUSY', retryAfter: 5 });
    left.abort();
    await expect(gone).rejects.toMatchObject({ code: 'UPLOAD_INCOMPLETE' });
    running.push(upload(many, 'e'), upload(one, 'f'));
    await expect.poll(() => read).toEqual(['a', 'b', 'f']);
    end.resolve(undefined);
    await Promise.all(running);
    expect(read).toEqual(['a', 'b', 'f', 'e']);
    expect((await world.transactions.query(many)).documents).toHaveLength(3);
  });

  it('are refused with a time to come back when their turn does not come, and uploads under way go on', async () => {
    const impatient = await openWorld({ limits: { ...limits, uploadWait: 20, uploadsAtOncePerOwner: 1 } });
    try {
      await impatient.addKey(await personWith());
      const end = Promise.withResolvers<undefined>();
      const slow = async function* () {
        await end.promise;
        yield* incoming(['slow', 'content']);
      };
      const { tcn } = await impatient.transactions.create(createRequest(), portal);
      const running = impatient.transactions.upload(tcn, { endOfTransaction: false }, slow());
      const waiting = impatient.transactions.upload(tcn, { endOfTransaction: false }, incoming(['next', 'content']));
      await expect(waiting).rejects.toMatchObject({ code: 'BUSY', retryAfter: 5 });
      expect(serviceProblems.BUSY.status).toBe(503);
      end.resolve(undefined);
      expect((await running).documents).toHaveLength(1);
    } finally {
      await impatient.end();
    }
  });
});
