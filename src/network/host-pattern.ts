/** How hosts are named in configuration: names, addresses and ranges of addresses, each with or without a port. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
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
