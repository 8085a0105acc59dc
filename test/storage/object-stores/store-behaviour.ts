/** Behaviour common to all stores, for any server behind them. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src/service/errors/index.ts';
import type { ObjectAddress } from '../../../src/service/stores/index.ts';
import type { OpenObjectStore } from '../../../src/storage/object-stores/index.ts';
import { failure, patientStoresOf, readAll, useFiles } from './store-tools.ts';

/** A server with a store inside, and the owner's name of the store. */
export interface BehavedServer {
  readonly kind: OpenObjectStore['kind'];
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  readonly store: (changes?: Partial<OpenObjectStore>) => OpenObjectStore;
}

/** Declares the tests. */
export function describeStore(name: string, { kind, bucket, prefix, store }: BehavedServer): void {
  const fileOf = useFiles();
  describe(name, () => {
    const at = (name: string): ObjectAddress => ({ kind, bucket, key: `${prefix}${name}` });

    it.each([
      ['an empty one', 0],
      ['a short one', 300_000],
      ['one that goes in parts', 17 * 2 ** 20 + 5],
    ])('gives back the same bytes: %s', async (name, size) => {
      const stores = patientStoresOf(store());
      const content = randomBytes(size);
      const address = at(`folder/ação ${name} a+b&c.pdf`);
      const file = await fileOf(content, `${kind}-${size}`);
      await stores.write(address, file);
      expect((await readAll(stores, address)).equals(content)).toBe(true);
      expect(await stores.holds(address, file.size, file.checksum)).toBe(true);
      await stores.close();
    });

    it('never replaces an object, not even by another of the same length', async () => {
      const stores = patientStoresOf(store());
      const address = at('there.pdf');
      const first = randomBytes(1000);
      await stores.write(address, await fileOf(first, `${kind}-first`));
      const second = await fileOf(randomBytes(1000), `${kind}-second`);
      expect((await failure(stores.expectFree(address))).code).toBe('DESTINATION_EXISTS');
      expect((await failure(stores.write(address, second))).code).toBe('DESTINATION_EXISTS');
      expect((await readAll(stores, address)).equals(first)).toBe(true);
      expect(await stores.holds(address, second.size, second.checksum)).toBe(false);
    });

    it('lets one of two simultaneous writers to an address win', async () => {
      const stores = patientStoresOf(store());
      const files = [await fileOf(randomBytes(2000), `${kind}-a`), await fileOf(randomBytes(2000), `${kind}-b`)];
      const outcomes = await Promise.allSettled(files.map(async (file) => stores.write(at('race.pdf'), file)));
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    });

    it('replaces where its owner says so', async () => {
      const stores = patientStoresOf(store({ overwrite: true }));
      const address = at('again.pdf');
      const content = randomBytes(700);
      await stores.write(address, await fileOf(randomBytes(1000), `${kind}-before`));
      await stores.write(address, await fileOf(content, `${kind}-after`));
      expect((await readAll(stores, address)).equals(content)).toBe(true);
    });

    it('lists every object below a prefix with its time, and none beside the prefix', async () => {
      const stores = patientStoresOf(store());
      const names = ['listed/a.pdf', 'listed/b/ç d+e.pdf', 'listed/c.pdf', 'listed/z.pdf'];
      for (const name of [...names, 'listed-not.pdf']) await stores.write(at(name), await fileOf(randomBytes(9), name));
      const listed = await stores.list(at('listed/'));
      expect(listed.map(({ key }) => key).sort()).toEqual(names.map((name) => prefix + name).sort());
      expect(listed.map(({ modified }) => modified.getFullYear() >= 2026)).toEqual(names.map(() => true));
      expect(await stores.list(at('nothing/'))).toEqual([]);
      await stores.close();
    });

    it('removes an object, and an absent one without a word', async () => {
      const stores = patientStoresOf(store());
      const address = at('gone.pdf');
      await stores.write(address, await fileOf(randomBytes(9), `${kind}-gone`));
      await stores.remove(address);
      expect(await stores.list(address)).toEqual([]);
      await stores.remove(address);
      await stores.close();
    });

    it('tells of a missing object', async () => {
      expect((await failure(readAll(patientStoresOf(store()), at('nowhere.pdf')))).code).toBe('DOCUMENT_UNREADABLE');
    });

    it('refuses addresses outside of the named place, and names the place', async () => {
      const stores = patientStoresOf(store({ prefix: 'inside/' }));
      const address = { kind, bucket, key: 'outside/x.pdf' };
      const error = await failure(stores.expectConfigured(kind, address));
      expect(error.code).toBe('STORE_NOT_CONFIGURED');
      expect(error.message).toContain(`${bucket}/inside/`);
      expect((await failure(readAll(stores, address))).code).toBe('STORE_NOT_CONFIGURED');
      expect((await failure(stores.write(address, await fileOf(randomBytes(1), 'x')))).code).toBe(
        'STORE_NOT_CONFIGURED',
      );
    });

    it("passes on the error of an object's reader, and lets go of the connection", async () => {
      const stores = patientStoresOf(store());
      const address = at('long.bin');
      await stores.write(address, await fileOf(randomBytes(3_000_000), `${kind}-long`));
      const tooLarge = new ServiceError('DOCUMENT_TOO_LARGE', 'Too large.');
      const reading = stores.read(address, async ({ content }) => {
        for await (const chunk of content) if (chunk.length > 0) throw tooLarge;
      });
      await expect(reading).rejects.toBe(tooLarge);
    });

    it('tells its owner if reachable', async () => {
      await patientStoresOf(store({ prefix: '' })).test(store().id);
    });
  });
}
