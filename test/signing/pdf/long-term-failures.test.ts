import { readdir, readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SigningError } from '../../../src/signing/errors.ts';
import { addDocumentTimestamp } from '../../../src/signing/pdf/long-term/add-document-timestamp.ts';
import { signPdfAtLevel } from '../../../src/signing/pdf/long-term/sign-pdf-at-level.ts';
import type { DetachedSigner } from '../../../src/signing/pdf/sign-request.ts';
import { verifyPdf } from '../../../src/signing/pdf/verification/verify-pdf.ts';
import type { Timestamper } from '../../../src/signing/timestamps/timestamp-token.ts';
import { appendRevision } from './build-pdf.ts';
import { LongTermWorkshop } from './long-term-workshop.ts';

let bench: LongTermWorkshop;
beforeAll(async () => {
  bench = await LongTermWorkshop.open();
});
afterAll(() => bench.close());

describe('signPdfAtLevel, when something goes wrong', () => {
  const names = async (): Promise<readonly string[]> => (await readdir(bench.workshop.folder)).sort();

  it('leaves nothing behind when there is no revocation data', async () => {
    const request = bench.request(await bench.plain());
    const before = await names();
    const collector = {
      collect: () => Promise.reject(new SigningError('REVOCATION_UNKNOWN', 'There is no answer.')),
    };
    const signing = signPdfAtLevel(request, { ...bench.options('B-LTA'), collector });
    await expect(signing).rejects.toMatchObject({ code: 'REVOCATION_UNKNOWN' });
    expect(await names()).toEqual(before);
  });

  it.each(['B-LT', 'B-LTA'] as const)('keeps a %s at B-T where newer data is still to come', async (level) => {
    const { collector } = bench.authority;
    let isThere = false;
    const later: typeof collector = {
      collect: (...asked) => {
        if (isThere || asked[4]?.mustBeNewer !== true) return collector.collect(...asked);
        return Promise.reject(new SigningError('REVOCATION_TOO_OLD', 'The next data is announced.'));
      },
    };
    const signed = await bench.sign(await bench.plain(), level, { collector: later, olderEvidence: 'postpone' });
    expect(signed.postponed).toBe('The next data is announced.');
    expect(signed.size).toBe((await readFile(signed.path)).length);
    expect((await verifyPdf(signed.path)).signatures).toMatchObject([{ outcome: 'intact' }]);

    const refused = bench.raise(signed.path, level, { collector: later });
    await expect(refused).rejects.toMatchObject({ code: 'REVOCATION_TOO_OLD' });
    isThere = true;
    const raised = await bench.raise(signed.path, level, { collector: later });
    const stamp = level === 'B-LTA' ? ['document-timestamp'] : [];
    expect(raised.added).toEqual(['validation-material', ...stamp]);
  });

  it('leaves nothing behind when the second time stamp is refused', async () => {
    const request = bench.request(await bench.plain());
    const before = await names();
    let count = 0;
    const { timestamper } = bench.authority;
    const tired: Timestamper = {
      digest: timestamper.digest,
      sizeLimit: 16_384,
      stamp(imprint) {
        count += 1;
        if (count === 2) return Promise.reject(new SigningError('TIMESTAMP_REFUSED', 'No more for today.'));
        return timestamper.stamp(imprint);
      },
    };
    const signing = signPdfAtLevel(request, { ...bench.options('B-LTA'), timestamper: tired });
    await expect(signing).rejects.toMatchObject({ code: 'TIMESTAMP_REFUSED' });
    expect(await names()).toEqual(before);
  });

  it('does not use the key when there is something at the output already', async () => {
    const request = bench.request(await bench.plain());
    await writeFile(request.outputPath, 'precious');
    const signer: DetachedSigner = {
      ...bench.authority.signer,
      signDigest: () => Promise.reject(new Error('The key was used.')),
    };
    const signing = signPdfAtLevel({ ...request, signer }, bench.options('B-LT'));
    await expect(signing).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readFile(request.outputPath, 'utf8')).toBe('precious');
  });

  it('stops when it is cancelled', async () => {
    const request = bench.request(await bench.plain());
    const before = await names();
    const signing = signPdfAtLevel({ ...request, signal: AbortSignal.abort() }, bench.options('B-LTA'));
    await expect(signing).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(await names()).toEqual(before);
  });
});

describe('time stamps that are longer than the authority said', () => {
  const boastful = (sizeLimit: number): Timestamper & { readonly count: number } => {
    const { timestamper } = bench.authority;
    let count = 0;
    return {
      digest: timestamper.digest,
      sizeLimit,
      get count() {
        return count;
      },
      stamp(imprint, signal) {
        count += 1;
        return timestamper.stamp(imprint, signal);
      },
    };
  };

  it('are asked for once more with more room, inside the signature and over the document', async () => {
    const timestamper = boastful(100);
    const { path } = await bench.sign(await bench.plain(), 'B-LTA', { timestamper });
    expect(timestamper.count).toBe(4);
    expect((await verifyPdf(path)).signatures.map(({ outcome }) => outcome)).toEqual(['intact', 'intact']);
  });

  it('are given up when they grow each time', async () => {
    const { timestamper } = bench.authority;
    let padding = 0;
    const growing: Timestamper = {
      digest: timestamper.digest,
      sizeLimit: 64,
      async stamp(imprint) {
        const token = await timestamper.stamp(imprint);
        padding += 8192;
        return { ...token, der: Buffer.concat([token.der, Buffer.alloc(padding)]) };
      },
    };
    const outputPath = bench.workshop.newPath();
    const stamping = addDocumentTimestamp({ inputPath: await bench.plain(), outputPath, timestamper: growing });
    await expect(stamping).rejects.toMatchObject({ code: 'TIMESTAMP_INVALID' });
    await expect(readFile(outputPath)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('verifyPdf, on document time stamps', () => {
  it('tells the time, and sees a change of what was stamped or of the token', async () => {
    const stamped = bench.workshop.newPath();
    const { token, fieldName } = await addDocumentTimestamp({
      inputPath: await bench.plain(),
      outputPath: stamped,
      timestamper: bench.authority.timestamper,
    });
    const { signatures } = await verifyPdf(stamped);
    expect(signatures).toMatchObject([
      {
        fieldName,
        subFilter: 'ETSI.RFC3161',
        outcome: 'intact',
        coversWholeFile: true,
        timestamp: { time: token.time },
      },
    ]);
    const original = await readFile(stamped);
    const changed = Buffer.from(original);
    changed.write('B', changed.indexOf('A document'), 'latin1');
    expect((await verifyPdf(await bench.workshop.write(changed))).signatures[0]).toMatchObject({ outcome: 'broken' });
    const forged = Buffer.from(original);
    const at = forged.indexOf(token.der.subarray(-16).toString('hex'), 0, 'latin1');
    forged.write('00112233', at, 'latin1');
    expect((await verifyPdf(await bench.workshop.write(forged))).signatures[0]).toMatchObject({ outcome: 'broken' });
    const appended = appendRevision(original, { 4: { dictionary: '', data: 'q Q' } });
    expect((await verifyPdf(await bench.workshop.write(appended))).signatures[0]).toMatchObject({
      outcome: 'intact',
      coversWholeFile: false,
    });
  });
});
