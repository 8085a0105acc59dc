import { afterEach, describe, expect, it, vi } from 'vitest';
import { printJson, printLine, printLines, printNote, printTable } from '../../src/app/cli/print.ts';

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
    expect(written('stdout', () => printTable(['Name'], [[name]]))).toContain(marked);
  });

  it('marks line ends and tabs of names, so that no name writes a line of our output', () => {
    const forged = 'X\n1  Valid\tMARIA\r';
    const marked = 'X‹U+000A›1  Valid‹U+0009›MARIA‹U+000D›';
    expect(written('stdout', () => printLine(forged))).toBe(`${marked}\n`);
    expect(written('stderr', () => printNote(forged))).toBe(`${marked}\n`);
    expect(written('stdout', () => printLines([forged, 'b']))).toBe(`${marked}\nb\n`);
    expect(written('stdout', () => printTable(['Name'], [[forged]])).split('\n')).toEqual([
      'Name',
      '─'.repeat(marked.length),
      marked,
      '',
    ]);
  });

  it('gives every column its width, counting accents once', () => {
    const table = written('stdout', () =>
      printTable(
        ['A', 'Name'],
        [
          ['1', 'João'],
          ['22', 'x'],
        ],
      ),
    );
    expect(table).toBe('A   Name\n──  ────\n1   João\n22  x\n');
  });

  it('keeps the spaces of numbers', () => {
    expect(written('stdout', () => printLine('1\u202F000'))).toBe('1\u202F000\n');
  });

  it('gives data for programs the names of the HTTP interface, and leaves keys that are data', () => {
    const at = new Date(0);
    const value = { clientId: 'aB', members: [{ notBefore: at, isTest: null }], byAlias: { 'ANA LIMA': 1, 'a-bC': 2 } };
    expect(JSON.parse(written('stdout', () => printJson(value)))).toEqual({
      client_id: 'aB',
      members: [{ not_before: at.toISOString(), is_test: null }],
      by_alias: { 'ANA LIMA': 1, 'a-bC': 2 },
    });
  });

  it('escapes every control character in data for programs', () => {
    const text = written('stdout', () => printJson({ name: 'a\u007f\u009b2J\u0085b' }));
    expect(text).toContain('a\\u007f\\u009b2J\\u0085b');
    expect(JSON.parse(text)).toEqual({ name: 'a\u007f\u009b2J\u0085b' });
  });

  it('gives programs every character as it is', () => {
    const text = written('stdout', () => printJson({ name }));
    expect(JSON.parse(text)).toEqual({ name });
  });
});
