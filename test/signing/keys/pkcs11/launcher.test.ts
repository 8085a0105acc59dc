import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { childEnvironment, NodeHostLauncher } from '../../../../src/signing/keys/pkcs11/launcher.ts';

describe('the child process of a driver', () => {
  let folder = '';

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sinete-host-'));
  });
  afterEach(async () => rm(folder, { recursive: true, force: true }));

  it('keeps its compiled code in the folder of its parent process, although killed', async () => {
    vi.stubEnv('NODE_COMPILE_CACHE', folder);
    const child = new NodeHostLauncher().launch(childEnvironment());
    const ended = new Promise<void>((resolve) => child.onExit(() => resolve()));
    try {
      child.send({ version: 1, id: 1, operation: { op: 'binding' } });
      // Node makes a folder for its own version, with a file for each module.
      await expect.poll(async () => (await readdir(folder, { recursive: true })).length).toBeGreaterThan(20);
    } finally {
      child.kill();
      await ended;
    }
  });
});
