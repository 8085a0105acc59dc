/** A SoftHSM of its own for each test file: tokens with keys and certificates in a scratch folder. */
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestIdentity, TestKeyKind } from '../../src/test-authority/index.ts';
import { authorityWith, personWith } from '../pki/identities.ts';
import { runTool } from '../oracles/run-program.ts';
import { pem } from '../pki/openssl.ts';
import { systemFile } from '../setup/system-packages.ts';

/** A key for a test; `keyId` is CKA_ID in hex. */
export interface KeyPlan {
  readonly label: string;
  readonly keyId: string;
  readonly kind: TestKeyKind;
  /** The name in the certificate; by default the label. */
  readonly name?: string;
  /** CKA_ID of the certificate; by default the key's. Empty: the certificate has none. */
  readonly certificateId?: string;
  /** The certificate alone, as tokens have it of other persons. */
  readonly withoutKey?: boolean;
}

export interface TokenPlan {
  readonly label: string;
  readonly keys: readonly KeyPlan[];
}

export interface SoftHsmKey extends KeyPlan {
  readonly identity: TestIdentity;
}

export interface SoftHsmToken {
  readonly label: string;
  readonly serialNumber: string;
  readonly keys: readonly SoftHsmKey[];
}

export interface SoftHsm {
  readonly modulePath: string;
  /** Environment variables for the process loading the module. */
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly pin: string;
  readonly soPin: string;
  readonly tokens: readonly SoftHsmToken[];
  /** Takes the objects of all tokens away under the running driver, and puts all back. */
  hideTokens(): Promise<void>;
  showTokens(): Promise<void>;
  /** Deletes the scratch folder. */
  remove(): Promise<void>;
}

const PIN = 'segredo-7301-pin';
const SO_PIN = 'so-8812-pin';

/** One token with a key of each kind. */
export const ONE_OF_EACH: readonly TokenPlan[] = [
  {
    label: 'sinete',
    keys: [
      { label: 'rsa', keyId: '01', kind: 'rsa-2048' },
      { label: 'p256', keyId: '02', kind: 'ec-p256' },
      { label: 'p384', keyId: '03', kind: 'ec-p384' },
      { label: 'ed', keyId: '04', kind: 'ed25519' },
    ],
  },
];

class Tools {
  readonly #folder: string;
  readonly #environment: Readonly<Record<string, string>>;

  constructor(folder: string, environment: Readonly<Record<string, string>>) {
    this.#folder = folder;
    this.#environment = environment;
  }

  softhsm(...parameters: readonly string[]): Promise<string> {
    return runTool('softhsm2-util', parameters, { folder: this.#folder, environment: this.#environment });
  }

  async write(label: string, name: string, bytes: Uint8Array, ...parameters: readonly string[]): Promise<void> {
    const file = path.join(this.#folder, name);
    await writeFile(file, bytes);
    const login = ['--module', systemFile('softhsm'), '--token-label', label, '--login', '--pin', PIN];
    await runTool('pkcs11-tool', [...login, '--write-object', file, ...parameters], {
      folder: this.#folder,
      environment: this.#environment,
    });
  }

  async importKey(label: string, plan: KeyPlan, identity: TestIdentity): Promise<void> {
    if (plan.withoutKey !== true) {
      const file = path.join(this.#folder, 'key.pem');
      await writeFile(file, pem('PRIVATE KEY', identity.privateKey), { mode: 0o600 });
      const target = ['--token', label, '--pin', PIN, '--id', plan.keyId, '--label', plan.label];
      // Forced, because several keys may share an identifier.
      await this.softhsm('--import', file, '--force', ...target);
      await rm(file);
    }
    const id = plan.certificateId ?? plan.keyId;
    const names = ['--type', 'cert', ...(id === '' ? [] : ['--id', id]), '--label', plan.label];
    await this.write(label, 'certificate.der', identity.certificate, ...names);
  }
}

async function fillToken(tools: Tools, plan: TokenPlan): Promise<SoftHsmToken> {
  const { label } = plan;
  await tools.softhsm('--init-token', '--free', '--label', label, '--so-pin', SO_PIN, '--pin', PIN);
  const keys: SoftHsmKey[] = [];
  for (const key of plan.keys) {
    const identity = await personWith({ name: key.name ?? key.label, keyKind: key.kind });
    await tools.importKey(label, key, identity);
    keys.push({ ...key, identity });
  }
  const issuers = plan.keys.length > 0 ? (keys[0]?.identity.chain ?? []) : [];
  for (const [index, issuer] of issuers.entries()) {
    await tools.write(label, 'issuer.der', issuer, '--type', 'cert', '--label', `issuer ${index}`);
  }
  const slots = await tools.softhsm('--show-slots');
  const shown = slots.split(/^Slot /m).find((slot) => new RegExp(`Label:\\s+${label}\\s*$`, 'm').test(slot)) ?? '';
  const serialNumber = /Serial number:\s*(\S+)/.exec(shown)?.[1];
  if (serialNumber === undefined) throw new Error(`SoftHSM does not show the token ${label}.`);
  return { label, serialNumber, keys };
}

/** Makes the tokens. The certificates are issued by the test authority; its certificates are on the tokens too. */
export async function createSoftHsm(plans: readonly TokenPlan[] = ONE_OF_EACH): Promise<SoftHsm> {
  await authorityWith();
  const folder = await mkdtemp(path.join(tmpdir(), 'sinete-softhsm-'));
  const configuration = path.join(folder, 'softhsm2.conf');
  const store = path.join(folder, 'tokens');
  const away = path.join(folder, 'away');
  for (const one of [store, away]) await mkdir(one);
  const lines = [`directories.tokendir = ${store}`, 'objectstore.backend = file', 'log.level = ERROR', ''];
  await writeFile(configuration, lines.join('\n'));
  const environment = { SOFTHSM2_CONF: configuration };
  const tools = new Tools(folder, environment);
  const tokens: SoftHsmToken[] = [];
  for (const plan of plans) tokens.push(await fillToken(tools, plan));
  const move = async (from: string, to: string): Promise<void> => {
    for (const name of await readdir(from)) await rename(path.join(from, name), path.join(to, name));
  };
  return {
    modulePath: systemFile('softhsm'),
    environment,
    folder,
    pin: PIN,
    soPin: SO_PIN,
    tokens,
    hideTokens: () => move(store, away),
    showTokens: () => move(away, store),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
