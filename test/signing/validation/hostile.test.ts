import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  Oid,
  SigningError,
  WorkerPool,
  createMemoryRevocationCache,
  derContext,
  derElement,
  derInteger,
  derNull,
  derOctetString,
  derOid,
  derSequence,
  derSetOf,
  signPdf,
  type ValidationReport,
  type WorkerValidationServices,
} from '../../../src/signing/index.ts';
import type { TestIdentity } from '../../../src/test-authority/index.ts';
import { appendRevision, buildPdf, onePage } from '../pdf/build-pdf.ts';
import { attributeOf, craftCms } from './craft-cms.ts';
import { derElementOf, derSetOfList } from '../../../src/signing/der/writer.ts';
import { craftPdf } from './craft-pdf.ts';
import { withSignedAttributes } from './many-signers.ts';
import { SIGNED_AT, ValidationWorld, onlySignature, verdict } from './validation-world.ts';

interface Scene {
  readonly person: TestIdentity;
  /** A PDF passing. */
  readonly signed: Buffer;
}

const nested = (depth: number): Buffer => {
  let inner: Buffer = derNull();
  for (let level = 0; level < depth; level += 1) inner = derElement(0x30, inner);
  return inner;
};

/** A message with these signers, and nothing else of interest. */
const messageOf = (signers: Buffer): Buffer =>
  derSequence(
    derOid(Oid.signedData),
    derContext(0, derSequence(derInteger(1), derSetOf(), derSequence(derOid(Oid.data)), signers)),
  );

const CMS: readonly (readonly [state: string, make: (scene: Scene) => Buffer])[] = [
  ['is nested in a thousand elements', () => nested(1_000)],
  [
    'has an attribute nested in a thousand',
    ({ person }) => craftCms(person, { more: [attributeOf('1.2.3', nested(1000))] }),
  ],
  ['has indefinite lengths without end', () => Buffer.alloc(1_000_000, Buffer.of(0x30, 0x80))],
  ['says that it is two gigabytes long', () => Buffer.of(0x30, 0x84, 0x7f, 0xff, 0xff, 0xff, 0x06)],
  ['has ten thousand signers', () => messageOf(derElement(0x31, ...Array<Buffer>(10_000).fill(derSequence())))],
  ['has ninety thousand signed attributes', ({ person }) => withSignedAttributes(craftCms(person), 90_000)],
  [
    'has a thousand times the same certificates',
    ({ person }) =>
      craftCms(person, {
        certificates: Array.from({ length: 1000 }, () => [person.certificate, ...person.chain]).flat(),
      }),
  ],
  [
    'has a thousand lists that are none',
    ({ person }) =>
      craftCms(person, { revocations: Array<Buffer>(1000).fill(derSequence(derOctetString(Buffer.alloc(64)))) }),
  ],
  [
    'has counter-signatures without end',
    ({ person }) =>
      craftCms(person, {
        unsigned: () => [
          attributeOf('1.2.840.113549.1.9.6', ...Array.from({ length: 500 }, (_, n) => derSequence(derInteger(n)))),
        ],
      }),
  ],
];

const table = onePage();
const behind = ({ signed }: Scene, section: string): Buffer =>
  Buffer.concat([signed, Buffer.from(`${section}\nstartxref\n${signed.length}\n%%EOF\n`, 'latin1')]);

