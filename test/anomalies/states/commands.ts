/**
 * Commands of a client, a user, the clock and the computer, in any order. Each is applied to the model and to the
 * product.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { writeTextPdf } from '../../../src/app/demo/write-text-pdf.ts';
import { verifyAudit } from '../../../src/service/audit/index.ts';
import { ServiceError } from '../../../src/service/errors/index.ts';
import type { Decision, TransactionView } from '../../../src/service/transactions/index.ts';
import { SqlAuditLog } from '../../../src/storage/index.ts';
import type { PretendToken } from '../../service/transactions/pretend-token.ts';
import {
  createRequest,
  dataUrl,
  incoming,
  bytesOf,
  requester,
  type World,
} from '../../service/transactions/transaction-world.ts';
import { MOST_DOCUMENTS, type DocumentKind, type Model, type Refusal } from './model.ts';

/** The product: an instance asking for approval, over a token asking for its PIN. */
export interface Real {
  world: World;
  readonly token: PretendToken;
  now: number;
  readonly restart: () => Promise<World>;
}

type Command = fc.AsyncCommand<Model, Real>;

const contents: Readonly<Record<DocumentKind, Buffer>> = {
  good: writeTextPdf({ title: 'Contrato', paragraphs: ['Texto.'], footer: '1' }, new Date(0)),
  'no-pdf': Buffer.from('a letter'),
  broken: Buffer.from('%PDF-1.7 and nothing of a PDF'),
};

const PATIENCE = 30_000;
const UNKNOWN = 'AAAAAAAAAAAAAAAAAAAAAAAAAA';

/** A command with its name and its parts, to print a counterexample. */
function command(name: string, run: (model: Model, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    run: async (model, real) => {
      await run(model, real);
      await expectSame(model, real);
    },
    toString: () => name,
  };
}

/** The same for one of the existing transactions. */
function onOne(name: string, pick: number, run: (model: Model, real: Real, tcn: string) => Promise<void>): Command {
  return {
    ...command(`${name} of #${pick}`, async (model, real) => run(model, real, chosen(model, pick))),
    check: (model) => model.transactions.size > 0,
  };
}

function chosen(model: Model, pick: number): string {
  const tcns = [...model.transactions.keys()];
  return tcns[pick % tcns.length] ?? UNKNOWN;
}

