/** The budget of an input: counts of work, never times. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { budgetFor, spend, spendSteps, withBudget, type Amounts } from '../../../src/signing/budget/budget.ts';
import { issuerUse } from '../../../src/signing/validation/gather/algorithm-uses.ts';
import { makeParty } from '../certificates/path/path-pki.ts';
import {
  SigningError,
  WorkerPool,
  buildPath,
  validateSignature,
  type ValidationReport,
} from '../../../src/signing/index.ts';
import { craftCms } from '../validation/craft-cms.ts';
import { manySigners, namesakes } from '../validation/many-signers.ts';
import { ValidationWorld } from '../validation/validation-world.ts';

const PLENTY: Amounts = { objects: 1e9, bytes: 1e12, candidates: 1e6, buffers: 1e12, time: 1e9 };

/** The budget spent by an action, in success and in failure. */
async function usedBy(limits: Amounts, action: () => Promise<unknown>): Promise<Amounts> {
  const { promise, resolve } = Promise.withResolvers<Amounts>();
  await withBudget(limits, action, resolve).catch((error: unknown) => {
    if (!(error instanceof SigningError)) throw error;
  });
  return promise;
}

/** The message of the limit reached. */
async function limitOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ code: 'LIMIT_EXCEEDED' });
  return error instanceof Error ? error.message : '';
}

/** The sentence of the limit in the report of an unfinished validation. */
function limitIn(report: ValidationReport): string {
  expect(report).toMatchObject({ indication: 'INDETERMINATE', signatures: [], documentTimestamps: [] });
  expect(report.subIndication).toBeUndefined();
  expect(report.checks.map(({ code, outcome }) => [code, outcome])).toEqual([['LIMIT_REACHED', 'unknown']]);
  return report.checks[0]?.sentence ?? '';
}

const spending = (kind: Parameters<typeof spend>[0], amount: number) => (): Promise<void> => {
  spend(kind, amount);
  return Promise.resolve();
};

