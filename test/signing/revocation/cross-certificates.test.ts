/** An authority with a single key and certificates of two roots: signing, validation and their revocation data. */
import { describe, expect, it } from 'vitest';
import {
  createMaterialCollector,
  createMemoryRevocationCache,
  createPathCompleter,
  createRevocationChecker,
  createTrustAnchors,
  validateSignature,
} from '../../../src/signing/index.ts';
import { crlDistributionPoints } from '../../../src/test-authority/extensions.ts';
import type { TestIdentity } from '../../../src/test-authority/index.ts';
import { makeKey, makeParty, type Party } from '../certificates/path/path-pki.ts';
import { craftCms } from '../validation/craft-cms.ts';
import { onlySignature, verdict } from '../validation/validation-world.ts';
import { createFakeHttp, type FakeAnswer } from './fake-http.ts';
import { writeTestCrl } from './write-crl.ts';

const now = new Date('2026-03-01T12:00:00Z');
const day = (number: number): Date => new Date(now.getTime() + number * 86_400_000);
const LISTS = { a: 'http://lists.test/a', b: 'http://lists.test/b', ca: 'http://lists.test/ca' } as const;
/** CRLReason by number (RFC 5280 §5.3.1). */
const REASONS = { unspecified: 0, keyCompromise: 1, cACompromise: 2, superseded: 4, cessationOfOperation: 5 } as const;

const rootA = makeParty({ name: 'Root A' });
const rootB = makeParty({ name: 'Root B' });
const key = makeKey();
const certified = (issuer: Party, list: string, notAfter: Date): Party =>
  makeParty({ name: 'CA', key, issuer, authority: true, notAfter, extensions: [crlDistributionPoints([list])] });
/** The path over Root A is tried first: the certificate of A lasts longer. */
const byA = certified(rootA, LISTS.a, new Date('2039-01-01'));
const byB = certified(rootB, LISTS.b, new Date('2038-01-01'));
const person = makeParty({ name: 'Maria', issuer: byA, extensions: [crlDistributionPoints([LISTS.ca])] });
/** The root A as an authority below B. */
const rootAByB = makeParty({
  name: 'Root A',
  key: rootA.key,
  issuer: rootB,
  authority: true,
  extensions: [crlDistributionPoints([LISTS.b])],
});

function listOf(issuer: Party, revoked: readonly (readonly [Party, keyof typeof REASONS])[] = []): Buffer {
  const entries = revoked.map(([{ certificate }, reason]) => ({
    serialNumber: certificate.serialNumber,
    revokedAt: day(-20),
    reason: REASONS[reason],
  }));
  const fields = { issuer: issuer.certificate.subject, thisUpdate: day(-1), nextUpdate: day(7), entries };
  return writeTestCrl(fields, issuer.key.privateKey);
}

const [goodA, goodB, goodCa] = [listOf(rootA), listOf(rootB), listOf(byA)];
const revokedByA = (reason: keyof typeof REASONS): Buffer => listOf(rootA, [[byA, reason]]);
const BOTH = [rootA, rootB];
const ways = (http = createFakeHttp()) => {
  const time = (): Date => now;
  return { http, cache: createMemoryRevocationCache({ now: time }), now: time };
};

async function verdictOf(
  lists: readonly Buffer[],
  {
    anchors = BOTH,
    others = [byA, byB],
    refused = [],
  }: {
    readonly anchors?: readonly Party[];
    readonly others?: readonly Party[];
    readonly refused?: readonly Party[];
  } = {},
): Promise<string> {
  const identity: TestIdentity = {
    certificate: person.certificate.der,
    privateKey: person.key.privateKey.export({ format: 'der', type: 'pkcs8' }),
    chain: [],
  };
  const certificates = [person, ...others].map(({ certificate }) => certificate.der);
  const services = {
    trust: createTrustAnchors(
      anchors.map(({ certificate }) => certificate),
      [],
      {},
      refused.map(({ certificate }) => certificate),
    ),
    revocation: createRevocationChecker(ways()),
    completePath: createPathCompleter(ways()),
    now: () => now,
  };
  const signature = craftCms(identity, { certificates, revocations: lists });
  return verdict(onlySignature(await validateSignature({ signature }, services)));
}

