import { nameOf, type PdfDictionary, type PdfValue } from '../syntax/values.ts';
import type { PdfDocument } from './pdf-document.ts';

/** Flags of an annotation (ISO 32000-2 Table 167). */
const HIDDEN = 2;
const NO_VIEW = 32;

/** Annotations without an appearance of their own on the page. */
const withoutContent: ReadonlySet<string> = new Set(['Popup', 'Link']);

/** Events without a person's doing: of annotations and pages (Tables 197 and 198), and of the document (Table 200). */
const OWN_EVENTS = ['PO', 'PC', 'PV', 'PI', 'O', 'C', 'WC', 'WS', 'DS', 'WP', 'DP'] as const;

/** Limit on the actions that follow one. */
const MOST_ACTIONS = 1_000;

/**
 * Content of a dictionary that is hidden from the screen or taken from elsewhere:
 *
 * - an annotation with an appearance that is hidden, or that is shown on paper only (ISO 32000-2 §12.5.3),
 * - a membership that shows its content while layers are off (§8.11.2.2),
 * - another picture for printing (Table 89, `Alternates`),
 * - an action that shows an annotation (§12.6.4.11), and one that the document itself starts to show or hide content,
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
    (isStream && subtype === 'Image' && dictionary.has('Alternates')) ||
    (nameOf(value('S')) === 'Hide' && value('H') === false) ||
    hidesByItself(document, dictionary);
  const isElsewhere = isStream && (dictionary.has('F') || (subtype === 'Form' && dictionary.has('Ref')));
  return [...(isHidden ? (['hidden-layer'] as const) : []), ...(isElsewhere ? (['external'] as const) : [])];
}

function isHiddenAnnotation(value: (key: string) => PdfValue, subtype: string): boolean {
  const flags = value('F');
  if (typeof flags !== 'number' || (flags & (HIDDEN | NO_VIEW)) === 0) return false;
  return value('AP') instanceof Map && Array.isArray(value('Rect')) && !withoutContent.has(subtype);
}

/**
 * True when a document, a page or an annotation starts an action that shows or hides content, without a person's click.
 * Content that a click hides was seen before.
 */
function hidesByItself(document: PdfDocument, dictionary: ReadonlyMap<string, PdfValue>): boolean {
  if (!dictionary.has('OpenAction') && !dictionary.has('AA')) return false;
  const events = document.resolve(dictionary.get('AA'));
  const ofEvents = events instanceof Map ? OWN_EVENTS.map((event) => events.get(event)) : [];
  return [dictionary.get('OpenAction'), ...ofEvents].some((action) => hidesContent(document, action));
}

/** True when an action, or one that follows, shows or hides annotations or layers (§12.6.4.11, §12.6.4.13). */
function hidesContent(document: PdfDocument, first: PdfValue | undefined): boolean {
  const actions: PdfValue[] = [first ?? null];
  const seen = new Set<PdfValue>();
  while (actions.length > 0) {
    const value = document.resolve(actions.pop());
    if (seen.size === MOST_ACTIONS) return true;
    if (seen.has(value)) continue;
    seen.add(value);
    if (Array.isArray(value)) for (const one of value) actions.push(one);
    if (!(value instanceof Map)) continue;
    if (['Hide', 'SetOCGState'].includes(nameOf(document.resolve(value.get('S'))) ?? '')) return true;
    actions.push(value.get('Next') ?? null);
  }
  return false;
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
