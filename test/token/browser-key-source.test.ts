/** Certificates in the databases of browsers, read by NSS's own library. */
import { verify, X509Certificate } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BrowserKeySource, KeyRing, parseCertificate, Pin, type KeyDescription } from '../../src/signing/index.ts';
import { countNssKeys } from '../../src/storage/index.ts';
import type { TestIdentity } from '../../src/test-authority/index.ts';
import { personWith } from '../pki/identities.ts';
import { systemFile } from '../setup/system-packages.ts';
import { createNssProfile, importCorrespondent, importIdentity } from './nss-profile.ts';

let home: string;
let source: BrowserKeySource;
let maria: TestIdentity;
let joao: TestIdentity;
let curve: TestIdentity;

beforeAll(async () => {
  maria = await personWith({ name: 'MARIA', keyKind: 'rsa-2048' });
  joao = await personWith({ name: 'JOAO' });
  curve = await personWith({ name: 'CURVE', keyKind: 'ec-p384' });
});
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'sinete-nss-'));
  source = open();
});
afterEach(async () => {
  await source.close();
  await rm(home, { recursive: true });
});

function open(counted: (file: string) => number | undefined = countNssKeys): BrowserKeySource {
  return new BrowserKeySource({ home, countKeys: counted, library: systemFile('softokn') });
}

const FIREFOX = '.mozilla/firefox/abcd1234.default-esr';
const profile = (folder: string): string => path.join(home, folder);
const namesOf = (keys: readonly KeyDescription[]): readonly string[] =>
  keys.map(({ certificate }) => parseCertificate(certificate).commonName.split(':')[0] ?? '').sort();

async function isSigned(id: string, { certificate }: TestIdentity): Promise<boolean> {
  const signer = await source.open(id);
  const message = Buffer.from('contrato');
  const signature = await signer.sign(message, { scheme: signer.schemes[0]!, digest: 'sha256' });
  return verify('sha256', message, new X509Certificate(certificate).publicKey, signature);
}

