import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeWorkplace, runSinete, type CommandOutcome, type Workplace } from './run-sinete.ts';

const HOUR = 3_600_000;
let place: Workplace;

beforeEach(async () => {
  place = await makeWorkplace();
});
afterEach(async () => place.remove());

const clock = async (...words: readonly string[]): Promise<CommandOutcome> => runSinete(place, ['clock', ...words]);
const shown = async (): Promise<unknown> => JSON.parse((await clock('--json')).stdout);

describe('sinete clock', () => {
  it('tells of a doubted clock, and believes the clock again at the word of a person, kept in the audit log', async () => {
    const note = { seen: Date.now() - 24 * HOUR, doubted: false };
    await writeFile(join(place.data, 'clock.json'), JSON.stringify(note));
    expect((await clock()).stdout).toMatch(/doubted: expired documents are kept.*sinete clock accept/);
    expect(await clock('accept')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/compare .* --yes/) as string,
    });
    expect(await shown()).toMatchObject({ doubted: true, accepted: null });
    expect(await clock('accept', '--yes')).toMatchObject({ code: 0 });
    expect(await shown()).toMatchObject({ doubted: false, accepted: expect.any(String) as string });
    const log = await runSinete(place, ['audit', '--json']);
    expect(log.stdout).toContain('clock-accepted');
  });
});
