import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signPdf, signPdfAtLevel } from '../../src/signing/index.ts';
import { buildPdf, onePage } from '../signing/pdf/build-pdf.ts';
import { craftCms } from '../signing/validation/craft-cms.ts';
import { craftPdf } from '../signing/validation/craft-pdf.ts';
import { SIGNED_AT, ValidationWorld, date } from '../signing/validation/validation-world.ts';
import { EXPLAINED_DIFFERENCES } from './explained-differences.ts';
import { validateFile, type Opinion } from './validate-file.ts';

let world: ValidationWorld;
let folder: string;
beforeAll(async () => {
  world = await ValidationWorld.open();
  folder = await mkdtemp(join(tmpdir(), 'sinete-verdicts-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Person = Parameters<ValidationWorld['person']>[0];

/** A PDF with a signature of such a person; `reach` as in `craftPdf`. */
async function signed(about: Person = {}, reach?: Parameters<typeof craftPdf>[2]): Promise<Buffer> {
  const person = await world.person(about);
  const sign = (content: Buffer): Buffer => craftCms(person, { content, attached: false, signingTime: SIGNED_AT });
  return craftPdf('adbe.pkcs7.detached', sign, reach);
}

/** A PDF signed by our own signer, with or without a level. */
async function signedHere(about: Person = {}, level?: 'B-LTA'): Promise<Buffer> {
  const [inputPath, outputPath] = [join(folder, 'plain'), join(folder, 'signed')];
  await writeFile(inputPath, buildPdf(onePage()));
  const signer = world.cms(await world.person(about), undefined, { omitSigningTime: true });
  const request = {
    inputPath,
    outputPath,
    signer,
    options: { subFilter: 'ETSI.CAdES.detached', signingTime: SIGNED_AT } as const,
  };
  const { timestamper, collector } = world;
  if (level === undefined) await signPdf(request);
  else await signPdfAtLevel(request, { level, timestamper, collector, now: () => world.now });
  const file = await readFile(outputPath);
  await rm(outputPath);
  return file;
}

/** The file with another byte in its header. */
async function changed(): Promise<Buffer> {
  const file = await signed();
  file[20] = (file[20] ?? 0) ^ 1;
  return file;
}

const ROWS: readonly (readonly [name: string, integrity: readonly Opinion[], make: () => Promise<Buffer>])[] = [
  ['made-sound.pdf', ['intact'], () => signed()],
  ['made-changed.pdf', ['broken'], changed],
  ['made-ed25519.pdf', ['intact'], () => signedHere({ keyKind: 'ed25519' })],
  [
    'made-expired-when-signed.pdf',
    ['intact'],
    () => signed({ notBefore: date('2025-02-01'), notAfter: date('2025-06-01') }),
  ],
  [
    'made-gap-too-big.pdf',
    ['broken'],
    () => signed({}, ([start, hole, behind, rest]) => [start, hole, behind + 1, rest - 1]),
  ],
  ['made-without-cms.pdf', ['broken'], () => craftPdf('adbe.pkcs7.detached', () => Buffer.alloc(0))],
  ['made-document-time-stamp.pdf', ['intact', 'intact'], () => signedHere({}, 'B-LTA')],
];

describe('the verdict on the integrity of a signed PDF', () => {
  it.each(ROWS)(
    'differs from other programs only as explained: %s',
    { timeout: 180_000 },
    async (name, integrity, make) => {
      const path = join(folder, name);
      await writeFile(path, await make());
      const { signatures } = await validateFile(name, path, await mkdtemp(join(folder, 'scratch-')));
      expect(signatures.map((row) => row.integrity)).toEqual(integrity);
      const found = signatures.flatMap(({ differences }) => differences.map(({ tool, why }) => ({ tool, why })));
      const explained = (EXPLAINED_DIFFERENCES[name] ?? []).map(({ tool, why }) => ({ tool, why }));
      expect(found).toEqual(explained);
    },
  );

  it('is asked of every file made here by the table', () => {
    const named = Object.keys(EXPLAINED_DIFFERENCES).filter((name) => name.startsWith('made-'));
    expect(named.filter((name) => !ROWS.some(([made]) => made === name))).toEqual([]);
  });
});
