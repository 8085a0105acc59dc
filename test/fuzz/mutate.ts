/** Damage like by storage, transport and attackers: reproducible from a single number. */

/** A small generator of numbers (mulberry32), to repeat a run from its seed. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** A whole number from 0 to `end` − 1. */
  below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('there is nothing to pick from');
    return item;
  }
}

type Mutation = (input: Buffer, chance: Chance, others: readonly Buffer[]) => Buffer;

/** Bytes breaking lengths, tags, signs and text at their place. */
const NASTY = [0x00, 0x01, 0x30, 0x7f, 0x80, 0x81, 0x84, 0x9f, 0xa0, 0xff, 0x28, 0x3c, 0x2f];

const changeAt = (input: Buffer, offset: number, byte: number): Buffer => {
  const copy = Buffer.from(input);
  copy[offset] = byte;
  return copy;
};

/** A range of at most `most` bytes inside the input. */
function range(input: Buffer, chance: Chance, most: number): [start: number, end: number] {
  const start = chance.below(input.length);
  return [start, Math.min(input.length, start + 1 + chance.below(most))];
}

const mutations: readonly Mutation[] = [
  (input, chance) => {
    const offset = chance.below(input.length);
    return changeAt(input, offset, (input[offset] ?? 0) ^ (1 << chance.below(8)));
  },
  (input, chance) => changeAt(input, chance.below(input.length), chance.pick(NASTY)),
  (input, chance) => input.subarray(0, chance.below(input.length)),
  (input, chance) => {
    const [start, end] = range(input, chance, 64);
    return Buffer.concat([input.subarray(0, start), input.subarray(end)]);
  },
  (input, chance) => {
    const [start, end] = range(input, chance, 256);
    return Buffer.concat([input.subarray(0, end), input.subarray(start)]);
  },
  (input, chance) => {
    const offset = chance.below(input.length);
    const inserted = Buffer.from(Array.from({ length: 1 + chance.below(8) }, () => chance.below(256)));
    return Buffer.concat([input.subarray(0, offset), inserted, input.subarray(offset)]);
  },
  (input, chance, others) => {
    const other = chance.pick(others);
    const [start, end] = range(other, chance, 512);
    const offset = chance.below(input.length);
    return Buffer.concat([input.subarray(0, offset), other.subarray(start, end), input.subarray(offset)]);
  },
  (input, chance) => {
    // Digits are offsets, counts and lengths in a PDF.
    const digits = [...input.keys()].filter((offset) => (input[offset] ?? 0) >= 0x30 && (input[offset] ?? 0) <= 0x39);
    return digits.length === 0 ? input : changeAt(input, chance.pick(digits), 0x30 + chance.below(10));
  },
];

/** One of the samples with one to four pieces of damage. */
export function mutate(samples: readonly Buffer[], chance: Chance): Buffer {
  let damaged = chance.pick(samples);
  for (let left = 1 + chance.below(4); left > 0 && damaged.length > 0; left -= 1) {
    damaged = chance.pick(mutations)(damaged, chance, samples);
  }
  return damaged;
}
