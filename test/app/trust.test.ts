/** Newer authorities of ICP-Brasil, from an address that answers, breaks off, or is out of reach. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Trust } from '../../src/app/evidence/trust.ts';
import { settingsInMemory } from './settings-in-memory.ts';
import { makeParty } from '../signing/certificates/path/path-pki.ts';
import { createFakeHttp, type FakeAnswer, type FakeHttp } from '../signing/revocation/fake-http.ts';

const PUBLICATION = 'http://acraiz.icpbrasil.gov.br/credenciadas/CertificadosAC-ICP-Brasil/ACcompactado.zip';
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const shipped = readFileSync(new URL('../../assets/trust/icp-brasil.pem', import.meta.url));
const pem = (der: Uint8Array): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64')}\n-----END CERTIFICATE-----\n`;
const stranger = makeParty({ name: 'AC Raiz Desconhecida' });
const newer = makeParty({ name: 'AC Nova', issuer: stranger, authority: true });
/** A later publication of ICP-Brasil: one more authority, and an unpinned root. */
const published = Buffer.concat([
  shipped,
  Buffer.from(`\n${pem(newer.certificate.der)}${pem(stranger.certificate.der)}`),
]);

let http: FakeHttp;
let trust: Trust;
const openWith = async (answer: FakeAnswer): Promise<void> => {
  http = createFakeHttp({ [PUBLICATION]: answer });
  trust = await Trust.open(settingsInMemory(), http);
};
const rootNames = (): readonly string[] => trust.anchors.map(({ commonName }) => commonName);

describe('the publication of ICP-Brasil', () => {
  it('brings newer authorities, and no unpinned root', async () => {
    await openWith(published);
    const [roots, authorities] = [rootNames(), trust.intermediates.length];
    const { skipped } = await trust.update();
    expect(rootNames()).toEqual(roots);
    expect(trust.intermediates).toHaveLength(authorities + 1);
    expect(skipped.map(({ sentence }) => sentence).join(' ')).toContain(stranger.certificate.fingerprint);
  });

  it('does not bring back a root refused by the owner', async () => {
    await openWith(published);
    const [first, ...others] = trust.anchors;
    await trust.remove(first?.fingerprint ?? '');
    await trust.update();
    expect(rootNames()).toEqual(others.map(({ commonName }) => commonName));
  });

  it('does not bring back a root refused by the owner during the fetch', async () => {
    const settings = settingsInMemory();
    const send = async () => {
      await trust.remove(trust.anchors[0]?.fingerprint ?? '');
      return { status: 200, contentType: undefined, body: published };
    };
    trust = await Trust.open(settings, { send });
    const [first, ...others] = trust.anchors;
    await trust.update();
    expect(rootNames()).toEqual(others.map(({ commonName }) => commonName));
    expect(trust.present.refused).toEqual([first]);
  });

  it('leaves a root imported again by the owner after a refusal', async () => {
    await openWith(published);
    const before = rootNames();
    const [first] = trust.anchors;
    await trust.remove(first?.fingerprint ?? '');
    await trust.import(Buffer.from(pem(first?.der ?? Buffer.alloc(0))));
    await trust.update();
    expect(rootNames().toSorted()).toEqual(before.toSorted());
  });

  it('leaves the mark of a root trusted for time stamps only, until the root is removed', async () => {
    await openWith(published);
    const [first] = trust.anchors;
    const { fingerprint, der } = first ?? stranger.certificate;
    const isMarked = (): boolean => trust.present.marks.timeStampsOnly.has(fingerprint);
    await trust.import(Buffer.from(pem(der)), { fingerprint, timeStampsOnly: true });
    await trust.update();
    expect(isMarked()).toBe(true);
    await trust.remove(fingerprint);
    await trust.import(Buffer.from(pem(der)));
    expect(isMarked()).toBe(false);
  });

  it('does not bring back an authority refused by the owner', async () => {
    await openWith(published);
    const [first] = trust.intermediates;
    await trust.remove(first?.fingerprint ?? '');
    await trust.update();
    expect(trust.intermediates).not.toContain(first);
    expect(trust.present.refused).toEqual([first]);
  });

  it('changes nothing when out of reach', async () => {
    await openWith('unreachable');
    const before = rootNames();
    await expect(trust.update()).rejects.toMatchObject({ code: 'NETWORK_UNAVAILABLE' });
    expect(rootNames()).toEqual(before);
  });

  it.each([203, 206, 404, 500])('changes nothing under the HTTP status %d', async (status) => {
    const send = () => Promise.resolve({ status, contentType: undefined, body: published });
    trust = await Trust.open(settingsInMemory(), { send });
    const before = trust.intermediates.length;
    await expect(trust.update()).rejects.toMatchObject({
      code: 'NETWORK_UNAVAILABLE',
      message: expect.stringContaining(`HTTP status ${status}`) as string,
    });
    expect(trust.intermediates).toHaveLength(before);
  });
});

