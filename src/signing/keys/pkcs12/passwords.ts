/**
 * A password in the forms of PKCS#12: PBKDF2 and scrypt use UTF-8 (RFC 8018 §3), the derivation of PKCS#12 itself a
 * BMPString followed by two zero bytes (RFC 7292 Appendix B.1).
 */
export interface Pkcs12Password {
  /** The form of PBKDF2 and scrypt used for writing files. */
  readonly utf8: Buffer;
  /** The forms tried for reading with PBKDF2 and scrypt; the first is the usual one. */
  readonly utf8Forms: readonly Buffer[];
  /** The form used for writing files. */
  readonly bmp: Buffer;
  /** The forms tried for reading with the derivation of PKCS#12; the first is the usual one, `bmp`. */
  readonly bmpForms: readonly Buffer[];
  /** Overwrites every form. */
  wipe(): void;
}

/** Characters outside the basic plane become surrogate pairs, as in OpenSSL. */
const bmpOf = (text: string, end = 2): Buffer =>
  Buffer.concat([Buffer.from(text, 'utf16le').swap16(), Buffer.alloc(end)]);

/** A character for each byte of the text in UTF-8. */
const byteByByte = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/**
 * The forms of a password. A password in ASCII has one form, except the empty password, because programs disagree about
 * the two zeros. Letters with accents have more: a keyboard may send them composed or decomposed, and OpenSSL before
 * 1.1 takes each byte of UTF-8 for a character, as does OpenSSL 3 where a text is no UTF-8 (`PKCS12_key_gen_utf8_ex`).
 */
export function pkcs12Password(text: string): Pkcs12Password {
  const spellings = [...new Set([text, text.normalize('NFC'), text.normalize('NFD')])];
  const utf8Forms = spellings.map((one) => Buffer.from(one, 'utf8'));
  const bmpTexts = new Set([...spellings, ...spellings.map(byteByByte)]);
  const bmpForms = [...bmpTexts].map((one) => bmpOf(one));
  if (text === '') bmpForms.push(bmpOf(text, 0));
  const [utf8 = Buffer.from(text)] = utf8Forms;
  const [bmp = bmpOf(text)] = bmpForms;
  return {
    utf8,
    utf8Forms,
    bmp,
    bmpForms,
    wipe() {
      for (const form of [...utf8Forms, ...bmpForms]) form.fill(0);
    },
  };
}
