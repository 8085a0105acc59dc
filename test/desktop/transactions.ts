import type { UiTransaction } from '../../src/ui-contract/ui-contract.ts';

/** A transaction in the words of the core. */
export function makeTransaction({
  status,
  names = ['a.pdf'],
}: {
  readonly status: UiTransaction['status'];
  readonly names?: readonly string[];
}): UiTransaction {
  return {
    tcn: 'T',
    status,
    waitingFor: null,
    requester: 'Programa',
    requesterKind: 'native-program',
    certificateAlias: 'a',
    type: 'PAdES',
    digest: 'sha256',
    createdAt: '2026-01-01T00:00:00.000Z',
    finishedAt: null,
    documents: names.map((name, index) => ({
      id: String(index),
      name,
      size: 1,
      checksum: null,
      status,
      error: null,
      resultName: null,
      resultPath: null,
      lifetime: null,
    })),
  } as UiTransaction;
}
