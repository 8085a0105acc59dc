/** How long one request may keep its token, in milliseconds. For `sign`: between two signatures of a batch. */
export interface Deadlines {
  readonly slots: number;
  readonly certificates: number;
  readonly login: number;
  /** A person types the PIN on the reader meanwhile. */
  readonly loginOnPinPad: number;
  readonly logout: number;
  readonly sign: number;
}

export const DEFAULT_DEADLINES: Deadlines = {
  slots: 15_000,
  certificates: 30_000,
  login: 30_000,
  loginOnPinPad: 120_000,
  logout: 10_000,
  sign: 60_000,
};
