import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  createMaterialCollector,
  createMemoryRevocationCache,
  createPathCompleter,
  createRevocationChecker,
  createTrustAnchors,
  derContext,
  derNull,
  derOid,
  derPrimitiveContext,
  derSequence,
  validateSignature,
  writeOcspRequest,
} from '../../../src/signing/index.ts';
import { findIndirectSigners, findListSigners } from '../../../src/signing/revocation/list-signers.ts';
import { answerOcspRequest, type TestIdentity } from '../../../src/test-authority/index.ts';
import { authorityInformationAccess, crlDistributionPoints } from '../../../src/test-authority/extensions.ts';
import { keyPurposes, makeExtension, makeParty, type Party } from '../certificates/path/path-pki.ts';
import { craftCms } from '../validation/craft-cms.ts';
import { onlySignature, verdict } from '../validation/validation-world.ts';
import { createFakeHttp } from './fake-http.ts';
import { writeTestCrl } from './write-crl.ts';

const now = new Date('2026-03-01T12:00:00Z');
const day = (number: number): Date => new Date(now.getTime() + number * 86_400_000);

const ROOT_LIST = 'http://lists.test/root';
const OCSP = 'http://ocsp.test/';
const rootPlaces = crlDistributionPoints([ROOT_LIST]);

const root = makeParty({ name: 'Root' });
const otherRoot = makeParty({ name: 'Other Root' });
const authority = makeParty({ name: 'CA', issuer: root, authority: true, extensions: [rootPlaces] });
const otherAuthority = makeParty({ name: 'Other CA', issuer: root, authority: true, extensions: [rootPlaces] });
const person = makeParty({ name: 'Maria', issuer: authority });

const identity = ({ certificate, key }: Party): TestIdentity => ({
  certificate: certificate.der,
  privateKey: key.privateKey.export({ format: 'der', type: 'pkcs8' }),
  chain: [],
});

/** A list in the name of `name`, signed by `signer`. */
function list(name: Party, signer: Party, revoked: readonly Party[] = [], from = -1): Buffer {
  const entries = revoked.map(({ certificate }) => ({
    serialNumber: certificate.serialNumber,
    revokedAt: day(-20),
    reason: 1,
  }));
  const fields = { issuer: name.certificate.subject, thisUpdate: day(from), nextUpdate: day(from + 8), entries };
  return writeTestCrl(fields, signer.key.privateKey);
}

const trueLists = [list(root, root), list(authority, authority, [person], -3)];

interface Row {
  readonly who: string;
  readonly signer: Party;
  /** By default the true lists: the person is revoked. */
  readonly lists?: readonly Buffer[];
  readonly known?: readonly Party[];
  readonly expected: string;
}

const signerOf = (fields: Partial<Parameters<typeof makeParty>[0]> = {}): Party =>
  makeParty({ name: 'CA', issuer: root, keyUsage: [6], extensions: [rootPlaces], ...fields });

const REVOKED = 'INDETERMINATE REVOKED_NO_POE';
const revokedSigner = signerOf();
const selfCertified = makeParty({ name: 'CA', issuer: authority, keyUsage: [6] });

const ROWS: readonly Row[] = [
  { who: 'another key of the same authority', signer: signerOf(), expected: 'TOTAL-PASSED' },
  {
    who: 'an end entity of the same name without key usage below another anchor',
    signer: makeParty({ name: 'CA', issuer: otherRoot, keyUsage: [] }),
    expected: REVOKED,
  },
  {
    who: 'a list signer of the same name below another anchor',
    signer: signerOf({ issuer: otherRoot }),
    expected: REVOKED,
  },
  {
    who: 'a list signer of the same name below another authority of the same anchor',
    signer: signerOf({ issuer: otherAuthority }),
    known: [otherAuthority],
    expected: REVOKED,
  },
  { who: 'a namesake of the same parent without cRLSign', signer: signerOf({ keyUsage: [0, 1] }), expected: REVOKED },
  { who: 'a namesake of the same parent without key usage', signer: signerOf({ keyUsage: [] }), expected: REVOKED },
  { who: 'a list signer of another name', signer: signerOf({ name: 'CA 2' }), expected: REVOKED },
  { who: 'a list signer that has expired', signer: signerOf({ notAfter: day(-5) }), expected: REVOKED },
  {
    who: 'a list signer that was good as long as it was valid, and has expired since',
    signer: signerOf({ notAfter: day(-5) }),
    lists: [list(root, root, [], -6), ...trueLists.slice(1)],
    expected: REVOKED,
  },
  {
    who: 'a list signer with an unknown critical extension',
    signer: signerOf({ extensions: [makeExtension('1.2.3.4', derNull(), true)] }),
    expected: REVOKED,
  },
  {
    who: 'a list signer that is revoked itself',
    signer: revokedSigner,
    lists: [list(root, root, [revokedSigner]), ...trueLists.slice(1)],
    expected: REVOKED,
  },
  {
    who: 'a list signer whose state nobody tells',
    signer: signerOf({ extensions: [] }),
    lists: trueLists.slice(1),
    expected: REVOKED,
  },
  {
    who: 'a list signer about whose state only its own list tells',
    signer: selfCertified,
    lists: trueLists.slice(0, 1),
    expected: 'INDETERMINATE TRY_LATER',
  },
];

