import { homedir } from 'node:os';
import { z } from 'zod';
import { byCertificate, type KeyVault } from '../../service/certificates/index.ts';
import { ServiceError } from '../../service/errors/index.ts';
import type { SettingsStore } from '../../service/settings/index.ts';
import { countNssKeys } from '../../storage/index.ts';
import {
  BrowserKeySource,
  FileKeySource,
  findModules,
  KeyRing,
  parseCertificate,
  probeBinding,
  probeModule,
  referenceModule,
  TokenKeySource,
  type HostLauncher,
  type KeyMemory,
  type KeySourceHealth,
  type MissingBinding,
  type ModuleReference,
  type ModuleReport,
  type TokenKeySourceOptions,
  type TokenState,
} from '../../signing/index.ts';

/** The setting with the added drivers. */
export const driverSetting = 'pkcs11.modules';
const settingSchema = z.array(z.object({ path: z.string(), product: z.string(), parameters: z.string().optional() }));
type DriverEntry = z.output<typeof settingSchema>[number];

/** The added drivers; empty for a setting of an unknown version. */
export async function readDriverSetting(settings: SettingsStore): Promise<z.output<typeof settingSchema>> {
  return driversIn(await settings.read(driverSetting));
}

/** The drivers in a value of the setting. */
export function driversIn(value: unknown): z.output<typeof settingSchema> {
  const result = settingSchema.safeParse(value);
  return result.success ? result.data : [];
}

const rememberedSetting = 'pkcs11.remembered_keys';
const rememberedSchema = z.array(
  z.object({ alias: z.string(), name: z.string(), fingerprint: z.string(), sourceId: z.string() }),
);

const fileMissing = {
  state: 'failing',
  problem: 'MODULE_FILE_MISSING',
  detail: 'The file of this driver is not there.',
} as const;

/** An added driver, and its state. */
export interface AddedModule {
  readonly module: ModuleReference;
  readonly health: KeySourceHealth;
}

/** Services for the key sources. */
export interface KeySourceParts {
  readonly vault: KeyVault;
  readonly settings: SettingsStore;
  /** Sessions of each token in which signatures are made at the same time. */
  readonly tokenSessions: number;
  /** True to offer the certificates of browsers. */
  readonly readsBrowsers: boolean;
  /** The person's folder with the profiles of browsers; by default the home of this user. */
  readonly home?: string;
  /** Variables for the processes of drivers. */
  readonly moduleEnvironment: Readonly<Record<string, string>>;
  /** Starts the processes of drivers; by default Node does. */
  readonly launcher?: HostLauncher;
}

/** All keys of this instance: the vault of imported files, and a source for each added PKCS#11 driver. */
export class KeySources {
  readonly ring: KeyRing;
  readonly vault: KeyVault;
  readonly #parts: KeySourceParts;
  readonly #tokens = new Map<string, TokenKeySource>();
  readonly #listeners: (() => void)[] = [];
  /** Added drivers with a missing file. */
  #missing: readonly ModuleReference[] = [];

  private constructor(parts: KeySourceParts) {
    this.#parts = parts;
    this.vault = parts.vault;
    this.ring = new KeyRing(
      byCertificate((certificate) => parseCertificate(certificate).commonName),
      [new FileKeySource(parts.vault)],
      keyMemoryIn(parts.settings),
    );
  }

