import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itNeeding } from '../../../setup/needs.ts';
import { findModules, referenceModule } from '../../../../src/signing/index.ts';
import { MODULE_CATALOGUE } from '../../../../src/signing/keys/pkcs11/module-paths.ts';
import { parseModuleFile } from '../../../../src/signing/keys/pkcs11/p11-kit.ts';

let root: string;
let search: { platform: NodeJS.Platform; root: string; home: string; environment: Record<string, string> };

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'sinete-modules-'));
  search = { platform: 'linux', root, home: path.join(root, 'home'), environment: {} };
});
afterEach(() => rm(root, { recursive: true, force: true }));

const ELF_64 = Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01', 'latin1'), Buffer.alloc(64)]);
const ELF_32 = Buffer.concat([Buffer.from('\x7fELF\x01\x01\x01', 'latin1'), Buffer.alloc(64)]);

function portableExecutable(machine: number): Buffer {
  const file = Buffer.alloc(256);
  file.write('MZ', 'latin1');
  file.writeUInt32LE(0x80, 0x3c);
  file.write('PE\0\0', 0x80, 'latin1');
  file.writeUInt16LE(machine, 0x84);
  return file;
}

async function put(file: string, content: Buffer | string = ELF_64): Promise<string> {
  const full = root + file;
  await mkdir(path.dirname(full), { recursive: true });
  await writeFile(full, content);
  return full;
}

const found = async (): Promise<readonly string[]> =>
  (await findModules(search)).map((module) => `${module.product}: ${module.path.slice(root.length)}`);

describe('findModules', () => {
  itNeeding('Linux')('finds SoftHSM and OpenSC on this computer', async () => {
    const products = (await findModules()).map(({ product }) => product);
    expect(products).toEqual(expect.arrayContaining(['OpenSC', 'SoftHSM']));
  });

  it('takes the first existing path of a product', async () => {
    await put('/usr/lib64/libeToken.so');
    await put('/usr/lib/libeTPkcs11.so');
    expect(await found()).toEqual(['SafeNet eToken: /usr/lib64/libeToken.so']);
  });

  itNeeding('Linux')('lists a file once, also with several ways to the file', async () => {
    const file = await put('/usr/lib/libaetpkss.so.3.9');
    await mkdir(`${root}/usr/share/p11-kit/modules`, { recursive: true });
    await symlink(file, `${root}/usr/lib/libaetpkss.so.3`);
    await put('/usr/share/p11-kit/modules/safesign.module', 'module: /usr/lib/libaetpkss.so.3.9\n');
    expect(await found()).toEqual(['G+D StarSign (SafeSign): /usr/lib/libaetpkss.so.3']);
  });

  it('finds a folder with a version in its name, and the newest of two', async () => {
    await put('/opt/ePass2003-Castle-20141128/x64/redist/libcastle.so.1.0.0');
    await put('/opt/ePass2003-Castle-20200115/x64/redist/libcastle.so.1.0.0');
    await put('/opt/other/x64/redist/libcastle.so.1.0.0');
    expect(await found()).toEqual(['Feitian ePass2003: /opt/ePass2003-Castle-20200115/x64/redist/libcastle.so.1.0.0']);
  });

  it('passes over libraries of 32 bits and other files than libraries', async () => {
    await put('/usr/lib/libeToken.so', ELF_32);
    await put('/usr/lib64/libeToken.so', 'short');
    await put('/usr/lib/libeTPkcs11.so');
    expect(await found()).toEqual(['SafeNet eToken: /usr/lib/libeTPkcs11.so']);
  });

  it('fills in the environment on Windows, and passes over unset variables and folders of 32 bits', async () => {
    search = { ...search, platform: 'win32', environment: { SystemRoot: '/Windows' } };
    await put('/Windows\\System32\\eTPKCS11.dll', portableExecutable(0x8664));
    await put('/Windows\\System32\\aetpkss1.dll', portableExecutable(0x014c));
    expect(await found()).toEqual(['SafeNet eToken: /Windows\\System32\\eTPKCS11.dll']);
  });

  it('has nothing to say of a system without a catalogue', async () => {
    expect(await findModules({ ...search, platform: 'freebsd' })).toEqual([]);
  });

  it.each([
    ['a trust store', 'module: /lib/good.so\ntrust-policy: yes\n'],
    ['a module that is disabled here', 'module: /lib/good.so\ndisable-in: firefox, sinete\n'],
    ['a module that is enabled elsewhere only', 'module: /lib/good.so\nenable-in: firefox\n'],
    ['a remote module', 'remote: |ssh host p11-kit remote\n'],
    ['the proxy', 'module: /lib/p11-kit-proxy.so\n'],
    ['a certificate in the cloud', 'module: /lib/libbirdid_pkcs11.so\n'],
    ["the desktop's key ring", 'module: /lib/gnome-keyring-pkcs11.so\n'],
    ['a file that does not exist', 'module: /lib/gone.so\n'],
  ])('does not offer %s registered by p11-kit', async (_, text) => {
    for (const name of ['good', 'p11-kit-proxy', 'libbirdid_pkcs11', 'gnome-keyring-pkcs11'])
      await put(`/lib/${name}.so`);
    await put('/usr/share/p11-kit/modules/one.module', text);
    expect(await found()).toEqual([]);
  });

  itNeeding('Linux')('offers the modules registered by p11-kit, and lets the user override the system', async () => {
    await put('/usr/lib/x86_64-linux-gnu/pkcs11/maker.so');
    await put('/lib/first.so');
    await put('/lib/second.so');
    await put('/usr/share/p11-kit/modules/a.module', '# a comment\nmodule: maker.so\n');
    await put('/usr/share/p11-kit/modules/b.module', 'module: /lib/first.so\n');
    await put('/home/.config/pkcs11/modules/b.module', 'module: /lib/second.so\n');
    expect(await found()).toEqual(['maker.so: /usr/lib/x86_64-linux-gnu/pkcs11/maker.so', 'second.so: /lib/second.so']);
  });
});

describe('referenceModule', () => {
  it('knows the product of a file by its name, and names other files by themselves', async () => {
    expect((await referenceModule(await put('/opt/libwdpkcs.so'))).product).toBe('Watchdata');
    expect((await referenceModule(await put('/opt/maker.so'))).product).toBe('maker.so');
  });

  itNeeding('Linux')('gives a file the same id by every path', async () => {
    const file = await put('/opt/maker.so');
    await symlink(file, `${root}/link.so`);
    expect((await referenceModule(`${root}/link.so`)).id).toBe((await referenceModule(file)).id);
    expect((await referenceModule(file)).id).toMatch(/^[0-9a-f]{16}$/);
  });
});

describe('MODULE_CATALOGUE', () => {
  it('names each product and each path once, and no library never loaded by itself', () => {
    const paths = MODULE_CATALOGUE.flatMap((entry) =>
      Object.entries(entry.paths).flatMap(([platform, list]) => list.map((one) => `${platform} ${one}`)),
    );
    expect(new Set(paths).size).toBe(paths.length);
    expect(new Set(MODULE_CATALOGUE.map(({ product }) => product)).size).toBe(MODULE_CATALOGUE.length);
    expect(paths.join()).not.toMatch(/p11-kit|birdid|neoid|desktopid/i);
  });
});

describe('parseModuleFile', () => {
  it('reads names and values, passes over comments, and keeps colons in values', () => {
    const settings = parseModuleFile('# c\r\n\r\nmodule: C:\\a.dll\r\n  priority : 3 \nnonsense\n');
    expect([...settings]).toEqual([
      ['module', 'C:\\a.dll'],
      ['priority', '3'],
    ]);
  });
});
