/** The product's own core behind a window of the tests, in a data folder of its own. */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { TOTP, URI } from 'otpauth';
import { readConfiguration, type Configuration } from '../../src/app/config/config.ts';
import type { Core } from '../../src/app/compose/open-core.ts';
import { startSinete, type Sinete, type StartOptions } from '../../src/app/instance/start-sinete.ts';
import { writePkcs12, type TestIdentity } from '../../src/test-authority/index.ts';
import {
  calls,
  type CallHandlers,
  type CallInput,
  type CallName,
  type CallOutput,
} from '../../src/ui-contract/ui-contract.ts';
import { MARIA_CPF, personWith } from '../pki/identities.ts';
import { builtWindow } from '../setup/built-window.ts';
import { until } from '../setup/waits.ts';
import { placeMigratedDatabase } from '../storage/migrated-database.ts';
import type { SoftHsm } from '../token/softhsm.ts';

/** The password of every key file here. */
export const rightPassword = 'senha certa';

type SignRequest = CallInput<'sign.paths'>;

/** The first state of a core. */
export interface RealPlan {
  /** `one`: the key file of Maria, by `mariaAlias`. `none`: as after an installation. Default: `one`. */
  readonly keys?: 'one' | 'none';
  /** An added driver, with the environment of its process. */
  readonly token?: Pick<SoftHsm, 'modulePath' | 'environment'>;
  readonly configuration?: Partial<Configuration>;
  /** The largest document in bytes. Default: the product's own. */
  readonly documentSize?: number;
  /** Variables of the environment: fixed keys of the configuration, not changeable in the window. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Where signed files go; null: nothing says so. Default: `Assinados` in the folder of the test. */
  readonly archiveFolder?: null;
  readonly fileOpener?: StartOptions['fileOpener'];
  /** Tells the free space of the disk. Default: the disk's own. */
  readonly diskSpace?: StartOptions['diskSpace'];
  /** The folder of a built window. Default: the window of the tests. */
  readonly rendererFolder?: string;
  /** Brings the core into the state of a test, before a window is opened. */
  readonly prepare?: (core: RealCore) => Promise<unknown>;
}

/**
 * Answers of calls in a state beyond the reach of a core of the tests. `real` makes the core's own call, for answers
 * with a small change.
 */
export interface StandIn {
  /** The state, in a few words. */
  readonly state: string;
  /** The reason why the core cannot be brought to this state. */
  readonly because: string;
  readonly answers: {
    readonly [Name in CallName]?: (
      real: () => Promise<CallOutput<Name>>,
      input: CallInput<Name>,
    ) => CallOutput<Name> | Promise<CallOutput<Name>>;
  };
}

type StandInAnswer = (real: () => Promise<unknown>, input: unknown) => unknown;

/** The alias of a core's first key file. */
export const mariaAlias = `MARIA DA SILVA TESTE:${MARIA_CPF}`;

/** A key file of a person, with `rightPassword`. */
export async function keyFileOf(name: string, cpf = MARIA_CPF): Promise<Buffer> {
  return writePkcs12(await personWith({ name, cpf }), rightPassword);
}

/** The data folders, copied for each core; each is made once in a test process. */
const templates = new Map<string, Promise<string>>();

async function makeTemplate(keys: NonNullable<RealPlan['keys']>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sinete-window-'));
  const dataFolder = join(folder, 'data');
  await placeMigratedDatabase(dataFolder);
  const sinete = await startSinete({ dataFolder, configuration: { ...(await configurationOf(folder)), port: 0 } });
  if (keys === 'one') {
    const file = (await keyFileOf('MARIA DA SILVA TESTE')).toString('base64');
    await sinete.handlers['user-interface']['certificates.import']({ file, password: rightPassword });
  }
  await sinete.stop();
  return folder;
}

async function configurationOf(
  folder: string,
  { variables: others = {}, archiveFolder }: RealPlan = {},
): Promise<Configuration> {
  const variables = {
    SINETE_SECRET_STORE_MODE: 'key-file',
    SINETE_SECRET_STORE_KEY_FILE: join(folder, 'master.key'),
    ...(archiveFolder === null ? {} : { SINETE_ARCHIVE_FOLDER: join(folder, 'Assinados') }),
    ...others,
    SINETE_LOG_LEVEL: 'silent',
  };
  return readConfiguration({ dataFolder: join(folder, 'data'), environment: variables });
}

/** A running core with a log of the window's calls. */
export class RealCore {
  /** The folder of the test. Signed files go to its subfolder `Assinados`. */
  readonly folder: string;
  /** Each call of the window with its input, in order. */
  readonly log: { readonly name: CallName; readonly input: unknown }[] = [];
  /** Promises to wait for before an answer, by a part of the call's name and input. */
  readonly waits = new Map<string, Promise<void>>();
  readonly #standIns = new Map<string, StandInAnswer>();
  readonly #plan: RealPlan;
  #sinete: Sinete | undefined;
  #calls: CallHandlers | undefined;
  /** Settles when keys may sign. */
  #maySign: Promise<void> = Promise.resolve();
  /** Number of windows with an open stream of events. Without a window, the core asks no questions. */
  #windows = 0;
  /** How many signatures are made before the others wait. */
  #signaturesLeft = 0;

