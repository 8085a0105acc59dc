import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endlessDrawings, hiddenAmounts, plainDrawings, type HiddenAmount } from './hidden-amounts.ts';
import { judgePreview, summaryOf, type PreviewVerdict } from './judge-preview.ts';
import { openStage, type PreviewStage } from './open-stage.ts';

const folder = mkdtempSync(join(tmpdir(), 'sinete-preview-'));
let stage: PreviewStage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true });
});

const judge = async ({ name, content }: HiddenAmount): Promise<PreviewVerdict> => {
  const path = join(folder, `${name}.pdf`);
  writeFileSync(path, content);
  return judgePreview(stage, path);
};
const rows = (list: readonly HiddenAmount[]): readonly (readonly [string, HiddenAmount])[] =>
  list.map((one) => [one.name, one]);

describe('the preview of a PDF', () => {
  it.each(rows(hiddenAmounts))('shows %s as other programs do, or tells a concern', async (name, drawing) => {
    const { state, concerns } = await judge(drawing);
    expect(state).not.toBe('silent');
    // The predefined CMaps are part of the window, so there is nothing to tell.
    if (!name.includes('CMap')) expect(concerns).not.toEqual([]);
  });

  it.each(rows(plainDrawings))('has no concern about %s', async (_, drawing) => {
    const { state, concerns } = await judge(drawing);
    expect(['alike', 'other fonts']).toContain(state);
    expect(concerns).toEqual([]);
  });

  it.each(rows(endlessDrawings))('declines to show %s', async (_, drawing) => {
    const { concerns } = await judge(drawing);
    expect(concerns).toEqual(['page 1: too-slow']);
  });
});

describe('the judgement of a preview', () => {
  it('counts false alarms among the files that all programs draw alike', () => {
    const verdict = (state: PreviewVerdict['state']): PreviewVerdict => ({ path: '', state, concerns: [], differences: [] }); // prettier-ignore
    const { counts, falseShare } = summaryOf(['alike', 'alike', 'alike', 'false alarm', 'told', 'other fonts'].map((state) => verdict(state as PreviewVerdict['state']))); // prettier-ignore
    expect(counts).toMatchObject({ alike: 3, 'false alarm': 1, silent: 0 });
    expect(falseShare).toBe(0.25);
  });
});
