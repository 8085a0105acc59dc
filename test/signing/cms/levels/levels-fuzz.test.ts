import fc from 'fast-check';
import { describe, it } from 'vitest';
import { SigningError, addSigner, counterSign, raiseCms } from '../../../../src/signing/index.ts';
import { mutationOf } from '../../../fuzz/mutation-of.ts';
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
      fc.asyncProperty(mutationOf(good), (cms) => onlyOurErrors(action(cms))),
      { numRuns: RUNS },
    );
  });
});
