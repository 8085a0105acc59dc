import type { DerElement } from '../../der/reader.ts';

/** Tag numbers of GeneralName (RFC 5280 §4.2.1.6). */
export const GeneralNameKind = {
  otherName: 0,
  email: 1,
  dns: 2,
  directory: 4,
  uri: 6,
  ipAddress: 7,
} as const;

/** A GeneralName: its tag number and its content; for a directory name, the DER of the Name. */
export interface GeneralName {
  readonly kind: number;
  readonly value: Buffer;
}

/** Reads a GeneralName, or the base of a GeneralSubtree. Throws `DER_MALFORMED`. */
export function readGeneralName(element: DerElement): GeneralName {
  const kind = element.tag & 0x1f;
  const value = kind === GeneralNameKind.directory ? element.child(0, 'a directory name').bytes : element.content;
  return { kind, value };
}

/** The text of an e-mail address, a host name or a URI; IA5String has one byte per character. */
export const generalNameText = ({ value }: GeneralName): string => value.toString('latin1');
