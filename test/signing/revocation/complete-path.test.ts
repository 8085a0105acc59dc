/** Paths with missing authorities, fetched from the addresses in certificates (RFC 5280 §4.2.2.1). */
import { describe, expect, it } from 'vitest';
import {
  createMaterialCollector,
  createMemoryRevocationCache,
  createPathCompleter,
  type PathRequest,
} from '../../../src/signing/index.ts';
import { derOid, derSequence } from '../../../src/signing/der/writer.ts';
import { authorityInformationAccess, crlDistributionPoints } from '../../../src/test-authority/extensions.ts';
import { pem } from '../../pki/openssl.ts';
import { general, makeExtension, makeParty, type Party } from '../certificates/path/path-pki.ts';
import { createFakeHttp, type FakeAnswer } from './fake-http.ts';
import { writeTestCrl } from './write-crl.ts';

const now = new Date('2026-03-01T12:00:00Z');
const day = (number: number): Date => new Date(now.getTime() + number * 86_400_000);
const place = (name: string): string => `http://ca.test/${name}`;
const issuerAt = (...names: readonly string[]): Buffer =>
  makeExtension(
    '1.3.6.1.5.5.7.1.1',
    derSequence(...names.map((name) => derSequence(derOid('1.3.6.1.5.5.7.48.2'), general.uri(place(name))))),
  );

const root = makeParty({ name: 'Root' });
const upper = makeParty({ name: 'Upper', issuer: root, authority: true });
const lower = makeParty({ name: 'Lower', issuer: upper, authority: true, extensions: [issuerAt('upper')] });
const person = makeParty({ name: 'Maria', issuer: lower, extensions: [issuerAt('nowhere', 'lower')] });
const derOf = ({ certificate }: Party): Buffer => certificate.der;

function setUp(answers: Readonly<Record<string, FakeAnswer>>) {
  const http = createFakeHttp(Object.fromEntries(Object.entries(answers).map(([name, one]) => [place(name), one])));
  let clock = now;
  const time = (): Date => clock;
  const complete = createPathCompleter({ http, cache: createMemoryRevocationCache({ now: time }), now: time });
  const build = (fields: Partial<PathRequest> = {}, signal?: AbortSignal) =>
    complete(
      { certificate: person.certificate, intermediates: [], anchors: [root.certificate], at: now, ...fields },
      signal,
    );
  return { http, build, setClock: (date: Date) => (clock = date) };
}
const asked = ({ asked: all }: { readonly asked: readonly string[] }) => all.map((url) => url.slice(place('').length));

