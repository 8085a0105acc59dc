/**
 * A password in the forms of PKCS#12: PBKDF2 and scrypt use UTF-8 (RFC 8018 §3), the derivation of PKCS#12 itself a
 * BMPString followed by two zero bytes (RFC 7292 Appendix B.1).
 */
export interface Pkcs12Password {
  readonly utf8: Buffer;
  /** The form used for writing files. */
  readonly bmp: Buffer;
  /**
   * The forms tried for reading files. Usually only `bmp`. An empty password has two forms, because programs disagree
   * about the two zeros.
   */
  readonly bmpForms: readonly Buffer[];
  /** Overwrites every form. */
  wipe(): void;
}

/** The forms of a password. Characters outside the basic plane become surrogate pairs, as in OpenSSL. */
export function pkcs12Password(text: string): Pkcs12Password {
  const utf8 = Buffer.from(text, 'utf8');
  const units = Buffer.from(text, 'utf16le').swap16();
  const bmp = Buffer.concat([units, Buffer.alloc(2)]);
  const bmpForms = text === '' ? [bmp, Buffer.alloc(0)] : [bmp];
  return {
    utf8,
    bmp,
    bmpForms,
    wipe() {
      for (const form of [utf8, units, ...bmpForms]) form.fill(0);
    },
  };
}