  static async open(parts: KeySourceParts): Promise<KeySources> {
    const sources = new KeySources(parts);
    for (const entry of await sources.#readSetting()) await sources.#start(entry);
    sources.#startBrowsers();
    return sources;
  }

  /** Reads the added drivers again after another node may have added or removed one. */
  async refresh(): Promise<void> {
    const added = await this.#readSetting();
    const isAdded = (path: string): boolean => added.some((one) => one.path === path);
    this.#missing = this.#missing.filter(({ path }) => isAdded(path));
    for (const [id, { module }] of this.#tokens) {
      if (isAdded(module.path)) continue;
      this.#tokens.delete(id);
      await this.ring.remove(`token:${id}`);
    }
    for (const entry of added) await this.#start(entry);
    this.changed();
  }

  /** Notifies the listeners of this instance of a change of keys. */
  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` when a token comes or goes, is unlocked or locked, or a certificate is added or removed. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async modules(): Promise<readonly AddedModule[]> {
    const present = [...this.#tokens.values()].map(async (source) => ({
      module: source.module,
      health: await source.health(),
    }));
    const missing = this.#missing.map(({ id, path, product }) => ({
      module: { id, path, product },
      health: { id, name: product, ...fileMissing },
    }));
    return [...(await Promise.all(present)), ...missing];
  }

  /** Drivers found on this computer and not added yet. */
  async suggestions(): Promise<readonly ModuleReference[]> {
    return (await findModules()).filter(({ id }) => !this.#tokens.has(id));
  }

  /** The parameters that p11-kit registers for a driver. */
  async #parametersOf(path: string): Promise<string | undefined> {
    return (await findModules()).find((module) => module.path === path)?.parameters;
  }

  /** Tests a driver in a process of its own. If an added driver works, this instance uses it again. */
  async test(path: string): Promise<ModuleReport> {
    const parameters = await this.#parametersOf(path);
    const report = await probeModule(path, this.#processes(), parameters);
    if (report.failure !== undefined) return report;
    const { id } = await referenceModule(path, undefined, parameters);
    this.#tokens.get(id)?.release();
    return report;
  }

  /** Whether drivers can be called; undefined: they can. */
  async missingBinding(): Promise<MissingBinding | undefined> {
    return probeBinding(this.#parts.launcher);
  }

  /** Tests a driver and adds a working one. The report has the result. */
  async add(path: string): Promise<ModuleReport> {
    const report = await this.test(path);
    if (report.failure !== undefined) return report;
    const module = await referenceModule(path, undefined, await this.#parametersOf(path));
    const others = (await this.#readSetting()).filter((one) => one.path !== module.path);
    const { product, parameters } = module;
    await this.#parts.settings.write(driverSetting, [...others, { path, product, parameters }]);
    await this.#start(module);
    this.changed();
    return report;
  }

  async remove(id: string): Promise<void> {
    const module = this.#tokens.get(id)?.module ?? this.#missing.find((one) => one.id === id);
    if (module === undefined) throw unknownModule();
    const others = (await this.#readSetting()).filter((one) => one.path !== module.path);
    await this.#parts.settings.write(driverSetting, others);
    this.#missing = this.#missing.filter((one) => one.id !== id);
    this.#tokens.delete(id);
    await this.ring.remove(`token:${id}`);
    this.changed();
  }

  /** Releases a quarantined driver and tries the driver again. */
  async retry(id: string): Promise<AddedModule> {
    const missing = this.#missing.find((one) => one.id === id);
    if (missing !== undefined) await this.#start(missing);
    this.#tokens.get(id)?.release();
    const module = (await this.modules()).find((one) => one.module.id === id);
    if (module === undefined && missing === undefined) throw unknownModule();
    this.changed();
    return module ?? (await this.#lastAdded());
  }

  /** The plugged-in tokens; tokens of a failing driver are left out and show in its health. */
  async tokens(): Promise<readonly TokenState[]> {
    const lists = await Promise.allSettled([...this.#tokens.values()].map(async (source) => source.tokens()));
    return lists.flatMap((list) => (list.status === 'fulfilled' ? list.value : []));
  }

  async close(): Promise<void> {
    await this.ring.close();
  }

  /** Profiles of browsers come and go; their source finds them at each list. */
  #startBrowsers(): void {
    const { readsBrowsers, home = homedir(), launcher, moduleEnvironment: environment } = this.#parts;
    if (!readsBrowsers || process.platform !== 'linux') return;
    this.ring.add(new BrowserKeySource({ home, countKeys: countNssKeys, launcher, environment }));
  }

  async #start({ path, product, parameters }: DriverEntry): Promise<void> {
    const module = await referenceModule(path, product, parameters).catch(() => undefined);
    if (module === undefined) {
      this.#missing = [...this.#missing.filter((one) => one.path !== path), { id: path, path, product }];
      return;
    }
    this.#missing = this.#missing.filter((one) => one.path !== path);
    if (this.#tokens.has(module.id)) return;
    const source = new TokenKeySource({ module, ...this.#processes() });
    source.onChange(() => {
      this.changed();
    });
    this.#tokens.set(module.id, source);
    this.ring.add(source);
  }

  /** How the processes of drivers are started. */
  #processes(): Pick<TokenKeySourceOptions, 'sessions' | 'environment' | 'launcher'> {
    const { tokenSessions: sessions, moduleEnvironment, launcher } = this.#parts;
    return { sessions, environment: moduleEnvironment, launcher };
  }

  async #lastAdded(): Promise<AddedModule> {
    const added = (await this.modules()).at(-1);
    if (added === undefined) throw unknownModule();
    return added;
  }

  async #readSetting(): Promise<z.output<typeof settingSchema>> {
    return readDriverSetting(this.#parts.settings);
  }
}

/** Remembers the keys of tokens in the settings. */
function keyMemoryIn(settings: SettingsStore): KeyMemory {
  return {
    read: async () => {
      const result = rememberedSchema.safeParse(await settings.read(rememberedSetting));
      return result.success ? result.data : [];
    },
    write: async (keys) => settings.write(rememberedSetting, keys),
  };
}

function unknownModule(): ServiceError {
  return new ServiceError('NOT_FOUND', 'No driver with this id was added.');
}
