/** Cost of hostile files in seconds of processor time, compared with the budget of an input of up to 1 MiB. */
import { budgetFor, withBudget } from '../../src/signing/budget/budget.ts';
import { SigningError, derOctetString, derSequence, validateSignature } from '../../src/signing/index.ts';
import { craftCms } from '../signing/validation/craft-cms.ts';
import { manySigners, namesakes, withSignedAttributes } from '../signing/validation/many-signers.ts';
import { ValidationWorld } from '../signing/validation/validation-world.ts';
import { ROUNDS, median, type Benchmark, type BenchLine } from './harness.ts';

/** Seconds of processor time of the median round, and the largest count of signatures checked. */
async function costOf(world: ValidationWorld, what: string, signature: Buffer): Promise<BenchLine> {
  const seconds: number[] = [];
  let candidates = 0;
  let ended = 'judged';
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = process.cpuUsage();
    const services = world.services({ offline: true });
    await withBudget(
      budgetFor(signature.length),
      () => validateSignature({ signature }, services),
      (used) => (candidates = Math.max(candidates, used.candidates)),
    ).catch((error: unknown) => {
      if (!(error instanceof SigningError)) throw error;
      ended = error.message;
    });
    const { user, system } = process.cpuUsage(start);
    seconds.push((user + system) / 1e6);
  }
  return {
    what,
    ratio: median(seconds),
    bound: { atMost: 2.2 },
    detail: `${(signature.length / 1024).toFixed(0)} kB, ${candidates} signatures checked; ${ended}`,
  };
}

export const benchmark: Benchmark = {
  name: 'Hostile files: seconds of processor time, of which up to 1 MiB may cost two',
  async run() {
    const world = await ValidationWorld.open();
    const person = await world.person();
    const own = [person.certificate, ...person.chain];
    // Lists in the authority's name that other keys signed: each list sends the validator through the namesakes.
    const strangers = [await ValidationWorld.open(), await ValidationWorld.open()];
    const lists = [...strangers.map((stranger) => stranger.crl('issuing')), world.crl('root')];
    const others = await namesakes(50, 'ec-p521');
    const files: readonly (readonly [string, Buffer])[] = [
      [
        '50 authorities of one name with P-521 keys, and two lists that other keys signed',
        craftCms(person, { certificates: [...own, ...others], revocations: lists }),
      ],
      ['250 signers with 16 counter-signatures each', manySigners(person, 250, 16)],
      [
        'a thousand lists that are none',
        craftCms(person, { revocations: Array<Buffer>(1000).fill(derSequence(derOctetString(Buffer.alloc(64)))) }),
      ],
      ['90,000 signed attributes', withSignedAttributes(craftCms(person), 90_000)],
      ['indefinite lengths without end', Buffer.alloc(2 ** 20, Buffer.of(0x30, 0x80))],
    ];
    const lines: BenchLine[] = [];
    for (const [what, file] of files) lines.push(await costOf(world, what, file));
    return lines;
  },
};
