/** The document security store (ISO 32000-2 §12.8.4.3, EN 319 142-1 §5.4.2) in an incremental update. */
import { hash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { IncrementalUpdate } from '../writing/incremental-update.ts';
import { laterVersion } from '../verification/verify-pdf.ts';
import { malformed } from '../syntax/pdf-error.ts';
import type { PdfDocument, Located } from '../reading/pdf-document.ts';
import { nameOf, numberOf, PdfName, type PdfValue, PdfReference, type PdfDictionary } from '../syntax/values.ts';
import { Tag } from '../../der/reader.ts';
import { derContext, derElement, derOctetString, derOid, derSequence } from '../../der/writer.ts';
import { RevocationOid } from '../../revocation/revocation-sources.ts';
import type { ValidationMaterial } from '../../revocation/revocation-result.ts';
import { SigningError } from '../../errors.ts';
import { plainString } from '../syntax/serialize.ts';
import { encodeTextString, formatDate } from '../syntax/text-string.ts';

/** Levels of ETSI's extension of PDF 1.7: document time stamps came with 2, the document security store with 5. */
export const PadesExtensionLevel = { documentTimestamp: 2, securityStore: 5 } as const;

function versionOf(document: PdfDocument): string {
  return laterVersion(document.version, nameOf(document.resolve(document.catalog.value.get('Version'))));
}

/**
 * Declares ETSI's additions to PDF 1.7 in the catalog of a PDF before 2.0 (ISO 32000-1 §7.12, EN 319 142-1 §5.5). PDF
 * 2.0 includes these additions. A declared level is never lowered.
 */
export function declarePadesExtension(document: PdfDocument, update: IncrementalUpdate, level: number): void {
  if (Number(versionOf(document)) >= 2) return;
  const { value: catalog, holder } = update.locate(document.trailer.get('Root'));
  if (!(catalog instanceof Map)) malformed('its document catalog is missing');
  const found = update.locate(catalog.get('Extensions'), holder);
  const entry = found.value instanceof Map ? update.locate(found.value.get('ESIC')).value : null;
  if (entry instanceof Map && (numberOf(update.locate(entry.get('ExtensionLevel')).value) ?? 0) >= level) return;
  const declaration = new Map<string, PdfValue>([
    ['BaseVersion', new PdfName('1.7')],
    ['ExtensionLevel', level],
  ]);
  if (found.value instanceof Map) {
    found.value.set('ESIC', declaration);
    update.markChanged(found.holder);
  } else {
    catalog.set('Extensions', new Map<string, PdfValue>([['ESIC', declaration]]));
    update.markChanged(holder);
  }
}

const SUCCESSFUL = derElement(Tag.enumerated, Buffer.of(0));

/** DER of the OCSPResponse around a BasicOCSPResponse (RFC 6960 §4.2.1), the form in PDFs. */
export function wrapOcspResponse(basicResponse: Uint8Array): Buffer {
  const responseBytes = derSequence(derOid(RevocationOid.basicOcspResponse), derOctetString(basicResponse));
  return derSequence(SUCCESSFUL, derContext(0, responseBytes));
}

/**
 * DER of RevocationInfoArchival (ISO 32000-2 §12.8.3.3.2): lists and responses inside a signature of the kind
 * adbe.pkcs7.detached, the value of the signed attribute `adobeRevocationInfo`. Certificates are in the CMS.
 */
export function revocationInfoArchival({
  crls,
  ocspResponses,
}: Pick<ValidationMaterial, 'crls' | 'ocspResponses'>): Buffer {
  return derSequence(
    ...(crls.length === 0 ? [] : [derContext(0, derSequence(...crls))]),
    ...(ocspResponses.length === 0 ? [] : [derContext(1, derSequence(...ocspResponses.map(wrapOcspResponse)))]),
  );
}

/**
 * The lists of the store, with the matching entry of a signature's own dictionary (VRI) for the same streams.
 * ICP-Brasil's lists (DOC-ICP-15.03 tables A.19, A.20) hold a single stream per signature.
 */
const LISTS = {
  Certs: { entry: 'Cert', single: false },
  OCSPs: { entry: 'OCSP', single: false },
  CRLs: { entry: 'CRL', single: false },
  PBAD_PolicyArtifacts: { entry: 'PBAD_PolicyArtifact', single: true },
  PBAD_LpaArtifacts: { entry: 'PBAD_LpaArtifact', single: true },
  PBAD_LpaSignatures: { entry: 'PBAD_LpaSignature', single: true },
} as const;

/** A list of the store. */
export type StoreList = keyof typeof LISTS;

/** The material of a signature: DER by list. */
export type StoreContents = Readonly<Partial<Record<StoreList, readonly Uint8Array[]>>>;

/**
 * The name of a signature in the store: the SHA-1 of its whole `Contents`, padding included, in upper-case hexadecimal
 * digits (ISO 32000-2 §12.8.4.4). The hash is a name only, so its weakness does no harm.
 */
export const storeKey = (contents: Uint8Array): string => hash('sha1', contents, 'hex').toUpperCase();

interface Place {
  readonly dictionary: PdfDictionary;
  readonly holder: number | undefined;
}

interface List {
  readonly references: PdfValue[];
  readonly holder: number | undefined;
  /** References by the SHA-256 of the decoded streams. */
  readonly known: Map<string, PdfReference>;
}

/** A stream's data, or undefined for an unsupported filter; such a stream stays, but is not compared. */
export function readStoredStream(document: PdfDocument, reference: PdfValue): Buffer | undefined {
  try {
    return document.readStream(reference);
  } catch (error) {
    if (error instanceof SigningError && (error.code === 'PDF_UNSUPPORTED' || error.code === 'PDF_MALFORMED')) {
      return undefined;
    }
    throw error;
  }
}

const isSame = (first: PdfValue, second: PdfReference): boolean =>
  first instanceof PdfReference && first.number === second.number && first.generation === second.generation;

/** The security store of a document during an update: existing contents stay and are not written again. */
export class SecurityStore {
  readonly #document: PdfDocument;
  readonly #update: IncrementalUpdate;
  readonly #store: Place;
  readonly #lists = new Map<StoreList, List>();

  /** Opens the store of the document, or adds an empty store to its catalog. */
  constructor(document: PdfDocument, update: IncrementalUpdate) {
    this.#document = document;
    this.#update = update;
    const { value: catalog, holder } = update.locate(document.trailer.get('Root'));
    if (!(catalog instanceof Map)) malformed('its document catalog is missing');
    this.#store = this.#ensureDictionary({ dictionary: catalog, holder }, 'DSS', 'DSS');
  }

  /**
   * Adds a signature's material under its key and to the common lists.
   *
   * @param key from `storeKey`
   * @param at the present time, for the entry's `TU`
   */
  addFor(key: string, contents: StoreContents, at: Date): void {
    const all = this.#ensureDictionary(this.#store, 'VRI');
    const entry = this.#ensureDictionary(all, key, 'VRI');
    for (const list of Object.keys(LISTS) as StoreList[]) {
      const references = (contents[list] ?? []).map((bytes) => this.#add(list, bytes));
      if (references.length > 0) this.#refer(entry, list, references);
    }
    // TU and TS exclude each other, and an existing time stamp (TS) is the stronger statement.
    if (!entry.dictionary.has('TS')) entry.dictionary.set('TU', plainString(encodeTextString(formatDate(at))));
    this.#update.markChanged(entry.holder);
  }

  /** The dictionary at `key`, inside the owner or as an object; creates a new object if missing. */
  #ensureDictionary(owner: Place, key: string, type?: string): Place {
    const { value, holder } = this.#update.locate(owner.dictionary.get(key), owner.holder);
    if (value instanceof Map) return { dictionary: value, holder };
    const dictionary: PdfDictionary = new Map(type === undefined ? [] : [['Type', new PdfName(type)]]);
    const reference = this.#update.create(dictionary);
    owner.dictionary.set(key, reference);
    this.#update.markChanged(owner.holder);
    return { dictionary, holder: reference.number };
  }

  #list(name: StoreList): List {
    const opened = this.#lists.get(name);
    if (opened !== undefined) return opened;
    const found: Located = this.#update.locate(this.#store.dictionary.get(name), this.#store.holder);
    let { holder } = found;
    let references: PdfValue[];
    if (Array.isArray(found.value)) references = found.value;
    else {
      references = [];
      holder = this.#store.holder;
      this.#store.dictionary.set(name, references);
    }
    const known = new Map<string, PdfReference>();
    for (const reference of references) {
      if (!(reference instanceof PdfReference)) continue;
      const bytes = readStoredStream(this.#document, reference);
      if (bytes !== undefined) known.set(hash('sha256', bytes), reference);
    }
    const list = { references, holder, known };
    this.#lists.set(name, list);
    return list;
  }

  #add(name: StoreList, bytes: Uint8Array): PdfReference {
    const { references, holder, known } = this.#list(name);
    const digest = hash('sha256', bytes);
    const existing = known.get(digest);
    if (existing !== undefined) return existing;
    const number = this.#update.allocate();
    const filter: PdfDictionary = new Map([['Filter', new PdfName('FlateDecode')]]);
    this.#update.addStream(number, filter, deflateSync(bytes));
    const reference = new PdfReference(number, 0);
    known.set(digest, reference);
    references.push(reference);
    this.#update.markChanged(holder);
    return reference;
  }

  #refer(entry: Place, list: StoreList, references: readonly PdfReference[]): void {
    const { entry: key, single } = LISTS[list];
    const [first] = references;
    if (single && first !== undefined) {
      entry.dictionary.set(key, first);
      return;
    }
    const { value, holder } = this.#update.locate(entry.dictionary.get(key), entry.holder);
    const present = Array.isArray(value) ? value : [];
    if (present !== value) entry.dictionary.set(key, present);
    for (const reference of references) {
      if (!present.some((one) => isSame(one, reference))) present.push(reference);
    }
    this.#update.markChanged(holder ?? entry.holder);
  }
}
