/** Facts about signatures before any judgement: plain data, each fact gathered once. */
import { hash } from 'node:crypto';
import type { Certificate } from '../certificates/certificate.ts';
import type { PathProblem } from '../certificates/path/path-result.ts';
import type { Hierarchy } from '../certificates/trust/trust-anchors.ts';
import type { RecordProblem } from '../evidence-records/index.ts';
import type { SignerProblem, SignerRemark } from '../signed-data/verify-signer.ts';
import type { PdfSignatureFacts } from '../pdf/differences/pdf-facts.ts';
import type { EvidenceOrigin, Revocation, RevocationProblem } from '../revocation/revocation-result.ts';
import type { AlgorithmUse } from './judge/algorithm-policy.ts';
import type { SignerStatements, TimestampRole } from './validation-report.ts';

/** Names an object with a provable time of existence: `sig:1`, `obj:<SHA-256 of its DER>`. */
export type ObjectKey = string;

/** Usable revocation data about a certificate: its signature is right, and its subject is the certificate. */
export interface RevocationFact {
  readonly kind: 'ocsp' | 'crl';
  readonly origin: EvidenceOrigin;
  readonly key: ObjectKey;
  readonly thisUpdate: Date;
  readonly nextUpdate: Date | undefined;
  /** `thisUpdate`, or the later `producedAt` of an OCSP response. */
  readonly issuedAt: Date;
  /** Absent: the certificate is not revoked. */
  readonly revocation?: Revocation;
  /** The signer of the data: the authority itself, or its delegate. */
  readonly signer: Certificate;
  readonly algorithms: readonly AlgorithmUse[];
}

/** A certificate of a path with its facts. */
export interface LinkFacts {
  readonly certificate: Certificate;
  readonly key: ObjectKey;
  readonly isAnchor: boolean;
  /**
   * Algorithms of the certificate's own key and of the signature on the certificate. An anchor's signature is left out,
   * because nothing relies on an anchor's signature.
   */
  readonly algorithms: readonly AlgorithmUse[];
  /** The latest first. */
  readonly evidence: readonly RevocationFact[];
  /** Reasons for missing evidence. */
  readonly problems: readonly RevocationProblem[];
}

/** The best path of a certificate, judged except for dates, revocation and algorithms. */
export interface ChainFacts {
  readonly reachesAnchor: boolean;
  /** From the certificate itself. */
  readonly links: readonly LinkFacts[];
  /** Broken rules of RFC 5280, except dates and strengths. */
  readonly problems: readonly PathProblem[];
  readonly hierarchy: Hierarchy | undefined;
  /** True when the anchor is trusted for time stamps only. */
  readonly isForTimestampsOnly: boolean;
}

/** The outcome of an integrity check. */
export interface IntegrityFacts {
  readonly outcome: 'intact' | 'broken' | 'unknown';
  readonly problem?: SignerProblem;
  /** A sentence; present with `problem`. */
  readonly reason?: string;
}

/** A time stamp token at its place. */
export interface TimestampFacts {
  readonly role: TimestampRole;
  /** OID of the attribute with the token; absent for a document time stamp. */
  readonly attribute?: string;
  /** The key of the token itself. */
  readonly key: ObjectKey;
  /** A sentence about the damage. Nothing else is known about a damaged time stamp. */
  readonly damage?: string;
  readonly time: Date;
  readonly integrity: IntegrityFacts;
  /** Whether the imprint belongs to the data at the token's place; `unknown`: the data could not be read. */
  readonly imprint: 'right' | 'wrong' | 'unknown';
  /** The hash function of the imprint; absent with `damage`. */
  readonly imprintAlgorithm?: string;
  /** A sentence about the hash index; archive time stamps only. */
  readonly indexProblem?: string;
  /** Why the evidence record around the time stamp proves nothing. */
  readonly recordProblem?: RecordProblem;
  readonly certificate?: Certificate;
  readonly chain?: ChainFacts;
  /** Algorithms of the token's signature and of its imprint. */
  readonly algorithms: readonly AlgorithmUse[];
  /** Objects whose existence a valid token proves. */
  readonly covers: readonly ObjectKey[];
}

/** References and values in a signer's unsigned attributes (RFC 5126 §6.2, §6.3). */
export interface MaterialFacts {
  /** Available objects whose digests occur in the references. */
  readonly referenced: ReadonlySet<ObjectKey>;
  /** DER of the issuers of the referenced lists. */
  readonly listIssuers: readonly Buffer[];
  /** Objects in certificate-values and in revocation-values. */
  readonly certificateValues: ReadonlySet<ObjectKey>;
  readonly revocationValues: ReadonlySet<ObjectKey>;
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

/** Facts about a signature: a SignerInfo, a counter-signature, a signature field of a PDF. */
export interface SignatureFacts {
  readonly id: string;
  /** `sig:<id>` */
  readonly key: ObjectKey;
  readonly format: 'CMS' | 'CAdES' | 'PDF' | 'PAdES';
  /** A sentence about the damage. Nothing else is known about an unreadable signature. */
  readonly damage?: string;
  /** With `damage`: the kind of signature is not supported, so the damage is no evidence against the signature. */
  readonly isUnknownKind?: true;
  /** Bytes other than padding follow the message. */
  readonly hasBytesBehind?: true;
  readonly integrity: IntegrityFacts;
  readonly isCounterSignature: boolean;
  /** The content is a set of attributes, and this signer has none. */
  readonly replaysAttributes: boolean;
  readonly hasSortedAttributes: boolean;
  readonly remarks: readonly SignerRemark[];
  /** OIDs of signed attributes with more than one occurrence or more than one value. */
  readonly repeatedAttributes: readonly string[];
  readonly signedAttributes: ReadonlySet<string>;
  readonly unsignedAttributes: ReadonlySet<string>;
  readonly certificate?: Certificate;
  readonly chain?: ChainFacts;
  /** Comparison of the signing-certificate attribute with the certificate. */
  readonly signingCertificate: 'absent' | 'matches' | 'differs' | 'unknown';
  readonly claimedTime?: Date;
  readonly statements?: SignerStatements;
  readonly digestAlgorithm: string;
  readonly signatureAlgorithm: string;
  readonly algorithms: readonly AlgorithmUse[];
  readonly policy?: PolicyFacts;
  /** Absent without references and values. */
  readonly material?: MaterialFacts;
  /** Tokens of this signature. Document time stamps are in `FileFacts`. */
  readonly timestamps: readonly TimestampFacts[];
  readonly counterSignatures: readonly SignatureFacts[];
  readonly pdf?: PdfSignatureFacts;
}

/** The key of any object with DER bytes. */
export const objectKey = (der: Uint8Array): ObjectKey => `obj:${hash('sha256', der)}`;

/** The same key, from the certificate's fingerprint. */
export const certificateKey = ({ fingerprint }: Certificate): ObjectKey => `obj:${fingerprint}`;

/** The key of a signature value by the number of its signature. */
export const signatureKey = (id: string): ObjectKey => `sig:${id}`;
