import { beforeEach, describe, expect, it } from 'vitest';
import { DiskRoom, type Room } from '../../../src/service/space/index.ts';

const MB = 1_000_000;

/** A disk and a counter set by tests, and a clock standing still. */
let disk: { free: number; kept: number; awaited: number; time: number; asked: number };

beforeEach(() => {
  disk = { free: 1000 * MB, kept: 0, awaited: 0, time: 0, asked: 0 };
});

function roomOf(parts: { readonly leastFree?: number; readonly quota?: number } = {}): Room {
  return new DiskRoom({
    folder: '/data',
    diskSpace: () => {
      disk.asked += 1;
      return Promise.resolve({ total: 2000 * MB, free: disk.free });
    },
    documents: () => Promise.resolve({ kept: disk.kept, awaited: disk.awaited }),
    leastFree: parts.leastFree ?? 200 * MB,
    quota: parts.quota,
    clock: () => disk.time,
  });
}

const full = { code: 'STORAGE_FULL', retryAfter: 60 };

/** Once the clock has gone on, everything is measured anew. */
const later = (): void => void (disk.time += 1001);

describe('DiskRoom', () => {
  it('gives room until less than the reserve would be left', async () => {
    const room = roomOf();
    await room.take({ bytes: 800 * MB });
    await expect(room.take({ bytes: 1 })).rejects.toMatchObject(full);
    await expect(roomOf().take({ bytes: 800 * MB + 1 })).rejects.toMatchObject(full);
  });

  it('begins nothing on a disk already low, and again as soon as there is room', async () => {
    const room = roomOf();
    disk.free = 200 * MB;
    await expect(room.take({ bytes: 0 })).rejects.toThrow('make room on it');
    disk.free = 900 * MB;
    await expect(room.take({ bytes: 0 })).rejects.toMatchObject(full);
    later();
    await room.take({ bytes: 0 });
  });

  it('takes off the room promised to others, and gives back the unused rest', async () => {
    const room = roomOf();
    const first = await room.take({ bytes: 500 * MB });
    await expect(room.take({ bytes: 400 * MB })).rejects.toMatchObject(full);
    await first.came(100 * MB);
    first.leave();
    first.leave();
    await room.take({ bytes: 400 * MB });
    await expect(room.take({ bytes: 301 * MB })).rejects.toMatchObject(full);
  });

  it('counts bytes once after a later measure of the disk', async () => {
    const room = roomOf();
    const first = await room.take({ bytes: 500 * MB });
    await first.came(300 * MB);
    disk.free -= 300 * MB;
    later();
    await room.take({ bytes: 300 * MB });
    await expect(room.take({ bytes: 1 })).rejects.toMatchObject(full);
    first.leave();
    await room.take({ bytes: 200 * MB });
  });

  it('keeps three quarters of the disk for others against any announcement of a single caller', async () => {
    const room = roomOf();
    for (let count = 0; count < 7; count++) await room.take({ bytes: 500 * MB, caller: 'stalled' });
    await room.take({ bytes: 600 * MB, caller: 'other' });
  });

  it('takes the bytes of a single caller beyond its share, as long as the disk has room', async () => {
    const room = roomOf();
    const { came } = await room.take({ bytes: 700 * MB, caller: 'fast' });
    for (let count = 0; count < 80; count++) await came(10 * MB);
    await expect(came(1)).rejects.toMatchObject(full);
  });

  it('gives the announced bytes of a stalled upload back within seconds, and takes them again with the next byte', async () => {
    const room = roomOf();
    const stalled = await room.take({ bytes: 700 * MB });
    await stalled.came(1);
    await expect(room.take({ bytes: 200 * MB })).rejects.toMatchObject(full);
    disk.time += 5001;
    const other = await room.take({ bytes: 700 * MB });
    await expect(stalled.came(200 * MB)).rejects.toMatchObject(full);
    other.leave();
    await stalled.came(200 * MB);
  });

  it('lets content of unknown length come until there is no more room', async () => {
    const room = roomOf();
    const { came } = await room.take({ bytes: 0 });
    for (let count = 0; count < 80; count++) await came(10 * MB);
    await expect(came(1)).rejects.toMatchObject(full);
  });

  it('keeps room for a result that includes its document', async () => {
    await expect(roomOf().take({ bytes: 401 * MB, copies: 2 })).rejects.toMatchObject(full);
    await roomOf().take({ bytes: 400 * MB, copies: 2 });
  });

  it('holds the room of future results against all requests', async () => {
    const room = roomOf();
    disk.awaited = 700 * MB;
    await expect(room.take({ bytes: 100 * MB + 1 })).rejects.toMatchObject(full);
    disk = { ...disk, awaited: 800 * MB };
    later();
    await expect(room.take({ bytes: 0 })).rejects.toMatchObject(full);
    disk = { ...disk, free: 500 * MB, awaited: 0 };
    later();
    await room.take({ bytes: 300 * MB });
  });

  it('keeps documents within their quota, but not results leaving with their request', async () => {
    const room = roomOf({ quota: 100 * MB });
    disk.kept = 60 * MB;
    await expect(room.take({ bytes: 41 * MB })).rejects.toThrow('95.4 MiB together');
    await room.take({ bytes: 41 * MB, isPassing: true });
    const { came } = await room.take({ bytes: 40 * MB });
    await expect(room.take({ bytes: 0 })).rejects.toMatchObject(full);
    await expect(came(41 * MB)).rejects.toMatchObject(full);
  });

  it('asks the system once a second, however many ask', async () => {
    const room = roomOf();
    await Promise.all(Array.from({ length: 50 }, async () => room.take({ bytes: 1 })));
    expect(disk.asked).toBe(1);
    later();
    await room.view();
    expect(disk.asked).toBe(2);
  });

  it('refuses nobody where the system does not tell the free space', async () => {
    const unknown = {
      folder: '/data',
      diskSpace: () => Promise.reject(new Error('no')),
      leastFree: 1,
      quota: undefined,
    };
    const room = new DiskRoom({ ...unknown, documents: () => Promise.resolve({ kept: 5, awaited: 5 }) });
    await room.take({ bytes: 1e15 });
    expect(await room.view()).toMatchObject({ state: 'enough', free: undefined, kept: 5 });
  });

  it('asks again after the counter could not be read', async () => {
    const failing = [new Error('no')];
    const room = new DiskRoom({
      folder: '/data',
      leastFree: 0,
      quota: undefined,
      clock: () => 0,
      diskSpace: () => Promise.resolve({ total: 10, free: 10 }),
      documents: () => {
        const error = failing.pop();
        return error === undefined ? Promise.resolve({ kept: 0, awaited: 0 }) : Promise.reject(error);
      },
    });
    await expect(room.take({ bytes: 1 })).rejects.toThrow('no');
    await room.take({ bytes: 1 });
  });

  it.each([
    [{ free: 900 * MB, kept: 0 }, 'enough', undefined],
    [{ free: 500 * MB, kept: 0 }, 'scarce', 'disk'],
    [{ free: 200 * MB, kept: 0 }, 'none', 'disk'],
    [{ free: 900 * MB, kept: 0, awaited: 400 * MB }, 'scarce', 'disk'],
    [{ free: 900 * MB, kept: 0, awaited: 700 * MB }, 'none', 'disk'],
    [{ free: 900 * MB, kept: 90 * MB }, 'scarce', 'quota'],
    [{ free: 900 * MB, kept: 100 * MB }, 'none', 'quota'],
    [{ free: 500 * MB, kept: 100 * MB }, 'none', 'quota'],
  ] as const)('with %o is %s because of %s', async (now, state, cause) => {
    disk = { ...disk, ...now };
    expect(await roomOf({ quota: 100 * MB }).view()).toMatchObject({ state, cause, leastFree: 200 * MB });
  });
});
