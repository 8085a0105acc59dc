import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { identifyChannelPeer } from '../../../src/http/peer/socket-credentials.ts';
import { itNeeding } from '../../setup/needs.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-peer-'));
});
afterEach(async () => rm(folder, { recursive: true, force: true }));

const own = process.geteuid?.() ?? 0;
const rights = [
  { mode: 0o700, user: undefined, expected: 'same-user' },
  { mode: 0o710, user: undefined, expected: 'not-told' },
  { mode: 0o701, user: undefined, expected: 'not-told' },
  { mode: 0o755, user: own, expected: 'same-user' },
  { mode: 0o700, user: own + 1, expected: 'other-user' },
] as const;

// Only Linux names the user, or fails to without koffi.
itNeeding('Linux').each(rights)('the caller of a channel is told by its user, else by the folder: %o', async (row) => {
  await chmod(folder, row.mode);
  const peer = await identifyChannelPeer(new Socket(), join(folder, 'channel.sock'), async () =>
    Promise.resolve(row.user),
  );
  expect(peer).toBe(row.expected);
});

it('the caller of a channel whose folder is gone needs a proof', async () => {
  const path = join(folder, 'gone', 'channel.sock');
  expect(await identifyChannelPeer(new Socket(), path, async () => Promise.resolve(undefined))).toBe('not-told');
});