function validate(
  lists: readonly Buffer[],
  certificates: readonly Party[],
  http = createFakeHttp({}),
  holder = person,
  refused: readonly Party[] = [],
) {
  const time = (): Date => now;
  const anchors = [root, otherRoot].map(({ certificate }) => certificate);
  const ways = { http, cache: createMemoryRevocationCache({ now: time }), now: time };
  const signature = craftCms(identity(holder), {
    certificates: [holder, authority, ...certificates].map(({ certificate }) => certificate.der),
    revocations: lists,
  });
  return validateSignature(
    { signature },
    {
      trust: createTrustAnchors(
        anchors,
        [],
        {},
        refused.map(({ certificate }) => certificate),
      ),
      revocation: createRevocationChecker(ways),
      completePath: createPathCompleter(ways),
      now: time,
    },
  );
}

function check(lists: readonly Buffer[], certificates: readonly Party[]) {
  const embedded = { crls: lists, ocspResponses: [], certificates: certificates.map((one) => one.certificate) };
  const above = [root.certificate];
  const checker = createRevocationChecker({ now: () => now });
  return checker.check({ certificate: person.certificate, issuer: authority.certificate, above, at: now, embedded });
}

describe('a newer list that does not name a revoked certificate (RFC 5280 §6.3.3 (f))', () => {
  it.each(ROWS)(
    'makes it $expected when signed by $who',
    async ({ signer, lists = trueLists, known = [], expected }) => {
      const all = [...lists, list(authority, signer)];
      const report = await validate(all, [signer, ...known]);
      expect(verdict(onlySignature(report))).toBe(expected);
      const { status } = await check(all, [signer, ...known]);
      expect(status).toBe(expected === 'TOTAL-PASSED' ? 'good' : expected === REVOKED ? 'revoked' : 'unknown');
    },
  );

  it('keeps the evidence about a separate signer with the evidence of the list', async () => {
    const signer = signerOf();
    const result = await check([trueLists[0] ?? Buffer.alloc(0), list(authority, signer)], [signer]);
    expect(result).toMatchObject({ status: 'good', evidence: { kind: 'crl', supporting: { kind: 'crl' } } });
  });
});

describe('a signer of lists that the owner refuses', () => {
  const signer = signerOf();
  const url = 'http://lists.test/ca';
  const holder = makeParty({ name: 'Maria', issuer: authority, extensions: [crlDistributionPoints([url])] });
  const http = () => createFakeHttp({ [url]: list(authority, signer), [ROOT_LIST]: list(root, root) });

  it('is not believed about lists inside the file', async () => {
    const all = [...trueLists, list(authority, signer)];
    expect(verdict(onlySignature(await validate(all, [signer])))).toBe('TOTAL-PASSED');
    expect(verdict(onlySignature(await validate(all, [signer], createFakeHttp({}), person, [signer])))).toBe(REVOKED);
  });

  it('is not believed about lists from the network', async () => {
    const inside = trueLists.slice(0, 1);
    expect(verdict(onlySignature(await validate(inside, [signer], http(), holder)))).toBe('TOTAL-PASSED');
    const only = onlySignature(await validate(inside, [signer], http(), holder, [signer]));
    expect(verdict(only)).toBe('INDETERMINATE TRY_LATER');
  });

  it('is not believed by the collector of evidence', async () => {
    const options = { anchors: [root.certificate], intermediates: [signer.certificate], now: () => now };
    const collect = (refused: readonly Party[]) =>
      createMaterialCollector({ ...options, http: http(), refused: refused.map((one) => one.certificate) }).collect(
        holder.certificate,
        [authority.certificate],
        now,
      );
    expect((await collect([])).crls).toHaveLength(2);
    await expect(collect([signer])).rejects.toMatchObject({ code: 'REVOCATION_UNKNOWN' });
  });
});

