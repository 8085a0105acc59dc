import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { systemTool } from '../setup/system-packages.ts';

/** Where the certificates of the machine lie in a fresh root: no Debian package writes this file anew. */
export const CERTIFICATES_FILE = '/etc/machine-certificates.pem';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The settings needed to use the network of this machine from a fresh root: proxies, registries, certificates, the
 * package mirror. These settings may hold passwords and tokens, and so are handed over in files and in the environment,
 * never as parameters, and never printed.
 */
export interface MachineSettings {
  /** Variables for every command in the root. */
  readonly environment: Readonly<Record<string, string>>;
  /** The text of an npmrc with the network settings of the machine and of the user. */
  readonly npmrc: string;
  /** The address of npm's registry. */
  readonly registry: string;
  /** Lines for a file in `/etc/apt/apt.conf.d`. */
  readonly apt: string;
  /** Certificates in PEM form, trusted by the machine; empty without a file of certificates. */
  readonly certificates: string;
  /** Files named by npm's settings, such as the key of a client certificate. */
  readonly files: readonly string[];
}

const npmKeys = [
  /^(@[^:]+:)?registry$/,
  /^\/\//,
  /^(https?-)?proxy$/,
  /^no-?proxy$/,
  /^(strict-ssl|ca|ca\[\]|cafile|cert|key|_auth|always-auth|maxsockets|local-address)$/,
  /^fetch-(retries|retry-[a-z]+|timeout)$/,
];

const isNetworkKey = (key: string): boolean => npmKeys.some((pattern) => pattern.test(key));

/** The lines of an npmrc on the network; `cafile` names the file in the root. */
export function filterNpmrc(text: string): string {
  const kept = text.split('\n').flatMap((line) => {
    const [, key, value] = /^\s*([^=;#]+?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key === undefined || value === undefined || !isNetworkKey(key)) return [];
    return [`${key}=${key === 'cafile' ? CERTIFICATES_FILE : value}`];
  });
  return kept.map((line) => `${line}\n`).join('');
}

/** The lines of `apt-config dump` on the way to a mirror. */
export function filterAptSettings(dump: string): string {
  const kept = dump
    .split('\n')
    .filter((line) => /^Acquire::(Check-|https?\b|Retries|ForceIPv|Allow\S+ "1")/.test(line));
  return kept.map((line) => `${line}\n`).join('');
}

/** Network variables of the machine, by their names. `npmrc` may ask for others as `${NAME}`. */
export function networkVariables(environment: Environment, npmrc: string): Readonly<Record<string, string>> {
  const asked = new Set([...npmrc.matchAll(/\$\{(\w+)\??\}/g)].map(([, name]) => name));
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || value === '') continue;
    const [, npmKey] = /^npm_config_(.+)$/i.exec(name) ?? [];
    const ofNpm = npmKey !== undefined && isNetworkKey(npmKey.startsWith('//') ? npmKey : npmKey.replaceAll('_', '-'));
    if (/^npm_config_cafile$/i.test(name)) kept['npm_config_cafile'] = CERTIFICATES_FILE;
    else if (ofNpm || /^((https?|all|no|ftp)_proxy)$/i.test(name) || asked.has(name)) kept[name] = value;
  }
  return kept;
}

function readText(path: string | undefined): string {
  return path !== undefined && existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/**
 * The first program of this name in the search path from the machine itself: npm puts the programs of packages first.
 */
export function machineProgram(name: string): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const own = folders.filter((folder) => !/node_modules|node-gyp-bin/.test(folder)).map((folder) => join(folder, name));
  const found = own.find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${name} is not in the search path of this machine.`);
  return realpathSync(found);
}

/** Settings of npm as told by npm itself, by their keys. A key not set is missing. */
function npmSettings(...keys: readonly string[]): ReadonlyMap<string, string> {
  // npm looks for its global settings beside its own Node, unless the prefix is given.
  const prefix = process.env['npm_config_prefix'] ?? dirname(dirname(machineProgram('node')));
  const told = spawnSync(process.execPath, [machineProgram('npm'), 'config', 'get', ...keys], {
    env: { ...process.env, npm_config_prefix: prefix },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const pairs = told.stdout.split('\n').flatMap((line): [string, string][] => {
    const [, key, value] = /^([\w-]+)=(.+)$/.exec(line) ?? [];
    return key === undefined || value === undefined || ['null', 'undefined'].includes(value) ? [] : [[key, value]];
  });
  return new Map(pairs);
}

/** Every certificate trusted by the machine beyond Node's own, each once. */
function machineCertificates(environment: Environment, cafile: string | undefined): string {
  const own = '/usr/local/share/ca-certificates';
  const paths = [
    environment['NODE_EXTRA_CA_CERTS'],
    environment['SSL_CERT_FILE'],
    cafile,
    '/etc/ssl/certs/ca-certificates.crt',
    ...(existsSync(own) ? readdirSync(own, { recursive: true, encoding: 'utf8' }) : [])
      .filter((name) => name.endsWith('.crt'))
      .map((name) => join(own, name)),
  ];
  const found = new Set<string>();
  for (const path of paths) {
    for (const [pem] of readText(path).matchAll(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)) {
      found.add(pem.trim());
    }
  }
  return [...found].map((pem) => `${pem}\n`).join('');
}

/** Reads the settings of this machine. `environment` is the environment of the process as started by the user. */
export function readMachineSettings(environment: Environment = process.env): MachineSettings {
  const npm = npmSettings('registry', 'cafile', 'globalconfig', 'userconfig');
  const written = [npm.get('globalconfig'), npm.get('userconfig') ?? join(homedir(), '.npmrc')];
  const npmrc = filterNpmrc(written.map(readText).join('\n'));
  const certificates = machineCertificates(environment, npm.get('cafile'));
  const dump = spawnSync(systemTool('apt-config'), ['dump'], { encoding: 'utf8' }).stdout;
  const named = [...npmrc.matchAll(/(?:certfile|keyfile)=(\/.*)$/gm)].map(([, path]) => path ?? '');
  const registry = npm.get('registry');
  if (registry === undefined) throw new Error('npm does not tell its registry: is it installed?');
  return {
    registry,
    environment: {
      ...networkVariables(environment, npmrc),
      ...(certificates === '' ? {} : { NODE_EXTRA_CA_CERTS: CERTIFICATES_FILE }),
    },
    npmrc,
    apt: filterAptSettings(dump) + (certificates === '' ? '' : `Acquire::https::CaInfo "${CERTIFICATES_FILE}";\n`),
    certificates,
    files: named.filter((path) => existsSync(path)),
  };
}

/** The certificates for a connection opened here, with Node's own. */
export function trustedCertificates({ certificates }: MachineSettings): readonly string[] {
  return [...rootCertificates, ...(certificates.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? [])];
}
