/** A failure that becomes an error value. */
export class FakeError extends Error {
  readonly code: string;

  constructor(code: string, message = code) {
    super(message);
    this.code = code;
  }
}

/** The password opening every key file and every encrypted PDF here. */
export const rightPassword = 'senha certa';
