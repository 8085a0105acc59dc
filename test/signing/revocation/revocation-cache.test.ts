/** Revocation data: kept, fetched once at a time, and requested anew. */
import { describe, expect, it, vi } from 'vitest';
import { budgetFor, spend, withBudget } from '../../../src/signing/budget/budget.ts';
import { createMemoryRevocationCache, SigningError } from '../../../src/signing/index.ts';
import {
  CachedLoader,
  SizedTable,
  cacheKeyText,
  type LoadedData,
  type RevocationCacheKey,
} from '../../../src/signing/revocation/cache/revocation-cache.ts';
import { ProblemError } from '../../../src/signing/revocation/revocation-result.ts';

const now = new Date('2026-03-01T12:00:00Z');
const later = (milliseconds: number): Date => new Date(now.getTime() + milliseconds);
const HOUR = 3_600_000;
const key: RevocationCacheKey = { issuerKey: 'a', kind: 'crl', locator: 'http://a.test/l' };
const data = (text: string, freshUntil: Date = later(HOUR)): LoadedData => ({
  kind: 'data',
  der: Buffer.from(text),
  freshUntil,
});
const textOf = ({ der }: LoadedData): string => der.toString();

describe('SizedTable', () => {
  it('drops the least recently used value', () => {
    const table = new SizedTable<string>(3);
    for (const name of ['a', 'b', 'c']) table.set(name, name, 1);
    table.get('a');
    table.set('d', 'd', 1);
    expect(['a', 'b', 'c', 'd'].map((name) => table.get(name))).toEqual(['a', undefined, 'c', 'd']);
  });

  it('keeps up to its limit, and drops as many as it has to', () => {
    const table = new SizedTable<string>(3);
    table.set('a', 'a', 1);
    table.set('b', 'b', 2);
    expect([table.get('a'), table.get('b')]).toEqual(['a', 'b']);
    table.set('c', 'c', 3);
    expect(['a', 'b', 'c'].map((name) => table.get(name))).toEqual([undefined, undefined, 'c']);
    table.set('d', 'd', 4);
    expect([table.get('c'), table.get('d')]).toEqual(['c', undefined]);
  });

  it('counts a value once when set again or deleted', () => {
    const table = new SizedTable<string>(3);
    for (const value of ['x', 'y', 'z']) table.set('a', value, 2);
    table.set('b', 'b', 1);
    expect([table.get('a'), table.get('b')]).toEqual(['z', 'b']);
    table.delete('a');
    table.delete('nothing');
    table.set('c', 'c', 2);
    expect(['a', 'b', 'c'].map((name) => table.get(name))).toEqual([undefined, 'b', 'c']);
  });

  it('forgets a value that comes back too heavy', () => {
    const table = new SizedTable<string>(3);
    table.set('a', 'a', 1);
    table.set('a', 'b', 4);
    expect(table.get('a')).toBeUndefined();
  });
});

describe('a cache in memory', () => {
  it('answers with an entry of the same key until it is stale', async () => {
    let clock = now;
    const cache = createMemoryRevocationCache({ now: () => clock });
    await cache.put(key, data('list'));
    const others = [
      { ...key, issuerKey: 'b' },
      { ...key, kind: 'ocsp' as const },
      { ...key, locator: 'x' },
    ];
    for (const other of others) expect(await cache.get(other)).toBeUndefined();
    expect(new Set([key, ...others].map(cacheKeyText)).size).toBe(4);
    clock = later(HOUR - 1);
    expect(await cache.get(key)).toMatchObject({ der: Buffer.from('list') });
    clock = later(HOUR);
    expect(await cache.get(key)).toBeUndefined();
    clock = now;
    expect(await cache.get(key)).toBeUndefined();
  });

  it('counts the index beside the data, the words of a failure, and something for the entry itself', async () => {
    const kept = async (
      maxBytes: number,
      entry: Parameters<ReturnType<typeof createMemoryRevocationCache>['put']>[1],
    ) => {
      const cache = createMemoryRevocationCache({ maxBytes, now: () => now });
      await cache.put(key, entry);
      return (await cache.get(key)) !== undefined;
    };
    const list = { ...data('12345'), index: Buffer.alloc(10) };
    expect([await kept(527, list), await kept(526, list)]).toEqual([true, false]);
    const plain = data('12345');
    expect([await kept(517, plain), await kept(516, plain)]).toEqual([true, false]);
    const failure = { kind: 'failure', code: 'UNREACHABLE', sentence: '1234567', freshUntil: later(1) } as const;
    expect([await kept(519, failure), await kept(518, failure)]).toEqual([true, false]);
  });

  it('has room for 128 MiB, and a clock of its own', async () => {
    const cache = createMemoryRevocationCache();
    await cache.put(key, data('list', new Date(Date.now() + HOUR)));
    expect(await cache.get(key)).toBeDefined();
    await cache.put(key, data('list', new Date(Date.now() - HOUR)));
    expect(await cache.get(key)).toBeUndefined();
  });
});

