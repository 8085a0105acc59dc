/** Differences between a file and the word of a judge, each with its reason. Any other difference fails the suite. */

/** A difference: the judge, the files by their names, the judge's words, and the reason. */
export interface ExplainedDifference {
  readonly judge: string;
  readonly files: RegExp;
  readonly says: RegExp;
  readonly why: string;
}

export const EXPLAINED_DIFFERENCES: readonly ExplainedDifference[] = [
  {
    judge: 'EU DSS',
    files: /ed25519|ed448/,
    says: /CRYPTO_CONSTRAINTS_FAILURE|INDETERMINATE|undetermined|failed/,
    why: 'ETSI TS 119 312 lists EdDSA since V2.1.1 (2026-06), and the default policy of DSS goes by V1.5.1 (RFC 8419 defines EdDSA for CMS).',
  },
  {
    judge: 'EU DSS',
    files: /countersigned/,
    says: /^(B-LTA|CAdES-A) passed( under AD-R[TV])?, B-B undetermined OUT_OF_BOUNDS/,
    why: 'DSS takes no proof for a counter-signature from the archive time stamp that covers it (EN 319 122-1 §5.5.2: the index names every unsigned attribute).',
  },
  {
    judge: 'iText 5',
    files: /rsa-pss|ec-p|brainpool|ed25519|ed448/,
    says: /^ERROR .* not available$/,
    why: 'iText 5 finds no name for the algorithms of elliptic curves and of PSS: it verifies RSA with PKCS #1 v1.5 only.',
  },
  {
    judge: 'OpenSSL',
    files: /ed25519|ed448/,
    says: /failed/,
    why: 'OpenSSL 3.0 verifies no EdDSA signature with signed attributes (RFC 8419 §3.1): "invalid digest".',
  },
  {
    judge: 'EU DSS',
    files: /AD-R[VCA].*\.p7[sm]$/,
    says: /^CAdES-(X|XL|A) passed under AD-R[BTVCA](, (B-B|RECORD) passed)?$/,
    why: 'AD-RV, AD-RC and AD-RA are the forms X, XL and A of RFC 5126, with references and values in attributes, which EN 319 122-1 keeps out of its baseline levels.',
  },
  {
    judge: 'EU DSS',
    files: /AD-R[BTCA]\.pdf$/,
    says: /^PDF-NOT-ETSI passed under AD-R[BTCA](, (B-LTA|RECORD) passed)?$/,
    why: 'The SubFilter of ICP-Brasil is PBAD.PAdES (DOC-ICP-15.03, table A.18), and a baseline level of EN 319 142-1 needs ETSI.CAdES.detached.',
  },
  {
    judge: 'pyHanko',
    files: /pades-AD-RA\.pdf$/,
    says: /^yes:no:passed( yes:(yes|no):passed)?$/,
    why: 'The store of an AD-RA has the policy, the list of policies and its signature (DOC-ICP-15.03, tables A.19 and A.20). pyHanko allows no other entries in a store than those of ETSI.',
  },
  {
    judge: 'pyHanko',
    files: /^dss-cosigned-pades-/,
    says: /^yes:yes:passed yes:no:passed$/,
    why: 'EU DSS writes a store without VRI in the place of one that has it, which ISO 32000-2 §12.8.4.3 leaves to the writer. pyHanko takes that for a removal that the second signature does not allow.',
  },
  {
    judge: 'EU DSS',
    files: /recorded-.*\.p7s$/,
    says: /^B-LTA passed, RECORD undetermined SIGNED_DATA_NOT_FOUND$/,
    why: 'DSS wants the document of a detached signature under the evidence record too. A record over the signature proves the signature, and its digest the document.',
  },
  {
    judge: 'pyHanko',
    files: /^(pades-extended|dss-(LT|LTA|cosigned)-pades-(B-B|AD-RB)|our-(LT|LTA)-dss-.*-(B-B|AD-RB))\.pdf$/,
    says: /^yes:yes:SIG_CONSTRAINTS_FAILURE( yes:yes:passed)?$/,
    why: 'These were signed without a time stamp, and a document time stamp gave them their time later, as EN 319 142-1 §6.3 allows. pyHanko wants a time stamp in the signature ("No signature timestamp present").',
  },
];
