import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

const modulePath = import.meta.resolve('../../src/app/instance/small-heap.ts');

/** Makes many short-lived objects and some lasting ones, and prints the largest young generation in bytes. */
const busyProgram = `
  import { getHeapSpaceStatistics } from 'node:v8';
  const { keepHeapSmall } = await import(process.argv[1]);
  if (process.argv[2] === 'small') keepHeapSmall();
  const live = [];
  let most = 0;
  for (let round = 0; round < 200; round++) {
    for (let i = 0; i < 2000; i++) live.push({ i, pair: [i, round], text: 'x' + i + round });
    if (live.length > 100_000) live.splice(0, 50_000);
    await new Promise((resolve) => setImmediate(resolve));
    const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
    most = Math.max(most, young.physical_space_size);
  }
  process.stdout.write(String(most));
`;

function largestYoungGeneration(heap: 'small' | 'usual'): number {
  const words = ['--no-warnings', '--input-type=module', '--eval', busyProgram, modulePath, heap];
  return Number(execFileSync(process.execPath, words, { encoding: 'utf8' }));
}

it("keepHeapSmall keeps the young generation of a busy program below half of V8's default", () => {
  const [small, usual] = [largestYoungGeneration('small'), largestYoungGeneration('usual')];
  expect(small).toBeGreaterThan(0);
  expect(small).toBeLessThan(usual / 2);
});