describe('the parent of an authority', () => {
  it('certifies keys for its lists, and an authority higher up does not', () => {
    const lower = makeParty({ name: 'Lower CA', issuer: authority, authority: true });
    const [right, higher] = [authority, root].map(
      (issuer) => makeParty({ name: 'Lower CA', issuer, keyUsage: [6] }).certificate,
    );
    if (right === undefined || higher === undefined) throw new Error('There are two signers.');
    const found = findListSigners(lower.certificate, [authority.certificate, root.certificate], [higher, right]);
    expect(found.map(({ certificate }) => certificate.fingerprint)).toEqual([right.fingerprint]);
  });
});

describe('a list of another issuer, named by cRLIssuer (RFC 5280 §5.2.5, §6.3.3)', () => {
  /** CRLDistributionPoints with the issuer of the lists. */
  const listsBy = (name: Buffer): Buffer =>
    makeExtension('2.5.29.31', derSequence(derSequence(derContext(2, derContext(4, name)))));
  const indirect = makeExtension('2.5.29.28', derSequence(derPrimitiveContext(4, Buffer.of(0xff))), true);
  const issuerOf = (name: Party): Buffer =>
    makeExtension('2.5.29.29', derSequence(derContext(4, name.certificate.subject)), true);
  const lister = makeParty({ name: 'Lister', issuer: root, keyUsage: [6] });
  const strangerLister = makeParty({ name: 'Lister', issuer: otherRoot, keyUsage: [6] });
  const holder = makeParty({
    name: 'Maria',
    issuer: authority,
    extensions: [listsBy(lister.certificate.subject)],
  });

  const indirectList = (signer: Party, revoked: readonly Party[], extensions = [indirect]): Buffer => {
    const entries = revoked.map(({ certificate }) => ({
      serialNumber: certificate.serialNumber,
      revokedAt: day(-20),
      extensions: [issuerOf(authority)],
    }));
    const fields = { issuer: lister.certificate.subject, thisUpdate: day(-1), nextUpdate: day(7), entries, extensions };
    return writeTestCrl(fields, signer.key.privateKey);
  };

  it.each([
    ['says that a certificate is good', lister, [], 'TOTAL-PASSED', [indirect]],
    ['says that a certificate of another issuer is revoked', lister, [holder], REVOKED, [indirect]],
    ['is nothing when its signer is below another anchor', strangerLister, [], 'INDETERMINATE TRY_LATER', [indirect]],
    [
      'is nothing when it does not say that it is indirect',
      lister,
      [],
      'INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE',
      [],
    ],
  ] as const)('%s', async (_, signer, revoked, expected, extensions) => {
    const lists = [list(root, root), indirectList(signer, revoked, [...extensions])];
    const report = await validate(lists, [signer], createFakeHttp({}), holder);
    expect(verdict(onlySignature(report))).toBe(expected);
  });

  it('is not believed inside the file when the owner refuses its signer', async () => {
    const lists = [list(root, root), indirectList(lister, [])];
    const judged = async (refused: readonly Party[]): Promise<string> =>
      verdict(onlySignature(await validate(lists, [lister], createFakeHttp({}), holder, refused)));
    expect(await judged([])).toBe('TOTAL-PASSED');
    expect(await judged([lister])).toBe('INDETERMINATE TRY_LATER');
  });
});