async function refusalOf(action: Promise<unknown>): Promise<Refusal> {
  try {
    await action;
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

const kinds = fc.constantFrom<DocumentKind>('good', 'good', 'no-pdf', 'broken');
const pick = fc.nat({ max: 5 });

function create(documents: readonly DocumentKind[], mode: 'sync' | 'async'): Command {
  return command(`create ${mode} ${documents.join()}`, async (model, { world }) => {
    const data = documents.map((kind) => ({ data: dataUrl(contents[kind], 'application/pdf') }));
    const request = createRequest({ type: 'PAdES', documentsSource: 'DATA_URL', mode, documents: data });
    model.create((await world.transactions.create(request, requester)).tcn, documents);
  });
}

function createForUpload(announced: number): Command {
  return command(`create for upload, ${announced} announced`, async (model, { world }) => {
    const documents = Array.from({ length: announced }, (_, index) => ({ id: `announced-${index}` }));
    const { tcn } = await world.transactions.create(createRequest({ type: 'PAdES', documents }), requester);
    model.createForUpload(tcn, announced);
  });
}

function upload(target: number, documents: readonly DocumentKind[], ends: boolean, breaks: boolean): Command {
  const name = `upload ${documents.join()}${breaks ? ', broken off' : ''}${ends ? ', end' : ''}`;
  return onOne(name, target, async (model, { world }, tcn) => {
    const parts = async function* (): ReturnType<typeof incoming> {
      yield* incoming(...documents.map((kind): [string, Buffer] => [`${kind}.pdf`, contents[kind]]));
      if (breaks) throw new Error('The client went away.');
    };
    const refusal = await refusalOf(world.transactions.upload(tcn, { endOfTransaction: ends }, parts()));
    assert.equal(refusal, model.upload(tcn, documents, ends, breaks));
  });
}

function decide(target: number, decision: Decision): Command {
  return onOne(decision, target, async (model, { world }, tcn) => {
    const expected = decision === 'approve' ? model.approve(tcn) : model.refuse(tcn);
    assert.equal(await refusalOf(world.transactions.decide(tcn, decision)), expected);
  });
}

function download(target: number, position: number): Command {
  return onOne(`download ${position}`, target, async (model, { world }, tcn) => {
    const { documents } = await world.transactions.query(tcn);
    const action = world.transactions.result(tcn, documents[position]?.id ?? 'none');
    assert.equal(await refusalOf(action), model.download(tcn, position));
    if (model.download(tcn, position) !== undefined) return;
    const bytes = bytesOf(await action);
    assert.deepEqual(bytes.subarray(0, contents.good.length), contents.good);
  });
}

const unlock = command('the right PIN', async (model, { world, token }) => {
  await token.unlock();
  world.transactions.keysChanged();
  model.unlock();
});

const wrongPin = command('a wrong PIN', async (_model, { world }) => {
  // The token refuses the signature; the event is told all the same.
  world.transactions.keysChanged();
  return Promise.resolve();
});

const lock = command('the token is locked', async (model, { token }) => {
  await token.lock();
  model.unlocked = false;
});

const unknown = command('a TCN that nobody has', async (_model, { world }) => {
  assert.equal(await refusalOf(world.transactions.query(UNKNOWN)), 'TRANSACTION_NOT_FOUND');
  assert.equal(await refusalOf(world.transactions.decide(UNKNOWN, 'approve')), 'TRANSACTION_NOT_FOUND');
  assert.equal(await refusalOf(world.transactions.result(UNKNOWN, '0')), 'TRANSACTION_NOT_FOUND');
});

const restart = command('restart', async (model, real) => {
  real.world = await real.restart();
  await real.world.transactions.resume();
  model.restart();
});

const pass = (milliseconds: number): Command =>
  command(`${milliseconds / 60_000} minutes pass`, async (model, real) => {
    model.now += milliseconds;
    real.now += milliseconds;
    return Promise.resolve();
  });

/** All commands with all their possible parts. */
export const commands: fc.Arbitrary<Command>[] = [
  fc
    .tuple(fc.array(kinds, { minLength: 1, maxLength: 3 }), fc.constantFrom('sync', 'async'))
    .map(([documents, mode]) => create(documents, mode)),
  fc.nat({ max: 2 }).map(createForUpload),
  fc
    .tuple(pick, fc.array(kinds, { maxLength: MOST_DOCUMENTS + 1 }), fc.boolean(), fc.nat({ max: 5 }))
    .map(([target, documents, ends, breaks]) => upload(target, documents, ends, breaks === 0)),
  pick.map((target) => decide(target, 'approve')),
  pick.map((target) => decide(target, 'approve')),
  fc.tuple(pick, fc.constantFrom('refuse', 'withdraw')).map(([target, decision]) => decide(target, decision)),
  fc.tuple(pick, fc.nat({ max: 2 })).map(([target, position]) => download(target, position)),
  fc.constantFrom(unlock, unlock, lock, wrongPin, unknown, restart),
  fc.constantFrom(10, 59, 70, 130).map((minutes) => pass(minutes * 60_000)),
];

/** The product agrees with the model, and every invariant holds. */
async function expectSame(model: Model, { world, token }: Real): Promise<void> {
  for (const tcn of model.transactions.keys()) await reaches(model, world, tcn);
  assert.equal((await world.transactions.recent(1000)).length, model.transactions.size);
  const counts = { WAITING: model.count('WAITING'), SIGNED: model.count('SIGNED'), ERROR: model.count('ERROR') };
  assert.deepEqual(await world.transactions.countByStatus(), counts);
  assert.equal(token.signatures, counts.SIGNED, 'A key was used for what is not signed.');
  const asked = [...model.transactions.keys()].filter((tcn) =>
    ['approval', 'pin'].includes(model.waitingFor(tcn) ?? ''),
  );
  assert.deepEqual((await world.transactions.waiting()).map(({ tcn }) => tcn).sort(), asked.sort());
  const { state } = await verifyAudit(new SqlAuditLog(world.storage.database), null);
  assert.equal(state, 'intact');
}

async function reaches(model: Model, world: World, tcn: string): Promise<void> {
  const end = Date.now() + PATIENCE;
  const expected = describe(model, tcn);
  for (;;) {
    const found = describeView(await world.transactions.query(tcn, { waitSeconds: 0.005 }));
    if (found === expected) return;
    assert.ok(Date.now() < end, `It is "${found}" and should be "${expected}".`);
  }
}

const nameOf = (code: string): string =>
  code === 'DOCUMENT_UNREADABLE' || code === 'unreadable' ? 'unreadable' : code;

function describe(model: Model, tcn: string): string {
  const documents = model.transactions.get(tcn)?.documents ?? [];
  const each = documents.map((one) => (one.status === 'ERROR' ? nameOf(one.code) : one.status));
  return [model.status(tcn), model.waitingFor(tcn), ...each].join(' ');
}

function describeView({ status, waitingFor, documents }: TransactionView): string {
  const each = documents.map(({ status: own, error }) => (own === 'ERROR' ? nameOf(error?.code ?? '') : own));
  return [status, waitingFor, ...each].join(' ');
}
