/** PDFs under an ICP-Brasil policy with material of something else, through the whole validation. */
import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { summarizeReport } from '../../../src/service/validation/index.ts';
import {
  ICP_BRASIL_POLICIES,
  parseCertificate,
  signPdfAtLevel,
  validatePdf,
  type MaterialCollector,
  type SignaturePolicy,
  type Timestamper,
} from '../../../src/signing/index.ts';
import { withPdfFacts } from '../../../src/signing/pdf/differences/with-pdf-facts.ts';
import { icpBrasilPdfLevel } from '../../../src/signing/pdf/long-term/sign-pdf-at-level.ts';
import type { TestIdentity } from '../../../src/test-authority/index.ts';
import { buildPdf, onePage } from '../pdf/build-pdf.ts';
import { Workshop } from '../pdf/workshop.ts';
import { SIGNED_AT, ValidationWorld, codesOf, onlySignature, verdict } from './validation-world.ts';

const PROFILES = ['AD-RT', 'AD-RC', 'AD-RA'] as const;
type Profile = (typeof PROFILES)[number];
type Material = 'signatureTimeStampToken' | 'documentSecurityStore' | 'documentTimeStamp';

function newestPolicy(profile: Profile): { readonly policy: SignaturePolicy; readonly demanded: readonly Material[] } {
  const found = ICP_BRASIL_POLICIES.filter((one) => one.format === 'PAdES' && one.profile === profile).at(-1);
  if (found === undefined) throw new Error(`There is no policy ${profile}.`);
  return { policy: found, demanded: found.unsignedAttributes as readonly Material[] };
}

const ROWS = PROFILES.flatMap((profile) => newestPolicy(profile).demanded.map((name) => [profile, name] as const));

/** The stamps of a PDF in the order of the requests. */
const STAMPS: readonly Material[] = ['signatureTimeStampToken', 'documentTimeStamp'];

/** Stamps as the authority does, but a single stamp is over something else. */
function stamperWith(foreign: Material | undefined, timestamper: Timestamper): Timestamper {
  let count = 0;
  return {
    digest: timestamper.digest,
    sizeLimit: timestamper.sizeLimit,
    stamp: (imprint, ...rest) => {
      const isForeign = foreign !== undefined && STAMPS.indexOf(foreign) === count++;
      return timestamper.stamp(isForeign ? hash('sha256', 'something else', 'buffer') : imprint, ...rest);
    },
  };
}

describe('the demands of an ICP-Brasil policy besides the signature in a PDF (DOC-ICP-15.03)', () => {
  let world: ValidationWorld;
  let stranger: ValidationWorld;
  let person: TestIdentity;
  let other: TestIdentity;
  let workshop: Workshop;

  beforeAll(async () => {
    world = await ValidationWorld.open();
    stranger = await ValidationWorld.open({ label: ' B' });
    person = await world.person();
    other = await stranger.person();
    workshop = await Workshop.open();
  });
  afterAll(async () => workshop.close());

  /** Gathers data about somebody else, not about the certificate in question. */
  const strangeCollector = (): MaterialCollector => ({
    collect: (_certificate, _known, ...rest) =>
      stranger.collector.collect(parseCertificate(other.certificate), other.chain.map(parseCertificate), ...rest),
  });

  const judge = async (profile: Profile, foreign?: Material) => {
    const { policy } = newestPolicy(profile);
    const [inputPath, outputPath] = [await workshop.write(buildPdf(onePage())), workshop.newPath()];
    const signer = world.cms(person, undefined, { policy, omitSigningTime: true });
    const options = { subFilter: 'PBAD.PAdES', signingTime: SIGNED_AT } as const;
    const artifact = Buffer.from('0c0178', 'hex');
    const level = icpBrasilPdfLevel(profile);
    if (level === undefined) throw new Error(`${profile} has no level.`);
    await signPdfAtLevel(
      { inputPath, outputPath, signer, options },
      {
        level,
        timestamper: stamperWith(foreign, world.timestamper),
        collector: foreign === 'documentSecurityStore' ? strangeCollector() : world.collector,
        now: () => world.now,
        ...(profile === 'AD-RA'
          ? { policyArtifacts: { policy: artifact, policyList: artifact, policyListSignature: artifact } }
          : {}),
      },
    );
    const report = await validatePdf({ path: outputPath }, world.services(), {}, withPdfFacts);
    const { status, detail } = summarizeReport(report);
    return { report, status, policy: detail.policy?.code, signature: onlySignature(report) };
  };

  it.each(PROFILES)('is kept by a PDF made as %s', async (profile) => {
    const { report, status, policy, signature } = await judge(profile);
    expect([verdict(report), status, policy]).toEqual(['TOTAL-PASSED', true, 1195]);
    expect(signature.policy).toMatchObject({ recognised: true, complete: true });
    expect(codesOf(signature)).not.toContain('POLICY_DICTIONARY');
  });

  it.each(ROWS)('is not kept by %s when %s is of something else', async (profile, name) => {
    const { report, status, policy, signature } = await judge(profile, name);
    expect(report.indication).not.toBe('TOTAL-PASSED');
    // Data about somebody else is as good as none, because a store belongs to no single signature.
    const code = name === 'documentSecurityStore' ? 'POLICY_ATTRIBUTE_MISSING' : 'POLICY_ATTRIBUTE_FOREIGN';
    const told = signature.checks.find((check) => check.code === code);
    expect(told?.sentence).toContain(name);
    expect(verdict(signature)).toBe('INDETERMINATE SIG_CONSTRAINTS_FAILURE');
    expect([status, policy, signature.policy?.complete]).toEqual([false, 1196, false]);
  });

  it.each([
    ['AD-RC', 'AD-RT'],
    ['AD-RA', 'AD-RT'],
  ] as const)('is not kept by a PDF naming %s with the material of %s', async (named, made) => {
    const { policy } = newestPolicy(named);
    const [inputPath, outputPath] = [await workshop.write(buildPdf(onePage())), workshop.newPath()];
    const signer = world.cms(person, undefined, { policy, omitSigningTime: true });
    const options = { subFilter: 'PBAD.PAdES', signingTime: SIGNED_AT } as const;
    const { timestamper, collector } = world;
    const level = icpBrasilPdfLevel(made) ?? 'B-T';
    await signPdfAtLevel(
      { inputPath, outputPath, signer, options },
      { level, timestamper, collector, now: () => world.now },
    );
    const report = await validatePdf({ path: outputPath }, world.services(), {}, withPdfFacts);
    expect(verdict(report)).toBe('INDETERMINATE SIG_CONSTRAINTS_FAILURE');
    const missing = onlySignature(report).checks.find(({ code }) => code === 'POLICY_ATTRIBUTE_MISSING');
    expect(missing?.sentence).toMatch(/documentSecurityStore, documentTimeStamp/);
  });
});
