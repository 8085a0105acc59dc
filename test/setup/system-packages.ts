/**
 * The Debian packages beyond npm's reach. Tests and scripts ask for a program, a Java library or a package's file by
 * `systemTool`, `javaLibrary` and `systemFile` and in no other way: a lint rule demands this, and
 * `system-packages.test.ts` compares this table with its uses.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A kind of run, by its npm script. Each installs only its own packages. */
export type Run =
  | 'test'
  | 'test:all'
  | 'bench'
  | 'interop'
  | 'corpus'
  | 'fuzz'
  | 'screenshots'
  | 'soak'
  | 'stores'
  | 'postgres'
  | 'cluster'
  | 'vectors'
  | 'faults'
  | 'fresh'
  | 'windows'
  | 'conformance'
  | 'clients'
  | 'preview-gate'
  | 'browsers';

/** A Debian package for tests, and its parts in use. */
interface SystemPackage {
  readonly name: string;
  /** Names of programs. */
  readonly programs?: readonly string[];
  /** Names of JAR files in `/usr/share/java`, without `.jar`. */
  readonly libraries?: readonly string[];
  /** Absolute paths by their names in tests. */
  readonly files?: Readonly<Record<string, string>>;
  readonly why: string;
  readonly runs: readonly Run[];
}

/** Debian's folder of libraries for this processor (https://wiki.debian.org/Multiarch/Tuples). */
const LIBRARIES = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`;

/** The folder of WebKit's own programs, beside its library. */
const WEBKIT = `${LIBRARIES}/webkit2gtk-4.1`;

/** Debian keeps the programs of the server out of the search path, in a folder for each version. */
const POSTGRES = '/usr/lib/postgresql';

function postgresFolders(): readonly string[] {
  const versions = existsSync(POSTGRES) ? readdirSync(POSTGRES) : [];
  const newestFirst = versions.sort((one, other) => Number(other) - Number(one));
  return newestFirst.map((version) => join(POSTGRES, version, 'bin'));
}

const SWIFT = { why: 'an S3 server that checks signatures', runs: ['test:all', 'bench', 'cluster', 'stores'] } as const;

export const systemPackages = [
  {
    name: 'softhsm2',
    programs: ['softhsm2-util'],
    files: { softhsm: '/usr/lib/softhsm/libsofthsm2.so' },
    why: 'a PKCS#11 token in software',
    runs: ['test', 'test:all', 'bench', 'screenshots'],
  },
  {
    name: 'acl',
    programs: ['setfacl', 'getfacl'],
    why: 'sets and shows access lists of documents, folders and results',
    runs: ['test'],
  },
  {
    name: 'opensc',
    programs: ['pkcs11-tool'],
    why: 'fills the token with keys and certificates',
    runs: ['test', 'test:all', 'bench', 'screenshots'],
  },
  {
    name: 'gcc',
    programs: ['gcc'],
    why: 'builds the fault-injecting PKCS#11 module, and the libraries of failing and of counted calls',
    runs: ['test', 'test:all', 'bench', 'screenshots', 'faults'],
  },
  {
    name: 'libfaketime',
    files: { libfaketime: `${LIBRARIES}/faketime/libfaketimeMT.so.1` },
    why: 'another clock below a real instance, and below EU DSS',
    runs: ['test:all', 'faults', 'conformance'],
  },
  {
    name: 'libc6-dev',
    files: { 'C headers': '/usr/include/stdlib.h' },
    why: 'headers for the fault-injecting module',
    runs: ['test', 'test:all', 'bench', 'screenshots', 'faults'],
  },
  {
    name: 'libp11-kit-dev',
    files: { 'PKCS#11 header': '/usr/include/p11-kit-1/p11-kit/pkcs11.h' },
    why: 'the structures of PKCS#11, for the fault-injecting module and the table of layouts',
    runs: ['test', 'test:all', 'screenshots'],
  },
  {
    name: 'g++',
    programs: ['g++'],
    why: 'compiles pkcs11js, the second binding for drivers',
    runs: ['test:all', 'bench'],
  },
  {
    name: 'python3-cryptography-vectors',
    files: { PKITS: '/usr/lib/python3/dist-packages/cryptography_vectors/x509/PKITS_data' },
    why: "certificates and lists of NIST's PKITS",
    runs: ['test:all', 'vectors'],
  },
  {
    name: 'openssl',
    programs: ['openssl'],
    why: 'verifies CMS and certificates; makes PKCS#12 files',
    runs: ['test', 'test:all', 'bench', 'conformance', 'browsers'],
  },
  {
    name: 'poppler-utils',
    programs: ['pdffonts', 'pdfinfo', 'pdfsig', 'pdftoppm', 'pdftotext'],
    why: 'verifies PDF signatures and shows pages',
    runs: ['test', 'test:all', 'corpus', 'preview-gate'],
  },
  {
    name: 'poppler-data',
    files: { "poppler's CMaps": '/usr/share/poppler/cMap' },
    why: 'shows poppler text in the predefined encodings of Chinese, Japanese and Korean',
    runs: ['test:all', 'preview-gate'],
  },
  {
    name: 'mupdf-tools',
    programs: ['mutool'],
    why: 'draws pages in another way than poppler and the window, and finds pages in damaged files',
    runs: ['test:all', 'corpus', 'preview-gate'],
  },
  {
    name: 'qpdf',
    programs: ['qpdf'],
    why: 'checks the structure of PDFs and makes variants of them',
    runs: ['test', 'test:all', 'interop', 'corpus', 'screenshots', 'conformance'],
  },
  {
    name: 'default-jre-headless',
    programs: ['java', 'keytool'],
    why: 'runs Bouncy Castle and PDFBox; makes PKCS#12 files',
    runs: ['test', 'test:all', 'interop', 'corpus', 'conformance', 'clients'],
  },
  {
    name: 'libeclipse-jdt-core-java',
    libraries: ['eclipse-jdt-core'],
    why: 'compiles the Java programs of the tests; a tenth of the size of a JDK',
    runs: ['test', 'test:all', 'interop', 'corpus', 'conformance'],
  },
  {
    name: 'libbcprov-java',
    libraries: ['bcprov'],
    why: 'the algorithms of Bouncy Castle',
    runs: ['test', 'test:all', 'interop', 'corpus', 'conformance'],
  },
  {
    name: 'libbcpkix-java',
    libraries: ['bcpkix'],
    why: 'Bouncy Castle verifies CMS strictly',
    runs: ['test', 'test:all', 'interop', 'corpus', 'conformance'],
  },
  {
    name: 'libbcutil-java',
    libraries: ['bcutil'],
    why: 'the ASN.1 types of Bouncy Castle',
    runs: ['test', 'test:all', 'interop', 'corpus', 'conformance'],
  },
  {
    name: 'libpdfbox2-java',
    libraries: ['pdfbox2', 'preflight', 'xmpbox'],
    why: 'opens PDFs encrypted for a certificate and checks PDF/A',
    runs: ['test', 'test:all', 'interop', 'corpus', 'conformance'],
  },
  {
    name: 'libitext5-java',
    libraries: ['itext5'],
    why: 'signs PDFs and fills forms as much software by others does, and judges signatures',
    runs: ['test:all', 'interop', 'conformance'],
  },
  {
    name: 'libfontbox2-java',
    libraries: ['fontbox2'],
    why: 'needed by PDFBox',
    runs: ['test', 'test:all', 'interop', 'corpus', 'conformance'],
  },
  {
    name: 'libcommons-logging-java',
    libraries: ['commons-logging'],
    why: 'needed by PDFBox',
    runs: ['test', 'test:all', 'interop', 'corpus', 'conformance'],
  },
  { name: 'libcommons-io-java', libraries: ['commons-io'], why: "needed by PDFBox's PDF/A check", runs: ['test:all'] },
  {
    name: 'chromium-headless-shell',
    programs: ['chromium-headless-shell'],
    why: 'shows the GUI: Chromium without its own windows, which take longer to open than most pages',
    runs: ['test', 'test:all', 'bench', 'screenshots', 'preview-gate'],
  },
  {
    name: 'firefox-esr',
    programs: ['firefox-esr'],
    why: 'shows the GUI in another engine than Chromium',
    runs: ['test:all', 'browsers'],
  },
  {
    name: 'chromium',
    programs: ['chromium'],
    why: 'asks its user whether a page may reach programs on the computer, in a window of its own',
    runs: ['test:all', 'browsers'],
  },
  {
    name: 'libwebkit2gtk-4.1-0',
    programs: ['MiniBrowser'],
    why: 'opens pages in the engine of Safari',
    runs: ['test:all', 'browsers'],
  },
  {
    name: 'xvfb',
    programs: ['Xvfb'],
    why: 'a screen in memory for windows of browsers',
    runs: ['test:all', 'browsers'],
  },
  {
    name: 'openbox',
    programs: ['openbox'],
    why: 'gives windows of browsers the focus of the keyboard',
    runs: ['test:all', 'browsers'],
  },
  {
    name: 'xdotool',
    programs: ['xdotool'],
    why: 'presses keys and buttons in windows of browsers',
    runs: ['test:all', 'browsers'],
  },
  {
    name: 'libnss3',
    files: { softokn: `${LIBRARIES}/libsoftokn3.so` },
    why: 'the library with which browsers keep certificates',
    runs: ['test', 'test:all'],
  },
  {
    name: 'libnss3-tools',
    programs: ['certutil', 'pk12util'],
    why: 'puts keys and authorities of certificates into the profile of a browser',
    runs: ['test', 'test:all', 'browsers'],
  },
  {
    name: 'imagemagick',
    programs: ['import'],
    why: 'a picture of a screen in memory',
    runs: ['test:all', 'browsers'],
  },
  {
    name: 'dbus-daemon',
    programs: ['dbus-run-session'],
    why: 'a session bus for the secret store',
    runs: ['test:all'],
  },
  { name: 'libglib2.0-bin', programs: ['gdbus'], why: 'waits for the secret store', runs: ['test:all'] },
  { name: 'gnome-keyring', programs: ['gnome-keyring-daemon'], why: 'a real Secret Service', runs: ['test:all'] },
  {
    name: 'curl',
    programs: ['curl'],
    why: 'walks through the interface as an integrator would',
    runs: ['test', 'test:all'],
  },
  {
    name: 'bash',
    programs: ['bash'],
    why: 'runs .ci/run, and the lines of the documentation',
    runs: ['test', 'test:all', 'faults', 'fresh'],
  },
  { name: 'zsh', programs: ['zsh'], why: 'completes commands', runs: ['test'] },
  { name: 'fish', programs: ['fish'], why: 'completes commands', runs: ['test'] },
  { name: 'man-db', programs: ['man'], why: 'shows the manual pages', runs: ['test', 'test:all'] },
  { name: 'procps', programs: ['ps'], why: 'looks for secrets in the process list', runs: ['test:all'] },
  { name: 'age', programs: ['age'], why: 'opens backups without Sinete', runs: ['test'] },
  { name: 'tar', programs: ['tar'], why: 'unpacks backups without Sinete', runs: ['test'] },
  { name: 'zip', programs: ['zip'], why: 'makes ZIP files of Info-ZIP', runs: ['test'] },
  {
    name: 'python3',
    programs: ['python3'],
    why: 'opens ZIP files; runs OpenStack Swift, pyHanko, schemathesis and a generated client',
    runs: ['test', 'test:all', 'bench', 'interop', 'cluster', 'stores', 'conformance', 'clients'],
  },
  {
    name: 'coreutils',
    programs: ['chown', 'chroot', 'cp', 'mkfifo', 'rm', 'sync'],
    why: 'limits of the bench; a named pipe; copies of a root',
    runs: ['test', 'test:all', 'bench', 'fresh', 'windows'],
  },
  {
    name: 'mount',
    programs: ['mount', 'umount'],
    why: 'a small file system that is full; the file systems of a root',
    runs: ['test', 'test:all', 'faults', 'fresh', 'windows'],
  },
  {
    name: 'mmdebstrap',
    programs: ['mmdebstrap'],
    why: 'builds a minimal Debian root',
    runs: ['test:all', 'fresh', 'windows'],
  },
  { name: 'buildah', programs: ['buildah'], why: 'builds and starts the image for containers', runs: ['test:all'] },
  { name: 'systemd', programs: ['systemd-analyze'], why: 'judges the unit of the service', runs: ['test:all'] },
  { name: 'docker-compose', programs: ['docker-compose'], why: 'checks the compose file', runs: ['test:all'] },
  { name: 'prometheus', programs: ['promtool'], why: 'checks and tests the alert rules', runs: ['test:all'] },
  {
    name: 'nginx-light',
    programs: ['nginx'],
    why: 'a reverse proxy before instances',
    runs: ['test:all', 'bench', 'cluster'],
  },
  {
    name: 'util-linux',
    programs: ['nsenter', 'unshare'],
    why: 'enters a root with mounts and processes of its own',
    runs: ['fresh', 'windows'],
  },
  {
    name: 'iproute2',
    programs: ['ip'],
    why: 'a root that is apart from the network, and two computers that are not',
    runs: ['test:all', 'fresh', 'windows'],
  },
  {
    name: 'maven',
    programs: ['mvn'],
    why: 'fetches EU DSS, a judge and a writer of signatures, iText 9, veraPDF, the judge of PDF/A, and the generator of clients',
    runs: ['interop', 'conformance', 'clients'],
  },
  { name: 'golang-go', programs: ['go'], why: 'compiles a generated client and pdfcpu', runs: ['interop', 'clients'] },
  {
    name: 'cargo-web',
    programs: ['cargo'],
    why: 'compiles progenitor and its client in Rust; the package cargo is too old',
    runs: ['clients'],
  },
  { name: 'default-jdk-headless', programs: ['javac'], why: 'compiles a generated client', runs: ['clients'] },
  { name: 'php-cli', programs: ['php'], why: 'runs the client for PHP', runs: ['clients'] },
  {
    name: 'php-curl',
    files: { 'PHP curl': '/usr/share/doc/php-curl' },
    why: 'the HTTP of the client for PHP',
    runs: ['clients'],
  },
  {
    name: 'php-guzzlehttp-guzzle',
    files: { Guzzle: '/usr/share/php/GuzzleHttp/autoload.php' },
    why: 'the HTTP of the client for PHP by openapi-generator',
    runs: ['clients'],
  },
  {
    name: 'php-zip',
    files: { 'PHP zip': '/usr/share/doc/php-zip' },
    why: 'composer installs the client for PHP from its archive',
    runs: ['clients'],
  },
  { name: 'composer', programs: ['composer'], why: 'packs and installs the client for PHP', runs: ['clients'] },
  {
    name: 'python3-pip',
    files: { pip: '/usr/lib/python3/dist-packages/pip/__init__.py' },
    why: 'fetches pyHanko, a judge and a writer of PDF signatures, and schemathesis',
    runs: ['interop', 'conformance', 'clients'],
  },
  {
    name: 'libreoffice-writer-nogui',
    programs: ['soffice'],
    why: 'exports documents as PDF, as many offices do',
    runs: ['interop'],
  },
  { name: 'git', programs: ['git'], why: 'clones the committed tree', runs: ['bench', 'fresh', 'windows'] },
  { name: 'apt', programs: ['apt-config'], why: 'tells how the package mirror is reached', runs: ['fresh', 'windows'] },
  {
    name: 'postgresql',
    programs: ['initdb', 'pg_dump', 'pg_restore', 'postgres'],
    why: 'a PostgreSQL server, which the tests start in a folder of their own',
    runs: ['test:all', 'bench', 'cluster', 'postgres'],
  },
  { name: 'rclone', programs: ['rclone'], why: 'copies a bucket, as the guide does', runs: ['test:all'] },
  { name: 'swift-proxy', programs: ['swift-proxy-server'], ...SWIFT },
  { name: 'swift-account', programs: ['swift-account-server'], ...SWIFT },
  { name: 'swift-container', programs: ['swift-container-server'], ...SWIFT },
  { name: 'swift-object', programs: ['swift-object-server'], ...SWIFT },
] as const satisfies readonly SystemPackage[];

type Row = (typeof systemPackages)[number];

/** A program of the table. */
export type SystemTool = Extract<Row, { programs: unknown }>['programs'][number];

/** A Java library of the table. */
export type JavaLibrary = Extract<Row, { libraries: unknown }>['libraries'][number];

/** A file of the table, by its name there. */
export type SystemFile = {
  [K in Row as K['name']]: K extends { files: infer Files } ? keyof Files : never;
}[Row['name']];

const rows: readonly SystemPackage[] = systemPackages;

/** Debian's own folders come first, so that another Python in the search path does not stand in for Debian's. */
function programPath(name: string): string | undefined {
  const folders = ['/usr/bin', '/usr/sbin', ...postgresFolders(), WEBKIT, ...(process.env['PATH'] ?? '').split(':')];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

const libraryPath = (name: string): string => join('/usr/share/java', `${name}.jar`);
const fileOf = (path: string): string | undefined => (existsSync(path) ? path : undefined);

function found(path: string | undefined, name: string, hasIt: (row: SystemPackage) => boolean): string {
  if (path !== undefined) return path;
  const row = rows.find(hasIt);
  throw new Error(
    `${name} is missing. Install its Debian package: apt-get install ${row?.name ?? '(not in the table)'}`,
  );
}

/** The absolute path of a program. Throws an error naming its Debian package when not installed. */
export function systemTool(name: SystemTool): string {
  return found(programPath(name), `The program ${name}`, ({ programs }) => programs?.includes(name) === true);
}

/** The path of a JAR file. Throws an error naming its Debian package when not installed. */
export function javaLibrary(name: JavaLibrary): string {
  const path = fileOf(libraryPath(name));
  return found(path, `The Java library ${name}`, ({ libraries }) => libraries?.includes(name) === true);
}

/** The path of a file. Throws an error naming its Debian package when not installed. */
export function systemFile(name: SystemFile): string {
  const row = rows.find(({ files }) => files?.[name] !== undefined);
  return found(fileOf(row?.files?.[name] ?? ''), name, (one) => one === row);
}

/** The missing parts of a package. */
function missingParts({ programs = [], libraries = [], files = {} }: SystemPackage): readonly string[] {
  return [
    ...programs.filter((name) => programPath(name) === undefined),
    ...[...libraries.map(libraryPath), ...Object.values(files)].filter((path) => !existsSync(path)),
  ];
}

const isMissing = (row: SystemPackage): boolean => missingParts(row).length > 0;

function runApt(...parameters: string[]): boolean {
  const { status } = spawnSync('/usr/bin/apt-get', parameters, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return status === 0;
}

/**
 * Installs the missing packages of a kind of run, as root on Debian or Ubuntu; elsewhere prints the one command that
 * does. True when everything is there.
 */
export function ensureSystemPackages(run: Run): boolean {
  const missing = rows.filter((row) => row.runs.includes(run) && isMissing(row));
  if (missing.length === 0) return true;
  const names = missing.map(({ name }) => name);
  const install = ['install', '-y', '--no-install-recommends', ...names];
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log(`Installing the packages that the tests need: ${names.join(' ')}`);
    if (!runApt('update', '-qq')) console.log('apt-get update failed; the package lists of this machine are used.');
    if (runApt('-qq', ...install)) {
      const still = missing.filter(isMissing);
      for (const row of still) console.error(`${row.name} is installed, but lacks ${missingParts(row).join(', ')}`);
      return still.length === 0;
    }
  }
  for (const { name, why } of missing) console.error(`missing: ${name} (${why})`);
  console.error(
    `The tests need these Debian or Ubuntu packages. Install them with:\n  sudo apt-get update && sudo apt-get ${install.join(' ')}`,
  );
  return false;
}
