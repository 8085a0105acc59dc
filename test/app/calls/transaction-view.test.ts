import { describe, expect, it } from 'vitest';
import { transactionForUi } from '../../../src/app/calls/views.ts';
import type { SignaturePolicy, TransactionView } from '../../../src/service/transactions/index.ts';

/** A transaction without documents under this policy. */
const viewOf = (policy: SignaturePolicy): TransactionView =>
  ({
    tcn: 't1',
    status: 'WAITING',
    waitingFor: 'approval',
    requester: { kind: 'native-program', name: 'Program' },
    certificateAlias: 'maria',
    certificateFingerprint: 'a1'.repeat(32),
    type: 'PAdES',
    digest: 'sha256',
    policy,
    claimedRole: null,
    documents: [],
    createdAt: new Date(0),
    finishedAt: null,
  }) as unknown as TransactionView;

describe('transactionForUi', () => {
  it.each<[SignaturePolicy, string | null]>([
    ['AD-RA', 'AD-RA'],
    ['2.16.76.1.7.1.5.2.5', 'AD-RA'],
    ['2.16.76.1.7.1.1.2.4', 'AD-RB'],
    ['B-LTA', null],
    ['none', null],
  ])('tells the profile of the policy %s: %s', async (policy, profile) => {
    expect((await transactionForUi(viewOf(policy))).profile).toBe(profile);
  });
});
