/** How hosts are named in configuration: names, addresses and ranges of addresses, each with or without a port. */
import { networkInterfaces } from 'node:os';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { LookupAddress } from 'node:dns';
import { SigningError } from '../signing/index.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** An entry of a list of hosts; `port` undefined means every port. */
export type HostPattern =
  | { readonly kind: 'every' }
  | { readonly kind: 'name'; readonly name: string; readonly port: number | undefined }
  | {
      readonly kind: 'range';
      readonly first: Address;
      readonly prefixLength: number;
      readonly port: number | undefined;
    };

/** A host and port of a URL. */
export interface HostTarget {
  /** A name or an address, without brackets, lower case. */
  readonly hostname: string;
  readonly port: number;
}

const NAME = /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/;

function wrongEntry(text: string): never {
  const message = `“${text}” is no host name, address or range of addresses such as 10.0.0.0/8.`;
  throw new SigningError('NETWORK_REFUSED', message);
}

/** The address behind an IPv4-mapped IPv6 address, else the address itself; undefined for a name. */
export function parseAddress(text: string): Address | undefined {
  return isIP(text) === 0 ? undefined : ipaddr.process(text);
}

function splitPort(entry: string): readonly [host: string, port: number | undefined] {
  const match =
    /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(entry) ?? (isIP(entry) === 0 ? /^([^:]+):(\d{1,5})$/.exec(entry) : null);
  if (match === null) return [entry, undefined];
  return [match[1] ?? '', match[2] === undefined ? undefined : Number(match[2])];
}

function parseRange(host: string, port: number | undefined, text: string): HostPattern {
  try {
    const [first, prefixLength] = ipaddr.parseCIDR(host);
    return { kind: 'range', first, prefixLength, port };
  } catch {
    return wrongEntry(text);
  }
}

/**
 * Reads an entry: `name`, `name:port`, `10.1.2.3`, `10.1.2.3:port`, `10.0.0.0/8`, `fd00::/8`, `[fd00::1]:port` or `*`.
 * A dot in front of a name is dropped. Throws `NETWORK_REFUSED` for anything else.
 */
export function parseHostPattern(text: string): HostPattern {
  const entry = text.trim().toLowerCase();
  if (entry === '*') return { kind: 'every' };
  const [host, port] = splitPort(entry);
  if (host.includes('/')) return parseRange(host, port, text);
  const address = parseAddress(host);
  if (address !== undefined) {
    return { kind: 'range', first: address, prefixLength: address.kind() === 'ipv4' ? 32 : 128, port };
  }
  const name = host.replace(/^\./, '').replace(/\.$/, '');
  return NAME.test(name) ? { kind: 'name', name, port } : wrongEntry(text);
}

function isInRange(address: Address, first: Address, prefixLength: number): boolean {
  if (address.kind() !== first.kind()) return false;
  return address.match(first, prefixLength);
}

/**
 * True when the pattern covers `target`. `address` is the resolved address, if known; with `subdomains`, a name covers
 * its subdomains.
 */
export function matchesPattern(
  pattern: HostPattern,
  target: HostTarget,
  address: string | undefined,
  subdomains: boolean,
): boolean {
  if (pattern.kind === 'every') return true;
  if (pattern.port !== undefined && pattern.port !== target.port) return false;
  if (pattern.kind === 'name') {
    const hostname = target.hostname.replace(/\.$/, '');
    return hostname === pattern.name || (subdomains && hostname.endsWith(`.${pattern.name}`));
  }
  const parsed = parseAddress(address ?? target.hostname);
  return parsed !== undefined && isInRange(parsed, pattern.first, pattern.prefixLength);
}

// The permitted addresses: the public Internet, and the additions of the configuration.

/** Permissions beyond public addresses. */
export interface AddressRules {
  /**
   * Names, addresses and ranges, each with or without a port. A name in this list may resolve to any address;
   * subdomains are not included.
   */
  readonly allow: readonly string[];
  /** Also 127.0.0.0/8 and ::1, on every port. */
  readonly allowLoopback: boolean;
  /** Further addresses that lead to this computer, such as those of its public name. */
  readonly own?: () => readonly string[];
}

/** Global unicast addresses assigned today (RFC 4291 §2.4); all other addresses are tunnels or reserved. */
const [GLOBAL_UNICAST, GLOBAL_UNICAST_LENGTH] = ipaddr.IPv6.parseCIDR('2000::/3');

/** Public addresses that a cloud answers from inside alone: the wire server of Azure. */
const CLOUD_INSIDE: ReadonlySet<string> = new Set(['168.63.129.16']);

/** The addresses of this computer's interfaces: its firewall rarely stops connections from the computer itself. */
const interfaceAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST, GLOBAL_UNICAST_LENGTH);
}

/** The error for a forbidden address. The message has the caller's name of the host, and no address. */
export function refused({ hostname }: HostTarget): SigningError {
  const message =
    `${hostname} is in a private or reserved network, which is not contacted unless the configuration allows it: ` +
    'add the host or its range of addresses to the list of allowed hosts.';
  return new SigningError('NETWORK_REFUSED', message);
}

/** Judges addresses, without state: the connecting code resolves names and asks here about each answer. */
export class AddressGuard {
  readonly #allow: readonly HostPattern[];
  readonly #allowLoopback: boolean;
  readonly #own: () => readonly string[];

  /** Throws `NETWORK_REFUSED` for an unreadable entry of the list. */
  constructor({ allow, allowLoopback, own = () => [] }: AddressRules) {
    this.#allow = allow.map(parseHostPattern);
    this.#allowLoopback = allowLoopback;
    this.#own = own;
  }

  /** True when `target`, at `address`, may be reached. */
  allows(target: HostTarget, address: string): boolean {
    const parsed = parseAddress(address);
    if (parsed === undefined) return false;
    if ((isPublic(parsed) && !this.#isInside(parsed)) || (this.#allowLoopback && parsed.range() === 'loopback'))
      return true;
    return this.#allow.some((pattern) => matchesPattern(pattern, target, address, false));
  }

  /** True for a public address of this computer itself, or of the cloud around it. */
  #isInside(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
    const text = address.toNormalizedString();
    if (CLOUD_INSIDE.has(text)) return true;
    return [...interfaceAddresses(), ...this.#own()].some((one) => parseAddress(one)?.toNormalizedString() === text);
  }

  /**
   * A lookup for `net.connect` that fails when any of the addresses is forbidden: DNS rebinding mixes public and
   * private addresses in an answer.
   */
  guardLookup(target: HostTarget, lookup: LookupFunction): LookupFunction {
    return (hostname, options, callback) => {
      lookup(hostname, { ...options, all: true }, (error, found) => {
        const addresses: readonly LookupAddress[] = Array.isArray(found) ? found : [];
        const [first] = addresses;
        if (error !== null || first === undefined) {
          callback(error ?? new Error(`${hostname} has no address`), '', 0);
        } else if (!addresses.every(({ address }) => this.allows(target, address))) {
          callback(refused(target), '', 0);
        } else if (options.all === true) {
          callback(null, [...addresses]);
        } else {
          callback(null, first.address, first.family);
        }
      });
    };
  }
}