  private constructor(folder: string, plan: RealPlan) {
    this.folder = folder;
    this.#plan = plan;
  }

  /** Starts a core on a port, or on a free port for 0. */
  static async start(plan: RealPlan = {}, port = 0): Promise<RealCore> {
    const { keys = 'one' } = plan;
    const template = templates.get(keys) ?? makeTemplate(keys);
    templates.set(keys, template);
    const folder = await mkdtemp(join(tmpdir(), 'sinete-window-'));
    await cp(await template, folder, { recursive: true });
    const core = new RealCore(folder, plan);
    try {
      await core.#begin(port);
      if (plan.token !== undefined) await core.calls['modules.add']({ path: plan.token.modulePath });
      await plan.prepare?.(core);
    } catch (error) {
      await core.stop();
      throw error;
    }
    return core;
  }

  get sinete(): Sinete {
    if (this.#sinete === undefined) throw new Error('The core does not run.');
    return this.#sinete;
  }

  /** The calls of a window, made by the test itself: they are not logged and do not fail or wait on purpose. */
  get calls(): CallHandlers {
    if (this.#calls === undefined) throw new Error('The core does not run.');
    return this.#calls;
  }

  get origin(): string {
    return this.sinete.baseUrl;
  }

  /** A fresh one-time link. */
  link(): string {
    return this.sinete.issueLink();
  }

  /** Waits until a window hears events: from then on the core can ask a person. */
  async untilHeard(): Promise<void> {
    await until(() => Promise.resolve(this.#windows > 0), 'a window hears events');
  }

  /** Signatures begin only after the answered function was called, but for the first `free` of them. */
  holdSignatures(free = 0): () => void {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#maySign = promise;
    this.#signaturesLeft = free;
    return () => {
      resolve(undefined);
    };
  }

  /** Shows the window a state beyond the reach of this core. */
  standIn({ answers }: StandIn): void {
    for (const [name, answer] of Object.entries(answers)) this.#standIns.set(name, answer as StandInAnswer);
  }

  /** Lets the core answer these calls itself again. */
  endStandIn(...names: readonly CallName[]): void {
    for (const name of names) this.#standIns.delete(name);
  }

  /**
   * Ends the core and starts it again in its data folder: links and sessions of before end, and streams break off.
   * `meanwhile` changes the data folder while no core uses it.
   */
  async restart(meanwhile: (dataFolder: string) => Promise<void> = () => Promise.resolve()): Promise<void> {
    const port = Number(new URL(this.origin).port);
    await this.#end();
    await meanwhile(join(this.folder, 'data'));
    await this.#begin(port);
  }

  async stop(): Promise<void> {
    await this.#end();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Creates a transaction of a program, which the window asks about, and answers its number. */
  async ask(
    request: Readonly<Record<string, unknown>>,
    headers: Readonly<Record<string, string>> = {},
    signal: AbortSignal | null = null,
  ): Promise<string> {
    const response = await fetch(`${this.origin}/signature-service`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'User-Agent': 'Processo Eletrônico Exemplo', ...headers },
      body: JSON.stringify(request),
      signal,
    });
    const answer = (await response.json()) as { readonly tcn?: string };
    if (answer.tcn === undefined) throw new Error(`The core answered ${response.status}: ${JSON.stringify(answer)}`);
    return answer.tcn;
  }

  /** Imports the key and the certificate of an identity, and answers its alias. */
  async importKey(identity: TestIdentity): Promise<string> {
    const file = (await writePkcs12(identity, rightPassword)).toString('base64');
    const [added] = await this.calls['certificates.import']({ file, password: rightPassword });
    return added?.alias ?? '';
  }

  /** Enrols a person; the answer are their recovery codes, each good for one authentication. */
  async enrol(name: string, username: string, photo?: string): Promise<string[]> {
    const { accounts } = this.sinete.core;
    const { enrolment, otpauthUri } = await accounts.begin({
      name,
      username,
      ...(photo === undefined ? {} : { photo }),
    });
    const totp = URI.parse(otpauthUri);
    const { recoveryCodes } = await accounts.confirm(enrolment, totp instanceof TOTP ? totp.generate() : '');
    return [...recoveryCodes];
  }

  /** Enrols a person as a user of this computer. The first user is selected. */
  async enrolUser(name: string, username: string, photo?: string): Promise<void> {
    const [code] = await this.enrol(name, username, photo);
    await this.calls['assistant.add']({ username, code: code ?? '' });
  }

  /** Puts a file into the folder of the test; the name may lead through folders. */
  async put(name: string, content: Uint8Array | string): Promise<string> {
    const path = join(this.folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    return path;
  }

  /** Signs a document beside the window, and answers the signed file. */
  async sign(
    name: string,
    content: Buffer,
    type: SignRequest['type'] = 'PAdES',
    others: Partial<SignRequest> = {},
  ): Promise<Buffer> {
    const path = await this.put(name, content);
    const destination = `${path}.signed`;
    const files = [{ path, destination }];
    const { tcn } = await this.calls['sign.paths']({ type, digest: 'sha256', files, ...others });
    await this.approve(tcn);
    return readFile(destination);
  }

  /** Approves a transaction, and waits until it has ended. */
  async approve(tcn: string): Promise<void> {
    await this.calls['approvals.decide']({ tcn, decision: 'approve' });
    await until(async () => (await this.statusOf(tcn)) !== 'WAITING', 'the transaction has ended');
  }

  async statusOf(tcn: string): Promise<string> {
    return (await this.calls['transactions.read']({ tcn })).status;
  }

  /** The paths of the results in the archive, in the order of their names. */
  async archived(): Promise<readonly string[]> {
    const folder = join(this.folder, 'Assinados');
    const found = await readdir(folder, { recursive: true, withFileTypes: true });
    return found
      .filter((one) => one.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort();
  }

  /** Creates a transaction of a web site, whose documents came along. */
  async askAsSite(
    origin: string,
    request: Readonly<Record<string, unknown>> = {},
    signal?: AbortSignal,
  ): Promise<string> {
    const document = { type: 'CAdES-detached', documents_source: 'DATA_URL', documents: ['data:text/plain,um'] };
    return this.ask({ ...document, ...request }, siteHeaders(origin), signal);
  }

  async #begin(port: number): Promise<void> {
    const { configuration = {}, documentSize, token, fileOpener = nothingOpens, diskSpace } = this.#plan;
    const usual = await configurationOf(this.folder, this.#plan);
    const sinete = await startSinete({
      dataFolder: join(this.folder, 'data'),
      configuration: {
        ...usual,
        port,
        ...(token === undefined ? {} : { moduleEnvironment: token.environment }),
        ...(documentSize === undefined ? {} : { limits: { ...usual.limits, documentSize } }),
        ...configuration,
      },
      rendererFolder: this.#plan.rendererFolder ?? (await builtWindow()),
      fileOpener,
      ...(diskSpace === undefined ? {} : { diskSpace }),
    });
    this.#sinete = sinete;
    const handlers = sinete.handlers['user-interface'];
    this.#calls = { ...handlers };
    const table = handlers as unknown as Record<string, (input: unknown) => Promise<unknown>>;
    for (const [name, handle] of Object.entries(table)) {
      table[name] = async (input) => this.#answer(name as CallName, input, handle);
    }
    this.#gateKeys(sinete);
    this.#countWindows(sinete.core);
  }

  async #end(): Promise<void> {
    const sinete = this.#sinete;
    this.#sinete = undefined;
    this.#calls = undefined;
    await sinete?.stop();
  }

  async #answer(name: CallName, input: unknown, handle: (input: unknown) => Promise<unknown>): Promise<unknown> {
    this.log.push({ name, input });
    const told = `${name} ${JSON.stringify(input)}`;
    for (const [part, end] of this.waits) if (told.includes(part)) await end;
    const standIn = this.#standIns.get(name);
    return standIn === undefined ? handle(input) : calls[name].output.parse(await standIn(() => handle(input), input));
  }

  #countWindows(core: { onEvent: Core['onEvent'] }): void {
    this.#windows = 0;
    const onEvent = core.onEvent.bind(core);
    core.onEvent = (listener) => {
      this.#windows += 1;
      const stop = onEvent(listener);
      return () => {
        this.#windows -= 1;
        stop();
      };
    };
  }

  /** Every signature of a key waits until `holdSignatures` lets it begin. */
  #gateKeys({ core }: Sinete): void {
    const { ring } = core.keys;
    const open = ring.open.bind(ring);
    ring.open = async (key) => {
      const signer = await open(key);
      const { certificate, chain, schemes } = signer;
      return {
        certificate,
        chain,
        schemes,
        sign: async (message, parameters) => {
          this.#signaturesLeft -= 1;
          if (this.#signaturesLeft < 0) await this.#maySign;
          return signer.sign(message, parameters);
        },
      };
    };
  }
}

/** The headers of a request that a page of this origin makes. */
export const siteHeaders = (origin: string): Readonly<Record<string, string>> => ({
  Origin: origin,
  'Sec-Fetch-Site': 'cross-site',
  'Sec-Fetch-Mode': 'cors',
  'Sec-Fetch-Dest': 'empty',
});

/** A computer without programs that open files. */
const nothingOpens = { open: () => Promise.resolve(false), reveal: () => Promise.resolve(false) };
