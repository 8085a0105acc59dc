/**
 * Adds entries of the document information to an XMP packet (ISO 16684-1), in the namespace that PDF programs use for
 * entries without a property of their own. The rest of the packet stays as it is.
 */

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const NAMESPACE = 'http://ns.adobe.com/pdfx/1.3/';
const EXTENSION = 'http://www.aiim.org/pdfa/ns/extension/';
const SCHEMA = 'http://www.aiim.org/pdfa/ns/schema#';
const PROPERTY = 'http://www.aiim.org/pdfa/ns/property#';

/** Offsets of an element in a text: its tags and its content. */
interface Range {
  readonly start: number;
  readonly contentEnd: number;
  readonly end: number;
}

/** The prefixes bound to a namespace. */
const prefixesOf = (packet: string, namespace: string): readonly string[] =>
  [...packet.matchAll(/\sxmlns:([\w.-]+)\s?=\s?(?:"([^"]*)"|'([^']*)')/g)]
    .filter(([, , double, single]) => (double ?? single) === namespace)
    .map(([, prefix = '']) => prefix);

/**
 * The outermost elements of this name between two offsets, in order. Undefined for elements that do not end, and for
 * tags that contradict each other.
 */
function elementsOf(packet: string, name: string, from = 0, to = packet.length): readonly Range[] | undefined {
  const found: Range[] = [];
  const starts: number[] = [];
  const tag = new RegExp(`<(/?)${name.replaceAll('.', '\\.')}(?=[\\s/>])([^<>]*)>`, 'g');
  tag.lastIndex = from;
  for (let match = tag.exec(packet); match !== null && match.index < to; match = tag.exec(packet)) {
    const [text, slash, rest = ''] = match;
    const end = match.index + text.length;
    if (slash === '') starts.push(match.index);
    else if (starts.length === 0) return undefined;
    const isClosed = slash !== '' || rest.endsWith('/');
    if (!isClosed) continue;
    const start = starts.pop() ?? 0;
    if (starts.length === 0) found.push({ start, contentEnd: slash === '' ? end : match.index, end });
  }
  return starts.length === 0 ? found : undefined;
}

const escapeText = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    // Characters that no XML may hold (XML 1.0 §2.2).
    .replaceAll(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '');

/**
 * The name of a property for an entry of the information: characters that no XML name may hold are written as U+2182
 * with four hexadecimal digits, as Acrobat writes and reads such names.
 */
export function propertyName(entry: string): string {
  return [...entry.split('')]
    .map((unit, index) => {
      const isAllowed = /[A-Za-z_À-ÖØ-öø-ÿ]/.test(unit) || (index > 0 && /[0-9.-]/.test(unit));
      return isAllowed ? unit : `\u2182${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
    })
    .join('');
}

/** The packet without earlier values of these properties; undefined for elements that do not end. */
function withoutProperties(packet: string, prefixes: readonly string[], names: readonly string[]): string | undefined {
  let rest = packet;
  for (const prefix of new Set(prefixes)) {
    for (const name of names) {
      const earlier = elementsOf(rest, `${prefix}:${name}`);
      if (earlier === undefined) return undefined;
      for (const { start, end } of earlier.toReversed()) rest = rest.slice(0, start) + rest.slice(end);
      const attribute = new RegExp(`\\s${prefix}:${name.replaceAll('.', '\\.')}\\s?=\\s?(?:"[^"<]*"|'[^'<]*')`, 'g');
      rest = rest.replaceAll(attribute, '');
    }
  }
  return rest;
}

const insert = (packet: string, at: number, added: string): string => packet.slice(0, at) + added + packet.slice(at);

/** The description of a property in an extension schema (ISO 19005-1 §6.7.8). */
const described = (rdf: string, name: string): string =>
  `<${rdf}:li xmlns:pdfaProperty="${PROPERTY}" ${rdf}:parseType="Resource"><pdfaProperty:name>${name}</pdfaProperty:name>` +
  '<pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category>' +
  `<pdfaProperty:description>Document information</pdfaProperty:description></${rdf}:li>\n`;

const schemaOf = (rdf: string, properties: string): string =>
  `<${rdf}:li xmlns:pdfaSchema="${SCHEMA}" ${rdf}:parseType="Resource">` +
  '<pdfaSchema:schema>Document information</pdfaSchema:schema>' +
  `<pdfaSchema:namespaceURI>${NAMESPACE}</pdfaSchema:namespaceURI><pdfaSchema:prefix>pdfx</pdfaSchema:prefix>\n` +
  `<pdfaSchema:property><${rdf}:Seq>\n${properties}</${rdf}:Seq></pdfaSchema:property></${rdf}:li>\n`;

/** Adds descriptions to the schemas that the packet has; undefined for schemas in an unusual form. */
function extendSchemas(packet: string, rdf: string, names: readonly string[]): string | undefined {
  const [schemas] = elementsOf(packet, 'pdfaExtension:schemas') ?? [];
  const [bag] = schemas === undefined ? [] : (elementsOf(packet, `${rdf}:Bag`, schemas.start, schemas.end) ?? []);
  if (bag === undefined || bag.contentEnd === bag.end) return undefined;
  const own = elementsOf(packet, `${rdf}:li`, bag.start, bag.end)?.find(({ start, end }) =>
    packet.slice(start, end).includes(`>${NAMESPACE}<`),
  );
  if (own === undefined) {
    return insert(packet, bag.contentEnd, schemaOf(rdf, names.map((name) => described(rdf, name)).join('')));
  }
  const text = packet.slice(own.start, own.end);
  const missing = names.filter((name) => !text.includes(`>${name}<`));
  const [list] = elementsOf(packet, `${rdf}:Seq`, own.start, own.end) ?? [];
  if (list === undefined || list.contentEnd === list.end) return undefined;
  return insert(packet, list.contentEnd, missing.map((name) => described(rdf, name)).join(''));
}

/** Describes the properties in an extension schema; undefined for a packet whose schemas cannot be extended. */
function withSchema(packet: string, rdf: string, about: string, names: readonly string[]): string | undefined {
  if (packet.includes(EXTENSION)) return extendSchemas(packet, rdf, names);
  const schema = schemaOf(rdf, names.map((name) => described(rdf, name)).join(''));
  const block =
    `<${rdf}:Description ${rdf}:about="${about}" xmlns:pdfaExtension="${EXTENSION}"><pdfaExtension:schemas><${rdf}:Bag>\n` +
    `${schema}</${rdf}:Bag></pdfaExtension:schemas></${rdf}:Description>\n`;
  return insertAtEnd(packet, rdf, block);
}

/** Adds a block as the last description of the packet. */
function insertAtEnd(packet: string, rdf: string, block: string): string | undefined {
  const at = packet.lastIndexOf(`</${rdf}:RDF`);
  return at < 0 ? undefined : insert(packet, at, block);
}

/**
 * The packet with these entries as properties; earlier values of the same entries are replaced. Undefined for a packet
 * in a form that cannot be changed safely.
 *
 * @param needsSchema describes the properties in an extension schema, as PDF/A-1 to PDF/A-3 demand
 */
export function withProperties(
  packet: string,
  entries: readonly (readonly [name: string, value: string])[],
  needsSchema: boolean,
): string | undefined {
  const [rdf] = prefixesOf(packet, RDF);
  if (rdf === undefined) return undefined;
  // All descriptions of a packet are about the same resource (ISO 16684-1 §7.4).
  const about = new RegExp(`\\s${rdf}:about\\s?=\\s?["']([^"'<]*)["']`).exec(packet)?.[1] ?? '';
  const names = entries.map(([name]) => propertyName(name));
  const cleared = withoutProperties(packet, prefixesOf(packet, NAMESPACE), names);
  const explained =
    cleared !== undefined && needsSchema ? withSchema(cleared, rdf, about, [...new Set(names)]) : cleared;
  if (explained === undefined) return undefined;
  const values = entries.map(([name, value]) => {
    const property = `pdfx:${propertyName(name)}`;
    return `<${property}>${escapeText(value)}</${property}>\n`;
  });
  const block = `<${rdf}:Description ${rdf}:about="${about}" xmlns:pdfx="${NAMESPACE}">\n${values.join('')}</${rdf}:Description>\n`;
  return insertAtEnd(explained, rdf, block);
}