describe('findIndirectSigners', () => {
  const named = (keyUsage: readonly number[], name = 'Lister'): Party => makeParty({ name, issuer: root, keyUsage });
  const lister = named([6]);
  const find = (...known: readonly Party[]): readonly (string | null)[] =>
    findIndirectSigners(
      lister.certificate.subject,
      root.certificate,
      known.map(({ certificate }) => certificate),
    ).map(({ certificate }) => certificate.fingerprint);

  it('takes a certificate of the name with cRLSign', () => {
    expect(find(lister, lister)).toEqual([lister.certificate.fingerprint]);
  });

  it.each([
    ['without key usage', named([])],
    ['for signatures only', named([0])],
    ['of another name', named([6], 'Other Lister')],
    ['below another anchor', makeParty({ name: 'Lister', issuer: otherRoot, keyUsage: [6] })],
  ])('leaves out a certificate %s', (_, party) => {
    expect(find(party)).toEqual([]);
  });

  it('tries at most eight certificates', () => {
    expect(find(...Array.from({ length: 10 }, () => named([6])))).toHaveLength(8);
  });
});

describe('many namesakes of an authority', () => {
  it('are tried up to a handful, and each signature once', () => {
    const key = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const namesakes = Array.from({ length: 40 }, () =>
      makeParty({ name: 'CA', issuer: { ...root, key }, keyUsage: [6] }),
    );
    let checks = 0;
    const counted = namesakes.map(({ certificate }) => ({
      ...certificate,
      publicKey: () => certificate.publicKey(),
      get der() {
        checks++;
        return certificate.der;
      },
    }));
    expect(findListSigners(authority.certificate, [root.certificate], counted)).toEqual([]);
    const first = checks;
    expect(first).toBeGreaterThan(0);
    expect(findListSigners(authority.certificate, [root.certificate], counted)).toEqual([]);
    // A tried path is judged again, without a new verification of its signatures.
    expect(checks).toBeLessThan(first * 2);
    expect(first).toBeLessThan(8 * 5);
  });
});

describe('an OCSP responder', () => {
  const purposes = keyPurposes(['1.3.6.1.5.5.7.3.9']);
  const plain = makeParty({ name: 'Responder', issuer: authority, keyUsage: [0], extensions: [purposes] });
  const odd = makeParty({
    name: 'Responder',
    issuer: authority,
    keyUsage: [0],
    extensions: [purposes, makeExtension('1.3.6.1.5.5.7.48.1.5', derNull()), makeExtension('1.2.3.4', derNull(), true)],
  });
  const holder = makeParty({
    name: 'Maria',
    issuer: authority,
    extensions: [authorityInformationAccess({ ocsp: OCSP })],
  });

  it.each([
    ['is believed without any list about it', plain, [], 'good'],
    ['is believed while the list at hand does not name it', plain, [list(authority, authority)], 'good'],
    [
      'is not believed when the list at hand says that it is revoked',
      plain,
      [list(authority, authority, [plain, holder])],
      'revoked',
    ],
    ['is not believed with an unknown critical extension', odd, [], 'unknown'],
  ] as const)('without nocheck %s', async (_, responder, crls, expected) => {
    const http = createFakeHttp({
      [OCSP]: ({ body = Buffer.alloc(0) }) =>
        answerOcspRequest(body, {
          issuer: authority.certificate.der,
          responder: identity(responder),
          statusOf: () => ({ status: 'good' }),
          now,
        }),
    });
    const checker = createRevocationChecker({ http, now: () => now });
    const embedded = { crls, ocspResponses: [], certificates: [] };
    const about = { certificate: holder.certificate, issuer: authority.certificate, at: now, embedded };
    expect((await checker.check(about)).status).toBe(expected);
  });

  it.each([
    ['is believed inside a signature while the list beside it does not name it', [holder], 'TOTAL-PASSED'],
    ['is not believed inside a signature when the list beside it says that it is revoked', [plain, holder], REVOKED],
  ] as const)('without nocheck %s', async (_, revoked, expected) => {
    const request = writeOcspRequest({ certificate: holder.certificate, issuer: authority.certificate });
    const response = answerOcspRequest(request, {
      issuer: authority.certificate.der,
      responder: identity(plain),
      statusOf: () => ({ status: 'good' }),
      now,
    });
    // OtherRevocationInfoFormat (RFC 5940 §2.1). The answer is newer than the list, and says the opposite.
    const answer = derContext(1, derOid('1.3.6.1.5.5.7.16.2'), response);
    const lists = [...trueLists.slice(0, 1), list(authority, authority, revoked), answer];
    const report = await validate(lists, [plain], createFakeHttp({}), holder);
    expect(verdict(onlySignature(report))).toBe(expected);
  });
});
