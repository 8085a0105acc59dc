/** Evidence records in an archive: renewed by the ending part, and judged years later. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TimestampDigest } from '../../../src/signing/index.ts';
import { readEvidenceRecord } from '../../../src/signing/evidence-records/index.ts';
import { renewalReport } from '../../../src/service/renewals/index.ts';
import { isRecordOver } from '../../oracles/evidence-records.ts';
import { chainOf, digestOf, recordOf, stampOver } from '../../signing/validation/craft-evidence-record.ts';
import { date, SIGNED_AT, verdict } from '../../signing/validation/validation-world.ts';
import { END, rsaEnds, sha2Ends, sha2EndsAt, TwoAges } from './two-ages.ts';

const CONTENT = Buffer.from('A letter.');
const RENEWING = date('2029-11-15');
const TIMES = [date('2032-01-01'), date('2039-12-01')];

let ages: TwoAges;
afterEach(async () => rm(ages.folder, { recursive: true, force: true }));

/** A record of the first authority, over the file of this name. */
async function protect(name: string): Promise<void> {
  const hash = digestOf('sha256', await readFile(ages.path(name)));
  await writeFile(ages.path(`${name}.er`), recordOf(chainOf(stampOver(ages.before, [hash]))));
}

const chainsOf = async (name: string): Promise<readonly (readonly string[])[]> =>
  readEvidenceRecord(await readFile(ages.path(name))).chains.map(({ stamps }) =>
    stamps.map(({ algorithm }) => algorithm),
  );

const verdictOf = async (name: string): Promise<string> =>
  verdict(await ages.report(ages.path(`${name}.er`), { contentPath: ages.path(name) }));

describe.each<{
  what: string;
  open: () => Promise<TwoAges>;
  asked: readonly `${string} ${TimestampDigest}`[];
  chains: readonly (readonly string[])[];
}>([
  {
    what: 'its hash function',
    open: () => TwoAges.open(sha2Ends, 'ec-p256', 'sha3'),
    asked: ['before sha3-256', 'before sha256', 'after sha3-256'],
    chains: [['sha256'], ['sha3-256']],
  },
  {
    what: 'the algorithm of its authority',
    open: () => TwoAges.open(rsaEnds, 'rsa-2048'),
    asked: ['before sha256', 'after sha256'],
    chains: [['sha256', 'sha256']],
  },
  {
    what: 'the certificate of its authority',
    open: async () => {
      const opened = await TwoAges.open(sha2EndsAt('2041-01-01'), 'ec-p256');
      opened.before.tsa = await opened.before.anotherTsa('2026-01-01', '2030-01-01');
      return opened;
    },
    // The chain goes on, because its hash function lasts longer than the certificate.
    asked: ['before sha256'],
    chains: [['sha256', 'sha256']],
  },
])('an evidence record when $what comes to its end', ({ open, asked, chains }) => {
  beforeEach(async () => {
    ages = await open();
    await writeFile(ages.path('letter.txt'), CONTENT);
    await protect('letter.txt');
  });

  it('is not due before its time', async () => {
    ages.setClock(date('2029-06-01'));
    const { 'letter.txt.er': outcome } = await ages.renew();
    expect(outcome).toMatchObject({ state: 'not-due', detail: '' });
    expect(outcome?.protectedUntil?.toISOString().slice(0, 10)).toBe(END);
    expect(outcome?.documentTimestamps).toMatchObject([{ role: 'evidence-record', time: SIGNED_AT, valid: true }]);
    expect(ages.asked).toEqual([]);
  });

  it('is renewed, and proves its document years later with nobody to be asked', async () => {
    const old = await readFile(ages.path('letter.txt.er'));
    ages.setClock(RENEWING);
    const { 'letter.txt.er': outcome } = await ages.renew();
    expect(outcome).toMatchObject({ state: 'renewed' });
    expect(outcome?.protectedUntil?.getTime()).toBeGreaterThan(date('2040-01-01').getTime());
    expect(ages.asked).toEqual(asked);
    expect(await chainsOf('letter.txt.er')).toEqual(chains);
    for (const time of TIMES) {
      ages.setClock(time);
      expect(await verdictOf('letter.txt')).toBe('TOTAL-PASSED');
    }
    expect(await isRecordOver(ages.path('letter.txt.er'), ages.path('letter.txt'))).toBe(true);
    await writeFile(ages.path('letter.txt'), 'Another letter.');
    expect(await verdictOf('letter.txt')).toBe('TOTAL-FAILED HASH_FAILURE');
    await writeFile(ages.path('letter.txt'), CONTENT);
    await writeFile(ages.path('letter.txt.er'), old);
    expect(await verdictOf('letter.txt')).not.toBe('TOTAL-PASSED');
  });

  it('is listed without its document, and renewed when the document is back', async () => {
    ages.setClock(RENEWING);
    await rm(ages.path('letter.txt'));
    expect(await ages.renew()).toMatchObject({ 'letter.txt.er': { state: 'content-missing' } });
    expect(ages.asked).toEqual([]);
    await writeFile(ages.path('letter.txt'), CONTENT);
    ages.setClock(date('2029-11-17'));
    expect(await ages.renew()).toMatchObject({ 'letter.txt.er': { state: 'renewed' } });
  });
});

