import { describe, expect, it } from 'vitest';
import { soakDocuments } from './documents.ts';

/** Threads reading PDFs are started on demand, and stay: open files of all threads. */
const THREADS = 24;

describe('npm run soak -- documents, in short', () => {
  it('signs the requested documents, tells of each, leaves no file open, and ends well', async () => {
    const { signed, failed, notified, descriptors, exitCode } = await soakDocuments(200, 1);
    expect(signed + failed).toBeGreaterThanOrEqual(200);
    expect(notified).toBeGreaterThan(0);
    expect(descriptors.end).toBeLessThanOrEqual(descriptors.early + THREADS);
    expect(exitCode).toBe(0);
  }, 300_000);
});
