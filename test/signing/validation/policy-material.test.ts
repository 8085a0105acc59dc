import { beforeAll, describe, expect, it } from 'vitest';
import { summarizeReport } from '../../../src/service/validation/index.ts';
import {
  ICP_BRASIL_POLICIES,
  ICP_BRASIL_PROFILES,
  contextTag,
  derElement,
  derSetOf,
  readDer,
  readOid,
  type CmsLevel,
  type SignaturePolicy,
} from '../../../src/signing/index.ts';
import { CadesOid } from '../../../src/signing/cms/cades-oids.ts';
import type { TestIdentity } from '../../../src/test-authority/index.ts';
import { SIGNED_AT, ValidationWorld, codesOf, onlySignature, verdict } from './validation-world.ts';

/** The attribute of each material that a policy for CAdES demands. */
const OIDS = {
  signatureTimeStampToken: CadesOid.signatureTimeStamp,
  certificateRefs: CadesOid.certificateReferences,
  revocationRefs: CadesOid.revocationReferences,
  escTimeStamp: CadesOid.referencesTimeStamp,
  certValues: CadesOid.certificateValues,
  revocationValues: CadesOid.revocationValues,
  archiveTimeStampV2: CadesOid.archiveTimeStampV2,
} as const;

type Material = keyof typeof OIDS;
type Profile = Exclude<(typeof ICP_BRASIL_PROFILES)[number], 'AD-RB'>;

function newestPolicy(profile: Profile): { readonly policy: SignaturePolicy; readonly demanded: readonly Material[] } {
  const found = ICP_BRASIL_POLICIES.filter((one) => one.format === 'CAdES' && one.profile === profile).at(-1);
  if (found === undefined) throw new Error(`There is no policy ${profile}.`);
  return { policy: found, demanded: found.unsignedAttributes as readonly Material[] };
}

/** Every profile but AD-RB, which demands no materials. */
const PROFILES = ICP_BRASIL_PROFILES.filter((profile) => profile !== 'AD-RB');
const ROWS = PROFILES.flatMap((profile) => newestPolicy(profile).demanded.map((name) => [profile, name] as const));

type Attributes = readonly Buffer[];

/** The message with other unsigned attributes of its only signer. */
function withUnsigned(cms: Buffer, change: (attributes: Attributes) => Attributes): Buffer {
  const message = readDer(cms);
  const signedData = message.child(1, 'the content').child(0, 'SignedData');
  const signers = signedData.children.at(-1);
  const signer = signers?.child(0, 'the signer');
  const unsigned = signer?.children.at(-1);
  if (signer === undefined || unsigned?.tag !== contextTag(1)) throw new Error('There are no unsigned attributes.');
  const attributes = change(unsigned.children.map(({ bytes }) => bytes));
  const fields = signer.children.slice(0, -1).map(({ bytes }) => bytes);
  const changed = derElement(0x30, ...fields, ...(attributes.length === 0 ? [] : [derElement(0xa1, ...attributes)]));
  const parts = signedData.children.slice(0, -1).map(({ bytes }) => bytes);
  const body = derElement(0x30, ...parts, derSetOf(changed));
  return derElement(0x30, message.child(0, 'the type').bytes, derElement(0xa0, body));
}

const isOf = (oid: string) => (attribute: Buffer) => readOid(readDer(attribute).child(0, 'the type')) === oid;

function attributesOf(cms: Buffer, oid: string): Attributes {
  let found: Attributes = [];
  withUnsigned(cms, (attributes) => {
    found = attributes.filter(isOf(oid));
    return attributes;
  });
  return found;
}

const without = (cms: Buffer, oid: string): Buffer =>
  withUnsigned(cms, (attributes) => attributes.filter((attribute) => !isOf(oid)(attribute)));

const exchanged = (cms: Buffer, donor: Buffer, oid: string): Buffer =>
  withUnsigned(cms, (attributes) => [
    ...attributes.filter((attribute) => !isOf(oid)(attribute)),
    ...attributesOf(donor, oid),
  ]);

