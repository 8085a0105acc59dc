import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfiguration } from '../../src/app/config/config.ts';
import { openCore, requesters, type Core } from '../../src/app/compose/open-core.ts';
import { wipeAuthority } from '../../src/app/test-services/test-identities.ts';
import { buildUiCalls } from '../../src/app/calls/ui-calls.ts';
import { ICP_BRASIL_ROOTS, buildPath, parseCertificate } from '../../src/signing/index.ts';
import { makeParty } from '../signing/certificates/path/path-pki.ts';
import { seal } from '../../src/storage/index.ts';
import { writePkcs12 } from '../../src/test-authority/write-pkcs12.ts';
import { createTestAuthority, startTestServices, type TestServices } from '../../src/test-authority/index.ts';
import type { CallHandlers } from '../../src/ui-contract/ui-contract.ts';
import { freePort } from './run-sinete.ts';

let folder: string;
let core: Core;
let calls: CallHandlers;
const running: (() => Promise<void>)[] = [];

async function open(settings: Readonly<Record<string, string>> = {}): Promise<void> {
  const environment = {
    SINETE_SECRET_STORE_MODE: 'key-file',
    SINETE_SECRET_STORE_KEY_FILE: join(folder, 'keys', 'master.key'),
    SINETE_APPROVE: 'all',
    ...settings,
  };
  const dataFolder = join(folder, 'data');
  core = await openCore({ dataFolder, configuration: await readConfiguration({ dataFolder, environment }) });
  calls = buildUiCalls(core, requesters['command-line'], () => '');
}

async function reopen(settings: Readonly<Record<string, string>> = {}): Promise<void> {
  await core.close();
  await open(settings);
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-evidence-'));
  await open();
});
afterEach(async () => {
  await core.close();
  for (const stop of running.splice(0)) await stop();
  await rm(folder, { recursive: true });
});

/** A provider of time stamps on this computer, of an authority of its own. */
async function startProvider(): Promise<TestServices> {
  const services = await startTestServices({ authority: await createTestAuthority({ keyKind: 'ec-p256' }), port: 0 });
  running.push(async () => services.close());
  return services;
}

/** A server answering every request alike; keeps the received authorization. */
async function startAnswering(
  status: number,
  body: Buffer = Buffer.alloc(0),
): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = [];
  const server: Server = createServer((request, response) => {
    seen.push(request.headers.authorization ?? '');
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  running.push(async () => new Promise<void>((resolve) => void server.close(() => resolve())));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, seen };
}

const hostOf = (url: string): string => new URL(url).host;
const plain = { digest: 'sha256', authentication: { kind: 'none' } } as const;