describe('createPathCompleter', () => {
  it('fetches missing authorities in sequence, each from the first address with an answer', async () => {
    const { http, build } = setUp({ lower: derOf(lower), upper: Buffer.from(pem('CERTIFICATE', derOf(upper))) });
    const { outcome, path } = await build();
    expect([outcome, path.map(({ commonName }) => commonName)]).toEqual(['valid', ['Maria', 'Lower', 'Upper', 'Root']]);
    expect(asked(http)).toEqual(['nowhere', 'lower', 'upper']);
  });

  it('keeps the fetched certificates for a day', async () => {
    const { http, build, setClock } = setUp({ lower: derOf(lower), upper: derOf(upper) });
    await build();
    setClock(day(0.99));
    await build();
    expect(asked(http)).toEqual(['nowhere', 'lower', 'upper', 'nowhere']);
    setClock(day(1));
    await build();
    expect(asked(http).slice(4)).toEqual(['nowhere', 'lower', 'upper']);
  });

  it('asks nobody for a complete path, or a path wrong for another reason', async () => {
    const { http, build } = setUp({});
    const intermediates = [upper, lower].map(({ certificate }) => certificate);
    expect((await build({ intermediates })).outcome).toBe('valid');
    expect((await build({ intermediates, at: day(9000) })).outcome).toBe('invalid');
    expect(asked(http)).toEqual([]);
  });

  it.each<[string, FakeAnswer]>([
    ['does not answer', 'unreachable'],
    ['answers with a page', Buffer.from('<html>')],
    ['answers with nothing', 204],
    ['answers with another certificate', derOf(root)],
    ['answers with more than a mebibyte', Buffer.concat([derOf(lower), Buffer.alloc(2 ** 20)])],
  ])('leaves the path unchanged when the address %s', async (_, answer) => {
    const { build } = setUp({ lower: answer, upper: derOf(upper) });
    const { path, problems } = await build();
    expect(path.map(({ commonName }) => commonName)).toEqual(['Maria']);
    expect(problems.map(({ code }) => code)).toContain('ISSUER_NOT_FOUND');
  });

  it('fetches nothing without a network', async () => {
    const complete = createPathCompleter({});
    const request = { certificate: person.certificate, intermediates: [], anchors: [root.certificate], at: now };
    expect((await complete(request)).path).toHaveLength(1);
  });

  it('ends after eight certificates', async () => {
    const parties: Party[] = [root];
    for (let index = 0; index < 10; index++) {
      const issuer = parties.at(-1);
      if (issuer === undefined) throw new Error('There is a root.');
      const extensions = [issuerAt(`${index}`)];
      parties.push(makeParty({ name: `CA ${index}`, issuer, authority: true, extensions }));
    }
    const answers = Object.fromEntries(parties.map((party, index) => [`${index}`, derOf(party)]));
    const { http, build } = setUp(answers);
    const [long, short] = [parties[10], parties[8]];
    if (long === undefined || short === undefined) throw new Error('There are eleven parties.');
    expect((await build({ certificate: long.certificate })).outcome).toBe('incomplete');
    expect(http.asked).toHaveLength(8);
    expect((await build({ certificate: short.certificate })).outcome).toBe('valid');
  });

  it('ends with CANCELLED on request', async () => {
    const { build } = setUp({ lower: derOf(lower) });
    await expect(build({}, AbortSignal.abort())).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

describe('the material of a path', () => {
  const LISTS = { root: 'http://lists.test/root', ca: 'http://lists.test/ca' } as const;
  const ca = makeParty({
    name: 'CA',
    issuer: root,
    authority: true,
    extensions: [crlDistributionPoints([LISTS.root])],
  });
  const holder = makeParty({
    name: 'Maria',
    issuer: ca,
    extensions: [crlDistributionPoints([LISTS.ca]), authorityInformationAccess({ issuer: place('ca') })],
  });
  const listOf = (signer: Party, revoked: readonly Party[] = [], from = -1): Buffer => {
    const entries = revoked.map(({ certificate }) => ({
      serialNumber: certificate.serialNumber,
      revokedAt: day(-20),
      reason: 1,
    }));
    const fields = { issuer: signer.certificate.subject, thisUpdate: day(from), nextUpdate: day(from + 8), entries };
    return writeTestCrl(fields, signer.key.privateKey);
  };
  const good = { root: listOf(root), ca: listOf(ca) };

  const collect = (
    lists: Partial<Record<keyof typeof LISTS, FakeAnswer>> = {},
    terms?: { readonly newerThan?: Date; readonly mustBeNewer?: boolean },
    known: readonly Party[] = [ca],
    refused: readonly Party[] = [],
  ) => {
    const all = { ...good, ...lists };
    const http = createFakeHttp({ [LISTS.root]: all.root, [LISTS.ca]: all.ca, [place('ca')]: ca.certificate.der });
    const time = (): Date => now;
    const cache = createMemoryRevocationCache({ now: time });
    const collector = createMaterialCollector({
      http,
      cache,
      now: time,
      anchors: [root.certificate],
      intermediates: [],
      refused: refused.map(({ certificate }) => certificate),
    });
    const certificates = known.map(({ certificate }) => certificate);
    return collector.collect(holder.certificate, certificates, now, undefined, terms);
  };

  it.each<[string, readonly Party[]]>([
    ['known', [ca]],
    ['fetched', []],
  ])('has each certificate once and each list, with its authority %s', async (_, known) => {
    const material = await collect({}, undefined, known);
    expect(material.certificates.map(({ commonName }) => commonName)).toEqual(['Maria', 'CA', 'Root']);
    expect(material.crls).toEqual([good.ca, good.root]);
    expect(material.ocspResponses).toEqual([]);
  });

  it('tells each revoked certificate with its date, and each certificate without an answer', async () => {
    await expect(collect({ ca: listOf(ca, [holder]) })).rejects.toMatchObject({
      code: 'CERTIFICATE_REVOKED',
      message: `The certificate of Maria was revoked on ${day(-20).toISOString()}.`,
    });
    const unknown = collect({ root: 'unreachable' });
    await expect(unknown).rejects.toMatchObject({ code: 'REVOCATION_UNKNOWN' });
    await expect(unknown).rejects.toThrow(
      'Whether the certificate of CA was revoked could not be determined. No answer.',
    );
  });

  it('has no list of a signer refused by the owner', async () => {
    const extensions = [crlDistributionPoints([LISTS.root])];
    const lister = makeParty({ name: 'CA', issuer: root, keyUsage: [6], extensions });
    const lists = { ca: listOf(lister) };
    const { crls } = await collect(lists, undefined, [ca, lister]);
    expect(crls).toContainEqual(lists.ca);
    const refused = collect(lists, undefined, [ca, lister], [lister]);
    await expect(refused).rejects.toMatchObject({ code: 'REVOCATION_UNKNOWN' });
  });

  it('is incomplete without a path to the root', async () => {
    const stranger = makeParty({ name: 'Stranger' });
    const collector = createMaterialCollector({ anchors: [stranger.certificate], intermediates: [ca.certificate] });
    await expect(collector.collect(holder.certificate, [], now)).rejects.toMatchObject({
      code: 'CHAIN_INCOMPLETE',
      message: expect.stringContaining('There is no valid path from Maria to a trusted root.') as unknown,
    });
  });

  it('has to be newer than the signature on request, for the signer alone', async () => {
    const newerThan = day(-2);
    const old = listOf(ca, [], -3);
    await expect(collect({ root: listOf(root, [], -3) }, { newerThan, mustBeNewer: true })).resolves.toBeDefined();
    await expect(collect({ ca: old }, { newerThan })).resolves.toBeDefined();
    await expect(collect({ ca: old }, { mustBeNewer: true })).resolves.toBeDefined();
    const refused = collect({ ca: old }, { newerThan, mustBeNewer: true });
    await expect(refused).rejects.toMatchObject({ code: 'REVOCATION_TOO_OLD' });
    await expect(refused).rejects.toThrow(`The next data is announced for ${day(5).toISOString()}.`);
    const entries = { issuer: ca.certificate.subject, thisUpdate: day(-0.5) };
    const last = writeTestCrl(entries, ca.key.privateKey);
    const announced = collect({ ca: last }, { newerThan: day(-0.1), mustBeNewer: true });
    await expect(announced).rejects.toThrow(/older than the signature\.$/);
  });
});
