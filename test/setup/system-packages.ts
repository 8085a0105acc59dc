/** The tools that the tests drive and that npm cannot bring: Debian package → a file that proves it is there. */
import { existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';

/** A Debian package that tests need. */
export interface SystemPackage {
  readonly name: string;
  /** Any one of these files means that the package is installed. */
  readonly proof: readonly string[];
  readonly why: string;
}

export const systemPackages: readonly SystemPackage[] = [
  { name: 'softhsm2', proof: ['/usr/lib/softhsm/libsofthsm2.so'], why: 'a PKCS#11 token in software' },
  { name: 'opensc', proof: ['/usr/bin/pkcs11-tool'], why: 'fills the token with keys and certificates' },
  { name: 'gcc', proof: ['/usr/bin/gcc'], why: 'builds the fault-injecting PKCS#11 module' },
  { name: 'libc6-dev', proof: ['/usr/include/stdlib.h'], why: 'headers for the fault-injecting module' },
  { name: 'openssl', proof: ['/usr/bin/openssl'], why: 'verifies CMS and certificates; makes PKCS#12 files' },
  { name: 'poppler-utils', proof: ['/usr/bin/pdfsig'], why: 'verifies PDF signatures' },
  { name: 'qpdf', proof: ['/usr/bin/qpdf'], why: 'checks the structure of PDFs and makes variants of them' },
  { name: 'libbcpkix-java', proof: ['/usr/share/java/bcpkix.jar'], why: 'Bouncy Castle verifies CMS strictly' },
  { name: 'default-jdk-headless', proof: ['/usr/bin/javac'], why: 'runs Bouncy Castle' },
  { name: 'chromium', proof: ['/usr/bin/chromium'], why: 'shows the GUI' },
  { name: 'xvfb', proof: ['/usr/bin/xvfb-run'], why: 'a display for the desktop window' },
  { name: 'dbus', proof: ['/usr/bin/dbus-run-session'], why: 'a session bus for the secret store' },
  { name: 'libglib2.0-bin', proof: ['/usr/bin/gdbus'], why: 'waits for the secret store' },
  { name: 'gnome-keyring', proof: ['/usr/bin/gnome-keyring-daemon'], why: 'a real Secret Service' },
  { name: 'libsecret-tools', proof: ['/usr/bin/secret-tool'], why: 'locks the Secret Service' },
  { name: 'curl', proof: ['/usr/bin/curl'], why: 'walks through the interface as an integrator would' },
  { name: 'procps', proof: ['/usr/bin/ps', '/bin/ps'], why: 'looks for secrets in the process list' },
];

const isMissing = ({ proof }: SystemPackage): boolean => !proof.some((file) => existsSync(file));

function run(program: string, ...parameters: string[]): boolean {
  const { status } = spawnSync(program, parameters, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return status === 0;
}

/** Installs what is missing where that is possible, else says the one command that does. True when all is there. */
export function ensureSystemPackages(packages: readonly SystemPackage[] = systemPackages): boolean {
  const missing = packages.filter(isMissing);
  if (missing.length === 0) return true;
  const names = missing.map(({ name }) => name);
  const install = ['install', '-y', '--no-install-recommends', ...names];
  const isRoot = process.getuid?.() === 0;
  if (process.platform === 'linux' && isRoot && existsSync('/usr/bin/apt-get')) {
    console.log(`Installing what the tests need: ${names.join(' ')}`);
    if (!run('apt-get', 'update', '-qq')) console.log('apt-get update failed; trying with the lists that are here.');
    if (run('apt-get', '-qq', ...install)) {
      const still = missing.filter(isMissing);
      if (still.length === 0) return true;
      console.error(
        `Installed, yet not found: ${still.map(({ name, proof }) => `${name} (${proof.join(', ')})`).join(', ')}`,
      );
      return false;
    }
  }
  for (const { name, why } of missing) console.error(`missing: ${name} (${why})`);
  console.error(
    `The tests need these Debian or Ubuntu packages. Install them with:\n  sudo apt-get ${install.join(' ')}`,
  );
  return false;
}
