import { beforeEach, describe, expect, it } from 'vitest';
import { AttemptLimits, placeOfAttempt } from '../../../src/service/users/attempt-limits.ts';
import type { AttemptRecord, AttemptStore } from '../../../src/service/users/accounts.ts';

const ana = '11144477735';
const home = 'address 2001:db8:1:2::5';
const day = 86_400_000;

const records = new Map<string, AttemptRecord>();
/** Number of written and removed records. */
let writes = 0;

/** Records in memory: the simulation makes more attempts than a database stores in a test. */
function memoryStore(): AttemptStore {
  records.clear();
  return {
    update: async (keys, decide) => {
      const { records: after, answer } = decide(keys.map((key) => records.get(key)));
      for (const [index, key] of keys.entries()) {
        const record = after[index];
        if (record === records.get(key)) continue;
        writes += 1;
        if (record === undefined) records.delete(key);
        else {
          expect(Number.isInteger(record.failures)).toBe(true);
          records.set(key, record);
        }
      }
      return Promise.resolve(answer);
    },
    pausedAt: async (time) => {
      const all = [...records].map(([key, record]) => ({ ...record, key }));
      return Promise.resolve(all.filter(({ blockedUntil }) => blockedUntil !== null && blockedUntil > time));
    },
    forgetBefore: async (time) => {
      for (const [key, { lastAt }] of records) if (lastAt < time) records.delete(key);
      return Promise.resolve();
    },
  };
}

let strangers = 0;
let now: Date;
let limits: AttemptLimits;
beforeEach(() => {
  now = new Date('2026-03-01T12:00:00Z');
  strangers = 0;
  limits = new AttemptLimits(memoryStore(), () => now);
});

const pass = (milliseconds: number): void => {
  now = new Date(now.getTime() + milliseconds);
};

/** True if the guess was compared with the secret. */
const guess = async (origin: string, subject = ana): Promise<boolean> =>
  limits.begin({ subject, origin }).then(
    () => true,
    () => false,
  );

const succeed = async (origin: string): Promise<void> => (await limits.begin({ subject: ana, origin })).succeeded();

describe('one administrator', () => {
  it('is kept out by guesses from the same address alone', async () => {
    for (let count = 0; count < 10; count += 1) await limits.begin({ administratorFrom: '192.0.2.1' });
    await expect(limits.expectNoPause({ administratorFrom: '192.0.2.1' })).rejects.toMatchObject({ retryAfter: 30 });
    await limits.expectNoPause({ administratorFrom: '192.0.2.2' });
  });
});

describe('the list of pauses', () => {
  const known = { people: [ana], applications: ['crm'] };
  const reach = async () => (await limits.paused(known)).map((pause) => [pause.kind, pause.name, pause.reach]);

  it('is empty before the last free failure, and names a person with the end of the pause', async () => {
    for (let count = 0; count < 4; count += 1) await guess(home);
    expect(await limits.paused(known)).toEqual([]);
    await guess(home);
    const until = new Date(now.getTime() + 30_000);
    expect(await limits.paused(known)).toEqual([{ kind: 'person', name: ana, reach: 'address', until }]);
    pass(30_000);
    expect(await limits.paused(known)).toEqual([]);
  });

  it('tells applications, administrators, addresses and unknown people apart', async () => {
    for (let count = 0; count < 5; count += 1) {
      await limits.begin({ clientId: 'crm', origin: home });
      await guess(home, 'somebody else');
    }
    for (let count = 0; count < 10; count += 1) await limits.begin({ administratorFrom: '203.0.113.9' });
    for (let count = 0; count < 50; count += 1) await limits.begin({ unknownClientFrom: 'address 203.0.113.9' });
    expect(await reach()).toEqual([
      ['application', 'crm', 'address'],
      ['person', null, 'address'],
      ['administrator', null, 'address'],
      ['address', null, 'address'],
    ]);
  });

  it('tells of a person paused for all unknown addresses', async () => {
    for (let count = 0; count < 100; count += 1) await guess(`address 203.0.113.${count}`);
    expect(await reach()).toEqual([['person', ana, 'unknown-addresses']]);
  });
});

