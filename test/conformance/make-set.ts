/** Makes the files that the judges see: every level, type, algorithm and policy, and twins with a changed byte. */
import { hash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import {
  addSigner,
  counterSign,
  icpBrasilPdfLevel,
  raiseCms,
  raisePdf,
  type CmsLevel,
  type IcpBrasilPolicy,
  type PolicyArtifacts,
} from '../../src/signing/index.ts';
import type { TestIdentity, TestKeyKind } from '../../src/test-authority/index.ts';
import { runTool } from '../oracles/run-program.ts';
import { buildPdf, taggedPage } from '../signing/pdf/build-pdf.ts';
import { newestPolicies, policyFile } from './policies.ts';
import { keyOf, nameOf, type SampleMaker } from './sample-maker.ts';
import type { Sample } from './samples.ts';

const PDF_PASSWORD = 'segredo';
const LEVELS = [undefined, 'B-T', 'B-LT', 'B-LTA'] as const;

/** Keys beyond RSA, each at the highest level. */
const KEYS: readonly TestKeyKind[] = [
  'rsa-pss',
  'rsa-4096',
  'ec-p256',
  'ec-p384',
  'ec-p521',
  'brainpool',
  'ed25519',
  'ed448',
];

/** A file of each level, and a twin of each. */
export async function makeLevels(maker: SampleMaker): Promise<void> {
  await maker.writeDocuments();
  const identity = await maker.person();
  const content = maker.contentPath;
  for (const level of LEVELS) {
    const name = nameOf(level);
    const levels = [name];
    await maker.keep({ name: `cades-${name}.p7s`, levels, content }, await maker.detached(identity, { level }));
    const attached = await maker.signer(identity, { level }).signContent(maker.content, maker.now());
    await maker.keep({ name: `cades-${name}.p7m`, levels }, attached);
    await maker.signPdf({ name: `pades-${name}.pdf`, levels }, identity, { level });
    for (const kind of [`cades-${name}.p7s`, `cades-${name}.p7m`, `pades-${name}.pdf`]) await maker.tamper(kind);
  }
  await makeTagged(maker, identity);
}

/**
 * A tagged PDF of the highest level, invisibly and visibly, made so at once and extended: no time stamp may change the
 * structure.
 */
async function makeTagged(maker: SampleMaker, identity: TestIdentity): Promise<void> {
  const inputPath = maker.path('tagged.pdf');
  await writeFile(inputPath, buildPdf(taggedPage()));
  const levels = ['B-LTA'];
  const looks = { pages: [1], x: 50, y: 50, width: 150, height: 50, text: 'Signed' };
  await maker.signPdf({ name: 'pades-tagged.pdf', levels }, identity, { level: 'B-LTA', inputPath });
  await maker.signPdf({ name: 'pades-tagged-visible.pdf', levels }, identity, {
    level: 'B-LTA',
    inputPath,
    options: { appearance: looks },
  });
  const base = maker.path('tagged-B-T.pdf');
  await maker.writePdf(base, identity, { inputPath, level: 'B-T' });
  const extended = maker.path('pades-tagged-extended.pdf');
  await raisePdf({ inputPath: base, outputPath: extended, level: 'B-LTA', ...maker.means });
  maker.samples.push({ name: 'pades-tagged-extended.pdf', path: extended, levels });
}

/** Every algorithm, several signers, extensions, certification. */
export async function makeVariants(maker: SampleMaker): Promise<void> {
  const levels = ['B-LTA'];
  for (const kind of KEYS) {
    const identity = await maker.person(kind);
    const bytes = await maker.detached(identity, { level: 'B-LTA' });
    await maker.keep({ name: `cades-${kind}.p7s`, levels, content: maker.contentPath }, bytes);
    await maker.signPdf({ name: `pades-${kind}.pdf`, levels }, identity, { level: 'B-LTA' });
  }
  const first = await maker.person();
  await makeSeveral(maker, first);
  const certified = { level: 'B-LTA', options: { certify: 'no-changes' } } as const;
  await maker.signPdf({ name: 'certified-no-changes.pdf', levels }, first, certified);
  await makeEncrypted(maker, first);
  const extended = maker.path('pades-extended.pdf');
  await raisePdf({ inputPath: maker.path('pades-B-B.pdf'), outputPath: extended, level: 'B-LTA', ...maker.means });
  maker.samples.push({ name: 'pades-extended.pdf', path: extended, levels });
}

/** Two signers of a single document, and a counter-signer, extended and renewed. */
async function makeSeveral(maker: SampleMaker, first: TestIdentity): Promise<void> {
  const second = await maker.person('ec-p256');
  const { content, contentPath, means } = maker;
  const keep = (name: string, bytes: Buffer, levels: readonly string[]): Promise<void> =>
    maker.keep({ name, levels, content: contentPath }, bytes);
  const base = await maker.detached(first, { level: 'B-T' });
  const other = maker.signer(second, { level: 'B-T' });
  const parallel = await addSigner(base, other, { signingTime: maker.now(), content });
  await keep('parallel.p7s', parallel, ['B-T', 'B-T']);
  const raised = await raiseCms(parallel, { level: 'B-LTA', content, ...means });
  await keep('parallel-extended.p7s', raised, ['B-LTA', 'B-LTA']);
  const renewed = await raiseCms(raised, { level: 'B-LTA', content, ...means });
  await keep('parallel-renewed.p7s', renewed, ['B-LTA', 'B-LTA']);
  const time = { signingTime: maker.now(), profile: 'cades', digest: 'sha256' } as const;
  const countered = await counterSign(base, { signer: keyOf(second), signerIndex: 0, ...time });
  const archived = await raiseCms(countered, { level: 'B-LTA', content, ...means });
  await keep('countersigned-extended.p7s', archived, ['B-LTA']);
}

/** A PDF opening with a password (AES-128), signed at the highest level. */
async function makeEncrypted(maker: SampleMaker, identity: TestIdentity): Promise<void> {
  const inputPath = maker.path('locked.pdf');
  await runTool('qpdf', ['--encrypt', PDF_PASSWORD, 'owner', '128', '--use-aes=y', '--', maker.pdfPath, inputPath]);
  const sample = { name: 'pades-encrypted.pdf', levels: ['B-LTA'], password: PDF_PASSWORD };
  await maker.signPdf(sample, identity, { level: 'B-LTA', inputPath, password: PDF_PASSWORD });
}

/** The baseline level that the evidence of each profile makes (DOC-ICP-15.03; EN 319 122-1 §6.3, EN 319 142-1 §6.3). */
const LEVEL_OF_PROFILE = {
  CAdES: { 'AD-RB': 'B-B', 'AD-RT': 'B-T', 'AD-RV': 'B-T', 'AD-RC': 'B-LT', 'AD-RA': 'B-LTA' },
  PAdES: { 'AD-RB': 'B-B', 'AD-RT': 'B-T', 'AD-RV': 'B-T', 'AD-RC': 'B-LTA', 'AD-RA': 'B-LTA' },
} as const;

/** A file of the newest policy of each profile of ICP-Brasil, and a twin of each. */
export async function makePolicies(maker: SampleMaker): Promise<void> {
  const identity = await maker.person();
  for (const policy of newestPolicies()) {
    const { profile, format } = policy;
    const levels = [LEVEL_OF_PROFILE[format][profile]];
    if (format === 'PAdES') {
      const name = `pades-${profile}.pdf`;
      await makePolicyPdf(maker, identity, policy, { name, levels, profile });
      await maker.tamper(name);
      continue;
    }
    const level: CmsLevel | undefined = profile === 'AD-RB' ? undefined : profile;
    const detached = { name: `cades-${profile}.p7s`, levels, profile, content: maker.contentPath };
    await maker.keep(detached, await maker.detached(identity, { level, policy }));
    const attached = await maker.signer(identity, { level, policy }).signContent(maker.content, maker.now());
    await maker.keep({ name: `cades-${profile}.p7m`, levels, profile }, attached);
    for (const kind of ['p7s', 'p7m']) await maker.tamper(`cades-${profile}.${kind}`);
  }
}

async function makePolicyPdf(
  maker: SampleMaker,
  identity: TestIdentity,
  policy: IcpBrasilPolicy,
  sample: Omit<Sample, 'path'>,
): Promise<void> {
  const { profile } = policy;
  const level = profile === 'AD-RV' ? undefined : icpBrasilPdfLevel(profile);
  const policyArtifacts = profile === 'AD-RA' ? await artifactsOf(maker, identity, policy) : undefined;
  await maker.signPdf(sample, identity, { policy, level, policyArtifacts });
}

/** The files of AD-RA in a PDF. ITI's signature of the list is not in the tree: here a test person signed the list. */
async function artifactsOf(
  maker: SampleMaker,
  identity: TestIdentity,
  policy: IcpBrasilPolicy,
): Promise<PolicyArtifacts> {
  const policyList = await readFile(policyFile('LPA_PAdES.der'));
  const digest = hash('sha256', policyList, 'buffer');
  return {
    policy: await readFile(policyFile(policy)),
    policyList,
    policyListSignature: await maker.signer(identity).signDigest(digest, maker.now()),
  };
}
