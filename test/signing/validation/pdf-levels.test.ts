import { copyFile, open } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  raisePdf,
  signPdf,
  signPdfAtLevel,
  validatePdf,
  type PdfLevel,
  type ValidationReport,
} from '../../../src/signing/index.ts';
import { withPdfFacts } from '../../../src/signing/pdf/differences/with-pdf-facts.ts';
import type { TestIdentity } from '../../../src/test-authority/index.ts';
import { buildPdf, onePage } from '../pdf/build-pdf.ts';
import { Workshop } from '../pdf/workshop.ts';
import { CRL_URL, SIGNED_AT, ValidationWorld, codesOf, date, onlySignature, verdict } from './validation-world.ts';

describe('validating PDFs', () => {
  let world: ValidationWorld;
  let person: TestIdentity;
  let workshop: Workshop;

  beforeEach(async () => {
    world = await ValidationWorld.open();
    person = await world.person();
  });

  beforeAll(async () => {
    workshop = await Workshop.open();
  });

  afterAll(() => workshop.close());

  const sign = async (level?: PdfLevel, inputPath?: string): Promise<string> => {
    world.now = SIGNED_AT;
    const outputPath = workshop.newPath();
    const request = {
      inputPath: inputPath ?? (await workshop.write(buildPdf(onePage()))),
      outputPath,
      signer: world.cms(person, undefined, { omitSigningTime: true }),
      options: { subFilter: 'ETSI.CAdES.detached', signingTime: SIGNED_AT },
    } as const;
    const { timestamper, collector } = world;
    if (level === undefined) await signPdf(request);
    else await signPdfAtLevel(request, { level, timestamper, collector, now: () => world.now });
    return outputPath;
  };
  const validate = (path: string, where: { readonly offline?: boolean } = {}): Promise<ValidationReport> =>
    validatePdf({ path }, world.services(where), {}, withPdfFacts);

  it.each([
    ['B-B', undefined, 'INDETERMINATE OUT_OF_BOUNDS_NO_POE'],
    ['B-T', 'B-T', 'INDETERMINATE OUT_OF_BOUNDS_NO_POE'],
    ['B-LT', 'B-LT', 'TOTAL-PASSED'],
    ['B-LTA', 'B-LTA', 'TOTAL-PASSED'],
  ] as const)("passes at %s, and answers after the certificate's end", async (name, level, later) => {
    const path = await sign(level);
    world.now = date('2026-03-02');
    const report = await validate(path);
    expect(verdict(report)).toBe('TOTAL-PASSED');
    expect(onlySignature(report)).toMatchObject({
      level: name,
      format: 'PAdES',
      pdf: { subFilter: 'ETSI.CAdES.detached' },
    });
    expect(report.documentTimestamps.map(verdict)).toEqual(level === 'B-LTA' ? ['TOTAL-PASSED'] : []);
    world.now = date('2027-06-01');
    expect(verdict(await validate(path))).toBe(later);
  });

  it('passes B-LTA after the time stamp authority expired, when renewed before', async () => {
    const signed = await sign('B-LTA');
    world.now = date('2027-12-01');
    const first = world.tsa;
    world.tsa = await world.anotherTsa('2027-06-01', '2031-01-01');
    const path = workshop.newPath();
    const { timestamper, collector } = world;
    await raisePdf({
      inputPath: signed,
      outputPath: path,
      level: 'B-LTA',
      timestamper,
      collector,
      now: () => world.now,
    });
    world.now = date('2029-01-01');
    expect(verdict(await validate(path))).toBe('TOTAL-PASSED');
    expect(verdict(await validate(signed))).not.toBe('TOTAL-PASSED');
    world.tsa = first;
  });

  it.each(['answer', 'are gone'] as const)(
    'lasts ten years by a single renewal, when the servers of then %s',
    async (then) => {
      const lasting = await ValidationWorld.open({ years: 16 });
      [world, person] = [lasting, await lasting.person()];
      const signed = await sign('B-LTA');
      world.now = date('2026-05-01');
      expect(onlySignature(await validate(signed, { offline: true }))).toMatchObject({ levelProven: 'B-LTA' });

      world.now = date('2027-12-01');
      world.tsa = await world.anotherTsa('2027-06-01', '2040-01-01');
      const path = workshop.newPath();
      const { timestamper, collector } = world;
      const more = { timestamper, collector, now: () => world.now };
      if (then === 'are gone') world.http.answers = { ...world.http.answers, [CRL_URL]: 'unreachable' };
      const renewed = await raisePdf({ inputPath: signed, outputPath: path, level: 'B-LTA', ...more });
      expect(renewed.added.at(-1)).toBe(then === 'answer' ? 'validation-material' : 'document-timestamp');

      world.now = date('2036-03-01');
      const ended = onlySignature(await validate(signed, { offline: true }));
      expect(codesOf(ended)).toContain('PROTECTION_ENDED');
      if (then === 'are gone') return;
      const only = onlySignature(await validate(path, { offline: true }));
      expect(only).toMatchObject({ indication: 'TOTAL-PASSED', level: 'B-LTA', levelProven: 'B-LTA' });
    },
  );

  it('does not count evidence stored behind the last time stamp as proven', async () => {
    const path = workshop.newPath();
    const inputPath = await sign();
    const { timestamper, collector } = world;
    const more = { timestamper, collector, now: () => world.now };
    const { added } = await raisePdf({ inputPath, outputPath: path, level: 'B-LT', ...more });
    expect(added).toEqual(['document-timestamp', 'validation-material']);
    expect(onlySignature(await validate(path))).toMatchObject({ level: 'B-LT', levelProven: 'B-LT' });
  });

  it('passes a PDF signed with Ed448, whose content is digested by SHAKE256', async () => {
    person = await world.person({ keyKind: 'ed448' });
    expect(verdict(await validate(await sign('B-T')))).toBe('TOTAL-PASSED');
  });

  it('judges several signatures each by itself', async () => {
    const path = await sign(undefined, await sign('B-T'));
    const report = await validate(path);
    expect(report.signatures.map(verdict)).toEqual(['TOTAL-PASSED', 'TOTAL-PASSED']);
    expect(report.signatures.map(({ id }) => id)).toEqual(['1', '2']);
    expect(report.signatures.map((one) => codesOf(one).filter((code) => code.startsWith('PDF_')))).toEqual([
      ['PDF_CHANGES_ALLOWED'],
      ['PDF_WHOLE_FILE_COVERED'],
    ]);
  });

  it('could not tell about a PDF without a signature', async () => {
    const report = await validate(await workshop.write(buildPdf(onePage())));
    expect(report).toMatchObject({ indication: 'INDETERMINATE', signatures: [] });
    expect(codesOf(report)).toEqual(['PDF_NO_SIGNATURE']);
  });

  it.each([undefined, 'B-T', 'B-LT', 'B-LTA'] as const)(
    'never passes with a single byte changed in the signed part: %s',
    async (level) => {
      const path = await sign(level);
      const { byteRange } = onlyFacts(await withPdfFacts(path, {}, ({ signatures }) => Promise.resolve(signatures)));
      const [, firstLength = 0, secondStart = 0, secondLength = 0] = byteRange;
      const end = secondStart + secondLength;
      for (let offset = 9; offset < end; offset += 37) {
        if (offset >= firstLength && offset < secondStart) continue;
        expect(await isPassed(path, offset)).toBe(false);
      }
    },
  );

  const onlyFacts = <Item>([first]: readonly Item[]): Item => {
    if (first === undefined) throw new Error('There is no signature.');
    return first;
  };

  /** Whether the PDF passes with another byte at `offset`. */
  async function isPassed(path: string, offset: number): Promise<boolean> {
    const changed = workshop.newPath();
    await copyFile(path, changed);
    const file = await open(changed, 'r+');
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, offset);
    await file.write(Buffer.of((buffer[0] ?? 0) ^ 1), 0, 1, offset);
    await file.close();
    try {
      const report = await validate(changed);
      return report.indication === 'TOTAL-PASSED';
    } catch (error) {
      expect(error).toMatchObject({ name: 'SigningError' });
      return false;
    }
  }
});
