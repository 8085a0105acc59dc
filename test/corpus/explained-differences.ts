/** Why our facts about known files differ from the words of pdfsig and Bouncy Castle; all others have to agree. */

export type Tool = 'pdfsig' | 'Bouncy Castle';

export interface ExplainedDifference {
  readonly tool: Tool;
  /** Absent: all signatures of the file. */
  readonly field?: string;
  readonly why: string;
}

const EXPIRED =
  'Bouncy Castle asks whether the certificate was valid at the claimed time, and it had expired; that is no matter of integrity.';
const ED25519 = 'pdfsig (NSS) knows no Ed25519.';
const ED448 = 'pdfsig (NSS) knows no Ed448 and no SHAKE256.';
const TIME_STAMP = 'pdfsig 22.12 does not verify document time stamps.';
const STRUCTURE =
  'pdfsig verifies the digest of any ranges, and does not ask whether they leave out the signature alone.';
const NO_CMS =
  'Contents holds zeros instead of CMS: nobody signed. We call broken what cannot be read, both tools say unknown.';

const withTime = (...more: readonly ExplainedDifference[]): readonly ExplainedDifference[] => [
  { tool: 'Bouncy Castle', why: EXPIRED },
  ...more,
];
const twoKeys = withTime({ tool: 'pdfsig', field: 'Sig2', why: ED25519 });
const forged: readonly ExplainedDifference[] = [{ tool: 'pdfsig', why: STRUCTURE }];
const stamped: readonly ExplainedDifference[] = [
  { tool: 'pdfsig', field: 'Timestamp-977301ad-bec9-4cae-a0cd-f6a674c6e465', why: TIME_STAMP },
];

/** By file name; `made-…` are made by the tests, the others are test data of pyHanko and pdf.js. */
export const EXPLAINED_DIFFERENCES: Readonly<Record<string, readonly ExplainedDifference[]>> = {
  'made-document-time-stamp.pdf': [{ tool: 'pdfsig', why: TIME_STAMP }],
  'made-ed25519.pdf': [{ tool: 'pdfsig', why: ED25519 }],
  'made-expired-when-signed.pdf': withTime(),
  'made-gap-too-big.pdf': forged,
  'made-without-cms.pdf': [
    { tool: 'pdfsig', why: NO_CMS },
    { tool: 'Bouncy Castle', why: NO_CMS },
  ],
  'pdfjs-bug854315.pdf': [
    {
      tool: 'Bouncy Castle',
      why: 'An INTEGER in the CMS has needless leading bytes (X.690 §8.3.2); Bouncy Castle then reads none of it, OpenSSL verifies it.',
    },
  ],
  'pyhanko-base.pdf': [
    { tool: 'pdfsig', why: NO_CMS },
    { tool: 'Bouncy Castle', why: NO_CMS },
  ],
  'pyhanko-ed448-disallowed-hash.pdf': [{ tool: 'pdfsig', why: ED448 }],
  'pyhanko-ed448-shake256-nolen.pdf': [{ tool: 'pdfsig', why: ED448 }],
  'pyhanko-extensions-direct.pdf': twoKeys,
  'pyhanko-extensions-indirect-not-all-paths.pdf': twoKeys,
  'pyhanko-extensions-indirect.pdf': twoKeys,
  'pyhanko-extensions-update-direct.pdf': twoKeys,
  'pyhanko-extensions-update-indirect.pdf': twoKeys,
  'pyhanko-form-update-ap-indirect-sneaky-trailer.pdf': withTime(),
  'pyhanko-form-update-no-override-appearance-stream-ap-indirect-sneaky.pdf': withTime(),
  'pyhanko-form-update-no-override-appearance-stream-ap-indirect.pdf': withTime(),
  'pyhanko-form-update-original-ap-type-wrong.pdf': withTime(),
  'pyhanko-form-update-override-appearance-stream-ap-indirect-sneaky.pdf': withTime(),
  'pyhanko-form-update-override-appearance-stream-ap-indirect.pdf': withTime(),
  'pyhanko-form-update-override-appearance-stream-sneaky.pdf': withTime(),
  'pyhanko-form-update-override-appearance-stream.pdf': withTime(),
  'pyhanko-one-byterange.pdf': forged,
  'pyhanko-pades-lta-dss-indirect-arrs-test-2.pdf': stamped,
  'pyhanko-pades-lta-dss-indirect-arrs-test.pdf': stamped,
  'pyhanko-pdf-sig-with-econtent.pdf': [
    {
      tool: 'pdfsig',
      why: 'The CMS encloses content of its own, and what is signed is not the file; NSS takes the file’s digest.',
    },
  ],
  'pyhanko-sig-with-ski-sid.pdf': [
    { tool: 'pdfsig', why: 'The signer is named by key identifier, by which NSS does not find the certificate.' },
  ],
  'pyhanko-signature-gap-too-big.pdf': forged,
  'pyhanko-signed-encrypted-pubkey-with-catalog-ref.pdf': withTime({
    tool: 'pdfsig',
    why: 'The PDF is encrypted for a recipient, whose key pdfsig cannot be given.',
  }),
  'pyhanko-tail-uncovered.pdf': forged,
  'pyhanko-weird-byterange.pdf': forged,
};

/** Why a tool says otherwise about a signature; undefined where nobody explained it. */
export const explanationOf = (file: string, field: string, tool: Tool): string | undefined =>
  EXPLAINED_DIFFERENCES[file]?.find((one) => one.tool === tool && (one.field === undefined || one.field === field))
    ?.why;
