/**
 * Evidence records over signed files (RFC 4998): Bouncy Castle makes them, both renew the records, and the judges read
 * both.
 */
import { writeFile } from 'node:fs/promises';
import { DIGEST_OIDS } from '../../src/signing/algorithms/algorithms.ts';
import { extendCmsFile } from '../../src/signing/evidence-records/index.ts';
import { isRecordOver, makeWithBouncyCastle } from '../oracles/evidence-records.ts';
import { outcomeOf } from './our-changes.ts';
import type { SampleMaker } from './sample-maker.ts';
import type { Sample, Verdicts } from './samples.ts';

/** Files under a record: signatures with evidence of their own, kept by the record. */
const RECORDED = /^(cades-(B-LT|AD-RC)\.p7m|pades-(B-LT|AD-RC)\.pdf|cades-ec-p384\.p7s)$/;

/**
 * Asks Bouncy Castle for a request, the authority for a response, and Bouncy Castle for the record with this response.
 */
async function exchange(
  maker: SampleMaker,
  timestampUrl: string,
  ask: (response: string) => Promise<readonly Buffer[]>,
): Promise<readonly Buffer[]> {
  const [request = Buffer.alloc(0)] = await ask('-');
  const headers = { 'content-type': 'application/timestamp-query' };
  const answer = await fetch(timestampUrl, { method: 'POST', headers, body: new Uint8Array(request) });
  const response = maker.path('response.tsr');
  await writeFile(response, Buffer.from(await answer.arrayBuffer()));
  return ask(response);
}

/** A record over each of the chosen files, and a twin with the record of another file. */
export async function makeRecords(
  maker: SampleMaker,
  timestampUrl: string,
  from: readonly Sample[],
): Promise<readonly Sample[]> {
  const made: Sample[] = [];
  for (const one of from.filter(({ name }) => RECORDED.test(name))) {
    const [record = Buffer.alloc(0)] = await exchange(maker, timestampUrl, (response) =>
      makeWithBouncyCastle('make', DIGEST_OIDS.sha256, response, one.path),
    );
    const path = maker.path(`${one.name}.er`);
    await writeFile(path, record);
    made.push({ ...one, name: `recorded-${one.name}`, record: path });
  }
  const [first, second] = made;
  const twin =
    first === undefined || second?.record === undefined
      ? []
      : [{ ...first, name: `tampered-${first.name}`, record: second.record, isTampered: true } as const];
  return [...made, ...twin];
}

/** The ways of a renewal: with the hash function of the record, or with another, beginning a new chain. */
const WAYS = ['sha256', 'sha512'] as const;

/** Renewed records, by us and by Bouncy Castle: `made`, or why not. */
export async function renewRecords(
  maker: SampleMaker,
  timestampUrl: string,
  from: readonly Sample[],
): Promise<{ readonly ours: Verdicts; readonly theirs: Verdicts }> {
  const [ours, theirs] = [new Map<Sample, string>(), new Map<Sample, string>()];
  for (const one of from) {
    const { record = '' } = one;
    for (const digest of WAYS) {
      const own = { ...one, name: `renewed-${digest}-${one.name}`, record: `${record}.${digest}.ours` };
      const request = {
        inputPath: record,
        outputPath: own.record,
        contentPath: one.path,
        level: 'B-LTA',
        digest,
      } as const;
      ours.set(own, await outcomeOf(() => extendCmsFile({ ...request, ...maker.means })));
      const other = { ...one, name: `castle-${digest}-${one.name}`, record: `${record}.${digest}.castle` };
      theirs.set(
        other,
        await outcomeOf(async () => {
          const [renewed = Buffer.alloc(0)] = await exchange(maker, timestampUrl, (response) =>
            digest === 'sha256'
              ? makeWithBouncyCastle('renew', record, response)
              : makeWithBouncyCastle('rehash', DIGEST_OIDS.sha512, record, response, one.path),
          );
          await writeFile(other.record, renewed);
        }),
      );
    }
  }
  return { ours, theirs };
}

/** Whether Bouncy Castle finds each record over its file. */
export async function judgeRecords(samples: readonly Sample[]): Promise<Verdicts> {
  const found = new Map<Sample, string>();
  for (const sample of samples) {
    if (sample.record === undefined) continue;
    found.set(sample, (await isRecordOver(sample.record, sample.path)) ? 'passed' : 'failed');
  }
  return found;
}
