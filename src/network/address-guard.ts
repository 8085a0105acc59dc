/** The permitted addresses: the public Internet, and the additions of the configuration. */
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { SigningError } from '../signing/index.ts';
import { matchesPattern, parseAddress, parseHostPattern, type HostPattern, type HostTarget } from './host-pattern.ts';

/** Permissions beyond public addresses. */
export interface AddressRules {
  /**
   * Names, addresses and ranges, each with or without a port. A name in this list may resolve to any address;
   * subdomains are not included.
   */
  readonly allow: readonly string[];
  /** Also 127.0.0.0/8 and ::1, on every port. */
  readonly allowLoopback: boolean;
}

/** Global unicast addresses assigned today (RFC 4291 §2.4); all other addresses are tunnels or reserved. */
const [GLOBAL_UNICAST, GLOBAL_UNICAST_LENGTH] = ipaddr.IPv6.parseCIDR('2000::/3');

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

  /** Throws `NETWORK_REFUSED` for an unreadable entry of the list. */
  constructor({ allow, allowLoopback }: AddressRules) {
    this.#allow = allow.map(parseHostPattern);
    this.#allowLoopback = allowLoopback;
  }

  /** True when `target`, at `address`, may be reached. */
  allows(target: HostTarget, address: string): boolean {
    const parsed = parseAddress(address);
    if (parsed === undefined) return false;
    if (isPublic(parsed) || (this.#allowLoopback && parsed.range() === 'loopback')) return true;
    return this.#allow.some((pattern) => matchesPattern(pattern, target, address, false));
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
