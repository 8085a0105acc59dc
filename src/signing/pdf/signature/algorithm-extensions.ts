/**
 * Declares the extensions to PDF 2.0 that a signature uses (ISO 32000-2 §7.12): ISO/TS 32001 for SHAKE256, ISO/TS 32002
 * for EdDSA and for the curves of ECDSA that it lists.
 */
import { parseCertificate } from '../../certificates/parse-certificate.ts';
import { readPublicKeyFacts } from '../../certificates/certificate-details.ts';
import type { SigningDigest } from '../../keys/signer.ts';
import type { PdfDocument } from '../reading/pdf-document.ts';
import { malformed } from '../syntax/pdf-error.ts';
import { plainString } from '../syntax/serialize.ts';
import { nameOf, numberOf, PdfName } from '../syntax/values.ts';
import type { PdfDictionary, PdfValue } from '../syntax/values.ts';
import type { IncrementalUpdate } from '../writing/incremental-update.ts';

/** The key of ISO's own extensions; its value is a list (ISO 32000-2 Table 49). */
const ISO = 'ISO_';
const FIRST_VERSION = 2;

/** Numbers of the technical specifications, which are the levels, and their pages at ISO. */
const HASHES = { level: 32_001, url: 'https://www.iso.org/standard/45874.html' } as const;
const CURVES = { level: 32_002, url: 'https://www.iso.org/standard/45875.html' } as const;
const REVISION = ':2022';

/** ISO/TS 32002 §5. */
const LISTED_CURVES = new Set(['P-256', 'P-384', 'P-521', 'brainpoolP256r1', 'brainpoolP384r1', 'brainpoolP512r1']);

/** The parts of a signer that choose the algorithms. */
export interface AlgorithmChoice {
  readonly digest: SigningDigest;
  /** DER of the signer's certificate. */
  readonly certificate: Buffer;
}

function extensionsOf({ digest, certificate }: AlgorithmChoice): readonly (typeof HASHES | typeof CURVES)[] {
  const { algorithm, curve = '' } = readPublicKeyFacts(parseCertificate(certificate));
  const usesCurve = /^Ed(?:25519|448)$/.test(algorithm) || (algorithm === 'EC' && LISTED_CURVES.has(curve));
  return [...(digest === 'shake256' ? [HASHES] : []), ...(usesCurve ? [CURVES] : [])];
}

/** True for a declaration of this level, in a list or alone. */
function isDeclared(update: IncrementalUpdate, entries: readonly PdfValue[], level: number): boolean {
  return entries.some((entry) => {
    const { value } = update.locate(entry);
    return value instanceof Map && numberOf(update.locate(value.get('ExtensionLevel')).value) === level;
  });
}

/**
 * Declares the extensions in the catalog of a PDF 2.0. An older PDF stays unchanged, because the extensions belong to
 * PDF 2.0, and a signature should not change the version of the document.
 */
export function declareAlgorithms(document: PdfDocument, update: IncrementalUpdate, choice: AlgorithmChoice): void {
  const { value: catalog, holder } = update.locate(document.trailer.get('Root'));
  if (!(catalog instanceof Map)) malformed('its document catalog is missing');
  const named = Number(nameOf(document.resolve(catalog.get('Version'))) ?? 0) || 0;
  if (Math.max(Number(document.version), named) < FIRST_VERSION) return;
  const found = update.locate(catalog.get('Extensions'), holder);
  const extensions: PdfDictionary = found.value instanceof Map ? found.value : new Map<string, PdfValue>();
  const list = update.locate(extensions.get(ISO), found.holder).value;
  const before = Array.isArray(list) ? list : extensions.has(ISO) ? [extensions.get(ISO) ?? null] : [];
  const missing = extensionsOf(choice).filter(({ level }) => !isDeclared(update, before, level));
  if (missing.length === 0) return;
  const added = missing.map(({ level, url }) => {
    const entries: readonly (readonly [string, PdfValue])[] = [
      ['Type', new PdfName('DeveloperExtensions')],
      ['BaseVersion', new PdfName('2.0')],
      ['ExtensionLevel', level],
      ['ExtensionRevision', plainString(Buffer.from(REVISION))],
      ['URL', plainString(Buffer.from(url))],
    ];
    return new Map(entries);
  });
  extensions.set(ISO, [...before, ...added]);
  if (found.value instanceof Map) {
    update.markChanged(found.holder);
  } else {
    catalog.set('Extensions', extensions);
    update.markChanged(holder);
  }
}
