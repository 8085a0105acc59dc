import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CrlIndex, parseCertificate } from '../../src/signing/index.ts';
import { createTestAuthority } from '../../src/test-authority/index.ts';
import { manyEntries, writeTestCrl } from '../signing/revocation/write-crl.ts';
import { interleave, median, medianRatio, milliseconds, type Benchmark } from './harness.ts';

const ENTRIES = 500_000;
const LOOKUPS = 2_000;
const MICROSECONDS = 1_000;

interface Subject {
  readonly path: string;
  readonly issuer: Buffer;
  readonly serials: Buffer;
}

async function writeLargeCrl(folder: string): Promise<Subject> {
  const { issuing } = await createTestAuthority();
  const { der, serials } = manyEntries(ENTRIES);
  const thisUpdate = new Date('2026-01-02');
  const key = createPrivateKey({ key: issuing.privateKey, format: 'der', type: 'pkcs8' });
  const { subject } = parseCertificate(issuing.certificate);
  const fields = { issuer: subject, thisUpdate, nextUpdate: new Date('2046-01-02'), entriesDer: der };
  const path = join(folder, 'large.crl');
  writeFileSync(path, writeTestCrl(fields, key));
  return { path, issuer: issuing.certificate, serials };
}

/** Microseconds of one look-up, of serial numbers that are on the list in turn with those that are not. */
async function timeLookups(index: CrlIndex, serials: Buffer): Promise<number> {
  const wanted = Array.from({ length: LOOKUPS }, (_, number) => {
    const serial = Buffer.from(serials.subarray((number * 16 * 97) % serials.length).subarray(0, 16));
    if (number % 2 === 1) serial[15] = (serial[15] ?? 0) ^ 1;
    return serial;
  });
  let found = 0;
  const time = await milliseconds(() => {
    for (const serial of wanted) if (index.find(serial) !== undefined) found++;
  });
  assert.equal(found, LOOKUPS / 2);
  return (time * MICROSECONDS) / LOOKUPS;
}

export const benchmark: Benchmark = {
  name: `A CRL of ${ENTRIES} entries: verified and indexed from a file, against \`openssl crl -noout\`, and looked up`,
  peakMegabytesAtMost: 230,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'sinete-bench-'));
    try {
      const { path, issuer, serials } = await writeLargeCrl(folder);
      const signer = parseCertificate(issuer);
      const figures = await interleave({
        openssl: () =>
          milliseconds(() => execFileSync('openssl', ['crl', '-inform', 'DER', '-in', path, '-noout'], { stdio: 'ignore' })),
        index: () => milliseconds(async () => (await CrlIndex.build(path, signer)).close()),
      });
      const index = await CrlIndex.build(path, signer);
      assert.equal(index.entryCount, ENTRIES);
      const lookups = await interleave({ lookup: () => timeLookups(index, serials) });
      index.close();
      return [
        {
          what: 'verify and index',
          ratio: medianRatio(figures, 'index', 'openssl'),
          bound: { atMost: 1 },
          detail: `${median(figures.index).toFixed(0)} ms against ${median(figures.openssl).toFixed(0)} ms, which does not verify`,
        },
        {
          what: 'look-up, microseconds',
          ratio: median(lookups.lookup),
          bound: { atMost: 10 },
          detail: `from the file, ${LOOKUPS} serial numbers per round, every second one on the list`,
        },
      ];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};
