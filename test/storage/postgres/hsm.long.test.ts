/** Nodes with one HSM and too few sessions: documents wait in turn, and none fails. */
import { beforeAll, describe, expect, it } from 'vitest';
import { SigningError } from '../../../src/signing/index.ts';
import type { TestIdentity } from '../../../src/test-authority/index.ts';
import { personWith } from '../../pki/identities.ts';
import { PretendToken } from '../../service/transactions/pretend-token.ts';
import {
  createRequest,
  dataUrl,
  finished,
  requester,
  type World,
} from '../../service/transactions/transaction-world.ts';
import { NodeWorlds } from './node-worlds.ts';

const worlds = new NodeWorlds();
let identity: TestIdentity;

beforeAll(async () => {
  identity = await personWith();
});

/** An HSM with a single session for signatures, shared by its nodes. */
class Hsm {
  refused = 0;
  #isInUse = false;
  /** The first signature ends only when another node was refused. */
  readonly #wasRefused = Promise.withResolvers<undefined>();

  /** A copy of the token for a node, logged in. A node makes its signatures in sequence. */
  tokenFor(): PretendToken {
    const token = new PretendToken(identity);
    token.unlocked = true;
    let before: Promise<unknown> = Promise.resolve();
    token.beforeSign = async () => {
      const mine = before.then(async () => this.#useSession());
      before = mine.catch(() => undefined);
      await mine;
    };
    return token;
  }

  async #useSession(): Promise<void> {
    if (this.#isInUse) {
      this.refused++;
      this.#wasRefused.resolve(undefined);
      throw new SigningError('QUEUE_FULL', 'Every session of the token is in use. Try again later.');
    }
    this.#isInUse = true;
    await this.#wasRefused.promise;
    this.#isInUse = false;
  }
}

async function openNode(name: string, token?: PretendToken, approve: 'all' | 'ask' = 'all'): Promise<World> {
  const world = await worlds.open(name, { approve });
  if (token !== undefined) world.keys.add(token);
  return world;
}

const send = async ({ transactions }: World, count: number): Promise<string> => {
  const documents = Array.from({ length: count }, (_one, index) => ({ data: dataUrl(`letter ${index}`) }));
  return (await transactions.create(createRequest({ documentsSource: 'DATA_URL', documents }), requester)).tcn;
};

/** Results committed. A node counted as dead may have made a signature without a result. */
async function countResults(): Promise<number> {
  const [row] = await worlds.database.query<{ count: string }>(`
    select coalesce(sum(jsonb_array_length(detail::jsonb -> 'documents')), 0) as count
      from audit_log where kind = 'documents-signed'`);
  return Number(row?.count);
}

describe('two nodes with an HSM of a single session', () => {
  it('sign every document once, although the HSM refuses while the other node has the session', async () => {
    const hsm = new Hsm();
    const nodes = [await openNode('one', hsm.tokenFor()), await openNode('other', hsm.tokenFor())];
    for (const { transactions } of nodes) await transactions.resume();
    const sent = await Promise.all(nodes.flatMap((node) => [send(node, 3), send(node, 3)]));
    for (const tcn of sent) {
      const view = await finished(nodes[0]!.transactions, tcn);
      expect(view.documents.map(({ status }) => status)).toEqual(Array.from({ length: 3 }, () => 'SIGNED'));
    }
    expect(hsm.refused).toBeGreaterThan(0);
    expect(await countResults()).toBe(12);
  });

  it('leave the work to the node with the token, although the other begins the work', async () => {
    const token = new PretendToken(identity);
    token.unlocked = true;
    const [one, other] = [await openNode('one', token, 'ask'), await openNode('other', undefined, 'ask')];
    for (const { transactions } of [one, other]) await transactions.resume();
    const tcn = await send(one, 3);
    await other.transactions.decide(tcn, 'approve');
    expect(await finished(other.transactions, tcn)).toMatchObject({ status: 'SIGNED' });
    expect(token.signatures).toBe(3);
  });
});