describe('a budget', () => {
  it.each([
    ['objects', 'more than 3 objects'],
    ['candidates', 'more than 3 checks of signatures'],
  ] as const)('of %s ends the work and names the limit', async (kind, words) => {
    expect(await limitOf(withBudget({ ...PLENTY, [kind]: 3 }, spending(kind, 4)))).toContain(words);
  });

  it('of decompressed bytes names MiB', async () => {
    const work = withBudget({ ...PLENTY, bytes: 2 ** 21 }, spending('bytes', 2 ** 22));
    expect(await limitOf(work)).toContain('more than 2 MiB');
  });

  it('of processor time ends the work at the next step', async () => {
    expect(await limitOf(withBudget({ ...PLENTY, time: -1 }, spending('candidates', 1)))).toContain('processor time');
  });

  it('of buffers ends the work with more buffers, and counts the earlier ones for nothing', async () => {
    const kept = [Buffer.alloc(2 ** 23, 1)];
    const holding = (size: number, steps: number) => (): Promise<void> => {
      kept.push(Buffer.alloc(size, 1));
      spendSteps(steps);
      return Promise.resolve();
    };
    const limits = { ...PLENTY, buffers: 2 ** 22 };
    expect(await limitOf(withBudget(limits, holding(2 ** 24, 10_000)))).toContain('more than 4 MiB of buffers');
    await expect(withBudget(limits, holding(2 ** 10, 10_000))).resolves.toBeUndefined();
    // A few cheap steps are not worth a look.
    await expect(withBudget(limits, holding(2 ** 24, 10))).resolves.toBeUndefined();
    expect(kept).toHaveLength(4);
  });

  it('of processor time ends a loop of cheap steps', async () => {
    const loop = (): Promise<void> => {
      for (let step = 0; step < 100; step += 1) spendSteps(64);
      return Promise.reject(new Error('The loop came to its end.'));
    };
    expect(await limitOf(withBudget({ ...PLENTY, time: -1 }, loop))).toContain('processor time');
  });

  it('also stops a reader ignoring damage', async () => {
    const ignoring = (): Promise<string> => {
      try {
        spend('objects', 10);
      } catch {
        // A reader takes the error for damage in an optional part.
      }
      expect(() => spend('objects', 0)).toThrow(SigningError);
      return Promise.resolve('all is well');
    };
    await expect(withBudget({ ...PLENTY, objects: 3 }, ignoring)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  });

  it('of processor time counts the time of the work', async () => {
    const work = (): Promise<void> => {
      createHash('sha512')
        .update(Buffer.alloc(2 ** 22))
        .digest();
      spend('candidates', 1);
      return Promise.resolve();
    };
    expect(await limitOf(withBudget({ ...PLENTY, time: 0 }, work))).toContain('processor time');
  });

  it('names the limit where a reader throws another error because of the limit', async () => {
    const failing = (): Promise<never> => {
      expect(() => spend('objects', 10)).toThrow(SigningError);
      return Promise.reject(new Error('The file is damaged.'));
    };
    expect(await limitOf(withBudget({ ...PLENTY, objects: 3 }, failing))).toContain('more than 3 objects');
  });

  it('limits nothing outside of its action', async () => {
    await withBudget({ ...PLENTY, objects: 3 }, () => Promise.resolve());
    expect(() => spend('objects', 1e9)).not.toThrow();
  });

  it('is two seconds for the first MiB, and grows with the input', () => {
    expect(budgetFor(2 ** 20).time).toBe(2_000);
    const [small, large] = [budgetFor(2 ** 20), budgetFor(2 ** 23)];
    for (const kind of ['objects', 'bytes', 'candidates', 'buffers', 'time'] as const) {
      expect(large[kind]).toBeGreaterThan(small[kind]);
    }
  });
});

describe('a validation', () => {
  it('counts each signature checked', async () => {
    const world = await ValidationWorld.open();
    const person = await world.person();
    const services = world.services({ offline: true });
    const cost = async (signature: Buffer): Promise<Amounts> =>
      usedBy(PLENTY, () => validateSignature({ signature }, services));
    const [one, ten] = [await cost(manySigners(person, 1)), await cost(manySigners(person, 11))];
    expect(one.candidates).toBeGreaterThanOrEqual(1);
    expect(ten.candidates).toBeGreaterThanOrEqual(11);
    expect(ten.objects).toBeGreaterThan(50);
  });

  it('counts each signature without signed attributes over a content left in its file', async () => {
    const world = await ValidationWorld.open();
    const person = await world.person();
    const services = world.services({ offline: true });
    const folder = await mkdtemp(join(tmpdir(), 'sinete-budget-'));
    try {
      const path = join(folder, 'content');
      const content = Buffer.from('what was signed');
      await writeFile(path, content);
      const cost = async (count: number): Promise<number> => {
        const signature = manySigners(person, count, 0, { attached: false, content });
        const validate = () => validateSignature({ signature, content: { path } }, services);
        return (await usedBy(PLENTY, validate)).candidates;
      };
      // The first validation also checks the signatures of the certificates; later validations remember the results.
      await cost(1);
      const [one, eleven] = [await cost(1), await cost(11)];
      expect(eleven - one).toBe(10);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('ends after reading more objects than allowed', async () => {
    const world = await ValidationWorld.open();
    const signature = craftCms(await world.person());
    const work = withBudget({ ...PLENTY, objects: 50 }, () => validateSignature({ signature }, world.services()));
    expect(await limitOf(work)).toContain('more than 50 objects');
  });

  it('checks a handful of signatures for many authorities of a single name', async () => {
    const world = await ValidationWorld.open();
    const person = await world.person();
    const certificates = [person.certificate, ...person.chain, ...(await namesakes(40, 'ec-p256'))];
    const signature = craftCms(person, { certificates, revocations: [world.crl('issuing'), world.crl('root')] });
    const services = world.services({ offline: true });
    const used = await usedBy(PLENTY, () => validateSignature({ signature }, services));
    expect(used.candidates).toBeLessThan(150);
  });

  it('of thousands of signers and counter-signatures in a worker ends in a report naming the limit, and the next one is good', async () => {
    const world = await ValidationWorld.open();
    const person = await world.person();
    const workers = new WorkerPool({ threads: 1 });
    const { trust, now } = world.services();
    try {
      const signature = manySigners(person, 250, 16);
      expect(signature.length).toBeLessThan(2 * 2 ** 20);
      const report = await workers.validate({ input: { signature } }, { trust, now });
      expect(limitIn(report)).toMatch(/more than \d+ checks of signatures|processor time/);
      const good = workers.validate({ input: { signature: craftCms(person) } }, { trust, now });
      await expect(good).resolves.toMatchObject({ subIndication: 'TRY_LATER' });
    } finally {
      await workers.close();
    }
  });

  it('needing more memory or time than its thread may use ends in a report as well', async () => {
    const world = await ValidationWorld.open();
    const { trust, now } = world.services();
    const input = { signature: craftCms(await world.person()) };
    for (const [limits, words] of [
      [{ memory: 8 }, '8 MiB of memory'],
      [{ time: 0, bytesPerMillisecond: Number.MAX_SAFE_INTEGER }, 'seconds'],
    ] as const) {
      const workers = new WorkerPool({ threads: 1, ...limits });
      try {
        const report = await workers.validate({ input }, { trust, now });
        expect(limitIn(report)).toContain(words);
        expect(report).toMatchObject({ kind: 'cms-attached', validatedAt: now() });
      } finally {
        await workers.close();
      }
    }
  });
});

describe('a certificate read while the budget of another input ended', () => {
  const root = makeParty({ name: 'Root' });

  it('is signed with a known algorithm for the next input', async () => {
    const { certificate } = makeParty({ name: 'Holder', issuer: root });
    const tooMuch = async (): Promise<unknown> => Promise.resolve(issuerUse(certificate));
    await expect(withBudget({ ...PLENTY, objects: 0 }, tooMuch)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(issuerUse(certificate)).toEqual([{ kind: 'hash', name: 'sha256' }]);
  });

  it('has a good signature for the next input', async () => {
    const { certificate } = makeParty({ name: 'Holder', issuer: root });
    const request = { certificate, intermediates: [], anchors: [root.certificate], at: new Date('2026-06-01') };
    const tooMuch = async (): Promise<unknown> => Promise.resolve(buildPath(request));
    await expect(withBudget({ ...PLENTY, candidates: 0 }, tooMuch)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(buildPath(request).outcome).toBe('valid');
  });
});
