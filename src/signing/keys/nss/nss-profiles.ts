/** Finds the certificate databases of NSS: profiles of Firefox and Thunderbird, and the database of Chromium. */
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** A folder with `cert9.db` and `key4.db`. */
export interface NssProfile {
  /** The first 16 hex digits of the SHA-256 of the folder. */
  readonly id: string;
  readonly folder: string;
  /** The program, and the name of the profile: `Firefox (default-esr)`. */
  readonly place: string;
  /** The program alone. */
  readonly program: string;
}

/** Where to look; by default for the user of this process. */
export interface ProfileSearch {
  readonly home: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

interface ProfileRoot {
  readonly program: string;
  readonly folder: string;
  /** True for a folder that is itself a database, without profiles. */
  readonly isDatabase?: boolean;
}

/** The folders of programs from packages, snap and flatpak. */
function rootsOf({ home, environment = {} }: ProfileSearch): readonly ProfileRoot[] {
  const configuration = environment['XDG_CONFIG_HOME'] ?? path.join(home, '.config');
  const profiles = (program: string, folders: readonly string[]): readonly ProfileRoot[] =>
    folders.map((folder) => ({ program, folder: path.resolve(home, folder) }));
  const databases = (program: string, folders: readonly string[]): readonly ProfileRoot[] =>
    profiles(program, folders).map((root) => ({ ...root, isDatabase: true }));
  return [
    ...profiles('Firefox', [
      path.join(configuration, 'mozilla/firefox'),
      '.mozilla/firefox',
      'snap/firefox/common/.mozilla/firefox',
      '.var/app/org.mozilla.firefox/.mozilla/firefox',
      '.var/app/org.mozilla.firefox/config/mozilla/firefox',
    ]),
    ...profiles('Thunderbird', [
      '.thunderbird',
      'snap/thunderbird/common/.thunderbird',
      '.var/app/org.mozilla.Thunderbird/.thunderbird',
    ]),
    ...databases('Chromium', [
      '.pki/nssdb',
      '.local/share/pki/nssdb',
      'snap/chromium/current/.pki/nssdb',
      '.var/app/org.chromium.Chromium/data/pki/nssdb',
      '.var/app/com.google.Chrome/data/pki/nssdb',
    ]),
  ];
}

/** The folders of profiles outside of their usual place, as `profiles.ini` names them. */
async function namedElsewhere(root: string): Promise<readonly string[]> {
  const text = await readFile(path.join(root, 'profiles.ini'), 'utf8').catch(() => '');
  const sections = text.split(/^\[/m).filter((section) => section.startsWith('Profile'));
  return sections.flatMap((section) => {
    const value = /^Path=(.+?)\s*$/m.exec(section)?.[1];
    if (value === undefined || value.includes('\0')) return [];
    return [path.resolve(root, value)];
  });
}

async function foldersIn(root: ProfileRoot): Promise<readonly string[]> {
  if (root.isDatabase === true) return [root.folder];
  const entries = await readdir(root.folder, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(root.folder, name));
  return [...new Set([...folders, ...(await namedElsewhere(root.folder))])];
}

const isFile = async (file: string): Promise<boolean> => (await stat(file).catch(() => undefined))?.isFile() ?? false;

/** `abcd1234.default-esr` is the profile `default-esr`. */
const nameOf = (folder: string): string => path.basename(folder).replace(/^[a-z0-9]{8}\./, '');

/** The databases with certificates and keys, each folder once. */
export async function findNssProfiles(search: ProfileSearch): Promise<readonly NssProfile[]> {
  const found = new Map<string, NssProfile>();
  for (const root of rootsOf(search)) {
    for (const folder of await foldersIn(root)) {
      const isComplete = (await isFile(path.join(folder, 'cert9.db'))) && (await isFile(path.join(folder, 'key4.db')));
      if (!isComplete || found.has(folder)) continue;
      const id = createHash('sha256').update(folder).digest('hex').slice(0, 16);
      const { program } = root;
      const place = root.isDatabase === true ? program : `${program} (${nameOf(folder)})`;
      found.set(folder, { id, folder, place, program });
    }
  }
  return [...found.values()];
}

/** NSS's own library of certificates, from packages of the system first. */
const LIBRARIES: readonly string[] = [
  '/usr/lib/x86_64-linux-gnu/libsoftokn3.so',
  '/usr/lib/x86_64-linux-gnu/nss/libsoftokn3.so',
  '/usr/lib/aarch64-linux-gnu/libsoftokn3.so',
  '/usr/lib/aarch64-linux-gnu/nss/libsoftokn3.so',
  '/usr/lib64/libsoftokn3.so',
  '/usr/lib64/nss/libsoftokn3.so',
  '/usr/lib/libsoftokn3.so',
  '/usr/lib/nss/libsoftokn3.so',
  '/usr/lib/firefox-esr/libsoftokn3.so',
  '/usr/lib/firefox/libsoftokn3.so',
  '/usr/lib64/firefox/libsoftokn3.so',
  '/opt/firefox/libsoftokn3.so',
];

/** The library that opens the databases; undefined where no program with NSS is installed. */
export async function findNssLibrary(libraries: readonly string[] = LIBRARIES): Promise<string | undefined> {
  for (const library of libraries) if (await isFile(library)) return library;
  return undefined;
}

const quote = (text: string): string => `'${text.replace(/['\\]/g, String.raw`\$&`)}'`;

/** The parameters of C_Initialize that open a database for reading only: nothing is written, also not into an empty folder. */
export function nssParameters({ folder, place }: NssProfile): string {
  const database = quote(`sql:${folder}`);
  // The name of a token has 32 bytes.
  const name = quote(
    Buffer.from(place)
      .subarray(0, 32)
      .toString('utf8')
      .replace(/\ufffd+$/, ''),
  );
  return `configdir=${database} certPrefix='' keyPrefix='' secmod='' flags=readOnly dbTokenDescription=${name}`;
}
