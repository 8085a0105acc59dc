/**
 * The rule for output intents (ISO 32000-2 §14.11.5). EU DSS adds an output intent with the colours of a screen when
 * drawing a visible signature into a file without output intents. Readers may convert colours by the profile of an
 * output intent, and a profile could make text invisible: only profiles that describe sRGB are accepted.
 */
import { SigningError } from '../../../errors.ts';
import { PdfReference } from '../../syntax/values.ts';
import type { PdfValue } from '../../syntax/values.ts';
import type { PdfDocument } from '../../reading/pdf-document.ts';
import type { Step } from '../step-ledger.ts';

/** Header and tag records of a profile (ICC.1:2022 §7.2, §7.3). */
const HEADER = 128;
const RECORD = 12;
const MAX_TAGS = 100;
const MAX_INTENTS = 8;

/** The colorants of sRGB seen under D50 (IEC 61966-2-1, adapted as ICC.1 demands). */
const COLORANTS: readonly (readonly [tag: string, xyz: readonly [number, number, number]])[] = [
  ['rXYZ', [0.4361, 0.2225, 0.0139]],
  ['gXYZ', [0.3851, 0.7169, 0.0971]],
  ['bXYZ', [0.1431, 0.0606, 0.7141]],
];
const CURVES = ['rTRC', 'gTRC', 'bTRC'];
/**
 * Tolerance for invisible differences: profiles are rounded, and some use a gamma of 2.2 in place of the curve of sRGB.
 */
const TOLERANCE = 0.02;
const SAMPLES = 32;

const fixed = (data: Buffer, at: number): number => data.readInt32BE(at) / 65_536;
const isNear = (value: number, wanted: number): boolean => Math.abs(value - wanted) <= TOLERANCE;

/** The transfer function of sRGB (IEC 61966-2-1 §5.2). */
const toLinear = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

function readTags(profile: Buffer): ReadonlyMap<string, Buffer> {
  const count = profile.readUInt32BE(HEADER);
  if (count > MAX_TAGS) return new Map();
  return new Map(
    Array.from({ length: count }, (_, index) => {
      const record = HEADER + 4 + index * RECORD;
      const offset = profile.readUInt32BE(record + 4);
      const data = profile.subarray(offset, offset + profile.readUInt32BE(record + 8));
      return [profile.toString('latin1', record, record + 4), data] as const;
    }),
  );
}

/** A curve as a list of values or as a gamma (ICC.1:2022 §10.6); undefined for other forms. */
function readCurve(tag: Buffer): ((value: number) => number) | undefined {
  const count = tag.readUInt32BE(8);
  if (tag.toString('latin1', 0, 4) !== 'curv' || count === 0 || tag.length < 12 + 2 * count) return undefined;
  const first = tag.readUInt16BE(12);
  if (count === 1) return (value) => value ** (first / 256);
  return (value) => tag.readUInt16BE(12 + 2 * Math.round(value * (count - 1))) / 65_535;
}

/** True for a profile that shows colours as sRGB does, by matrix and curves alone. */
export function isSrgbProfile(profile: Buffer): boolean {
  try {
    if (profile.toString('latin1', 16, 24) !== 'RGB XYZ ') return false;
    const tags = readTags(profile);
    // Lookup tables take precedence over the matrix (ICC.1:2022 §8.2).
    if ([...tags.keys()].some((tag) => /^(?:[AB]2[AB]|D2B|B2D|cicp)/.test(tag))) return false;
    const hasColorants = COLORANTS.every(([tag, xyz]) => {
      const data = tags.get(tag);
      return data !== undefined && xyz.every((wanted, index) => isNear(fixed(data, 8 + 4 * index), wanted));
    });
    return hasColorants && CURVES.every((name) => hasSrgbCurve(tags.get(name)));
  } catch (error) {
    // The profile ends too early.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function hasSrgbCurve(tag: Buffer | undefined): boolean {
  const curve = tag === undefined ? undefined : readCurve(tag);
  if (curve === undefined) return false;
  return Array.from({ length: SAMPLES + 1 }, (_, index) => index / SAMPLES).every((value) =>
    isNear(curve(value), toLinear(value)),
  );
}

/** True for an output intent whose only profile, inside the file, is sRGB. */
function isSrgbIntent(document: PdfDocument, value: PdfValue): boolean {
  const intent = document.resolve(value);
  if (!(intent instanceof Map) || intent.has('DestOutputProfileRef')) return false;
  const profile = intent.get('DestOutputProfile');
  if (!(profile instanceof PdfReference)) return false;
  try {
    const data = document.readStream(profile);
    return data !== undefined && isSrgbProfile(data);
  } catch (error) {
    if (!(error instanceof SigningError) || document.file.budget.exhausted) throw error;
    return false;
  }
}

/**
 * True when output intents were added to a document without any, all with the colours of sRGB; explains their objects.
 */
export function gotSrgbIntents({ before, after, ledger }: Step): boolean {
  const { document } = after;
  const value = document.catalog.value.get('OutputIntents');
  const intents = document.resolve(value);
  if (before.document.resolve(before.document.catalog.value.get('OutputIntents')) !== null) return false;
  if (!Array.isArray(intents) || intents.length > MAX_INTENTS) return false;
  if (!intents.every((intent) => isSrgbIntent(document, intent))) return false;
  ledger.claim(document, value, { holder: document.catalog.holder, path: '/OutputIntents' });
  return true;
}
