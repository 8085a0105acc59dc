/** The short form of `npm run interop` over documents as people bring documents, with a writer of Debian. */
import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostileTwins } from '../../../interop/hostile-twins.ts';
import { peopleFiles } from '../../../interop/people-bases.ts';
import { writeWith } from '../../../oracles/foreign-writers.ts';
import { Workshop } from '../workshop.ts';
import { factsOf } from './contract.ts';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
});
afterAll(() => workshop.close());

const good = async (path: string): Promise<readonly boolean[]> =>
  (await factsOf(path)).signatures.map(({ problem, changesAllowed }) => problem === undefined && changesAllowed);

describe('a document of people', () => {
  it.each(peopleFiles().map(([name, file]) => [name, file] as const))(
    'is signed here, by iText 5 and here again, with no false alarm: %s',
    async (_, file) => {
      const one = await workshop.sign(await workshop.write(file));
      const two = workshop.newPath();
      await writeWith('itext', [{ operation: 'visible', input: one.path, output: two }]);
      expect(await good(two)).toEqual([true, true]);
      const three = await workshop.sign(two);
      expect(await good(three.path)).toEqual([true, true, true]);
      for (const [, hostile] of await hostileTwins(await readFile(three.path), three.path, {})) {
        const twin = workshop.newPath();
        await writeFile(twin, hostile);
        expect((await good(twin)).includes(true)).toBe(false);
      }
    },
  );
});
