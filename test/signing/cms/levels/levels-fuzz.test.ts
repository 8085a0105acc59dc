import fc from 'fast-check';
import { describe, it } from 'vitest';
import { SigningError, addSigner, counterSign, raiseCms } from '../../../../src/signing/index.ts';
import {
  cadesSigner,
  content,
  makeCollector,
  makeTimestamper,
  person,
  signerOf,
  signingTime,
} from './level-fixtures.ts';

const RUNS = 150;
const maria = await person();
const services = { timestamper: makeTimestamper(), collector: makeCollector() };
const good = await cadesSigner(maria, { level: 'AD-RC', ...services }).signContent(content, signingTime);

/** A good signature with a few octets changed or removed. */
const damaged = fc
  .array(fc.record({ at: fc.nat(good.length - 1), octet: fc.nat(255), removed: fc.nat(2) }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((changes) => {
    let octets = good;
    for (const { at, octet, removed } of changes) {
      octets = Buffer.concat([octets.subarray(0, at), Buffer.of(octet), octets.subarray(at + removed)]);
    }
    return octets;
  });

async function onlyOurErrors(action: Promise<unknown>): Promise<void> {
  try {
    await action;
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
  }
}

describe('damaged signatures', () => {
  it.each([
    ['are raised to B-LTA', (cms: Buffer) => raiseCms(cms, { level: 'B-LTA', ...services })],
    ['are raised to AD-RA', (cms: Buffer) => raiseCms(cms, { level: 'AD-RA', ...services })],
    ['take another signer', (cms: Buffer) => addSigner(cms, cadesSigner(maria), { signingTime, content })],
    [
      'are countersigned',
      (cms: Buffer) =>
        counterSign(cms, { signer: signerOf(maria), signerIndex: 0, digest: 'sha256', profile: 'cades', signingTime }),
    ],
  ])('%s, or refused with an error of ours', async (_, action) => {
    await fc.assert(
      fc.asyncProperty(damaged, (cms) => onlyOurErrors(action(cms))),
      { numRuns: RUNS },
    );
  });
});
