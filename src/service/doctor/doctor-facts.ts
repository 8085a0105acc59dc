/** What the Doctor is told of this computer. Each part may fail; that is found out, and hides nothing else. */

/** What the system's service for smart cards (PC/SC) and its list of devices tell. */
export interface CardFacts {
  /** `unknown`: this system offers no way to ask. */
  readonly service: 'running' | 'stopped' | 'unknown';
  readonly readers: readonly { readonly name: string; readonly hasCard: boolean }[];
  /** Devices that are card readers or tokens by their USB class, by their names. */
  readonly devices: readonly string[];
}

/** What the head of a library's file says of it. */
export type LibraryFormat =
  | { readonly kind: 'library'; readonly bits: 32 | 64; readonly architectures: readonly string[] }
  /** Another program's file, or none that is known. */
  | { readonly kind: 'other' };

export interface DriverFacts {
  /** Undefined for one that was found and not added. */
  readonly id: string | undefined;
  readonly path: string;
  readonly product: string;
  /** Undefined: the file cannot be read. */
  readonly format: LibraryFormat | undefined;
}

export interface CertificateFacts {
  readonly alias: string;
  /** The holder's name. */
  readonly holder: string;
  readonly notAfter: Date;
  readonly isTest: boolean;
  /** A path to a root is known: with the certificate, or among what is trusted here. */
  readonly chainIsComplete: boolean;
}

/** A request of a web site that a browser let through. */
export interface SiteVisit {
  readonly origin: string;
  readonly browser: 'Chrome' | 'Edge' | 'Firefox' | 'Safari' | 'Opera' | 'other';
  /** `passed`, `asked` (the user was to decide), or the code of the refusal. */
  readonly outcome: string;
  readonly at: Date;
}

interface PortFacts {
  /** Where this instance listens. */
  readonly port: number;
  /** Those at which web pages look, in their order. */
  readonly usual: readonly number[];
  /** Programs at the ports before it: undefined where the system does not tell. */
  readonly owners: readonly { readonly port: number; readonly program: string | undefined }[];
}

export interface DoctorFacts {
  readonly cards: () => Promise<CardFacts>;
  /** Tokens that the added drivers see. */
  readonly tokensSeen: () => Promise<number>;
  /** Those that were added, then those that were found. */
  readonly drivers: () => Promise<readonly DriverFacts[]>;
  readonly certificates: () => Promise<readonly CertificateFacts[]>;
  /** Newest first. */
  readonly visits: () => readonly SiteVisit[];
  /** Undefined: nothing listens. */
  readonly port: () => Promise<PortFacts | undefined>;
  /** Milliseconds that the clock here is ahead of another one, and whose; undefined: none could be asked. */
  readonly clock: () => Promise<{ readonly ahead: number; readonly source: string } | undefined>;
  readonly secretStore: () => { readonly kind: string };
  /** Undefined: no proxy is configured. */
  readonly proxy: () => Promise<{ readonly address: string; readonly answers: boolean } | undefined>;
  /** Names of databases that were damaged and set aside. */
  readonly damaged: () => Promise<readonly string[]>;
  /** `problem` is a sentence; undefined: it answers. */
  readonly stores: () => Promise<readonly { readonly id: string; readonly problem: string | undefined }[]>;
  /** As Node names it: `x64`, `arm64`. */
  readonly architecture: string;
  readonly now: () => Date;
}
