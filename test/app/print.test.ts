import { afterEach, describe, expect, it, vi } from 'vitest';
import { formatTable, printJson, printLine, printNote } from '../../src/app/cli/print.ts';

const name = 'fatura-\u202Efdp.exe\u001B[2J';

/** Collects the text written to a stream during an action. */
function written(stream: 'stdout' | 'stderr', print: () => void): string {
  const texts: unknown[] = [];
  const spy = vi.spyOn(process[stream], 'write').mockImplementation((text) => texts.push(text) > 0);
  print();
  spy.mockRestore();
  return texts.join('');
}

afterEach(() => void vi.restoreAllMocks());

describe('the terminal', () => {
  it('shows unseen characters of names as marks, in lines, remarks and tables', () => {
    const marked = 'fatura-‹U+202E›fdp.exe‹U+001B›[2J';
    expect(written('stdout', () => printLine(name))).toBe(`${marked}\n`);
    expect(written('stderr', () => printNote(name))).toBe(`${marked}\n`);
    expect(formatTable(['Name'], [[name]])).toContain(marked);
  });

  it('keeps line ends, tabs and the spaces of numbers', () => {
    expect(written('stdout', () => printLine('a\n\tb 1\u202F000'))).toBe('a\n\tb 1\u202F000\n');
  });

  it('gives programs every character as it is', () => {
    const text = written('stdout', () => printJson({ name }));
    expect(JSON.parse(text)).toEqual({ name });
  });
});
