/** Facts about this computer, for its checks. */
import type { StaleTrust } from '../certificates/index.ts';
import type { RenewalState } from '../renewals/index.ts';
import type { LibraryFormat } from '../../signing/index.ts';

/** Answers of the system's service for smart cards (PC/SC) and its list of devices. */
export interface CardFacts {
  /** `unknown`: the system cannot be asked, or does not answer. */
  readonly service: 'running' | 'stopped' | 'unknown';
  readonly readers: readonly { readonly name: string; readonly hasCard: boolean }[];
  /** Names of the devices with the USB class of card readers and tokens; undefined: this system lists no devices. */
  readonly devices: readonly string[] | undefined;
}

export interface DriverFacts {
  /** Undefined for a driver that was found but not added. */
  readonly id: string | undefined;
  readonly path: string;
  readonly product: string;
  /** Undefined if the file cannot be read. */
  readonly format: LibraryFormat | undefined;
}

export interface CertificateFacts {
  readonly alias: string;
  /** The holder's name. */
  readonly holder: string;
  readonly notAfter: Date;
  readonly isTest: boolean;
  /** True if a path to a root is known, from the certificate or from the trusted certificates. */
  readonly chainIsComplete: boolean;
}

/** A request of a web site that its browser let through. */
export interface SiteVisit {
  readonly origin: string;
  readonly browser: 'Chrome' | 'Edge' | 'Firefox' | 'Safari' | 'Opera' | 'other';
  /** `passed`, `asked` (the user had to decide), or the code of the refusal. */
  readonly outcome: string;
  readonly at: Date;
}

interface PortFacts {
  /** Where this instance listens. */
  readonly port: number;
  /** The ports tried by web pages, in their order. */
  readonly usual: readonly number[];
  /** The port that a person kept; undefined: none. */
  readonly kept: number | undefined;
  /** Programs at the earlier ports: undefined for an unknown program. */
  readonly owners: readonly { readonly port: number; readonly program: string | undefined }[];
}

/** The reason why no driver can be used: the package that calls drivers is not installed, or does not work here. */
interface MissingBinding {
  /** Name of the package. */
  readonly name: string;
  /** A sentence. */
  readonly problem: string;
  /** A sentence. */
  readonly remedy: string;
}

/** Why an object store cannot be used. */
interface StoreProblem {
  /** Code of the error. */
  readonly code: string;
  /** An English sentence. */
  readonly message: string;
}

/** Readers of the facts. A reader that fails does not hide the other facts. */
export interface ComputerFacts {
  readonly cards: () => Promise<CardFacts>;
  /** Tokens seen by the added drivers. */
  readonly tokensSeen: () => Promise<number>;
  /** Undefined: drivers can be called. */
  readonly missingBinding: () => Promise<MissingBinding | undefined>;
  /** The added drivers, then the found drivers. */
  readonly drivers: () => Promise<readonly DriverFacts[]>;
  readonly certificates: () => Promise<readonly CertificateFacts[]>;
  /** The number of trusted roots of ICP-Brasil. */
  readonly officialRoots: () => Promise<number>;
  /** Trust data that has expired, or expires soon. */
  readonly staleTrust: () => Promise<readonly StaleTrust[]>;
  /** Newest first. */
  readonly visits: () => readonly SiteVisit[];
  /** Undefined: nothing listens. */
  readonly port: () => Promise<PortFacts | undefined>;
  /** Clock offset in ms relative to `source` (positive: the local clock is ahead); undefined without a source. */
  readonly clock: () => Promise<{ readonly ahead: number; readonly source: string } | undefined>;
  /** `canMove`: true if the keys in memory can be moved into a key file. */
  readonly secretStore: () => { readonly kind: string; readonly canMove: boolean };
  /** Undefined: no proxy is configured. */
  readonly proxy: () => Promise<{ readonly address: string; readonly answers: boolean } | undefined>;
  /** Names of damaged databases set aside. */
  readonly damaged: () => Promise<readonly string[]>;
  /** `problem` is undefined for a store that works. */
  readonly stores: () => Promise<readonly { readonly id: string; readonly problem: StoreProblem | undefined }[]>;
  /** Files kept valid, counted by the state of their last check. */
  readonly renewals: () => Promise<Readonly<Partial<Record<RenewalState | 'new', number>>>>;
  /** Node's name: `x64`, `arm64`. */
  readonly architecture: string;
  /** As Node names it: `linux`, `win32`, `darwin`. */
  readonly platform: NodeJS.Platform;
  readonly now: () => Date;
}
