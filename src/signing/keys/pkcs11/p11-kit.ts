/** The registry of p11-kit: one small text file per module (p11-kit manual, "PKCS#11 Configuration"). */
import { access, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Folders of distributions for modules registered without a folder. */
const MODULE_FOLDERS = [
  '/usr/lib/x86_64-linux-gnu/pkcs11',
  '/usr/lib/aarch64-linux-gnu/pkcs11',
  '/usr/lib64/pkcs11',
  '/usr/lib/pkcs11',
  '/opt/homebrew/lib/pkcs11',
  '/usr/local/lib/pkcs11',
];

const PROGRAM = 'sinete';

/** The `name: value` lines of a file; comments begin with `#`. */
export function parseModuleFile(text: string): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const colon = line.indexOf(':');
    if (colon > 0) settings.set(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
  }
  return settings;
}

const names = (list: string | undefined): readonly string[] => (list ?? '').split(/[\s,]+/).filter((one) => one !== '');

/** A registered driver. */
export interface RegisteredModule {
  readonly file: string;
  /** `x-init-reserved`: the text for C_Initialize. */
  readonly parameters?: string;
}

/** The module that this program may load by the settings, or undefined. */
function allowedModule(settings: ReadonlyMap<string, string>): string | undefined {
  if (settings.get('trust-policy') === 'yes') return undefined;
  if (names(settings.get('disable-in')).includes(PROGRAM)) return undefined;
  if (settings.has('enable-in') && !names(settings.get('enable-in')).includes(PROGRAM)) return undefined;
  const module = settings.get('module');
  return module === '' ? undefined : module;
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    return false;
  }
}

async function resolveModule(module: string, root: string): Promise<string | undefined> {
  if (path.isAbsolute(module)) return root + module;
  for (const folder of MODULE_FOLDERS) {
    const file = path.join(root + folder, module);
    if (await exists(file)) return file;
  }
  return undefined;
}

/**
 * The registered modules. A later folder overrides files of the same name: the system's, the
 * administrator's, the user's.
 */
export async function readRegisteredModules(root: string, home: string): Promise<readonly RegisteredModule[]> {
  const folders = [
    `${root}/usr/share/p11-kit/modules`,
    `${root}/etc/pkcs11/modules`,
    path.join(home, '.config/pkcs11/modules'),
  ];
  const settings = new Map<string, ReadonlyMap<string, string>>();
  for (const folder of folders) {
    const entries = await readdir(folder).catch(() => []);
    for (const name of entries.filter((one) => one.endsWith('.module')).sort()) {
      const text = await readFile(path.join(folder, name), 'utf8').catch(() => undefined);
      if (text !== undefined) settings.set(name, parseModuleFile(text));
    }
  }
  const modules: RegisteredModule[] = [];
  for (const one of settings.values()) {
    const module = allowedModule(one);
    const file = module === undefined ? undefined : await resolveModule(module, root);
    if (file !== undefined) modules.push({ file, parameters: one.get('x-init-reserved') });
  }
  return modules;
}