const PDF: readonly (readonly [state: string, make: (scene: Scene) => Buffer])[] = [
  [
    'has a cross-reference that follows itself',
    (scene) => behind(scene, `xref\n0 0\ntrailer\n<</Root 1 0 R /Size 9 /Prev ${scene.signed.length}>>`),
  ],
  [
    'has pages in a circle',
    ({ signed }) => appendRevision(signed, { 2: '<</Type /Pages /Kids [2 0 R 2 0 R 3 0 R] /Count 3>>' }),
  ],
  [
    'has fields in a circle',
    ({ signed }) =>
      appendRevision(signed, {
        1: '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [70 0 R]>>>>',
        70: '<</T (a) /Kids [71 0 R 70 0 R]>>',
        71: '<</T (b) /FT /Sig /Kids [70 0 R 71 0 R]>>',
      }),
  ],
  [
    'has an object stream that inflates without end',
    ({ signed }) =>
      appendRevision(signed, {
        70: {
          dictionary: '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode',
          data: deflateSync(Buffer.alloc(80 * 2 ** 20, 0x20), { level: 1 }),
        },
        1: '<</Type /Catalog /Pages 2 0 R /AcroForm 70 0 R>>',
      }),
  ],
  [
    'has a value nested in a hundred thousand',
    ({ signed }) => appendRevision(signed, { 1: `<</Pages 2 0 R /X ${'['.repeat(100_000)}` }),
  ],
  [
    'has a table of a billion entries',
    (scene) => behind(scene, 'xref\n0 999999999\n0000000000 65535 f \ntrailer\n<</Root 1 0 R>>'),
  ],
  [
    'says that it has a billion pages',
    ({ signed }) => appendRevision(signed, { 2: '<</Type /Pages /Kids [3 0 R] /Count 999999999>>' }),
  ],
  [
    'has a byte range of a million numbers',
    ({ signed }) =>
      appendRevision(signed, {
        70: `<</ByteRange [${'0 '.repeat(1_000_000)}]>>`,
        1: '<</Pages 2 0 R /AcroForm <</Fields [<</FT /Sig /T (x) /V 70 0 R>>]>>>>',
      }),
  ],
  [
    'has five hundred revisions',
    ({ signed }) => Array.from({ length: 500 }).reduce<Buffer>((file) => appendRevision(file, { 70: '(x)' }), signed),
  ],
  ['is no PDF', () => Buffer.from('%PDF-1.7\nnothing\n')],
];

describe('a hostile input', () => {
  const workers = new WorkerPool({ threads: 1 });
  let world: ValidationWorld;
  let scene: Scene;
  let folder = '';
  const services = (): WorkerValidationServices => ({
    trust: world.services().trust,
    http: world.http,
    cache: createMemoryRevocationCache({ now: () => world.now }),
    now: () => world.now,
  });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sinete-hostile-'));
    world = await ValidationWorld.open();
    const person = await world.person();
    const sign = (content: Buffer): Buffer => craftCms(person, { content, attached: false });
    scene = { person, signed: await craftPdf('ETSI.CAdES.detached', sign) };
  });

  afterAll(async () => {
    await workers.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Ends in a verdict or in an error of ours, at the latest by the limits of the worker. */
  async function expectRefused(validation: Promise<ValidationReport>): Promise<void> {
    const outcome: unknown = await validation.then(
      (report) => report,
      (error: unknown) => error,
    );
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(SigningError);
    else expect((outcome as ValidationReport).indication).toMatch(/^(TOTAL-PASSED|INDETERMINATE|TOTAL-FAILED)$/);
  }

  it.each(CMS)('that is CMS and %s ends in a verdict or an error', async (_, make) => {
    const signature = make(scene);
    await expectRefused(workers.validate({ input: { signature } }, services()));
  });

  it.each(PDF)('that is a PDF and %s ends in a verdict or an error', async (_, make) => {
    const path = join(folder, 'hostile.pdf');
    await writeFile(path, make(scene));
    await expectRefused(workers.validate({ input: { path } }, services()));
  });

  it('does not keep the worker from the next file', async () => {
    const path = join(folder, 'good.pdf');
    await writeFile(path, scene.signed);
    const report = await workers.validate({ input: { path } }, services());
    expect(verdict(report)).toBe('TOTAL-PASSED');
    expect(onlySignature(report).pdf).toMatchObject({ coversWholeFile: true, changeLevel: 'none' });
  });

  it('is told from a passing PDF, and from the same PDF damaged', async () => {
    const [inputPath, outputPath] = [join(folder, 'plain.pdf'), join(folder, 'signed.pdf')];
    await writeFile(inputPath, buildPdf(table));
    const signer = world.cms(scene.person, undefined, { omitSigningTime: true });
    await signPdf({
      inputPath,
      outputPath,
      signer,
      options: { subFilter: 'ETSI.CAdES.detached', signingTime: SIGNED_AT },
    });
    expect(verdict(await workers.validate({ input: { path: outputPath } }, services()))).toBe('TOTAL-PASSED');
    const damaged = await readFile(outputPath);
    damaged[30] = (damaged[30] ?? 0) ^ 1;
    await writeFile(outputPath, damaged);
    const report = await workers.validate({ input: { path: outputPath } }, services());
    expect(verdict(report)).toBe('TOTAL-FAILED HASH_FAILURE');
  });
});

describe('a list longer than the arguments of a call', () => {
  it('is written and sorted', () => {
    const elements = Array<Buffer>(300_000).fill(derNull());
    expect(derSetOfList(elements)).toHaveLength(600_000 + 5);
    expect(derElementOf(0x30, elements)).toHaveLength(600_000 + 5);
  });
});
