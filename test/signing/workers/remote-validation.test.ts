/**
 * Revocation lists requested by the worker raise the budget of the input, because a list may be longer than the input.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { budgetFor, spend } from '../../../src/signing/budget/budget.ts';
import type { Answer, Question, ValidationTraits } from '../../../src/signing/workers/jobs.ts';
import type { Ask } from '../../../src/signing/workers/remote-parts.ts';
import { RemoteValidation } from '../../../src/signing/workers/remote-validation.ts';
import { craftCms } from '../validation/craft-cms.ts';
import { CRL_URL, LIST_LIFETIME, ROOT_CRL_URL, ValidationWorld, verdict } from '../validation/validation-world.ts';

let world: ValidationWorld;
let signature: Buffer;
/** By address. The list of the issuing authority is longer than 1 MiB. */
let lists: ReadonlyMap<string, Buffer>;
beforeAll(async () => {
  world = await ValidationWorld.open();
  signature = craftCms(await world.person());
  for (let number = 0; number < 40_000; number += 1) {
    const serialNumber = Buffer.alloc(16, 1);
    serialNumber.writeUInt32BE(number, 12);
    world.revoked.push({ serialNumber, at: world.now, reason: 'superseded' });
  }
  lists = new Map([
    [CRL_URL, world.crl('issuing')],
    [ROOT_CRL_URL, world.crl('root')],
  ]);
});

/**
 * The list at this address. Before the list of the root, requested last, the work spends all objects allowed to the
 * signature alone.
 */
function listAt(url: string): Buffer | undefined {
  if (url === ROOT_CRL_URL) spend('objects', budgetFor(signature.length).objects);
  return lists.get(url);
}

function answerTo(question: Question): Answer {
  switch (question.kind) {
    case 'fetch': {
      const body = listAt(question.request.url);
      return { status: body === undefined ? 404 : 200, contentType: undefined, body: body ?? Buffer.alloc(0) };
    }
    case 'cache-get': {
      const der = listAt(question.key.locator);
      return der && { kind: 'data', der, freshUntil: new Date(world.now.getTime() + LIST_LIFETIME) };
    }
    case 'cache-put':
      return undefined;
    case 'sign-digest':
    case 'stamp':
    case 'collect':
      throw new Error('A validation does not ask for this.');
  }
}

/** Validates the signature with a single source of lists, and records the kinds of questions. */
async function judge(source: Pick<ValidationTraits, 'hasNetwork' | 'hasCache'>) {
  const asked: string[] = [];
  const ask = (question: Question): Promise<Answer> => {
    asked.push(question.kind);
    return new Promise((resolve) => {
      resolve(answerTo(question));
    });
  };
  const traits: ValidationTraits = {
    input: { signature },
    anchors: [world.authority.root.certificate],
    intermediates: [],
    refused: [],
    marks: { homologation: new Set(), timeStampsOnly: new Set() },
    at: world.now,
    now: world.now,
    size: signature.length,
    ...source,
  };
  const report = await new RemoteValidation(ask as Ask).run(traits, new AbortController().signal);
  return { asked, verdict: verdict(report) };
}

describe('a list longer than the signature', () => {
  it('raises the budget when fetched from the network', async () => {
    expect(lists.get(CRL_URL)?.length).toBeGreaterThan(2 ** 20);
    const found = await judge({ hasNetwork: true, hasCache: false });
    expect(found).toEqual({ asked: ['fetch', 'fetch'], verdict: 'TOTAL-PASSED' });
  });

  it('raises the budget when taken from the cache', async () => {
    const found = await judge({ hasNetwork: false, hasCache: true });
    expect(found.asked).toContain('cache-get');
    expect(found.asked).not.toContain('fetch');
    expect(found.verdict).toBe('TOTAL-PASSED');
  });
});