describe('what an ICP-Brasil policy demands besides the signature (DOC-ICP-15.03)', () => {
  let world: ValidationWorld;
  let stranger: ValidationWorld;
  let person: TestIdentity;
  let other: TestIdentity;

  beforeAll(async () => {
    world = await ValidationWorld.open();
    stranger = await ValidationWorld.open({ label: ' B' });
    person = await world.person();
    other = await stranger.person();
  });

  const sign = (where: ValidationWorld, who: TestIdentity, profile: Profile, content: string): Promise<Buffer> =>
    where
      .cms(who, profile satisfies CmsLevel, { policy: newestPolicy(profile).policy })
      .signContent(Buffer.from(content), SIGNED_AT);

  const judge = async (cms: Buffer) => {
    const report = await world.validate(cms);
    const { status, detail } = summarizeReport(report);
    const signature = onlySignature(report);
    return { report, status, policy: detail.policy?.code, signature, codes: codesOf(signature) };
  };

  it.each(['CAdES', 'PAdES'] as const)('is the same in every version of a policy for %s', (format) => {
    const policies = ICP_BRASIL_POLICIES.filter((one) => one.format === format);
    for (const { profile, unsignedAttributes } of policies) {
      const newest = policies.filter((one) => one.profile === profile).at(-1);
      expect(unsignedAttributes).toEqual(newest?.unsignedAttributes);
    }
  });

  it.each(PROFILES)('is kept by a signature made as %s', async (profile) => {
    const { report, status, policy, signature } = await judge(await sign(world, person, profile, 'content'));
    expect([verdict(report), status, policy]).toEqual(['TOTAL-PASSED', true, 1195]);
    expect(signature.policy).toMatchObject({ recognised: true, complete: true });
  });

  it.each(ROWS)('is not kept by %s when %s is of another signature', async (profile, name) => {
    const own = await sign(world, person, profile, 'content');
    const isStamp = name.includes('TimeStamp');
    const donor = isStamp
      ? await sign(world, person, profile, 'other content')
      : await sign(stranger, other, profile, 'content');
    const { report, status, policy, signature, codes } = await judge(exchanged(own, donor, OIDS[name]));
    expect(verdict(report)).toBe('INDETERMINATE SIG_CONSTRAINTS_FAILURE');
    expect(codes).toContain('POLICY_ATTRIBUTE_FOREIGN');
    expect(signature.checks.find(({ code }) => code === 'POLICY_ATTRIBUTE_FOREIGN')?.sentence).toContain(name);
    expect([status, policy, signature.policy?.complete]).toEqual([false, 1196, false]);
  });

  it.each(ROWS)('is not kept by %s without %s', async (profile, name) => {
    const own = await sign(world, person, profile, 'content');
    const { report, policy, signature } = await judge(without(own, OIDS[name]));
    expect(verdict(report)).toBe('INDETERMINATE SIG_CONSTRAINTS_FAILURE');
    expect(signature.checks.find(({ code }) => code === 'POLICY_ATTRIBUTE_MISSING')?.sentence).toContain(name);
    expect([policy, signature.policy?.complete]).toEqual([1196, false]);
  });

  it('cannot be told when the stamp of this signature is by an untrusted authority', async () => {
    const { tsa } = world;
    world.tsa = stranger.tsa;
    const own = await sign(world, person, 'AD-RT', 'content');
    world.tsa = tsa;
    const { report, status, policy, signature, codes } = await judge(own);
    expect(report.indication).toBe('INDETERMINATE');
    expect(codes).toContain('POLICY_ATTRIBUTE_UNPROVEN');
    expect(codes).not.toContain('POLICY_ATTRIBUTE_FOREIGN');
    expect([status, policy, signature.policy?.complete]).toEqual([true, 1193, true]);
  });

  it('is not kept when the signature of the stamp is broken', async () => {
    const own = await sign(world, person, 'AD-RT', 'content');
    const broken = withUnsigned(own, ([stamp, ...rest]) => {
      const copy = Buffer.from(stamp ?? []);
      copy[copy.length - 1] = (copy.at(-1) ?? 0) ^ 1;
      return [copy, ...rest];
    });
    const { policy, codes } = await judge(broken);
    expect(codes).toContain('POLICY_ATTRIBUTE_FOREIGN');
    expect(policy).toBe(1196);
  });

  it('raises no level by the stamp of another signature', async () => {
    const plain = await world.cms(person, 'B-T').signContent(Buffer.from('content'), SIGNED_AT);
    const donor = await world.cms(person, 'B-T').signContent(Buffer.from('other content'), SIGNED_AT);
    const { signature } = await judge(exchanged(plain, donor, CadesOid.signatureTimeStamp));
    expect(signature.level).toBe('B-B');
  });
});
