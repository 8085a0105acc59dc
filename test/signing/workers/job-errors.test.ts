import { describe, expect, it } from 'vitest';
import { toServiceError } from '../../../src/service/errors/index.ts';
import { fromJobError, toJobError } from '../../../src/signing/workers/jobs.ts';

describe('an error on its way between threads', () => {
  it.each([
    ['ENOSPC', 'write', 'STORAGE_FULL'],
    ['EIO', 'fsync', 'STORAGE_UNAVAILABLE'],
    ['EMFILE', 'open', 'BUSY'],
    ['EAGAIN', 'pthread_create', 'BUSY'],
  ])('keeps the code of the operating system, and no path: %s', (code, syscall, expected) => {
    const cause = Object.assign(new Error(`${code}: ${syscall} '/home/ana/secret.pdf'`), { code, syscall });
    const sent = toJobError(new Error('The PDF could not be written.', { cause }));
    expect(JSON.stringify(sent)).not.toContain('secret');
    expect(toServiceError(fromJobError(sent)).code).toBe(expected);
  });

  it('stays unexpected without such a code', () => {
    expect(toServiceError(fromJobError(toJobError(new TypeError('x')))).code).toBe('INTERNAL');
  });
});
