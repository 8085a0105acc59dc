import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { KeyRing, parseCertificate, SigningError, type Signer } from '../../../src/signing/index.ts';
import { personWith } from '../../pki/identities.ts';
import { PretendToken } from '../../service/transactions/pretend-token.ts';
import { openWorld, type World } from '../../service/transactions/transaction-world.ts';
import { commands, type Real } from './commands.ts';
import { LIFETIME, Model, MOST_DOCUMENTS, UPLOAD_TIMEOUT } from './model.ts';

const limits = {
  documentsPerTransaction: MOST_DOCUMENTS,
  resultLifetime: LIFETIME,
  uploadTimeout: UPLOAD_TIMEOUT,
  syncTimeout: 20,
} as const;

/** A token asking for its PIN when a key is opened: then a batch waits as a whole. */
class LockedToken extends PretendToken {
  override async open(): Promise<Signer> {
    if (!this.unlocked) throw new SigningError('PIN_REQUIRED', 'The token needs its PIN.');
    return super.open();
  }
}

/**
 * Does anything allowed to transactions, so many times, and compares the transactions with the model after each step.
 * Rejects with the way to a difference, and the seed to get there again.
 */
export async function runStates(runs: number, seed: number): Promise<void> {
  const template = mkdtempSync(join(tmpdir(), 'sinete-states-'));
  await (await openWorld({}, template)).stop();
  const identity = await personWith();
  const run = async (sequence: Iterable<fc.AsyncCommand<Model, Real>>): Promise<void> => {
    const root = mkdtempSync(join(tmpdir(), 'sinete-states-'));
    cpSync(template, root, { recursive: true });
    const token = new LockedToken(identity);
    const clock = { real: undefined as Real | undefined };
    const keys = new KeyRing((certificate) => parseCertificate(certificate).commonName, [token]);
    // Real time would let lifetimes end a little earlier than in the model.
    const now = (): Date => new Date(begun + (clock.real?.now ?? 0));
    const begun = Date.now();
    const open = async (): Promise<World> => openWorld({ approve: 'ask', limits, now }, root, () => ({ keys }));
    const real: Real = {
      world: await open(),
      token,
      now: 0,
      restart: async () => {
        await real.world.stop();
        return open();
      },
    };
    clock.real = real;
    try {
      await fc.asyncModelRun(() => ({ model: new Model(), real }), sequence);
    } finally {
      await real.world.stop();
      rmSync(root, { recursive: true });
    }
  };
  try {
    const property = fc.asyncProperty(fc.commands(commands, { maxCommands: 30, size: 'max' }), run);
    await fc.assert(property, { numRuns: runs, seed, endOnFailure: true });
  } finally {
    rmSync(template, { recursive: true });
  }
}