describe('validating a signature below an authority with certificates of two roots', () => {
  it.each<[string, string, readonly Buffer[]]>([
    ['TOTAL-PASSED', 'both roots tell of it', [goodA, goodB, goodCa]],
    ['TOTAL-PASSED', 'only the first root tells of it', [goodA, goodCa]],
    ['TOTAL-PASSED', 'only the second root tells of it', [goodB, goodCa]],
    ['TOTAL-PASSED', 'the first root superseded its certificate', [revokedByA('superseded'), goodB, goodCa]],
    ['TOTAL-PASSED', 'the first root ended its use', [revokedByA('cessationOfOperation'), goodB, goodCa]],
    ['INDETERMINATE REVOKED_CA_NO_POE', 'its key was lost', [revokedByA('keyCompromise'), goodB, goodCa]],
    ['INDETERMINATE REVOKED_CA_NO_POE', 'the authority was lost', [revokedByA('cACompromise'), goodB, goodCa]],
    ['INDETERMINATE REVOKED_CA_NO_POE', 'the first root gives no reason', [revokedByA('unspecified'), goodB, goodCa]],
    ['INDETERMINATE TRY_LATER', 'neither root tells of it', [goodCa]],
  ])('is %s when %s', async (expected, _, lists) => {
    expect(await verdictOf(lists)).toBe(expected);
  });

  it.each<[string, string, readonly Buffer[]]>([
    ['TOTAL-PASSED', 'is good', [goodA, goodB, goodCa]],
    ['INDETERMINATE REVOKED_CA_NO_POE', 'is revoked', [goodA, listOf(rootB, [[rootAByB, 'superseded']]), goodCa]],
  ])(
    'is %s where only the second root is trusted, and its certificate for the first root %s',
    async (expected, _, lists) => {
      expect(await verdictOf(lists, { anchors: [rootB], others: [byA, rootAByB] })).toBe(expected);
    },
  );
});

describe('validating a signature whose second path goes through a refused authority', () => {
  const between = makeParty({
    name: 'Between',
    issuer: rootB,
    authority: true,
    extensions: [crlDistributionPoints([LISTS.b])],
  });
  const byBetween = certified(between, LISTS.b, new Date('2038-01-01'));
  const others = [byA, byBetween, between];
  const lists = [goodB, listOf(between), goodCa];

  it.each<[string, string, readonly Party[]]>([
    ['TOTAL-PASSED', 'nobody', []],
    ['INDETERMINATE TRY_LATER', 'that authority', [between]],
  ])('is %s when %s is refused', async (expected, _, refused) => {
    expect(await verdictOf(lists, { others, refused })).toBe(expected);
  });
});

describe('collecting the material of such a signature', () => {
  const collect = async (lists: Partial<Record<keyof typeof LISTS, FakeAnswer>>) => {
    const answers = { a: goodA, b: goodB, ca: goodCa, ...lists };
    const http = createFakeHttp({ [LISTS.a]: answers.a, [LISTS.b]: answers.b, [LISTS.ca]: answers.ca });
    const anchors = BOTH.map(({ certificate }) => certificate);
    const collector = createMaterialCollector({ ...ways(http), anchors, intermediates: [] });
    const known = [byA, byB].map(({ certificate }) => certificate);
    const { certificates, crls } = await collector.collect(person.certificate, known, now);
    const has = ({ certificate }: Party): boolean => certificates.some(({ der }) => der.equals(certificate.der));
    const good = { a: goodA, b: goodB, ca: goodCa };
    return {
      certificates: { a: has(byA), b: has(byB) },
      lists: Object.entries(good).flatMap(([name, der]) => (crls.some((one) => one.equals(der)) ? [name] : [])),
    };
  };

  it('takes both paths, so that readers of either root need nobody', async () => {
    expect(await collect({})).toEqual({ certificates: { a: true, b: true }, lists: ['a', 'b', 'ca'] });
  });

  it.each<[string, Partial<Record<keyof typeof LISTS, FakeAnswer>>, string]>([
    ['the second root does not answer', { b: 'unreachable' }, 'a'],
    ['the first root does not answer', { a: 'unreachable' }, 'b'],
    ['the first root superseded its certificate', { a: revokedByA('superseded') }, 'b'],
    ['the second root superseded its certificate', { b: listOf(rootB, [[byB, 'superseded']]) }, 'a'],
  ])('takes the other path alone when %s', async (_, lists, path) => {
    const certificates = { a: path === 'a', b: path === 'b' };
    expect(await collect(lists)).toEqual({ certificates, lists: [path, 'ca'] });
  });

  it.each<[string, Partial<Record<keyof typeof LISTS, FakeAnswer>>, string]>([
    ['the key was lost, says the first root', { a: revokedByA('keyCompromise') }, 'CERTIFICATE_REVOKED'],
    ['the key was lost, says the second root', { b: listOf(rootB, [[byB, 'keyCompromise']]) }, 'CERTIFICATE_REVOKED'],
    ['no root answers', { a: 'unreachable', b: 404 }, 'REVOCATION_UNKNOWN'],
    ['the person is revoked', { ca: listOf(byA, [[person, 'superseded']]) }, 'CERTIFICATE_REVOKED'],
  ])('refuses when %s', async (_, lists, code) => {
    await expect(collect(lists)).rejects.toMatchObject({ code });
  });
});
