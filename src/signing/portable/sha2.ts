/** SHA-256, SHA-384 and SHA-512 in pieces (FIPS 180-4): Web Crypto hashes only what is in memory as a whole. */

/** The hash functions of prepared PDFs, by their names in Node. */
export type Sha2 = 'sha256' | 'sha384' | 'sha512';

function firstPrimes(count: number): readonly bigint[] {
  const primes: bigint[] = [];
  for (let candidate = 2n; primes.length < count; candidate += 1n) {
    if (primes.every((prime) => candidate % prime !== 0n)) primes.push(candidate);
  }
  return primes;
}

/** The whole part of the root of `value`. */
function root(value: bigint, power: 2n | 3n): bigint {
  let [low, high] = [0n, 1n << 80n];
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** power <= value) low = middle;
    else high = middle;
  }
  return low;
}

/** The first 64 bits behind the point of the roots of primes (§4.2.2, §4.2.3, §5.3). */
const fractions = (primes: readonly bigint[], power: 2n | 3n): readonly bigint[] =>
  primes.map((prime) => BigInt.asUintN(64, root(prime << (64n * power), power)));

const primes = firstPrimes(80);
const cubes = fractions(primes, 3n);
const squares = fractions(primes.slice(0, 16), 2n);
const high = (value: bigint): number => Number(value >> 32n);
const low = (value: bigint): number => Number(value & 0xffffffffn);

/** The constants K, and the first state of each function, as 32-bit halves. */
const K256 = Int32Array.from(cubes.slice(0, 64), high);
const K512 = Int32Array.from(cubes.flatMap((value) => [high(value), low(value)]));
const halves = (values: readonly bigint[]): Int32Array =>
  Int32Array.from(values.flatMap((one) => [high(one), low(one)]));
const STARTS: Readonly<Record<Sha2, Int32Array>> = {
  sha256: Int32Array.from(squares.slice(0, 8), high),
  sha384: halves(squares.slice(8)),
  sha512: halves(squares.slice(0, 8)),
};

/** Typed arrays answer undefined beyond their end only. */
const word = (words: Int32Array, at: number): number => words[at] ?? 0;

function compress256(state: Int32Array, words: Int32Array, view: DataView, at: number): void {
  for (let t = 0; t < 16; t += 1) words[t] = view.getInt32(at + 4 * t);
  for (let t = 16; t < 64; t += 1) {
    const [x, y] = [word(words, t - 15), word(words, t - 2)];
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    words[t] = word(words, t - 16) + s0 + word(words, t - 7) + s1;
  }
  let a = word(state, 0);
  let b = word(state, 1);
  let c = word(state, 2);
  let d = word(state, 3);
  let e = word(state, 4);
  let f = word(state, 5);
  let g = word(state, 6);
  let h = word(state, 7);
  for (let t = 0; t < 64; t += 1) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + word(K256, t) + word(words, t)) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) state[index] = word(state, index) + value;
}

/** Bits of a rotation or shift to the right of 64 bits, in halves. */
const rotateHigh = (h: number, l: number, bits: number): number =>
  bits < 32 ? (h >>> bits) | (l << (32 - bits)) : (l >>> (bits - 32)) | (h << (64 - bits));
const rotateLow = (h: number, l: number, bits: number): number => rotateHigh(l, h, bits);

function schedule512(words: Int32Array, view: DataView, at: number): void {
  for (let t = 0; t < 32; t += 1) words[t] = view.getInt32(at + 4 * t);
  for (let t = 32; t < 160; t += 2) {
    const [xh, xl, yh, yl] = [word(words, t - 30), word(words, t - 29), word(words, t - 4), word(words, t - 3)];
    const s0h = rotateHigh(xh, xl, 1) ^ rotateHigh(xh, xl, 8) ^ (xh >>> 7);
    const s0l = rotateLow(xh, xl, 1) ^ rotateLow(xh, xl, 8) ^ ((xl >>> 7) | (xh << 25));
    const s1h = rotateHigh(yh, yl, 19) ^ rotateHigh(yh, yl, 61) ^ (yh >>> 6);
    const s1l = rotateLow(yh, yl, 19) ^ rotateLow(yh, yl, 61) ^ ((yl >>> 6) | (yh << 26));
    const sum = (s0l >>> 0) + (s1l >>> 0) + (word(words, t - 31) >>> 0) + (word(words, t - 13) >>> 0);
    words[t + 1] = sum | 0;
    words[t] = (s0h + s1h + word(words, t - 32) + word(words, t - 14) + Math.floor(sum / 2 ** 32)) | 0;
  }
}

