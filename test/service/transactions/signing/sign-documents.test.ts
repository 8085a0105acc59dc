import { describe, expect, it } from 'vitest';
import { signDocuments } from '../../../../src/service/transactions/signing/sign-documents.ts';
import type { DocumentRecord } from '../../../../src/service/transactions/records.ts';
import { IntakeWorld } from '../intake/intake-world.ts';

const approved = { approval: 'given', uploadOpen: false, waitingFor: null } as const;

/** An approved transaction with a password, whose certificate is not here: each waiting document ends with an error. */
async function run(documents: readonly Partial<DocumentRecord>[]): Promise<{ world: IntakeWorld; tcn: string }> {
  const world = new IntakeWorld({ jobs: { claimOf: () => undefined } as never });
  const tcn = world.store(approved, documents);
  world.context.openings.set(tcn, { password: 'secret' });
  await signDocuments(world.context, tcn);
  return { world, tcn };
}

describe('the end of a run', () => {
  it('forgets the password, and reads nothing back, when each document has ended', async () => {
    const { world, tcn } = await run([{}, {}]);
    expect(world.applied.map(({ kind }) => kind)).toEqual(['document-failed', 'document-failed']);
    expect(world.context.openings.has(tcn)).toBe(false);
    expect(world.callsOf('read')).toHaveLength(1);
  });

  it('keeps the password while the level of another document is pending', async () => {
    const pending = { level: 'B-LTA' } as never;
    const { world, tcn } = await run([{}, { status: 'SIGNED', evidence: { pending } as never }]);
    expect(world.applied).toHaveLength(1);
    expect(world.context.openings.has(tcn)).toBe(true);
    expect(world.callsOf('read')).toHaveLength(2);
  });
});
