import { nameOf, type PdfDictionary, type PdfValue } from '../syntax/values.ts';
import type { PdfDocument } from './pdf-document.ts';

/** Flags of an annotation (ISO 32000-2 Table 167). */
const HIDDEN = 2;
const NO_VIEW = 32;

/** Annotations without an appearance of their own on the page. */
const withoutContent: ReadonlySet<string> = new Set(['Popup', 'Link']);

/**
 * Content of a dictionary that is hidden from the screen or taken from elsewhere:
 *
 * - an annotation with an appearance that is hidden, or that is shown on paper only (ISO 32000-2 §12.5.3),
 * - a membership that shows its content while layers are off (§8.11.2.2),
 * - another picture for printing (Table 89, `Alternates`),
 * - a form that stands for a page of another file (§8.10.4), and a stream whose data are in another file (§7.3.8.2).
 */
export function hiddenIn(
  document: PdfDocument,
  dictionary: ReadonlyMap<string, PdfValue>,
  isStream: boolean,
): readonly ('hidden-layer' | 'external')[] {
  const value = (key: string): PdfValue => document.resolve(dictionary.get(key));
  const subtype = nameOf(value('Subtype')) ?? '';
  const isHidden =
    isHiddenAnnotation(value, subtype) ||
    (nameOf(value('Type')) === 'OCMD' && showsWhileOff(value)) ||
    (isStream && subtype === 'Image' && dictionary.has('Alternates'));
  const isElsewhere = isStream && (dictionary.has('F') || (subtype === 'Form' && dictionary.has('Ref')));
  return [...(isHidden ? (['hidden-layer'] as const) : []), ...(isElsewhere ? (['external'] as const) : [])];
}

function isHiddenAnnotation(value: (key: string) => PdfValue, subtype: string): boolean {
  const flags = value('F');
  if (typeof flags !== 'number' || (flags & (HIDDEN | NO_VIEW)) === 0) return false;
  return value('AP') instanceof Map && Array.isArray(value('Rect')) && !withoutContent.has(subtype);
}

function showsWhileOff(value: (key: string) => PdfValue): boolean {
  const policy = nameOf(value('P'));
  return policy === 'AllOff' || policy === 'AnyOff' || Array.isArray(value('VE'));
}

/** True if the default configuration hides a layer (ISO 32000-2 Table 99), or a layer's usage does (Table 100). */
export function hasHiddenLayers(document: PdfDocument): boolean {
  const dictionary = (value: PdfValue | undefined): PdfDictionary | undefined => {
    const found = document.resolve(value);
    return found instanceof Map ? found : undefined;
  };
  const list = (value: PdfValue | undefined): readonly PdfValue[] => {
    const found = document.resolve(value);
    return Array.isArray(found) ? found : [];
  };
  const properties = dictionary(document.catalog.value.get('OCProperties'));
  if (properties === undefined) return false;
  const usual = dictionary(properties.get('D'));
  const layers = list(properties.get('OCGs'));
  if (list(usual?.get('OFF')).length > 0) return true;
  const base = nameOf(document.resolve(usual?.get('BaseState')));
  if ((base === 'OFF' || base === 'Unchanged') && layers.length > list(usual?.get('ON')).length) return true;
  // Some programs obey the usage of a layer only where the configuration says so (§8.11.4.4), others always.
  return layers.some((layer) => {
    const usage = dictionary(dictionary(layer)?.get('Usage'));
    const isOff = (purpose: string, state: string): boolean =>
      nameOf(document.resolve(dictionary(usage?.get(purpose))?.get(state))) === 'OFF';
    const differs = ['Zoom', 'Language', 'User'].some((purpose) => usage?.has(purpose) === true);
    return differs || isOff('View', 'ViewState') || isOff('Print', 'PrintState') || isOff('Export', 'ExportState');
  });
}