/** `letters` holds the working variables a to h in halves, which move by one variable in each round. */
function compress512(state: Int32Array, words: Int32Array, letters: Int32Array, view: DataView, at: number): void {
  schedule512(words, view, at);
  letters.set(state);
  for (let t = 0; t < 160; t += 2) {
    const [ah, al, eh, el] = [word(letters, 0), word(letters, 1), word(letters, 8), word(letters, 9)];
    const s1h = rotateHigh(eh, el, 14) ^ rotateHigh(eh, el, 18) ^ rotateHigh(eh, el, 41);
    const s1l = rotateLow(eh, el, 14) ^ rotateLow(eh, el, 18) ^ rotateLow(eh, el, 41);
    const chh = (eh & word(letters, 10)) ^ (~eh & word(letters, 12));
    const chl = (el & word(letters, 11)) ^ (~el & word(letters, 13));
    const t1l =
      (word(letters, 15) >>> 0) + (s1l >>> 0) + (chl >>> 0) + (word(K512, t + 1) >>> 0) + (word(words, t + 1) >>> 0);
    const t1h = (word(letters, 14) + s1h + chh + word(K512, t) + word(words, t) + Math.floor(t1l / 2 ** 32)) | 0;
    const s0h = rotateHigh(ah, al, 28) ^ rotateHigh(ah, al, 34) ^ rotateHigh(ah, al, 39);
    const s0l = rotateLow(ah, al, 28) ^ rotateLow(ah, al, 34) ^ rotateLow(ah, al, 39);
    const majh = (ah & word(letters, 2)) ^ (ah & word(letters, 4)) ^ (word(letters, 2) & word(letters, 4));
    const majl = (al & word(letters, 3)) ^ (al & word(letters, 5)) ^ (word(letters, 3) & word(letters, 5));
    const t2l = (s0l >>> 0) + (majl >>> 0);
    const t2h = (s0h + majh + Math.floor(t2l / 2 ** 32)) | 0;
    const el2 = (word(letters, 7) >>> 0) + ((t1l | 0) >>> 0);
    const eh2 = (word(letters, 6) + t1h + Math.floor(el2 / 2 ** 32)) | 0;
    const al2 = ((t1l | 0) >>> 0) + ((t2l | 0) >>> 0);
    letters.copyWithin(2, 0, 14);
    letters[8] = eh2;
    letters[9] = el2 | 0;
    letters[0] = (t1h + t2h + Math.floor(al2 / 2 ** 32)) | 0;
    letters[1] = al2 | 0;
  }
  for (let half = 0; half < 16; half += 2) {
    const sum = (word(state, half + 1) >>> 0) + (word(letters, half + 1) >>> 0);
    state[half] = (word(state, half) + word(letters, half) + Math.floor(sum / 2 ** 32)) | 0;
    state[half + 1] = sum | 0;
  }
}

/** A hash in progress. */
export class Sha2Hash {
  readonly #state: Int32Array;
  readonly #block: Uint8Array;
  readonly #view: DataView;
  readonly #compress: (view: DataView, at: number) => void;
  readonly #length: number;
  #filled = 0;
  #total = 0;

  constructor(name: Sha2) {
    const state = (this.#state = STARTS[name].slice());
    const isShort = name === 'sha256';
    const words = new Int32Array(isShort ? 64 : 160);
    const letters = new Int32Array(16);
    this.#compress = isShort
      ? (view, at) => compress256(state, words, view, at)
      : (view, at) => compress512(state, words, letters, view, at);
    this.#block = new Uint8Array(isShort ? 64 : 128);
    this.#view = new DataView(this.#block.buffer);
    this.#length = Number(name.slice(3)) / 8;
  }

  update(bytes: Uint8Array): this {
    const size = this.#block.length;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#total += bytes.length;
    for (let at = 0; at < bytes.length;) {
      if (this.#filled === 0 && bytes.length - at >= size) {
        this.#compress(view, at);
        at += size;
        continue;
      }
      const part = bytes.subarray(at, at + size - this.#filled);
      this.#block.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === size) {
        this.#compress(this.#view, 0);
        this.#filled = 0;
      }
    }
    return this;
  }

  /** Answers the hash, and ends the use of the object. */
  digest(): Uint8Array<ArrayBuffer> {
    const size = this.#block.length;
    const bits = this.#total * 8;
    const padding = new Uint8Array(size - ((this.#filled + 1 + size / 8) % size || size) + 1);
    padding[0] = 0x80;
    const length = new Uint8Array(size / 8);
    const lengthView = new DataView(length.buffer);
    lengthView.setUint32(length.length - 8, Math.floor(bits / 2 ** 32));
    lengthView.setUint32(length.length - 4, bits % 2 ** 32);
    this.update(padding).update(length);
    const result = new DataView(new ArrayBuffer(4 * this.#state.length));
    for (const [index, word] of this.#state.entries()) result.setInt32(4 * index, word);
    return new Uint8Array(result.buffer, 0, this.#length);
  }
}
