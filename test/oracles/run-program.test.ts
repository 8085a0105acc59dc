import { describe, expect, it } from 'vitest';
import { runNode } from './run-program.ts';

describe('a program run by a test', () => {
  it('gives its output, in its folder and with its environment', async () => {
    const script = 'process.stdout.write(`é ${process.cwd()} ${process.env.WORD}`)';
    expect(await runNode(['-e', script], { folder: '/', environment: { WORD: 'one' } })).toBe('é / one');
  });

  it('is told with its exit code and its errors on failure', async () => {
    await expect(runNode(['-e', 'console.error("no paper"); process.exit(3)'])).rejects.toThrow(
      /^-e ended with 3: no paper/,
    );
  });

  it('is ended at its time limit', async () => {
    await expect(runNode(['-e', 'setInterval(() => undefined, 1000)'], { limit: 500 })).rejects.toThrow(
      '-e ended with a signal: ',
    );
  });

  it('is refused with a parameter impossible for programs, and the next program runs', async () => {
    await expect(runNode(['-p', 'a\0b'])).rejects.toThrow('null bytes');
    expect(await runNode(['-p', '1 + 1'])).toBe('2\n');
  });
});