function setUp() {
  let clock = now;
  const time = (): Date => clock;
  const cache = createMemoryRevocationCache({ now: time });
  const asked: string[] = [];
  const answer = (text: string, freshUntil?: Date) => (): Promise<LoadedData> => {
    asked.push(text);
    return Promise.resolve(data(text, freshUntil));
  };
  const failing = (error: Error) => (): Promise<LoadedData> => {
    asked.push('failing');
    return Promise.reject(error);
  };
  return {
    cache,
    loader: new CachedLoader(cache, time),
    asked,
    answer,
    failing,
    setClock: (date: Date) => (clock = date),
  };
}
const UNREACHABLE = new SigningError('NETWORK_UNREACHABLE', 'No answer.');

describe('CachedLoader.load', () => {
  it('fetches once, for callers at the same time and later', async () => {
    const { loader, asked, answer } = setUp();
    const all = await Promise.all([loader.load(key, answer('one')), loader.load(key, answer('two'))]);
    expect(all.map(textOf)).toEqual(['one', 'one']);
    expect(textOf(await loader.load(key, answer('three')))).toBe('one');
    expect(textOf(await loader.load({ ...key, locator: 'x' }, answer('four')))).toBe('four');
    expect(asked).toEqual(['one', 'four']);
    expect(await loader.peek(key)).toMatchObject({ kind: 'data' });
    expect(await loader.peek({ ...key, locator: 'y' })).toBeUndefined();
  });

  it('fetches each time without a cache, and once for callers at the same time', async () => {
    const { asked, answer, failing } = setUp();
    const loader = new CachedLoader(undefined, () => now);
    await Promise.all([loader.load(key, answer('one')), loader.load(key, answer('two'))]);
    expect(textOf(await loader.load(key, answer('three')))).toBe('three');
    await expect(loader.load(key, failing(UNREACHABLE))).rejects.toBe(UNREACHABLE);
    expect(asked).toEqual(['one', 'three', 'failing']);
    expect(await loader.peek(key)).toBeUndefined();
  });

  it('keeps data that is stale on arrival for a minute', async () => {
    const { loader, asked, answer, setClock } = setUp();
    await loader.load(key, answer('old', later(-HOUR)));
    setClock(later(59_999));
    expect(textOf(await loader.load(key, answer('two')))).toBe('old');
    setClock(later(60_000));
    expect(textOf(await loader.load(key, answer('three')))).toBe('three');
    expect(asked).toEqual(['old', 'three']);
  });

  it('remembers a failure with its problem', async () => {
    const { loader, asked, answer, failing } = setUp();
    await expect(loader.load(key, failing(UNREACHABLE))).rejects.toBe(UNREACHABLE);
    const again = loader.load(key, answer('one'));
    await expect(again).rejects.toBeInstanceOf(ProblemError);
    await expect(again).rejects.toMatchObject({ problem: { code: 'UNREACHABLE', sentence: 'No answer.' } });
    expect(asked).toEqual(['failing']);
  });

  it.each([
    ['quick', 0, 5000],
    ['of a second', 1000, 6000],
    ['long', 20_000, 60_000],
  ])('forgets a %s failure in time', async (_, took, lifetime) => {
    const { loader, answer, failing, setClock } = setUp();
    const clock = vi
      .spyOn(performance, 'now')
      .mockReturnValueOnce(100)
      .mockReturnValueOnce(100 + took);
    await expect(loader.load(key, failing(UNREACHABLE))).rejects.toThrow();
    clock.mockRestore();
    setClock(later(lifetime - 1));
    await expect(loader.load(key, answer('one'))).rejects.toThrow();
    setClock(later(lifetime));
    expect(textOf(await loader.load(key, answer('two')))).toBe('two');
  });

  it('asks again when a failure was remembered while the clock was ahead', async () => {
    const { loader, answer, failing, setClock } = setUp();
    setClock(later(HOUR));
    await expect(loader.load(key, failing(UNREACHABLE))).rejects.toThrow();
    setClock(now);
    expect(textOf(await loader.load(key, answer('one')))).toBe('one');
  });

  it('does not remember that a call was cancelled, or another error', async () => {
    for (const error of [new SigningError('CANCELLED', 'The work was cancelled.'), new TypeError('x')]) {
      const { loader, answer, failing } = setUp();
      await expect(loader.load(key, failing(error))).rejects.toBe(error);
      expect(textOf(await loader.load(key, answer('one')))).toBe('one');
    }
  });

  it.each([
    ['that reports the limit', (limit: unknown) => limit],
    ['that hides the limit behind another error', () => new SigningError('SIGNATURE_INVALID', 'Nobody signed this.')],
  ])(
    'does not remember for other inputs a failure at a limit of a single input, with a reader %s',
    async (_, errorOf) => {
      const { loader, cache, answer } = setUp();
      const tooMuch = async (): Promise<LoadedData> => {
        try {
          spend('objects', 10);
        } catch (limit) {
          throw errorOf(limit);
        }
        return Promise.resolve(data('never'));
      };
      const limits = { ...budgetFor(0), objects: 3 };
      await expect(withBudget(limits, () => loader.load(key, tooMuch))).rejects.toMatchObject({
        code: 'LIMIT_EXCEEDED',
      });
      expect(await cache.get(key)).toBeUndefined();
      expect(textOf(await loader.load(key, answer('one')))).toBe('one');
    },
  );

  it('ends at once for a caller who is cancelled, and goes on for the others', async () => {
    const { loader, asked } = setUp();
    const { promise, resolve } = Promise.withResolvers<LoadedData>();
    const produce = (): Promise<LoadedData> => {
      asked.push('one');
      return promise;
    };
    const controller = new AbortController();
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    const cancelled = loader.load(key, produce, controller.signal);
    const patient = loader.load(key, produce, new AbortController().signal);
    controller.abort('enough');
    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED', cause: 'enough' });
    await expect(loader.load(key, produce, AbortSignal.abort('before'))).rejects.toMatchObject({
      code: 'CANCELLED',
      cause: 'before',
    });
    resolve(data('one'));
    expect(textOf(await patient)).toBe('one');
    expect(asked).toEqual(['one']);
    expect(removed).toHaveBeenCalledOnce();
  });
});