describe('time-stamp servers', () => {
  it('are asked in their order until a trusted stamp comes', async () => {
    const [broken, provider] = [await startAnswering(500), await startProvider()];
    await reopen({ SINETE_NETWORK_ALLOW: JSON.stringify([hostOf(broken.url), hostOf(provider.origin)]) });
    await calls['tsa.add']({ id: 'first', url: broken.url, ...plain });
    await calls['tsa.add']({ id: 'second', url: provider.timestampUrl, ...plain });
    const stamper = await core.evidence.timestamper({});
    await expect(stamper.stamp(Buffer.alloc(32))).rejects.toMatchObject({ code: 'TIMESTAMP_INVALID' });
    const { certificate } = provider.authority.root;
    const { fingerprint } = parseCertificate(certificate);
    await calls['trust.import']({ file: certificate.toString('base64'), fingerprint });
    expect((await stamper.stamp(Buffer.alloc(32))).certificate?.commonName).toContain('Carimbo do Tempo');
    await expect(calls['tsa.test']({ id: 'first' })).rejects.toMatchObject({ code: 'TIMESTAMP_REFUSED' });
    expect(broken.seen.length).toBe(3);
  });

  it('are not reached on this computer or in private networks unless the configuration says so', async () => {
    const { timestampUrl } = await startProvider();
    await calls['tsa.add']({ id: 'here', url: timestampUrl, ...plain });
    await expect(calls['tsa.test']({ id: 'here' })).rejects.toMatchObject({ code: 'NETWORK_REFUSED' });
    const { status, checks } = await calls['doctor.read']({});
    expect(status).toBe('problem');
    expect(checks.find(({ id }) => id === 'timestamp-server:here')).toMatchObject({ outcome: 'problem' });
  });

  it('get their credentials, kept sealed and never listed', async () => {
    const server = await startAnswering(401);
    await reopen({ SINETE_NETWORK_ALLOW: JSON.stringify([hostOf(server.url)]) });
    const authentication = { kind: 'basic', user: 'empresa', password: 'senha secreta' } as const;
    await calls['tsa.add']({ id: 'act', url: server.url, digest: 'sha512', authentication });
    const listed = JSON.stringify([await calls['tsa.list']({}), await core.storage.settings.read('tsa.servers')]);
    expect(listed).toContain('basic');
    expect(listed).not.toMatch(/senha|empresa/);
    await reopen({ SINETE_NETWORK_ALLOW: JSON.stringify([hostOf(server.url)]) });
    await expect(calls['tsa.test']({ id: 'act' })).rejects.toMatchObject({ code: 'TIMESTAMP_REFUSED' });
    expect(server.seen).toEqual([`Basic ${Buffer.from('empresa:senha secreta').toString('base64')}`]);
  });

  it('keep their place when changed, and their credentials for the same address', async () => {
    const bearer = { kind: 'bearer', token: 'segredo' } as const;
    await calls['tsa.add']({ id: 'a', url: 'https://a.example/tsa', digest: 'sha256', authentication: bearer });
    await calls['tsa.add']({ id: 'b', url: 'https://b.example/tsa', ...plain });
    await calls['tsa.add']({ id: 'a', url: 'https://c.example/tsa', ...plain });
    expect((await calls['tsa.list']({})).map(({ id, url }) => [id, url])).toEqual([
      ['a', 'https://c.example/tsa'],
      ['b', 'https://b.example/tsa'],
    ]);
    await calls['tsa.add']({ id: 'a', url: 'https://a.example/tsa', digest: 'sha256', authentication: bearer });
    const stored = (await core.storage.settings.read('tsa.servers')) as { id: string; url: string }[];
    await core.storage.settings.write(
      'tsa.servers',
      stored.map((one) => (one.id === 'a' ? { ...one, url: 'https://thief.example/' } : one)),
    );
    await expect(core.timestampServers.open('a')).rejects.toMatchObject({ code: 'SECRET_UNREADABLE' });
    await calls['tsa.reorder']({ ids: ['b', 'a'] });
    expect((await calls['tsa.list']({})).map(({ id }) => id)).toEqual(['b', 'a']);
    for (const ids of [['a'], ['a', 'a'], ['a', 'b', 'c'], ['a', 'x']]) {
      await expect(calls['tsa.reorder']({ ids })).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
    }
    await calls['tsa.remove']({ id: 'a' });
    await expect(calls['tsa.remove']({ id: 'a' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await calls['tsa.list']({})).map(({ id }) => id)).toEqual(['b']);
  });

  it.each([
    ['an id with a space', { id: 'a b' }],
    ['the id of the test services', { id: 'test' }],
    ['another kind of address', { url: 'ldap://x.example/' }],
    ['a password in the address', { url: 'https://a:b@x.example/' }],
    ['credentials without TLS', { authentication: { kind: 'bearer', token: 't' } as const }],
    ['a policy that is no OID', { policy: 'best' }],
  ])('refuse %s', async (_name, changes) => {
    const server = { id: 'act', url: 'http://act.example/tsa', ...plain, ...changes };
    await expect(calls['tsa.add'](server)).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
    expect(await calls['tsa.list']({})).toEqual([]);
  });
});

describe('trust', () => {
  const shipped = ['v5', 'v6', 'v10', 'v11', 'v12'].map(
    (version) => ICP_BRASIL_ROOTS.find((root) => root.version === version)?.fingerprint ?? '',
  );
  const fingerprints = async (): Promise<readonly string[]> =>
    (await calls['trust.list']({})).anchors.map((one) => one.fingerprint);

  it('comes with the roots of ICP-Brasil by their pinned SHA-256, and the authorities below', async () => {
    const trust = await calls['trust.list']({});
    expect(new Set(trust.anchors.map((one) => one.fingerprint))).toEqual(new Set(shipped));
    expect(new Set(trust.anchors.map((one) => one.hierarchy))).toEqual(new Set(['ICP-Brasil']));
    expect(trust.intermediates).toBe(167);
    for (const authority of core.trust.intermediates) {
      const path = buildPath({
        certificate: authority,
        intermediates: core.trust.intermediates,
        anchors: core.trust.anchors,
        at: new Date(Math.max(authority.notBefore.getTime(), Date.parse('2026-11-22'))),
      });
      expect([authority.commonName, path.outcome]).toEqual([authority.commonName, 'valid']);
    }
  });

  it('refuses a root of the product, also after a new start, until imported again', async () => {
    const [first = ''] = shipped;
    const file = core.trust.anchors.find((one) => one.fingerprint === first)?.der.toString('base64') ?? '';
    await calls['trust.remove']({ fingerprint: first });
    expect(await fingerprints()).not.toContain(first);
    await reopen();
    expect(await fingerprints()).not.toContain(first);
    await expect(calls['trust.remove']({ fingerprint: first })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await calls['trust.import']({ file });
    expect(await fingerprints()).toContain(first);
  });

  it('marks a root for trying out: allows policies and has no legal value', async () => {
    const { fingerprint, der } = makeParty({ name: 'AC Raiz de Homologação' }).certificate;
    const file = der.toString('base64');
    await expect(calls['trust.import']({ file, isTest: true })).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
    const pinned = { file, isTest: true, fingerprint: shipped[0] };
    await expect(calls['trust.import'](pinned)).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
    await calls['trust.import']({ file, fingerprint });
    const before = (await calls['trust.list']({})).anchors.find((one) => one.fingerprint === fingerprint);
    expect(before?.hierarchy).toBe('other');
    await calls['trust.import']({ file, fingerprint, isTest: true });
    await reopen();
    const own = (await calls['trust.list']({})).anchors.find((one) => one.fingerprint === fingerprint);
    expect(own?.hierarchy).toBe('test');
    await calls['trust.remove']({ fingerprint });
    expect(await fingerprints()).not.toContain(fingerprint);
  });

  it('tells in each approval the lack of legal value of a key below a root for trying out', async () => {
    const root = makeParty({ name: 'AC Raiz de Homologação' });
    const holder = makeParty({ name: 'Ana', issuer: root });
    const privateKey = holder.key.privateKey.export({ format: 'der', type: 'pkcs8' });
    const identity = { privateKey, certificate: holder.certificate.der, chain: [root.certificate.der] };
    const key = { file: (await writePkcs12(identity, 'secret')).toString('base64'), password: 'secret' };
    await calls['certificates.import'](key);
    const isTest = async () => (await calls['certificates.list']({})).map((one) => one.isTest);
    const { fingerprint } = root.certificate;
    const file = root.certificate.der.toString('base64');
    await calls['trust.import']({ file, fingerprint });
    expect(await isTest()).toEqual([false]);
    await calls['trust.import']({ file, fingerprint, isTest: true });
    expect(await isTest()).toEqual([true]);
    const [listed] = await calls['certificates.list']({});
    expect((await calls['certificates.describe']({ alias: listed?.alias ?? '' })).isTest).toBe(true);
  });

  it('finds no root for a signer below a root trusted for time stamps only', async () => {
    const root = makeParty({ name: 'AC de Carimbos' });
    const holder = makeParty({ name: 'Ana', issuer: root });
    const { fingerprint, der } = root.certificate;
    const file = der.toString('base64');
    const endOf = async () => core.evidence.findChainEnd(holder.certificate, [], new Date());
    await calls['trust.import']({ file, fingerprint });
    expect(await endOf()).toEqual({ fingerprint, hierarchy: 'other' });
    await calls['trust.import']({ file, fingerprint, timeStampsOnly: true });
    expect(await endOf()).toBeUndefined();
  });

  it('takes an unpinned root only when its SHA-256 is given', async () => {
    const { root, issuing } = await createTestAuthority({ keyKind: 'ec-p256' });
    const { fingerprint } = parseCertificate(root.certificate);
    const file = root.certificate.toString('base64');
    const other = '0'.repeat(64);
    await expect(calls['trust.import']({ file })).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
    await expect(calls['trust.import']({ file, fingerprint: other })).rejects.toMatchObject({
      code: 'REQUEST_INVALID',
    });
    expect(await fingerprints()).not.toContain(fingerprint);
    expect((await calls['trust.import']({ file, fingerprint })).anchors.length).toBe(1);
    await calls['trust.import']({ file: issuing.certificate.toString('base64') });
    await reopen();
    const trust = await calls['trust.list']({});
    const own = trust.anchors.filter((one) => one.hierarchy !== 'ICP-Brasil');
    expect([own.map((one) => one.fingerprint), trust.intermediates]).toEqual([[fingerprint], 168]);
    await calls['trust.remove']({ fingerprint });
    expect(await fingerprints()).not.toContain(fingerprint);
  });

  it('imports from an allowed address, and gives the reason of a refusal', async () => {
    const { root, issuing } = await createTestAuthority({ keyKind: 'ec-p256' });
    const server = await startAnswering(200, issuing.certificate);
    await expect(calls['trust.import']({ url: server.url })).rejects.toMatchObject({ code: 'NETWORK_UNAVAILABLE' });
    await reopen({ SINETE_NETWORK_ALLOW: JSON.stringify([hostOf(server.url)]) });
    expect(await calls['trust.import']({ url: server.url })).toMatchObject({ intermediates: 1, skipped: [] });
    expect(parseCertificate(root.certificate).fingerprint).not.toBe('');
  });
});

describe('the test authority', () => {
  const person = { name: 'Ana Lima', cpf: '111.444.777-35' } as const;

  it('is followed by a certificate with addresses where an earlier version kept another without, and both stay trusted', async () => {
    const earlier = await createTestAuthority({ keyKind: 'ec-p256' });
    const plainIdentity = ({ privateKey, certificate, chain }: typeof earlier.root): object => ({
      privateKey: privateKey.toString('base64'),
      certificate: certificate.toString('base64'),
      chain: chain.map((one) => one.toString('base64')),
    });
    const content = { root: plainIdentity(earlier.root), issuing: plainIdentity(earlier.issuing), urls: {} };
    const sealed = seal(
      await core.secrets.getMasterKey(),
      Buffer.from(JSON.stringify(content)),
      'settings|test_authority|1',
    );
    await core.storage.settings.write('test_authority', sealed.toString('base64'));
    await calls['certificates.makeTestIdentity'](person);
    const authority = await core.testIdentities.openAuthority();
    expect(authority.urls.ocsp).toBe(`http://127.0.0.1:${core.configuration.testServicesPort}/ocsp`);
    const roots = [earlier.root, authority.root].map(({ certificate }) => parseCertificate(certificate).fingerprint);
    const tests = (await calls['trust.list']({})).anchors.filter((one) => one.hierarchy !== 'ICP-Brasil');
    expect(tests.map((one) => [one.fingerprint, one.hierarchy])).toEqual(
      roots.map((fingerprint) => [fingerprint, 'test']),
    );
    wipeAuthority(authority);
  });

  it('never offers its root for removal, unlike the other roots', async () => {
    await calls['certificates.makeTestIdentity'](person);
    const { certificate } = makeParty({ name: 'AC Raiz de Homologação' });
    const file = certificate.der.toString('base64');
    await calls['trust.import']({ file, fingerprint: certificate.fingerprint, isTest: true });
    const { anchors } = await calls['trust.list']({});
    const kept = anchors.filter(({ isRemovable }) => !isRemovable).map(({ fingerprint }) => fingerprint);
    const { root } = await core.testIdentities.openAuthority();
    expect(kept).toEqual([parseCertificate(root.certificate).fingerprint]);
    await expect(calls['trust.remove']({ fingerprint: kept[0] ?? '' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('has its services inside this instance until their stop, under the id "test"', async () => {
    await reopen({ SINETE_TEST_SERVICES_PORT: String(await freePort()) });
    await calls['certificates.makeTestIdentity'](person);
    await expect(calls['tsa.test']({ id: 'test' })).rejects.toMatchObject({ code: 'TSA_NOT_CONFIGURED' });
    const { origin, certificatesPointTo } = await calls['testServices.run']({});
    expect(certificatesPointTo).toBe(origin);
    expect(await calls['tsa.test']({ id: 'test' })).toMatchObject({ policy: '2.999.2' });
    expect((await calls['testServices.run']({})).origin).toBe(origin);
    await calls['testServices.stop']({});
    await expect(fetch(origin)).rejects.toThrow();
  });
});
