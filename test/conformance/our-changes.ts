/** Changes of signed files by Sinete, its own or foreign: extend, renew, co-sign, counter-sign. */
import { readFile, writeFile } from 'node:fs/promises';
import { addSigner, counterSign, raiseCms, raisePdf, type CmsLevel, type PdfLevel } from '../../src/signing/index.ts';
import type { TestIdentity } from '../../src/test-authority/index.ts';
import { keyOf, type SampleMaker } from './sample-maker.ts';
import { isArchived, isPdf, type Sample } from './samples.ts';

const contentOf = ({ content }: Sample): { readonly content?: { readonly path: string } } =>
  content === undefined ? {} : { content: { path: content } };

function expectPdfLevel(level: CmsLevel): PdfLevel {
  if (level === 'B-T' || level === 'B-LT' || level === 'B-LTA') return level;
  throw new Error(`A PDF has no level ${level}.`);
}

/** Writes `to`: all signatures of `from` at a level. */
export async function extend(maker: SampleMaker, from: Sample, to: Sample, level: CmsLevel): Promise<void> {
  if (isPdf(from)) {
    const { password } = from;
    const files = { inputPath: from.path, outputPath: to.path, password };
    await raisePdf({ ...files, level: expectPdfLevel(level), ...maker.means });
    return;
  }
  await writeFile(to.path, await raiseCms(await readFile(from.path), { level, ...contentOf(from), ...maker.means }));
}

/** Writes `to`: a further signature at B-LTA. */
export async function cosign(maker: SampleMaker, from: Sample, to: Sample, identity: TestIdentity): Promise<void> {
  if (isPdf(from)) {
    await maker.writePdf(to.path, identity, { level: 'B-LTA', inputPath: from.path });
    return;
  }
  const signer = maker.signer(identity, { level: 'B-LTA' });
  const request = { signingTime: maker.now(), ...contentOf(from) };
  await writeFile(to.path, await addSigner(await readFile(from.path), signer, request));
}

/** Writes `to`: a counter-signature on the first signature. */
export async function countersign(maker: SampleMaker, from: Sample, to: Sample, identity: TestIdentity): Promise<void> {
  const terms = { signingTime: maker.now(), profile: 'cades', digest: 'sha256', signerIndex: 0 } as const;
  await writeFile(to.path, await counterSign(await readFile(from.path), { signer: keyOf(identity), ...terms }));
}

/** The sample made by a change from another. */
export const changed = (maker: SampleMaker, from: Sample, prefix: string, levels = from.levels): Sample => {
  const name = `${prefix}-${from.name}`;
  return { ...from, name, path: maker.path(name), levels };
};

/** `made`, or the message of the error. */
export async function outcomeOf(make: () => Promise<unknown>): Promise<string> {
  try {
    await make();
    return 'made';
  } catch (error) {
    return `ERROR ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Renews the samples with archive time stamps. The answer has `made` for each, or the reason of a missing renewal. */
export async function renew(maker: SampleMaker, from: readonly Sample[]): Promise<ReadonlyMap<Sample, string>> {
  const outcomes = new Map<Sample, string>();
  for (const old of from.filter(isArchived)) {
    const renewed = changed(maker, old, 'renewed');
    // In a message, an archive time stamp of version 2 is renewed by another.
    const level = old.name.includes('AD-RA') && !isPdf(old) ? 'AD-RA' : 'B-LTA';
    outcomes.set(renewed, await outcomeOf(() => extend(maker, old, renewed, level)));
  }
  return outcomes;
}
