/** A PKI with lists only; a test orders the next list: signatures from B-LT on have to wait for this list. */
import { noEvidence } from '../../../src/service/transactions/choices/choose-policy.ts';
import type { TransactionDependencies } from '../../../src/service/transactions/index.ts';
import { CRL_URL, type ValidationWorld } from '../../signing/validation/validation-world.ts';

const MINUTE = 60_000;

/** Transactions with the evidence and the clock of the PKI, always looking for newer evidence. */
export const laterEvidence = (pki: ValidationWorld) =>
  ({
    evidence: {
      ...noEvidence,
      timestampServers: async () => Promise.resolve(['test']),
      timestamper: async () => Promise.resolve(pki.timestamper),
      collector: pki.collectorWith(pki.cache),
    },
    now: () => pki.now,
    limits: { evidenceRetry: 1, evidenceSleep: 10, smallDocumentSize: -1 },
  }) satisfies Partial<TransactionDependencies>;

export function pass(pki: ValidationWorld, minutes: number): void {
  pki.now = new Date(pki.now.getTime() + minutes * MINUTE);
}

/** The list of the issuer stays that of the beginning; a quarter of an hour passes. */
export function freezeList(pki: ValidationWorld): void {
  const early = pki.crl('issuing');
  pki.http.answers = { ...pki.http.answers, [CRL_URL]: () => early };
  pass(pki, 15);
}

/** The next list is published, a quarter of an hour later. */
export function publishList(pki: ValidationWorld): void {
  pki.http.answers = { ...pki.http.answers, [CRL_URL]: () => pki.crl('issuing') };
  pass(pki, 15);
}
