/** What was gathered about signatures before anything is judged: plain facts, each gathered once. */
import type { Certificate } from '../certificates/certificate.ts';
import type { PathProblem } from '../certificates/path/path-result.ts';
import type { Hierarchy } from '../certificates/trust/hierarchy.ts';
import type { SignerProblem } from '../cms/verify-result.ts';
import type { PdfSignatureFacts } from '../pdf/differences/pdf-facts.ts';
import type { EvidenceOrigin, Revocation, RevocationProblem } from '../revocation/revocation-result.ts';
import type { AlgorithmUse } from './judge/algorithm-policy.ts';
import type { TimestampRole } from './validation-report.ts';

/** Names something whose existence at a time may be proven: `sig:1`, `obj:<SHA-256 of its DER>`. */
export type ObjectKey = string;

/** One piece of usable revocation data about a certificate: rightly signed, and about it. */
export interface RevocationFact {
  readonly kind: 'ocsp' | 'crl';
  readonly origin: EvidenceOrigin;
  readonly key: ObjectKey;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date | undefined;
  /** Absent: the certificate is not revoked. */
  readonly revocation?: Revocation;
  /** The authority itself, or whom it delegated to. */
  readonly signer: Certificate;
  readonly algorithms: readonly AlgorithmUse[];
}

/** One certificate of a path and what is known about it. */
export interface LinkFacts {
  readonly certificate: Certificate;
  readonly key: ObjectKey;
  readonly isAnchor: boolean;
  /** Of its own key, and of the signature on it, which an anchor's is not relied on for. */
  readonly algorithms: readonly AlgorithmUse[];
  /** The latest first. */
  readonly evidence: readonly RevocationFact[];
  /** Why there is no more evidence. */
  readonly problems: readonly RevocationProblem[];
}

/** The path that was found for a certificate, judged but for dates, revocation and algorithms. */
export interface ChainFacts {
  readonly reachesAnchor: boolean;
  /** From the certificate itself. */
  readonly links: readonly LinkFacts[];
  /** Rules of RFC 5280 that are broken; nothing about dates and strengths. */
  readonly problems: readonly PathProblem[];
  readonly hierarchy: Hierarchy | undefined;
}

/** What came out of a check of integrity. */
export interface IntegrityFacts {
  readonly outcome: 'intact' | 'broken' | 'unknown';
  readonly problem?: SignerProblem;
  /** A sentence; present with `problem`. */
  readonly reason?: string;
}

/** One time stamp token where it stands. */
export interface TimestampFacts {
  readonly role: TimestampRole;
  /** Of the token itself. */
  readonly key: ObjectKey;
  /** A sentence; nothing else is known then. */
  readonly damage?: string;
  readonly time: Date;
  readonly integrity: IntegrityFacts;
  /** Whether it stamps what stands where it stands; `unknown`: that could not be read. */
  readonly imprint: 'right' | 'wrong' | 'unknown';
  /** A sentence; archive time stamps only. */
  readonly indexProblem?: string;
  readonly certificate?: Certificate;
  readonly chain?: ChainFacts;
  /** Of its signature and of its imprint. */
  readonly algorithms: readonly AlgorithmUse[];
  /** Whose existence it proves when it is valid. */
  readonly covers: readonly ObjectKey[];
}

/** The signature-policy-identifier attribute. */
export type PolicyFacts =
  | { readonly kind: 'damaged'; readonly reason: string }
  | { readonly kind: 'implied' }
  | {
      readonly kind: 'explicit';
      readonly oid: string;
      /** Lower-case hex. */
      readonly hash: string;
      /** OID of the hash function. */
      readonly hashAlgorithm: string;
    };

/** Facts about one signature: a SignerInfo, a counter-signature, a signature field of a PDF. */
export interface SignatureFacts {
  readonly id: string;
  /** `sig:<id>` */
  readonly key: ObjectKey;
  readonly format: 'CMS' | 'CAdES' | 'PDF' | 'PAdES';
  /** A sentence; the structure cannot be read, and nothing else is known then. */
  readonly damage?: string;
  /** With `damage`: it is of a kind that is not checked here, which says nothing against it. */
  readonly isUnknownKind?: true;
  readonly integrity: IntegrityFacts;
  readonly isCounterSignature: boolean;
  /** The content is a set of attributes, and this signer has none. */
  readonly replaysAttributes: boolean;
  readonly hasSortedAttributes: boolean;
  /** OIDs of signed attributes that stand more than once or have more than one value. */
  readonly repeatedAttributes: readonly string[];
  readonly signedAttributes: ReadonlySet<string>;
  readonly unsignedAttributes: ReadonlySet<string>;
  readonly certificate?: Certificate;
  readonly chain?: ChainFacts;
  /** What the attribute that names the certificate says: absent, right (by which function), wrong. */
  readonly signingCertificate: 'absent' | 'matches' | 'differs' | 'unknown';
  readonly claimedTime?: Date;
  readonly digestAlgorithm: string;
  readonly signatureAlgorithm: string;
  readonly algorithms: readonly AlgorithmUse[];
  readonly policy?: PolicyFacts;
  /** Tokens of this signature; document time stamps stand elsewhere. */
  readonly timestamps: readonly TimestampFacts[];
  readonly counterSignatures: readonly SignatureFacts[];
  readonly pdf?: PdfSignatureFacts;
}
