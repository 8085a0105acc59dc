/** Browsers with a window on a screen, a fresh profile, the site's authority, and their guard of local addresses on. */
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool } from '../oracles/run-program.ts';
import { systemTool } from '../setup/system-packages.ts';
import { letTimePass } from '../setup/waits.ts';
import type { Answer, BrowserName } from './rows.ts';
import type { Screen } from './screen.ts';
import type { Site } from './site.ts';

/** Options of Chromium that only quieten it. The guard of local addresses stays as it is delivered. */
const quiet = [
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-sync',
  '--disable-background-networking',
  '--password-store=basic',
  '--disable-gpu',
  // The site of plain http has no https.
  '--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,DisableLoadExtensionCommandLineSwitch',
];

/** A browser with one page. */
export class WindowedBrowser {
  readonly #name: BrowserName;
  readonly #screen: Screen;
  readonly #folder: string;
  readonly #child: ChildProcess;

  private constructor(name: BrowserName, screen: Screen, folder: string, child: ChildProcess) {
    this.#name = name;
    this.#screen = screen;
    this.#folder = folder;
    this.#child = child;
  }

  /** Opens a page in a fresh profile, kept in `folder`. `extension`: the folder of an unpacked extension. */
  static async open(
    name: BrowserName,
    parts: {
      readonly screen: Screen;
      readonly site: Site;
      readonly folder: string;
      readonly address: string;
      readonly extension?: string;
    },
  ): Promise<WindowedBrowser> {
    const { screen, folder } = parts;
    await mkdir(folder, { recursive: true });
    const words = await commands[name](parts);
    const options: SpawnOptions = {
      stdio: 'ignore',
      // A group of its own: browsers start many processes.
      detached: true,
      env: { ...process.env, HOME: folder, DISPLAY: screen.display, LANGUAGE: 'en', NO_AT_BRIDGE: '1' },
    };
    const child = start(name, words, options);
    running.add(child);
    return new WindowedBrowser(name, screen, folder, child);
  }

  /** Answers the browser's question by keyboard. Repeated keys do no harm. */
  async answer(answer: Exclude<Answer, 'nobody'>): Promise<void> {
    await this.#screen.press(...keys[this.#name][answer]);
  }

  async close(): Promise<void> {
    const ended = once(this.#child, 'exit');
    if (endGroup(this.#child)) await ended;
    running.delete(this.#child);
    // Processes of a killed browser may still write for a moment.
    for (let left = 20; left > 0; left -= 1) {
      const isGone = await rm(this.#folder, { recursive: true, force: true }).then(
        () => true,
        () => false,
      );
      if (isGone) return;
      await letTimePass(100);
    }
  }
}

/** Browsers that are open: they end with the run. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) endGroup(child);
});

/** Ends a browser with all its processes; false if it had ended before. */
function endGroup({ exitCode, signalCode, pid }: ChildProcess): boolean {
  if (exitCode !== null || signalCode !== null || pid === undefined) return false;
  process.kill(-pid, 'SIGKILL');
  return true;
}

type Command = (parts: {
  readonly site: Site;
  readonly folder: string;
  readonly address: string;
  readonly extension?: string;
}) => Promise<readonly string[]>;

function start(name: BrowserName, words: readonly string[], options: SpawnOptions): ChildProcess {
  switch (name) {
    case 'chromium':
      return spawn(systemTool('chromium'), words, options);
    case 'firefox':
      return spawn(systemTool('firefox-esr'), words, options);
    case 'webkit':
      return spawn(systemTool('MiniBrowser'), words, options);
  }
}

/** Names the site's authority in a folder of NSS. */
async function trust(folder: string, site: Site): Promise<void> {
  await mkdir(folder, { recursive: true });
  await runTool('certutil', ['-d', `sql:${folder}`, '-N', '--empty-password']);
  await runTool('certutil', ['-d', `sql:${folder}`, '-A', '-t', 'C,,', '-n', 'rows', '-i', site.authorityFile]);
}

const commands: Record<BrowserName, Command> = {
  chromium: async ({ site, folder, address, extension }) => {
    await trust(join(folder, '.pki/nssdb'), site);
    const spaces = [site.securePort, site.plainPort].map((port) => `127.0.0.1:${port}=public`).join(',');
    return [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...quiet,
      `--user-data-dir=${join(folder, 'profile')}`,
      '--window-position=0,0',
      '--window-size=1200,800',
      '--host-resolver-rules=MAP *.example 127.0.0.1',
      `--ip-address-space-overrides=${spaces}`,
      ...(extension === undefined ? [] : [`--load-extension=${extension}`]),
      address,
    ];
  },
  firefox: async ({ site, folder, address }) => {
    const profile = join(folder, 'profile');
    await trust(profile, site);
    const settings = {
      'network.dns.localDomains': 'portal.example,outer.example',
      'network.lna.enabled': true,
      'network.lna.blocking': true,
      'network.lna.address_space.public.override': `127.0.0.1:${site.securePort},127.0.0.1:${site.plainPort}`,
      'browser.aboutwelcome.enabled': false,
      'browser.shell.checkDefaultBrowser': false,
      'browser.startup.homepage_override.mstone': 'ignore',
      'datareporting.policy.dataSubmissionEnabled': false,
      'app.normandy.enabled': false,
    };
    const lines = Object.entries(settings).map(([key, value]) => `user_pref("${key}", ${JSON.stringify(value)});`);
    await writeFile(join(profile, 'user.js'), lines.join('\n'));
    const size = ['--width', '1200', '--height', '800'];
    return ['--no-remote', '--profile', profile, ...size, address];
  },
  webkit: async ({ site, address }) =>
    Promise.resolve([
      '--geometry=1200x800',
      `--proxy=http://127.0.0.1:${site.proxyPort}`,
      '--ignore-host=127.0.0.1',
      '--ignore-tls-errors',
      // The proxy takes the place of the port.
      address.replace(/:\d+\//, '/'),
    ]),
};

const keys: Record<BrowserName, Record<Exclude<Answer, 'nobody'>, readonly string[]>> = {
  chromium: { allow: ['F6', 'Tab', 'Return'], block: ['F6', 'Return'], escape: ['Escape'] },
  firefox: { allow: ['alt+a'], block: ['alt+b'], escape: ['Escape'] },
  webkit: { allow: ['Return'], block: ['Escape'], escape: ['Escape'] },
};
