import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProgram } from '../../src/app/cli.ts';
import { runProgram } from '../oracles/run-program.ts';
import { manPages } from './man-pages.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-man-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the manual pages', () => {
  it('are one for each command, without a fault for man', async () => {
    const pages = await manPages();
    const { commands } = await createProgram();
    expect(pages.map(({ file }) => file)).toEqual(['sinete.1', ...commands.map((one) => `sinete-${one.name()}.1`)]);
    for (const { file, text } of pages) {
      writeFileSync(join(folder, file), text);
      const words = ['--warnings', '-E', 'UTF-8', '-l', join(folder, file)];
      const shown = await runProgram('man', words, { environment: { MANWIDTH: '100', LC_ALL: 'C.UTF-8' } });
      expect([file, shown.code, shown.errors]).toEqual([file, 0, '']);
      expect(shown.output).toContain('EXIT STATUS');
    }
  });
});
