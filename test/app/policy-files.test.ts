/** ICP-Brasil's list of approved policies: the newer of two lists counts, stored or published. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { PolicyFiles } from '../../src/app/evidence/policy-files.ts';
import { settingsInMemory } from './settings-in-memory.ts';
import {
  derElement,
  derIa5String,
  derOctetString,
  derOid,
  derSequence,
  policyOfOid,
  Tag,
  type Hierarchy,
  type IcpBrasilPolicy,
} from '../../src/signing/index.ts';
import type { TestIdentity } from '../../src/test-authority/index.ts';
import { personWith } from '../pki/identities.ts';
import { createFakeHttp, type FakeAnswer, type FakeHttp } from '../signing/revocation/fake-http.ts';
import { craftCms } from '../signing/validation/craft-cms.ts';

const SOURCE = 'http://policies.test';
const NOW = new Date('2026-03-01T12:00:00Z');
const POLICY_OID = '2.16.76.1.7.1.14.1.4';
const policyFile = readFileSync(new URL('../vectors/icp-brasil/PA_PAdES_AD_RA_v1_4.der', import.meta.url));

/** A list of approved policies and its signature. */
interface Pair {
  readonly list: Buffer;
  readonly signature: Buffer;
}

const time = (text: string): Buffer => derElement(Tag.generalizedTime, Buffer.from(text));

/** A list approving the policy, signed by the identity. `nextUpdate`: GeneralizedTime. */
function signedList(identity: TestIdentity, nextUpdate: string): Pair {
  const digest = derSequence(
    derSequence(derOid('2.16.840.1.101.3.4.2.1')),
    derOctetString(hash('sha256', policyFile, 'buffer')),
  );
  const period = derSequence(time('20250723000000Z'), time('20371022000000Z'));
  const listed = derSequence(period, derOid(POLICY_OID), derIa5String(`${SOURCE}/policy.der`), digest);
  const list = derSequence(derSequence(listed), time(nextUpdate));
  return { list, signature: craftCms(identity, { content: list, attached: false }) };
}

let policy: IcpBrasilPolicy;
let overdue: Pair;
let newer: Pair;
beforeAll(async () => {
  const [found, signer] = [policyOfOid(POLICY_OID), await personWith({ name: 'ITI DE TESTE' })];
  if (found === undefined) throw new Error('The policy is in the table.');
  policy = found;
  overdue = signedList(signer, '20260201000000Z');
  newer = signedList(signer, '20260601000000Z');
});

/** Policy files with the policy and the pairs, imported in this order; `published` answers by the name of a file. */
async function filesWith(
  pairs: readonly Pair[],
  published: Readonly<Record<string, FakeAnswer>> = {},
  hierarchy: Hierarchy = 'ICP-Brasil',
): Promise<{ readonly files: PolicyFiles; readonly http: FakeHttp }> {
  const answers = Object.entries(published).map(([name, answer]) => [`${SOURCE}/${name}`, answer] as const);
  const http = createFakeHttp(Object.fromEntries(answers));
  const findHierarchy = () => Promise.resolve(hierarchy);
  const files = new PolicyFiles({ settings: settingsInMemory(), http, source: SOURCE, findHierarchy, now: () => NOW });
  await files.import(policyFile);
  for (const { list, signature } of pairs) {
    await files.import(list);
    await files.import(signature);
  }
  return { files, http };
}

const artifactsOf = ({ list, signature }: Pair) => ({
  policy: policyFile,
  policyList: list,
  policyListSignature: signature,
});

describe('an overdue list of policies', () => {
  it('gives way to a newer published list', async () => {
    const published = { 'LPA_PAdES.der': newer.list, 'LPA_PAdES.p7s': newer.signature };
    const { files, http } = await filesWith([overdue], published);
    expect(await files.artifacts(policy, 'ICP-Brasil')).toEqual(artifactsOf(newer));
    expect(http.asked).toContain(`${SOURCE}/LPA_PAdES.der`);
  });

  it('stays in force while still published', async () => {
    const published = { 'LPA_PAdES.der': overdue.list, 'LPA_PAdES.p7s': overdue.signature };
    const { files } = await filesWith([overdue], published);
    expect(await files.artifacts(policy, 'ICP-Brasil')).toEqual(artifactsOf(overdue));
  });

  it('is not signed with when nobody tells of a newer list', async () => {
    const { files } = await filesWith([overdue]);
    await expect(files.artifacts(policy, 'ICP-Brasil')).rejects.toMatchObject({
      code: 'POLICY_NOT_SUPPORTED',
      message: expect.stringContaining('The list of approved policies is overdue.') as string,
    });
  });

  it('is told as over when imported, unlike a list in its period', async () => {
    const { files } = await filesWith([]);
    expect(await files.import(overdue.list)).toMatch(/until 2026-02-01 \(over: "sinete trust update"/);
    expect(await files.import(newer.list)).toMatch(/until 2026-06-01$/);
  });

  it('gives way to a newer stored list, although the overdue list was imported last', async () => {
    const { files, http } = await filesWith([newer, overdue]);
    expect(await files.artifacts(policy, 'ICP-Brasil')).toEqual(artifactsOf(newer));
    expect(await files.listEnds()).toEqual(new Date('2026-06-01T00:00:00Z'));
    expect(http.asked).toEqual([]);
  });
});

describe('a list of policies signed below a root for trying out', () => {
  it('counts for signers below such a root, and for nobody else', async () => {
    const { files } = await filesWith([newer], {}, 'test');
    expect(await files.artifacts(policy, 'test')).toEqual(artifactsOf(newer));
    for (const signer of ['ICP-Brasil', 'other'] as const) {
      await expect(files.artifacts(policy, signer)).rejects.toMatchObject({ code: 'POLICY_NOT_SUPPORTED' });
    }
    const other = await filesWith([newer], {}, 'other');
    await expect(other.files.artifacts(policy, 'test')).rejects.toMatchObject({ code: 'POLICY_NOT_SUPPORTED' });
  });
});
