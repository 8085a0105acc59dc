/** Good signatures to be damaged and validated: nothing but a verdict or a `SigningError`, and never a false pass. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  signPdf,
  signPdfAtLevel,
  validatePdfFacts,
  validateSignature,
  type Indication,
  type ValidationReport,
  type ValidationServices,
} from '../../src/signing/index.ts';
import { openDer } from '../../src/signing/validation/input/open-signature.ts';
import type { PdfFacts, PdfSignatureFacts } from '../../src/signing/pdf/differences/pdf-facts.ts';
import { withPdfFacts } from '../../src/signing/pdf/differences/with-pdf-facts.ts';
import { buildPdf, onePage } from '../signing/pdf/build-pdf.ts';
import { validateWithContent } from '../../src/signing/validation/validate-content.ts';
import { writeZip } from '../signing/certificates/trust/write-zip.ts';
import { craftCms } from '../signing/validation/craft-cms.ts';
import { craftPdf } from '../signing/validation/craft-pdf.ts';
import { SIGNED_AT, ValidationWorld } from '../signing/validation/validation-world.ts';
import type { Target } from './targets.ts';

const CONTENT = Buffer.from('what was signed');
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Digests of the signed attributes and the signature value of each signer. */
function signedParts(bytes: Buffer, padded = false): readonly string[] {
  return openDer(bytes, padded).signedData.signers.map(({ signedAttributesDer, signature }) =>
    digest(Buffer.concat([signedAttributesDer ?? Buffer.alloc(0), signature])),
  );
}

/** A pass must be over really signed content. */
function refuseFalsePass({ indication, contentDigest }: ValidationReport): void {
  if (indication === 'TOTAL-PASSED' && contentDigest !== digest(CONTENT))
    throw new Error('A damaged signature passed.');
}

/** CMS at every level; a passing signature is over the content and by the signer of a sample. */
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
      for (const part of samples.flatMap((sample) => signedParts(sample))) known.add(part);
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

/**
 * Signed files inside a sound signature: the content of the outer signature is damaged before the outer signer signs. A
 * signature inside that passes is a sample's.
 */
export function validateContentTarget(): Target {
  let wrap: ((content: Buffer) => Buffer) | undefined;
  let services: ValidationServices | undefined;
  const known = new Set<string>();
  return {
    async samples() {
      const world = await ValidationWorld.open();
      const person = await world.person();
      services = world.services();
      wrap = (content) => craftCms(person, { content });
      const signed = craftCms(person, { content: CONTENT });
      for (const part of signedParts(signed)) known.add(part);
      const beside = craftCms(person, { content: CONTENT, attached: false });
      for (const part of signedParts(beside)) known.add(part);
      const archive = writeZip([
        { name: 'letter.txt', content: CONTENT },
        { name: 'letter.txt.p7s', content: beside },
      ]);
      const pdf = await craftPdf('ETSI.CAdES.detached', (content) => craftCms(person, { content, attached: false }));
      const xml = Buffer.from('<?xml version="1.0"?><a><Signature xmlns="http://www.w3.org/2000/09/xmldsig#"/></a>');
      return [signed, wrap(signed), Buffer.from(signed.toString('base64')), archive, pdf, xml];
    },
    async read(input) {
      if (services === undefined || wrap === undefined) return;
      const report = await validateWithContent({ signature: wrap(input) }, services, {}, withPdfFacts);
      const inner = report.signatures.filter(({ id }) => id !== '1');
      // A signature directly inside can be told by its parts; those in archives and PDFs have targets of their own.
      if (inner.length !== 1 || inner[0]?.id !== 'content/1' || inner[0].indication !== 'TOTAL-PASSED') return;
      const isCms = input[0] === 0x30;
      if (isCms && !signedParts(input).every((part) => known.has(part)))
        throw new Error('A signature of nobody passed.');
    },
  };
}

/** One signature or document time stamp with its own verdict alone. */
interface JudgedField {
  readonly field: PdfSignatureFacts;
  readonly indication: Indication;
}

/** Signatures and document time stamps stand in the report in the order of the facts. */
function judgedFields({ signatures }: PdfFacts, report: ValidationReport): readonly JudgedField[] {
  const [stamps, others] = [[...report.documentTimestamps], [...report.signatures]];
  return signatures.map((field) => {
    const judged = (field.isDocumentTimestamp ? stamps : others).shift();
    if (judged === undefined) throw new Error('A signature has no verdict.');
    return { field, indication: judged.indication };
  });
}

/** The bytes of the file signed by a field, and the signature over these bytes. */
async function signedBy({ digestOf, contents, isDocumentTimestamp }: PdfSignatureFacts): Promise<string> {
  const bytes = (await digestOf('sha256')).toString('hex');
  // A time stamp token signs a TSTInfo; the verdict compares the TSTInfo with these bytes.
  return isDocumentTimestamp ? bytes : [bytes, ...signedParts(contents, true)].join(' ');
}

/**
 * Signed PDFs. Each signature and each document time stamp stands for itself: where the verdict passes, the bytes in
 * its range are the bytes of a sample, to the last bit, and so are the attributes and the value of the signature.
 * Damage outside of all passing fields is legitimate: the digits and the padding of `Contents`, certificates in the
 * CMS, and, for the earlier fields, everything in a later revision if its own document time stamp does not pass then.
 */
export function validatePdfTarget(): Target {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-fuzz-'));
  const path = join(folder, 'input');
  let services: ValidationServices | undefined;
  const known = new Set<string>();
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
      for (const file of [one, two]) {
        await withPdfFacts(file, {}, async ({ signatures }) => {
          for (const field of signatures) known.add(await signedBy(field));
        });
      }
      return [readFileSync(one), await readFile(two)];
    },
    async read(input) {
      const given = services;
      if (given === undefined) return;
      await writeFile(path, input);
      await withPdfFacts(path, {}, async (facts) => {
        const report = await validatePdfFacts(facts, given);
        for (const { field, indication } of judgedFields(facts, report)) {
          if (indication !== 'TOTAL-PASSED' || known.has(await signedBy(field))) continue;
          throw new Error(`Damage in what ${field.fieldName} signs passed.`);
        }
      });
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
