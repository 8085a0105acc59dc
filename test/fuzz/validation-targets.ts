/** Good signatures to be damaged and validated: nothing but a verdict or a `SigningError`, and never a false pass. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  signPdf,
  signPdfAtLevel,
  validatePdf,
  validateSignature,
  type ValidationReport,
  type ValidationServices,
} from '../../src/signing/index.ts';
import { openDer } from '../../src/signing/validation/input/open-signature.ts';
import { withPdfFacts } from '../../src/signing/pdf/differences/with-pdf-facts.ts';
import { buildPdf, onePage } from '../signing/pdf/build-pdf.ts';
import { SIGNED_AT, ValidationWorld } from '../signing/validation/validation-world.ts';
import type { Target } from './targets.ts';

const CONTENT = Buffer.from('what was signed');
const digest = (octets: Uint8Array): string => createHash('sha256').update(octets).digest('hex');

/** What a signer signed: its attributes and its value, in one string. */
function signedParts(octets: Buffer): readonly string[] {
  return openDer(octets).signedData.signers.map(({ signedAttributesDer, signature }) =>
    digest(Buffer.concat([signedAttributesDer ?? Buffer.alloc(0), signature])),
  );
}

/** A pass must be over content that somebody signed. */
function refuseFalsePass({ indication, contentDigest }: ValidationReport): void {
  if (indication === 'TOTAL-PASSED' && contentDigest !== digest(CONTENT))
    throw new Error('A damaged signature passed.');
}

/** CMS at every level; a signature that passes is over the content and by the signer of a sample. */
export function validateCmsTarget(): Target {
  let services: ValidationServices | undefined;
  const known = new Set<string>();
  return {
    async samples() {
      const world = await ValidationWorld.open();
      const person = await world.person();
      services = world.services();
      const samples: Buffer[] = [];
      for (const level of [undefined, 'B-T', 'B-LT', 'B-LTA'] as const) {
        samples.push(await world.cms(person, level).signContent(CONTENT, SIGNED_AT));
      }
      for (const part of samples.flatMap(signedParts)) known.add(part);
      return samples;
    },
    async read(input) {
      if (services === undefined) return;
      const report = await validateSignature({ signature: input, content: CONTENT }, services);
      refuseFalsePass(report);
      if (report.indication !== 'TOTAL-PASSED' || report.checks.length > 0) return;
      if (!signedParts(input).every((part) => known.has(part))) throw new Error('A signature of nobody passed.');
    },
  };
}

/** Signed PDFs; one that passes begins with the octets that were signed in a sample. */
export function validatePdfTarget(): Target {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-fuzz-'));
  const path = join(folder, 'input');
  let services: ValidationServices | undefined;
  const known = new Set<string>();
  const signedOctets = (file: string): Promise<readonly string[]> =>
    withPdfFacts(file, {}, async ({ signatures }) =>
      Promise.all(
        signatures
          // A damaged document time stamp proves nothing; the signatures before it stand for themselves.
          .filter(({ isDocumentTimestamp }) => !isDocumentTimestamp)
          .map(async ({ digestOf }) => (await digestOf('sha256')).toString('hex')),
      ),
    );
  return {
    async samples() {
      const world = await ValidationWorld.open();
      const person = await world.person();
      services = world.services();
      const [plain, one, two] = ['plain', 'one', 'two'].map((name) => join(folder, name)) as [string, string, string];
      await writeFile(plain, buildPdf(onePage()));
      const signer = world.cms(person, undefined, { omitSigningTime: true });
      const options = { subFilter: 'ETSI.CAdES.detached', signingTime: SIGNED_AT } as const;
      await signPdf({ inputPath: plain, outputPath: one, signer, options });
      const { timestamper, collector } = world;
      const level = { level: 'B-LTA', timestamper, collector, now: () => world.now } as const;
      await signPdfAtLevel({ inputPath: plain, outputPath: two, signer, options }, level);
      for (const file of [one, two]) for (const octets of await signedOctets(file)) known.add(octets);
      return [readFileSync(one), await readFile(two)];
    },
    async read(input) {
      if (services === undefined) return;
      await writeFile(path, input);
      const { indication, signatures } = await validatePdf({ path }, services, {}, withPdfFacts);
      if (indication !== 'TOTAL-PASSED' || signatures.length === 0) return;
      const octets = await signedOctets(path);
      if (!octets.every((one) => known.has(one))) throw new Error('A damaged PDF passed.');
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
