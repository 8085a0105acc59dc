import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StorageError } from '../../../src/storage/errors.ts';
import { openSealed, seal } from '../../../src/storage/secrets/index.ts';

const key = randomBytes(32);

describe('seal and openSealed', () => {
  it('give back what was sealed, of any length', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), fc.string(), (plaintext, aad) => {
        expect(openSealed(key, seal(key, plaintext, aad), aad)).toEqual(Buffer.from(plaintext));
      }),
    );
  });

  it('never give the same bytes twice', () => {
    const sealed = Array.from({ length: 100 }, () => seal(key, Buffer.from('x'), 'a').toString('hex'));
    expect(new Set(sealed).size).toBe(100);
  });

  it('refuse another key, another place, and every change', () => {
    const sealed = seal(key, Buffer.from('a private key'), 'keys|1|private_key');
    const unreadable = expect.objectContaining({ code: 'SECRET_UNREADABLE' }) as StorageError;
    expect(() => openSealed(randomBytes(32), sealed, 'keys|1|private_key')).toThrow(unreadable);
    expect(() => openSealed(key, sealed, 'keys|2|private_key')).toThrow(unreadable);
    for (let place = 0; place < sealed.length; place++) {
      const changed = Buffer.from(sealed);
      changed[place] = changed[place]! ^ 1;
      expect(() => openSealed(key, changed, 'keys|1|private_key'), `byte ${place}`).toThrow(unreadable);
      expect(() => openSealed(key, sealed.subarray(0, place), 'keys|1|private_key')).toThrow(unreadable);
    }
  });
});
