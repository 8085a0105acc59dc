import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { SigningError } from '../../../../src/signing/index.ts';
import { readPkcs12 } from '../../../../src/signing/keys/read-pkcs12.ts';
import { writePkcs12 } from '../../../../src/test-authority/index.ts';
import { personWith } from '../../../pki/identities.ts';
import { opensslPkcs12 } from '../../../pki/pkcs12-files.ts';

const PASSWORD = 'senha';
/** Small, so that a damaged round count costs little; the other limits are as usual. */
const LIMITS = { maxIterations: 20_000 };

const FORMS = ['our own', 'openssl', 'openssl, old ciphers, no MAC', 'openssl, nothing protected'] as const;
const files = new Map<string, Buffer>();

beforeAll(async () => {
  const maria = await personWith();
  const once = ['-iter', '1'];
  const plain = ['-keypbe', 'NONE', '-certpbe', 'NONE'];
  files.set('our own', await writePkcs12(maria, PASSWORD, { iterations: 1 }));
  files.set('openssl', await opensslPkcs12(maria, PASSWORD, once));
  files.set('openssl, old ciphers, no MAC', await opensslPkcs12(maria, PASSWORD, [...once, '-legacy', '-nomac']));
  files.set('openssl, nothing protected', await opensslPkcs12(maria, PASSWORD, ['-nomac', ...plain]));
});

interface Damage {
  readonly kind: 'flip' | 'cut' | 'insert' | 'remove' | 'repeat';
  readonly place: number;
  readonly bytes: Uint8Array;
}

const damages = fc.array(
  fc.record<Damage>({
    kind: fc.constantFrom('flip', 'cut', 'insert', 'remove', 'repeat'),
    place: fc.double({ min: 0, max: 1, noNaN: true }),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }),
  }),
  { minLength: 1, maxLength: 4 },
);

function damage(file: Buffer, { kind, place, bytes }: Damage): Buffer {
  const at = Math.floor(place * file.length);
  const [head, tail] = [file.subarray(0, at), file.subarray(at)];
  switch (kind) {
    case 'flip':
      return Buffer.concat([head, Buffer.from(tail.subarray(0, 1).map((byte) => byte ^ bytes[0]!)), tail.subarray(1)]);
    case 'cut':
      return head;
    case 'insert':
      return Buffer.concat([head, bytes, tail]);
    case 'remove':
      return Buffer.concat([head, tail.subarray(bytes.length)]);
    case 'repeat':
      return Buffer.concat([head, tail.subarray(0, 64), tail]);
  }
}

describe('readPkcs12 of damaged files', () => {
  it.each(FORMS)('only ever rejects with a SigningError: %s', async (form) => {
    const file = files.get(form)!;
    await fc.assert(
      fc.asyncProperty(damages, async (list) => {
        const outcome: unknown = await readPkcs12(list.reduce(damage, file), PASSWORD, LIMITS).catch(
          (error: unknown) => error,
        );
        if (outcome instanceof Error) {
          if (!(outcome instanceof SigningError)) throw outcome;
          expect(['PKCS12_MALFORMED', 'PKCS12_UNSUPPORTED', 'PASSWORD_INCORRECT']).toContain(outcome.code);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('never accepts a changed file with a MAC', async () => {
    const file = files.get('our own')!;
    const right = await readPkcs12(file, PASSWORD);
    await fc.assert(
      fc.asyncProperty(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 }), async (place, difference) => {
        const changed = Buffer.from(file);
        changed[place] = changed[place]! ^ difference;
        const contents = await readPkcs12(changed, PASSWORD, LIMITS).catch(() => undefined);
        // Some bytes around the MAC have no meaning (a NULL parameter): then the content is read as written.
        if (contents !== undefined) expect(contents).toEqual(right);
      }),
      { numRuns: 400 },
    );
  });
});