describe('an import for a single purpose', () => {
  it.each([{ isTest: true }, { timeStampsOnly: true }])(
    'takes nothing without the SHA-256 of a root: %o',
    async (wish) => {
      await openWith(published);
      const before = trust.intermediates.length;
      await expect(trust.import(published, wish)).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
      expect(trust.intermediates).toHaveLength(before);
    },
  );
});

describe('an import of several roots', () => {
  it('marks the named root, and no other', async () => {
    await openWith(published);
    const { fingerprint } = stranger.certificate;
    await trust.import(published, { fingerprint, isTest: true, timeStampsOnly: true });
    expect(trust.present.marks).toEqual({
      homologation: new Set([fingerprint]),
      timeStampsOnly: new Set([fingerprint]),
    });
  });

  it('makes no root of ICP-Brasil a root for trying out', async () => {
    await openWith(published);
    const fingerprint = trust.anchors[0]?.fingerprint ?? '';
    const wish = { fingerprint, isTest: true };
    await expect(trust.import(published, wish)).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
    expect(trust.present.marks.homologation.size).toBe(0);
  });
});

describe('a refused authority', () => {
  it('of the product or of an import stays refused in the next process, until accepted by the owner', async () => {
    const settings = settingsInMemory();
    const open = async () => Trust.open(settings, createFakeHttp({}));
    const first = await open();
    await first.import(Buffer.from(pem(newer.certificate.der)));
    const before = first.intermediates.length;
    const shippedOne = first.intermediates.find(({ fingerprint }) => fingerprint !== newer.certificate.fingerprint);
    const wanted = [shippedOne?.fingerprint ?? '', newer.certificate.fingerprint];
    for (const fingerprint of wanted) await first.remove(fingerprint);
    const next = await open();
    expect(next.present.refused.map(({ fingerprint }) => fingerprint).toSorted()).toEqual(wanted.toSorted());
    expect(next.intermediates).toHaveLength(before - 2);
    // An import of many certificates is no acceptance.
    await next.import(Buffer.from(pem(newer.certificate.der)));
    expect(next.present.refused).toHaveLength(2);
    for (const fingerprint of wanted) await next.accept(fingerprint);
    expect((await open()).intermediates).toHaveLength(before);
  });

  it('is refused once, and accepted once', async () => {
    await openWith(published);
    const fingerprint = trust.intermediates[0]?.fingerprint ?? '';
    await expect(trust.accept(fingerprint)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await trust.remove(fingerprint);
    await expect(trust.remove(fingerprint)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await trust.accept(fingerprint);
    await expect(trust.accept(fingerprint)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(trust.remove('ab'.repeat(32))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('may be a root of the product, accepted again without its file', async () => {
    await openWith(published);
    const [first] = trust.anchors;
    const before = rootNames();
    await trust.remove(first?.fingerprint ?? '');
    expect(trust.present.refused).toEqual([first]);
    await trust.accept(first?.fingerprint ?? '');
    expect(rootNames()).toEqual(before);
    expect(trust.present.refused).toEqual([]);
  });
});

describe('the look for newer authorities in the background', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(async () => {
    await trust.close();
    vi.useRealTimers();
  });

  it('is made some minutes after the start, and then every day, until the end', async () => {
    await openWith(published);
    const known = trust.intermediates.length;
    trust.updateInBackground(() => undefined);
    await vi.advanceTimersByTimeAsync(9 * MINUTE);
    expect(http.asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(http.asked).toEqual([PUBLICATION]);
    await vi.waitFor(() => expect(trust.intermediates).toHaveLength(known + 1));
    await vi.advanceTimersByTimeAsync(DAY);
    expect(http.asked).toHaveLength(2);
    await trust.close();
    await vi.advanceTimersByTimeAsync(2 * DAY);
    expect(http.asked).toHaveLength(2);
  });

  it('tells a failure, and is made again the next day', async () => {
    await openWith('unreachable');
    const failures: unknown[] = [];
    trust.updateInBackground((error) => failures.push(error));
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    await vi.waitFor(() => expect(failures).toMatchObject([{ code: 'NETWORK_UNAVAILABLE' }]));
    await vi.advanceTimersByTimeAsync(DAY);
    await vi.waitFor(() => expect(failures).toHaveLength(2));
  });
});
