import { open } from 'node:fs/promises';
import { homedir, release, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import type { ModuleView, TokenView } from '../../ui-contract/ui-contract.ts';
import type { Configuration } from '../config/config.ts';
import { logFileName, withoutSecrets } from './log.ts';
import { product } from '../product.ts';
import { dropUndefined } from '../../values/drop-undefined.ts';

/** Sources of diagnostics. */
export interface DiagnosticsParts {
  readonly dataFolder: string;
  readonly configuration: Configuration | undefined;
  readonly checks: readonly { readonly id: string; readonly ok: boolean; readonly remedy: string | null }[];
  readonly modules: readonly ModuleView[];
  readonly tokens: readonly TokenView[];
  /** `node`, `desktop` and the like. */
  readonly about: Readonly<Record<string, string | null>>;
}

/** Bytes from the end of the log that are included. */
const mostOfLog = 512 * 1024;
const mostLines = 500;

/**
 * Facts about an installation for support, as a ZIP archive. Names, numbers and addresses of people, documents,
 * secrets, and sites are left out. If in doubt, only the presence of a value is reported.
 */
export async function makeDiagnostics(parts: DiagnosticsParts): Promise<Buffer> {
  const { dataFolder, configuration, checks, modules, tokens, about } = parts;
  const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
  return zip({
    'about.json': json({ version: product.version, system: release(), ...masked(about) }),
    'configuration.json': json(configuration === undefined ? null : describeConfiguration(configuration)),
    'health.json': json(checks.map(({ id, ok, remedy }) => ({ id: kindOf(id), ok, remedy: impersonal(remedy ?? '') }))),
    'modules.json': json({
      modules: modules.map(({ path, state }) => ({ file: basename(path), state })),
      tokens: tokens.length,
    }),
    'log.jsonl': await endOfLog(join(dataFolder, logFileName)),
  });
}

function zip(files: Readonly<Record<string, string>>): Buffer {
  const contents = Object.entries(files).map(([name, text]) => [name, strToU8(text)] as const);
  // 1980-01-01, the first day of the ZIP format: equal files make equal archives.
  return Buffer.from(zipSync(Object.fromEntries(contents), { mtime: new Date(1980, 0, 1) }));
}

/** Reports numbers, switches and modes unchanged; for everything else only the count. */
function describeConfiguration(configuration: Configuration): Record<string, unknown> {
  const { port, approve, logLevel, metrics, signing, limits, updates, testServicesPort, lockedKeys } = configuration;
  const { network, secretStore, sites, approved, fileRoots, moduleEnvironment } = configuration;
  const { authorizationUrl, registryUrl } = configuration;
  return {
    port: port ?? null,
    approve,
    logLevel,
    metrics,
    signing,
    limits,
    updates,
    testServicesPort,
    lockedKeys,
    secretStore: secretStore.mode,
    sites: sites.length,
    approved: approved.length,
    fileRoots: fileRoots.length,
    remoteAuthorization: authorizationUrl !== undefined,
    remoteRegistry: registryUrl !== undefined,
    tracing: configuration.tracing !== undefined,
    network: {
      allowed: network.allow.length,
      noProxy: network.noProxy.length,
      proxy: network.proxy !== undefined,
      certificateAuthorities: network.certificateAuthorities.length,
    },
    moduleEnvironment: Object.keys(moduleEnvironment).length,
  };
}

/** `key-source:Maria's token` → `key-source`: the rest is a name. */
const kindOf = (id: string): string => id.split(':', 1)[0] ?? id;

function masked(values: Readonly<Record<string, string | null>>): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === null ? null : impersonal(value)]),
  );
}

/** Fields of a log line about the event. Texts of errors may contain names, so only error codes are included. */
const loggedFields = ['level', 'time', 'msg', 'requestId', 'method', 'route', 'status', 'broken', 'milliseconds'];
const countedFields = ['transaction', 'documents', 'type', 'decision', 'code', 'attempts'];

async function endOfLog(path: string): Promise<string> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return '';
  try {
    const { size } = await file.stat();
    const length = Math.min(size, mostOfLog);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    const lines = buffer
      .toString('utf8')
      .split('\n')
      .slice(-mostLines - 1);
    return lines.flatMap((line) => describeLine(line)).join('');
  } finally {
    await file.close();
  }
}

/** Describes a line of the log; empty for a line that is not a complete entry. */
function describeLine(line: string): readonly string[] {
  const entry = parseLine(line);
  if (entry === undefined) return [];
  const told = [...loggedFields, ...countedFields].flatMap((name) => {
    const value = entry[name];
    if (value === undefined) return [];
    // An id chosen by a caller may contain anything.
    if (name === 'requestId') {
      const isOurs = typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value);
      return [[name, isOurs ? value : 'given'] as const];
    }
    return [[name, typeof value === 'string' ? impersonal(value) : value] as const];
  });
  const error = describeLoggedError(entry.error);
  return [`${JSON.stringify({ ...Object.fromEntries(told), ...dropUndefined({ error }) })}\n`];
}

function parseLine(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Reports class, code and places in our own code, with the causes, but no message. */
function describeLoggedError(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return undefined;
  const { name, code, stack, cause } = error as Readonly<Record<string, unknown>>;
  const frames = Array.isArray(stack) ? stack.map((frame) => placeOf(String(frame))) : [];
  return { name, code, frames, cause: describeLoggedError(cause) };
}

/** `at sign (file:///home/maria/sinete/src/a.ts:3:4)` → `src/a.ts:3:4`. */
function placeOf(frame: string): string {
  return /(?:src|node_modules|node:)[\w./:@-]*:\d+:\d+/.exec(frame)?.[0] ?? '';
}

/** Removes taxpayer numbers, TCNs, addresses, and the user's name in paths. */
function impersonal(text: string): string {
  const withoutAddresses = withoutSecrets(text)
    .replaceAll(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi, '[address]')
    .replaceAll(/[\w.+-]+@[\w-]+(\.[\w-]+)+/g, '[e-mail]');
  return [homedir(), userInfo().username]
    .filter((name) => name.length > 2)
    .reduce((rest, name) => rest.replaceAll(name, '~'), withoutAddresses)
    .replaceAll(/(?:\/[^\s/"']+){2,}/g, '[path]')
    .replaceAll(/[A-Za-z]:\\[^\s"']+/g, '[path]');
}