describe('the place of an attempt', () => {
  it.each([
    ['address 2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['address 2001:db8::7', '2001:db8:0:0::/64'],
    ['address ::7', '0:0:0:0::/64'],
    ['address 2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['address 2001:db8:1:2::3:4', '2001:db8:1:2::/64'],
    ['address 2001:db8::2:3:4:5:6', '2001:db8:0:2::/64'],
    ['address 0:00:0a::', '0:0:a:0::/64'],
    ['address 203.0.113.9', 'address 203.0.113.9'],
    ['program 2001:db8::7', 'program 2001:db8::7'],
    ['window', 'window'],
    ['https://a.example', 'https://a.example'],
  ])('of %s is %s', (origin, place) => {
    expect(placeOfAttempt(origin)).toBe(place);
  });

  it('is one for a /64, another for its neighbour, and sixteen neighbours of a /56 count as one more', async () => {
    for (let count = 0; count < 5; count += 1) await guess(`address 2001:db8:1:200::${count}`);
    expect(await guess('address 2001:db8:1:200::99')).toBe(false);
    for (let network = 1; network < 16; network += 1) {
      for (let count = 0; count < 5; count += 1) {
        expect(await guess(`address 2001:db8:1:${(0x200 + network).toString(16)}::${count}`)).toBe(true);
      }
    }
    expect(await guess('address 2001:db8:1:2ff::1')).toBe(false);
    expect(await guess('address 2001:db8:1:300::1')).toBe(true);
  });

  it('of an unknown application counts by its /64 and by its /56', async () => {
    const unknown = async (from: string) =>
      limits.begin({ unknownClientFrom: from }).then(
        () => true,
        () => false,
      );
    for (let count = 0; count < 50; count += 1) await unknown(`address 2001:db8:1:2${(count % 16).toString(16)}::1`);
    expect(await unknown('address 2001:db8:1:2f::2')).toBe(false);
    expect(await unknown('address 2001:db8:1:12f::2')).toBe(true);
  });
});

describe('a success', () => {
  it('gives back its own attempt at every count, and the failures of its pair', async () => {
    for (let count = 0; count < 4; count += 1) await guess(home);
    await succeed(home);
    for (let count = 0; count < 5; count += 1) expect(await guess(home)).toBe(true);
    expect(await guess(home)).toBe(false);
  });

  it('is no failure of its address, however many people prove themselves there', async () => {
    for (let count = 0; count < 60; count += 1) {
      await (await limits.begin({ subject: `person ${count}`, origin: 'address 203.0.113.9' })).succeeded();
    }
    for (let count = 0; count < 50; count += 1) expect(await guess('address 203.0.113.9', `other ${count}`)).toBe(true);
    expect(await guess('address 203.0.113.9', 'one more')).toBe(false);
  });

  it('is no failure of its person: a hundred guesses are left to strangers', async () => {
    for (let count = 0; count < 98; count += 1) await guess(`address 203.0.113.${count}`);
    await succeed('address 198.51.100.1');
    expect(await guess('address 198.51.100.2')).toBe(true);
    expect(await guess('address 198.51.100.3')).toBe(true);
    expect(await guess('address 198.51.100.4')).toBe(false);
  });

  it('leaves nothing behind but the known address, also after a day without an answer', async () => {
    const attempt = await limits.begin({ subject: ana, origin: home });
    pass(day + 1);
    await guess('address 192.0.2.1', 'somebody else');
    records.clear();
    await attempt.succeeded();
    expect([...records].map(([key, { failures }]) => [key.split(':')[0], failures])).toEqual([['known', 0]]);
    records.clear();
    await succeed(home);
    expect([...records.keys()].map((key) => key.split(':')[0])).toEqual(['known']);
  });

  it('of an application or an administrator resets no count of others', async () => {
    for (let count = 0; count < 9; count += 1) await limits.begin({ administratorFrom: 'a' });
    await (await limits.begin({ administratorFrom: 'a' })).succeeded();
    await limits.begin({ administratorFrom: 'a' });
    await expect(limits.begin({ administratorFrom: 'a' })).rejects.toMatchObject({ retryAfter: 30 });
    await limits.begin({ administratorFrom: 'b' });
  });
});

/** Guesses at one moment, each from another address; answers how many were compared with the secret. */
async function guessesOfStrangers(count: number, subject = ana): Promise<number> {
  let tried = 0;
  for (let one = 0; one < count; one += 1) {
    if (await guess(`address 198.51.${100 + (strangers >> 8)}.${strangers & 255}`, subject)) tried += 1;
    strangers += 1;
  }
  return tried;
}

describe('a person whom strangers tried to guess', () => {
  it('is guessed a hundred times, and once more after each hundredth of a day, to the millisecond', async () => {
    expect(await guessesOfStrangers(101)).toBe(100);
    pass(863_999);
    expect(await guessesOfStrangers(1)).toBe(0);
    pass(1);
    expect(await guessesOfStrangers(2)).toBe(1);
    pass(863_999);
    expect(await guessesOfStrangers(1)).toBe(0);
    pass(day);
    expect(await guessesOfStrangers(102)).toBe(100);
  });

  it('is known at an address for 90 days after a success there, to the millisecond', async () => {
    await succeed(home);
    pass(90 * day - 1);
    await guessesOfStrangers(101);
    expect(await guess(home)).toBe(true);
    pass(1);
    expect(await guess(home)).toBe(false);
  });

  it('costs strangers no guess by wrong passwords at a known address, and gives them none by right ones', async () => {
    await succeed(home);
    for (let count = 0; count < 3; count += 1) await guess(home);
    expect(await guessesOfStrangers(101)).toBe(100);
    for (let count = 0; count < 3; count += 1) await succeed(home);
    expect(await guessesOfStrangers(5)).toBe(0);
    await succeed(home);
  });

  it('is kept out of a known address by no neighbour, and by nobody who tries other people there', async () => {
    await succeed(home);
    for (let network = 0x10; network < 0x1f; network += 1) {
      for (let count = 0; count < 6; count += 1) await guess(`address 2001:db8:1:${network.toString(16)}::1`);
    }
    for (let count = 0; count < 6; count += 1) await guess('address 2001:db8:1:3::1');
    expect(await guess('address 2001:db8:1:4::1')).toBe(false);
    for (let count = 0; count < 50; count += 1) await guess(home, `other ${count}`);
    expect(await guess(home, 'one more')).toBe(false);
    await succeed(home);
    for (let count = 0; count < 4; count += 1) expect(await guess(home)).toBe(true);
  });
});

describe('an application', () => {
  const wrong = async (origin: string) =>
    limits.begin({ clientId: 'crm', origin }).then(
      () => true,
      () => false,
    );

  it('is kept out of no address by guesses from however many others', async () => {
    for (let count = 0; count < 300; count += 1) await wrong(`address 198.51.${100 + (count >> 8)}.${count & 255}`);
    expect(await wrong('address 203.0.113.1')).toBe(true);
  });

  it('has no known addresses: its success lets neighbours guess no longer', async () => {
    await (await limits.begin({ clientId: 'crm', origin: home })).succeeded();
    expect([...records.keys()]).toEqual([]);
    let tried = 0;
    for (let network = 0x10; network < 0x30; network += 1) {
      for (let count = 0; count < 5; count += 1) {
        if (await wrong(`address 2001:db8:1:${network.toString(16)}::1`)) tried += 1;
      }
    }
    expect(tried).toBe(80);
  });
});

describe('a look at a pause', () => {
  it('is refused with the rest of the pause, and counts nothing', async () => {
    const attempt = { administratorFrom: 'a' } as const;
    for (let count = 0; count < 20; count += 1) await limits.expectNoPause(attempt);
    for (let count = 0; count < 10; count += 1) await limits.begin(attempt);
    pass(29_500);
    await expect(limits.expectNoPause(attempt)).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS', retryAfter: 1 });
    pass(500);
    await limits.expectNoPause(attempt);
  });

  it('writes nothing, as a refused attempt', async () => {
    for (let count = 0; count < 5; count += 1) await guess(home);
    writes = 0;
    expect(await guess(home)).toBe(false);
    await expect(limits.expectNoPause({ subject: ana, origin: home })).rejects.toThrow('30 seconds');
    expect(writes).toBe(0);
  });

  it('begins anew when the last failure is a day old', async () => {
    for (let count = 0; count < 4; count += 1) await guess(home);
    pass(day);
    for (let count = 0; count < 5; count += 1) expect(await guess(home)).toBe(true);
    pass(day - 1);
    expect(await guess(home)).toBe(true);
    expect(await guess(home)).toBe(false);
  });

  it('is shorter by the error of a clock that was ahead', async () => {
    pass(day);
    for (let count = 0; count < 5; count += 1) await guess(home);
    pass(-day);
    await expect(limits.begin({ subject: ana, origin: home })).rejects.toMatchObject({ retryAfter: 30 });
    pass(30_000);
    expect(await guess(home)).toBe(true);
  });
});

describe('a simulated attacker with 10,000 addresses', () => {
  /** The guesses of one day, from one address after the other. */
  async function attackForADay(): Promise<number> {
    let tried = 0;
    for (let round = 0; round < 10_000; round += 1) {
      if (await guess(`address 10.${round >> 8}.${round & 255}.1`)) tried += 1;
      pass(day / 10_000);
    }
    return tried;
  }

  it('has at most 200 guesses at a person on the first day, and 101 on each other day', async () => {
    const [first, second, third] = [await attackForADay(), await attackForADay(), await attackForADay()];
    expect(first).toBeGreaterThanOrEqual(100);
    expect(first).toBeLessThanOrEqual(200);
    expect(Math.max(second, third)).toBeLessThanOrEqual(101);
  });

  it('keeps the person out of no address with an earlier success, and of all others', async () => {
    await succeed(home);
    await attackForADay();
    await guess('address 192.0.2.77');
    expect(await guess('address 192.0.2.78')).toBe(false);
    await succeed('address 2001:db8:1:2:ffff::1');
    await succeed(home);
  });

  it('keeps nobody else out', async () => {
    await attackForADay();
    expect(await guess('address 192.0.2.77', '52998224725')).toBe(true);
  });

  it('has five guesses in a row at the address of the person, and then an hour for each', async () => {
    await succeed(home);
    let tried = 0;
    for (let minute = 0; minute < 24 * 60; minute += 1) {
      if (await guess(home)) tried += 1;
      pass(60_000);
    }
    expect(tried).toBeLessThanOrEqual(5 + 7 + 24);
  });
});
