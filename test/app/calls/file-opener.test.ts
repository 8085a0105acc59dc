import { describe, expect, it } from 'vitest';
import { openerCommand, type OpenerCommand } from '../../../src/app/compose/file-opener.ts';

/** The command of Windows as its programs get it: the words joined, quoted as Node would quote them. */
const shown = ({ program, words }: OpenerCommand): string => [program, ...words].join(' ');

const revealed: readonly (readonly [path: string, words: string])[] = [
  ['C:\\docs\\letter.txt', '/select,"C:\\docs\\letter.txt"'],
  ['C:\\docs\\a,b.pdf', '/select,"C:\\docs\\a,b.pdf"'],
  ['C:\\my docs\\a, b & c.pdf', '/select,"C:\\my docs\\a, b & c.pdf"'],
  ['C:/docs/a,b.pdf', '/select,"C:\\docs\\a,b.pdf"'],
  ['\\\\?\\C:\\docs\\a,b.pdf', '/select,"C:\\docs\\a,b.pdf"'],
  ['\\\\.\\C:\\docs\\a,b.pdf', '/select,"C:\\docs\\a,b.pdf"'],
  ['\\\\server\\share\\a,b.pdf', '/select,"\\\\server\\share\\a,b.pdf"'],
];

describe('openerCommand on Windows', () => {
  it.each(revealed)('reveals %s with its whole path in quotation marks', (path, words) => {
    expect(openerCommand('reveal', path, 'win32')).toEqual({
      program: 'explorer.exe',
      words: [words],
      isVerbatim: true,
      succeedsAt: 'start',
    });
  });

  it('lets no quotation mark of a path end the quoted part', () => {
    const command = openerCommand('reveal', 'C:\\docs\\a" /root,"C:\\b.pdf', 'win32');
    expect(command?.words).toEqual(['"C:\\docs\\a \\root,C:"']);
  });

  it("opens a file by a program of its own: the program's end is the outcome", () => {
    const command = openerCommand('open', 'C:/docs/a, b.pdf', 'win32');
    expect(command).toMatchObject({ program: process.execPath, succeedsAt: 'exit' });
    expect(command?.words[0]).toMatch(/open-on-windows\.ts$/);
    expect(command?.words[1]).toBe('C:\\docs\\a, b.pdf');
    expect(command?.isVerbatim).toBeUndefined();
  });
});

describe('openerCommand elsewhere', () => {
  const path = '/home/maria/a, b.pdf';
  it.each([
    ['linux', 'open', 'xdg-open /home/maria/a, b.pdf'],
    ['linux', 'reveal', 'xdg-open /home/maria'],
    ['darwin', 'open', 'open /home/maria/a, b.pdf'],
    ['darwin', 'reveal', 'open -R /home/maria/a, b.pdf'],
  ] as const)('on %s can %s', (platform, action, expected) => {
    const command = openerCommand(action, path, platform);
    expect(command === undefined ? undefined : shown(command)).toBe(expected);
  });

  it('knows no command on other systems', () => {
    expect(openerCommand('open', path, 'freebsd')).toBeUndefined();
  });
});
