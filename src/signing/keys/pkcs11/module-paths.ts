/** Finds installed PKCS#11 drivers, by a catalogue of the makers' paths and by the registry of p11-kit. */
import { createHash } from 'node:crypto';
import { open, readdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { readRegisteredModules } from './p11-kit.ts';
import path from 'node:path';

const escape = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');

/** Folder names matching a name with `*` in it, newest name first. */
async function matchNames(folder: string, pattern: string): Promise<readonly string[]> {
  const expression = new RegExp(`^${pattern.split('*').map(escape).join('.*')}$`);
  try {
    const names = await readdir(folder);
    return names.filter((name) => expression.test(name)).sort((left, right) => right.localeCompare(left));
  } catch {
    return [];
  }
}

/**
 * Expands a path pattern: `%NAME%` is replaced by the environment variable, and a `*` matches part of the name of one
 * folder. Empty when a variable is not set or nothing matches; a path without `*` is not looked up.
 */
async function expandPattern(
  pattern: string,
  environment: Readonly<Record<string, string | undefined>>,
  root = '',
): Promise<readonly string[]> {
  const variables = [...pattern.matchAll(/%([^%]+)%/g)].map((match) => environment[match[1] ?? '']);
  if (variables.includes(undefined)) return [];
  const full = root + pattern.replace(/%([^%]+)%/g, (_, name: string) => environment[name] ?? '');
  const parts = full.split('/');
  const star = parts.findIndex((part) => part.includes('*'));
  if (star === -1) return [full];
  const folder = parts.slice(0, star).join('/');
  const names = await matchNames(folder, parts[star] ?? '');
  return names.map((name) => path.posix.join(folder, name, ...parts.slice(star + 1)));
}

/** A driver that can be loaded. */
export interface ModuleReference {
  /** Stable for one file: the first 16 hex digits of the SHA-256 of its real path and its parameters. */
  readonly id: string;
  readonly path: string;
  /** The driver's name: the product, or the name of the file. */
  readonly product: string;
  /** The text that C_Initialize passes on to the driver (`x-init-reserved` of p11-kit, `LibraryParameters` of NSS). */
  readonly parameters?: string;
  /** True if each private key has a public key object that is visible without a login; other certificates are strangers'. */
  readonly ownKeysHavePublicKeys?: boolean;
}

/** The systems that have a catalogue. */
export type CataloguePlatform = 'linux' | 'darwin' | 'win32';

export interface CatalogueEntry {
  readonly product: string;
  /** Paths in order of preference. `%NAME%` is an environment variable, and `*` matches part of one folder's name. */
  readonly paths: Readonly<Record<CataloguePlatform, readonly string[]>>;
}

/**
 * Not in the catalogue on purpose: p11-kit-proxy, because one bad driver behind the proxy would disable all tokens, and
 * drivers of certificates in the cloud, because loading these drivers opens windows or network connections.
 */
export const MODULE_CATALOGUE: readonly CatalogueEntry[] = [
  {
    product: 'SafeNet eToken',
    paths: {
      linux: ['/usr/lib/libeToken.so', '/usr/lib64/libeToken.so', '/usr/lib/libeTPkcs11.so'],
      darwin: [
        '/usr/local/lib/libeTPkcs11.dylib',
        '/Library/Frameworks/eToken.framework/Versions/Current/libeToken.dylib',
      ],
      win32: ['%SystemRoot%\\System32\\eTPKCS11.dll'],
    },
  },
  {
    product: 'Thales IDPrime',
    paths: {
      linux: ['/usr/lib/libIDPrimePKCS11.so', '/usr/lib64/libIDPrimePKCS11.so', '/usr/lib/pkcs11/libIDPrimePKCS11.so'],
      darwin: [
        '/Library/Frameworks/eToken.framework/Versions/A/libIDPrimePKCS11.dylib',
        '/usr/local/lib/libIDPrimePKCS11.dylib',
      ],
      win32: [
        '%ProgramFiles%\\SafeNet\\Authentication\\SAC\\x64\\IDPrimePKCS1164.dll',
        '%ProgramFiles%\\Gemalto\\IDGo 800 PKCS#11\\IDPrimePKCS1164.dll',
      ],
    },
  },
  {
    product: 'G+D StarSign (SafeSign)',
    paths: {
      linux: [
        '/usr/lib/libaetpkss.so.3',
        '/usr/lib/libaetpkss.so',
        '/usr/lib64/libaetpkss.so.3',
        '/usr/lib64/libaetpkss.so',
      ],
      darwin: ['/usr/local/lib/libaetpkss.dylib', '/Applications/tokenadmin.app/Contents/Frameworks/libaetpkss.dylib'],
      win32: ['%SystemRoot%\\System32\\aetpkss1.dll'],
    },
  },
  {
    product: 'Watchdata',
    paths: {
      linux: [
        '/usr/lib/watchdata/ICP/lib/libwdpkcs_icp.so',
        '/usr/lib/watchdata/lib/libwdpkcs.so',
        '/usr/lib/libwdpkcs.so',
        '/usr/local/lib/libwdpkcs.so',
        '/usr/lib/WatchData/ProxKey/lib/libwdpkcs_SignatureP11.so',
      ],
      darwin: ['/usr/local/lib/libwdpkcs.dylib'],
      win32: [
        '%SystemRoot%\\System32\\WDPKCS.dll',
        '%SystemRoot%\\System32\\Watchdata\\Watchdata ICP CSP v1.0\\WDPKCS.dll',
        '%SystemRoot%\\System32\\SignatureP11.dll',
      ],
    },
  },
  {
    product: 'Feitian ePass2003',
    paths: {
      linux: ['/usr/lib/libcastle.so.1.0.0', '/opt/ePass2003-Castle-*/x64/redist/libcastle.so.1.0.0'],
      darwin: ['/usr/local/lib/libcastle.1.0.0.dylib'],
      win32: ['%SystemRoot%\\System32\\eps2003csp11.dll'],
    },
  },
  {
    product: 'IDEMIA AWP',
    paths: {
      linux: ['/usr/local/AWP/lib/libOcsCryptoki.so'],
      darwin: ['/Library/AWP/lib/libOcsCryptoki.dylib'],
      win32: ['%SystemRoot%\\System32\\OcsCryptoki.dll'],
    },
  },
  {
    product: 'OpenSC',
    paths: {
      linux: [
        '/usr/lib/x86_64-linux-gnu/opensc-pkcs11.so',
        '/usr/lib/x86_64-linux-gnu/pkcs11/opensc-pkcs11.so',
        '/usr/lib/aarch64-linux-gnu/opensc-pkcs11.so',
        '/usr/lib64/opensc-pkcs11.so',
        '/usr/lib64/pkcs11/opensc-pkcs11.so',
        '/usr/lib/opensc-pkcs11.so',
        '/usr/lib/pkcs11/opensc-pkcs11.so',
      ],
      darwin: ['/Library/OpenSC/lib/opensc-pkcs11.so', '/opt/homebrew/lib/opensc-pkcs11.so'],
      win32: ['%ProgramFiles%\\OpenSC Project\\OpenSC\\pkcs11\\opensc-pkcs11.dll'],
    },
  },
  {
    product: 'Yubico',
    paths: {
      linux: ['/usr/lib/x86_64-linux-gnu/libykcs11.so', '/usr/lib64/libykcs11.so', '/usr/local/lib/libykcs11.so'],
      darwin: ['/usr/local/lib/libykcs11.dylib', '/opt/homebrew/lib/libykcs11.dylib'],
      win32: ['%ProgramFiles%\\Yubico\\Yubico PIV Tool\\bin\\libykcs11.dll'],
    },
  },
  {
    product: 'SoftHSM',
    paths: {
      linux: [
        '/usr/lib/softhsm/libsofthsm2.so',
        '/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so',
        '/usr/lib64/softhsm/libsofthsm2.so',
        '/usr/lib64/pkcs11/libsofthsm2.so',
        '/usr/local/lib/softhsm/libsofthsm2.so',
      ],
      darwin: ['/opt/homebrew/lib/softhsm/libsofthsm2.so', '/usr/local/lib/softhsm/libsofthsm2.so'],
      win32: ['C:\\SoftHSM2\\lib\\softhsm2-x64.dll'],
    },
  },
];

/**
 * Files that are loaded only by an explicit path: proxies, spies, trust stores, key rings of the desktop, and drivers
 * of certificates in the cloud.
 */
const NEVER_BY_ITSELF =
  /p11-kit-(?:proxy|client|trust)|pkcs11-spy|onepin-opensc|gnome-keyring|nssckbi|bird-?id|neo-?id|desktop-?id|vault-?pkcs11|serpro-?pkcs11|vidaas|remote-?id|safe-?id/i;

/** Places to search; by default on this computer. */
export interface ModuleSearch {
  readonly platform?: NodeJS.Platform;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly home?: string;
  /** A folder put before every absolute path, for a system image that is not running. */
  readonly root?: string;
}

/** The reference of one file, even outside of the catalogue. Rejects when the file does not exist. */
export async function referenceModule(file: string, product?: string, parameters?: string): Promise<ModuleReference> {
  const real = await realpath(file);
  const id = createHash('sha256')
    .update(parameters === undefined ? real : `${real}\0${parameters}`)
    .digest('hex')
    .slice(0, 16);
  return { id, path: file, product: product ?? productOf(real), parameters };
}

/** The product whose catalogue entry has this file name, else the file name itself. */
function productOf(file: string): string {
  const name = path.basename(file).toLowerCase();
  const entry = MODULE_CATALOGUE.find(({ paths }) =>
    Object.values(paths).some((list) => list.some((one) => one.toLowerCase().split(/[\\/]/).at(-1) === name)),
  );
  return entry?.product ?? path.basename(file);
}

/**
 * True when a 64-bit program can load the file, judged by the class byte of ELF or the machine field of PE. Other
 * formats (Mach-O) are not checked.
 */
async function isLoadable(file: string): Promise<boolean> {
  try {
    await using handle = await open(file, 'r');
    const head = Buffer.alloc(4_096);
    const { bytesRead } = await handle.read(head, 0, head.length, 0);
    if (bytesRead < 64) return false;
    if (head.toString('latin1', 0, 4) === '\x7fELF') return head[4] === 2;
    if (head.toString('latin1', 0, 2) !== 'MZ') return true;
    const start = head.readUInt32LE(0x3c);
    const machine = start + 6 <= bytesRead ? head.readUInt16LE(start + 4) : 0;
    return machine === 0x8664 || machine === 0xaa64;
  } catch {
    return false;
  }
}

const isCataloguePlatform = (platform: string): platform is CataloguePlatform =>
  platform === 'linux' || platform === 'darwin' || platform === 'win32';

/**
 * The drivers of this computer: the first existing file of each product, then the registered modules of p11-kit. Each
 * file is listed once. Nothing is loaded here; a driver is tried in its own process.
 */
export async function findModules(search: ModuleSearch = {}): Promise<readonly ModuleReference[]> {
  const platform = search.platform ?? process.platform;
  if (!isCataloguePlatform(platform)) return [];
  const environment = search.environment ?? process.env;
  const root = search.root ?? '';
  const found = new Map<string, ModuleReference>();
  const add = async (file: string, product?: string, parameters?: string): Promise<boolean> => {
    if (!(await isLoadable(file))) return false;
    const reference = await referenceModule(file, product, parameters);
    if (!found.has(reference.id)) found.set(reference.id, reference);
    return true;
  };
  for (const { product, paths } of MODULE_CATALOGUE) {
    const candidates = await Promise.all(paths[platform].map((one) => expandPattern(one, environment, root)));
    for (const file of candidates.flat()) if (await add(file, product)) break;
  }
  if (platform !== 'win32') {
    for (const { file, parameters } of await readRegisteredModules(root, search.home ?? homedir())) {
      if (!NEVER_BY_ITSELF.test(file)) await add(file, undefined, parameters);
    }
  }
  return [...found.values()];
}