describe('a failure without a waiting caller', () => {
  it('is no unhandled rejection', async () => {
    const { loader, failing } = setUp();
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const gone = AbortSignal.abort();
    await expect(loader.load(key, failing(UNREACHABLE), gone)).rejects.toMatchObject({ code: 'CANCELLED' });
    await expect(loader.refresh(key, failing(UNREACHABLE), { pause: 1 }, gone)).rejects.toMatchObject({
      code: 'CANCELLED',
    });
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe('CachedLoader.refresh', () => {
  const terms = { pause: 60_000 };

  it('asks although there is data, and again after the pause only', async () => {
    const { loader, asked, answer, setClock } = setUp();
    await loader.load(key, answer('one'));
    expect(textOf(await loader.refresh(key, answer('two'), terms))).toBe('two');
    expect(textOf(await loader.load(key, answer('x')))).toBe('two');
    setClock(later(59_999));
    expect(textOf(await loader.refresh(key, answer('three'), terms))).toBe('two');
    setClock(later(60_000));
    expect(textOf(await loader.refresh(key, answer('four'), terms))).toBe('four');
    expect(asked).toEqual(['one', 'two', 'four']);
  });

  it('asks at once for a question that is newer than the last answer', async () => {
    const { loader, answer, setClock } = setUp();
    await loader.refresh(key, answer('one'), terms);
    setClock(later(1000));
    expect(textOf(await loader.refresh(key, answer('two'), { ...terms, newerThan: now }))).toBe('one');
    expect(textOf(await loader.refresh(key, answer('three'), { ...terms, newerThan: later(1) }))).toBe('three');
  });

  it('asks once for callers at the same time, and each key by itself', async () => {
    const { loader, asked, answer } = setUp();
    const other = { ...key, locator: 'x' };
    const all = await Promise.all([
      loader.refresh(key, answer('one'), { ...terms, newerThan: later(5) }),
      loader.refresh(key, answer('two'), { ...terms, newerThan: later(5) }),
      loader.refresh(other, answer('three'), terms),
    ]);
    expect(all.map(textOf)).toEqual(['one', 'one', 'three']);
    expect(asked).toEqual(['one', 'three']);
  });

  it('leaves the data in place when nobody answers, and asks again afterwards', async () => {
    const { loader, answer, failing, setClock } = setUp();
    await loader.load(key, answer('one'));
    await expect(loader.refresh(key, failing(UNREACHABLE), terms)).rejects.toBe(UNREACHABLE);
    expect(textOf(await loader.refresh(key, answer('two'), terms))).toBe('one');
    setClock(later(60_000));
    expect(textOf(await loader.refresh(key, answer('three'), terms))).toBe('three');
  });

  it('ends for a caller who is cancelled', async () => {
    const { loader, answer } = setUp();
    const cancelled = loader.refresh(key, answer('one'), terms, AbortSignal.abort());
    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});