describe('an evidence record beside a signed file', () => {
  beforeEach(async () => {
    ages = await TwoAges.open(sha2Ends, 'ec-p256', 'sha3');
    await ages.sign();
    await protect('contract.p7m');
    await protect('contract.pdf');
  });

  it.each(['contract.p7m', 'contract.pdf'])(
    'is renewed in the place of the file, unchanged itself: %s',
    async (name) => {
      const [file, record] = [ages.path(name), ages.path(`${name}.er`)];
      const before = await readFile(file);
      ages.setClock(RENEWING);
      const outcomes = await ages.renew();
      expect(outcomes[name]).toMatchObject({ state: 'not-due' });
      expect(outcomes[name]?.protectedUntil?.getTime()).toBeGreaterThan(date('2040-01-01').getTime());
      expect((await readFile(file)).equals(before)).toBe(true);
      expect(await chainsOf(`${name}.er`)).toEqual([['sha256'], ['sha3-256']]);
      for (const time of TIMES) {
        ages.setClock(time);
        expect(verdict(await ages.report(file, { recordPaths: [record] }))).toBe('TOTAL-PASSED');
        expect(verdict(await ages.report(file))).not.toBe('TOTAL-PASSED');
      }
    },
  );

  it('impossible to renew leaves the file unchanged, and the outcome names the record', async () => {
    const before = await readFile(ages.path('contract.p7m'));
    ages.before.http.answers = {};
    ages.setClock(RENEWING);
    const { 'contract.p7m': outcome } = await ages.renew();
    expect(outcome).toMatchObject({ state: 'failed', causes: [{ kind: 'record', name: 'contract.p7m.er' }] });
    expect(outcome?.detail).toContain('contract.p7m.er');
    expect((await readFile(ages.path('contract.p7m'))).equals(before)).toBe(true);
    const kept = {
      path: 'contract.p7m',
      origin: 'folder',
      checkedAt: null,
      renewedAt: null,
      troubledSince: null,
    } as const;
    const file = { ...kept, outcome: outcome ?? null, nextAt: RENEWING, replacement: null };
    const { data } = await renewalReport([file], { format: 'html', language: 'pt-BR', made: RENEWING });
    expect(Buffer.from(data, 'base64').toString()).toContain('registro de evidências “contract.p7m.er”');
  });

  it('over another file protects nothing, so the file itself is renewed', async () => {
    await writeFile(ages.path('contract.p7m.er'), await readFile(ages.path('contract.pdf.er')));
    ages.setClock(RENEWING);
    expect(await ages.renew()).toMatchObject({
      'contract.p7m': { state: 'renewed' },
      'contract.p7m.er': { state: 'not-valid' },
    });
  });
});