describe('the certificates of a browser', () => {
  it('are listed with their place and sign without a password, RSA and P-384', async () => {
    await createNssProfile(profile(FIREFOX));
    await importIdentity(profile(FIREFOX), maria);
    await importIdentity(profile(FIREFOX), curve);
    const keys = await source.list();
    expect(namesOf(keys)).toEqual(['CURVE', 'MARIA']);
    for (const key of keys) {
      expect(key).toMatchObject({ source: 'browser', place: 'Firefox (default-esr)', token: { loginRequired: false } });
      expect(await isSigned(key.id, key.certificate.equals(maria.certificate) ? maria : curve)).toBe(true);
    }
  });

  it.each([
    ['.config/mozilla/firefox/x1234567.default', 'Firefox (default)'],
    ['snap/firefox/common/.mozilla/firefox/x1234567.work', 'Firefox (work)'],
    ['.var/app/org.mozilla.firefox/.mozilla/firefox/x1234567.default', 'Firefox (default)'],
    ['.thunderbird/x1234567.default', 'Thunderbird (default)'],
    ['.pki/nssdb', 'Chromium'],
    ['snap/chromium/current/.pki/nssdb', 'Chromium'],
    ['d\'água & "aspas"/.pki/nssdb', 'Chromium'],
  ])('are found in %s', async (folder, place) => {
    if (folder.startsWith("d'")) {
      home = profile('d\'água & "aspas"');
      await mkdir(home);
      source = open();
    }
    const inside = folder.startsWith("d'") ? '.pki/nssdb' : folder;
    await createNssProfile(profile(inside));
    await importIdentity(profile(inside), maria);
    expect((await source.list()).map((key) => key.place)).toEqual([place]);
    home = path.resolve(home.replace(/\/d'água.*$/, ''));
  });

  it('are found in a folder that only profiles.ini names', async () => {
    await mkdir(profile('.mozilla/firefox'), { recursive: true });
    const far = profile('elsewhere/my profile');
    await createNssProfile(far);
    await importIdentity(far, maria);
    await writeFile(
      profile('.mozilla/firefox/profiles.ini'),
      `[Install4F96D1932A9F858E]\nDefault=other\n\n[Profile0]\nName=mine\nIsRelative=0\nPath=${far}\n`,
    );
    expect(namesOf(await source.list())).toEqual(['MARIA']);
  });

  it('leave out certificates of correspondents and of authorities', async () => {
    await createNssProfile(profile(FIREFOX));
    await importIdentity(profile(FIREFOX), maria);
    await importCorrespondent(profile(FIREFOX), joao.certificate);
    expect(namesOf(await source.list())).toEqual(['MARIA']);
  });

  it('start no process where no key is, and none for a list that is still true', async () => {
    await createNssProfile(profile('.pki/nssdb'));
    await importCorrespondent(profile('.pki/nssdb'), joao.certificate);
    expect(await source.list()).toEqual([]);
    expect(source.processIds).toEqual([]);
    await importIdentity(profile('.pki/nssdb'), maria);
    const first = await source.list();
    const [pid] = source.processIds;
    expect(pid).toBeGreaterThan(0);
    process.kill(pid!, 'SIGKILL');
    const again = await source.list();
    expect(again).toEqual(first);
    expect(again[0]).toBe(first[0]);
  });

  it('are read again when another program has added one', async () => {
    await createNssProfile(profile(FIREFOX));
    await importIdentity(profile(FIREFOX), maria);
    expect(namesOf(await source.list())).toEqual(['MARIA']);
    await importIdentity(profile(FIREFOX), joao);
    expect(namesOf(await source.list())).toEqual(['JOAO', 'MARIA']);
  });

  it('go with their profile', async () => {
    await createNssProfile(profile('.pki/nssdb'));
    await importIdentity(profile('.pki/nssdb'), maria);
    const [key] = await source.list();
    await rename(profile('.pki'), profile('gone'));
    expect(await source.list()).toEqual([]);
    await expect(source.open(key!.id)).rejects.toMatchObject({ code: 'KEY_NOT_FOUND' });
  });
});

describe('a primary password', () => {
  beforeEach(async () => {
    await createNssProfile(profile(FIREFOX), 'minha senha');
    await importIdentity(profile(FIREFOX), maria, 'minha senha');
    await importCorrespondent(profile(FIREFOX), joao.certificate, 'minha senha');
  });

  it('is asked for before a signature, and the list is the same before and after', async () => {
    const [key, ...others] = await source.list();
    expect(others).toEqual([]);
    expect(key).toMatchObject({ token: { loginRequired: true, loggedIn: false } });
    await expect(isSigned(key!.id, maria)).rejects.toMatchObject({ code: 'PIN_REQUIRED' });
    await source.unlock(key!.id, new Pin('minha senha'));
    expect(await isSigned(key!.id, maria)).toBe(true);
    const after = await source.list();
    expect(namesOf(after)).toEqual(['MARIA']);
    expect(after[0]).toMatchObject({ id: key!.id, token: { loggedIn: true } });
    await source.lock(key!.id);
    expect((await source.list())[0]).toMatchObject({ token: { loggedIn: false } });
  });

  it('that is wrong is told without words about attempts, and the right one works afterwards', async () => {
    const [key] = await source.list();
    await expect(source.unlock(key!.id, new Pin('outra'))).rejects.toMatchObject({
      code: 'PIN_INCORRECT',
      message: 'The primary password of Firefox (default-esr) is wrong.',
    });
    await source.unlock(key!.id, new Pin('minha senha'));
    expect(await isSigned(key!.id, maria)).toBe(true);
  });
});

describe('a database that another program holds', () => {
  it('is told with the remedy, and read as soon as it is free', async () => {
    await createNssProfile(profile(FIREFOX));
    await importIdentity(profile(FIREFOX), maria);
    const holder = new Database(path.join(profile(FIREFOX), 'cert9.db'));
    const other = new Database(path.join(profile(FIREFOX), 'key4.db'));
    for (const one of [holder, other]) one.exec('begin exclusive');
    expect(await source.list()).toEqual([]);
    expect(await source.health()).toMatchObject({
      state: 'failing',
      detail: 'The certificates of Firefox (default-esr) cannot be read now. Close Firefox and try again.',
    });
    for (const one of [holder, other]) one.close();
    await expect.poll(async () => namesOf(await source.list()), { timeout: 60_000 }).toEqual(['MARIA']);
    expect(await source.health()).toMatchObject({ state: 'ok' });
  });
});

describe('a certificate in two profiles', () => {
  it('is one entry of the list', async () => {
    for (const folder of [FIREFOX, '.pki/nssdb']) {
      await createNssProfile(profile(folder));
      await importIdentity(profile(folder), maria);
    }
    const ring = new KeyRing((certificate) => parseCertificate(certificate).commonName, [source]);
    expect((await ring.list()).map(({ place }) => place)).toEqual(['Firefox (default-esr)']);
  });
});
