/** Finds the helper on this computer, or the reason why it cannot be found. */
import { SineteError } from './sinete-error.ts';

/** Possible ports of the helper: the helper uses the first free port. */
const PORTS: readonly number[] = [17171, 27171, 37171, 47171, 57171];

/** Milliseconds for a port to answer after the browser permits the request. */
const PATIENCE = 2000;
/** Milliseconds in which the user may answer the browser's own question. */
const QUESTION = 120_000;

/** Options for finding the helper. */
export interface FindOptions {
  /** Default: the helper's ports. */
  readonly ports?: readonly number[];
  readonly signal?: AbortSignal;
}

/**
 * A helper with an answer.
 *
 * @internal
 */
export interface FoundHelper {
  /** `http://127.0.0.1:17171` */
  readonly address: string;
  readonly version: string;
  /** Random id of this run of the helper. */
  readonly instance: string;
}

/** `unknown`: this browser does not have or does not report this permission. */
type Permission = 'granted' | 'prompt' | 'denied' | 'unknown';

/**
 * Asks each port for `/.well-known/sinete`. In a page, call it from a click: browsers then may ask their user whether this page may
 * reach programs on the computer. Rejects with `NOT_INSTALLED`, `BLOCKED_BY_BROWSER`, `UNREACHABLE`, `CANCELLED`.
 *
 * @internal
 */
export async function findHelper({ ports = PORTS, signal }: FindOptions = {}): Promise<FoundHelper> {
  // Node and other runtimes without pages have no secure contexts, and do not restrict access to this computer.
  if (isPage() && !globalThis.isSecureContext)
    throw blocked('Serve this page over https: browsers keep others from the computer.');
  const before = await readPermission();
  if (before === 'denied') throw blocked('The browser was told to keep this site from programs on the computer.');
  for (const port of ports) {
    const found = await probe(port, before === 'prompt' && port === ports[0] ? QUESTION : PATIENCE, signal);
    if (signal?.aborted === true) throw new SineteError('CANCELLED', 'The page cancelled the search.');
    if (found !== undefined) return found;
  }
  throw await explainSilence();
}

async function explainSilence(): Promise<SineteError> {
  switch (await readPermission()) {
    case 'granted':
      return new SineteError('NOT_INSTALLED', 'Sinete does not run on this computer: install it, or start it.');
    case 'denied':
    case 'prompt':
      return blocked('The user did not let this site reach programs on the computer.');
    case 'unknown':
      return new SineteError(
        'UNREACHABLE',
        'Sinete does not run on this computer, or the browser keeps this site from it: this browser does not say which.',
      );
  }
}

const blocked = (message: string): SineteError => new SineteError('BLOCKED_BY_BROWSER', message);

/** False in Node, which is not subject to the rules for pages. */
const isPage = (): boolean => typeof globalThis.isSecureContext === 'boolean';

/** @internal */
export const isLocalName = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/** Pages from the computer itself need no permission. */
const isLocalPage = (): boolean => isLocalName(location.hostname);

/** Reads the permission, which browsers know under one of two names, or not at all. */
async function readPermission(): Promise<Permission> {
  if (!isPage() || isLocalPage()) return 'granted';
  for (const name of ['loopback-network', 'local-network-access']) {
    try {
      const { state } = await navigator.permissions.query({ name: name as PermissionName });
      return state;
    } catch {
      // The browser does not know this name.
    }
  }
  return 'unknown';
}

const probe = async (port: number, patience: number, signal?: AbortSignal): Promise<FoundHelper | undefined> =>
  askAddress(`http://127.0.0.1:${port}`, patience, signal);

async function askAddress(address: string, patience: number, signal?: AbortSignal): Promise<FoundHelper | undefined> {
  const timeout = AbortSignal.timeout(patience);
  try {
    const answer = await fetch(`${address}/.well-known/sinete`, {
      ...requestBasics,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    const { name, version, instance } = (await answer.json()) as Partial<Record<string, unknown>>;
    if (name !== 'Sinete' || typeof version !== 'string' || typeof instance !== 'string') return undefined;
    return { address, version, instance };
  } catch {
    return undefined;
  }
}

/**
 * The helper at an address. Rejects with `UNREACHABLE`, `CANCELLED`, and `INPUT_INVALID` for an address that is not safe.
 *
 * @internal
 */
export async function askHelper(address: string, signal?: AbortSignal): Promise<FoundHelper> {
  const { protocol, hostname, username, password } = new URL(address);
  if (username !== '' || password !== '') throw new SineteError('INPUT_INVALID', 'The address has no credentials.');
  if (protocol !== 'https:' && !isLocalName(hostname)) {
    throw new SineteError('INPUT_INVALID', 'Use https: documents are not sent to another computer without TLS.');
  }
  const base = address.replace(/\/+$/, '');
  const found = await askAddress(base, QUESTION, signal);
  if (signal?.aborted === true) throw new SineteError('CANCELLED', 'The caller cancelled the search.');
  if (found === undefined)
    throw new SineteError('UNREACHABLE', `Sinete does not answer at ${base}: check the address.`);
  return found;
}

/**
 * Common options of all requests: no cookies, no cache, and the declaration that the address is on this computer.
 * @internal
 */
export const requestBasics: RequestInit = {
  mode: 'cors',
  credentials: 'omit',
  cache: 'no-store',
  // Chromium's name for an address of the computer itself; unknown to the types, and to other browsers.
  ...({ targetAddressSpace: 'loopback' } as object),
};
