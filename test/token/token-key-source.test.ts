import { constants, createHash, verify, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  Pin,
  referenceModule,
  SigningError,
  TokenKeySource,
  type KeyDescription,
  type SignatureParameters,
  type TokenChange,
} from '../../src/signing/index.ts';
import { createSoftHsm, ONE_OF_EACH, type SoftHsm } from './softhsm.ts';

let hsm: SoftHsm;
let source: TokenKeySource;

beforeAll(async () => {
  const second = { label: 'second', keys: [{ label: 'other', keyId: '01', kind: 'ec-p256' as const }] };
  hsm = await createSoftHsm([...ONE_OF_EACH, second]);
});
afterAll(() => hsm.remove());
beforeEach(async () => {
  source = new TokenKeySource({ module: await referenceModule(hsm.modulePath), environment: hsm.environment });
});
afterEach(() => source.close());

async function keyCalled(label: string): Promise<KeyDescription> {
  return (await source.list()).find((key) => key.label === label)!;
}

async function unlock(label: string): Promise<KeyDescription> {
  const key = await keyCalled(label);
  await source.unlock(key.id, new Pin(hsm.pin));
  return key;
}

function isValid(key: KeyObject, message: Buffer, signature: Buffer, { scheme, digest }: SignatureParameters): boolean {
  switch (scheme) {
    case 'rsassa-pkcs1-v1_5':
      return verify(digest, message, key, signature);
    case 'rsassa-pss':
      return verify(
        digest,
        message,
        { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
        signature,
      );
    case 'ecdsa':
      return verify(digest, message, { key, dsaEncoding: 'der' }, signature);
    case 'ed25519':
    case 'ed448':
    case 'ml-dsa-44':
    case 'ml-dsa-65':
    case 'ml-dsa-87':
      return verify(null, message, key, signature);
  }
}

const codeOf = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise;
    return 'no error';
  } catch (error) {
    return error instanceof SigningError ? error.code : inspect(error);
  }
};

describe('TokenKeySource.list', () => {
  it('shows the certificates of all tokens, with their issuers, before any PIN is given', async () => {
    const keys = await source.list();
    expect(keys.map((key) => [key.token?.label, key.label]).sort()).toEqual([
      ['second', 'other'],
      ['sinete', 'ed'],
      ['sinete', 'p256'],
      ['sinete', 'p384'],
      ['sinete', 'rsa'],
    ]);
    for (const key of keys) {
      const made = hsm.tokens.flatMap((token) => token.keys).find((one) => one.label === key.label)!;
      expect(key.certificate).toEqual(made.identity.certificate);
      expect(key.chain).toEqual(made.identity.chain);
      expect(key.token).toMatchObject({
        module: 'SoftHSM',
        present: true,
        loggedIn: false,
        pinAttempts: 'normal',
        pinPad: false,
      });
    }
  });

  it('gives each key the same id after a restart, and no two keys the same', async () => {
    const before = (await source.list()).map((key) => key.id);
    await source.close();
    source = new TokenKeySource({ module: source.module, environment: hsm.environment });
    expect((await source.list()).map((key) => key.id)).toEqual(before);
    expect(new Set(before).size).toBe(before.length);
  });

  it('confirms after the login the presence of the private keys', async () => {
    const { id } = await unlock('rsa');
    const key = (await source.list()).find((one) => one.id === id)!;
    expect(key.token?.loggedIn).toBe(true);
    expect((await source.list()).filter((one) => one.token?.label === 'sinete')).toHaveLength(4);
  });
});

describe('TokenKeySource.unlock', () => {
  it('rejects a wrong PIN with PIN_INCORRECT and shows the shortage of attempts', async () => {
    const key = await keyCalled('rsa');
    expect(await codeOf(source.unlock(key.id, new Pin('wrong-pin')))).toBe('PIN_INCORRECT');
    expect((await keyCalled('rsa')).token?.pinAttempts).toBe('low');
    await source.unlock(key.id, new Pin(hsm.pin));
    expect((await keyCalled('rsa')).token?.pinAttempts).toBe('normal');
  });

  it.each([
    ['an empty PIN', ''],
    ['a PIN shorter than the token allows', '123'],
    ['a PIN longer than the token allows', '1'.repeat(300)],
  ])('refuses %s with PIN_INVALID without using up an attempt', async (_, pin) => {
    const key = await keyCalled('rsa');
    expect(await codeOf(source.unlock(key.id, new Pin(pin)))).toBe('PIN_INVALID');
    expect((await keyCalled('rsa')).token?.pinAttempts).toBe('normal');
  });

  it('rejects an unknown key with KEY_NOT_FOUND', async () => {
    expect(await codeOf(source.unlock('nothing', new Pin(hsm.pin)))).toBe('KEY_NOT_FOUND');
    expect(await codeOf(source.open('nothing'))).toBe('KEY_NOT_FOUND');
  });

  it('unlocks one token and not the other', async () => {
    await unlock('rsa');
    const other = await keyCalled('other');
    const signer = await source.open(other.id);
    expect(await codeOf(signer.sign(Buffer.from('x'), { scheme: 'ecdsa', digest: 'sha256' }))).toBe('PIN_REQUIRED');
  });

  it('takes a second login as already done', async () => {
    const key = await unlock('rsa');
    await source.unlock(key.id, new Pin(hsm.pin));
    expect((await keyCalled('rsa')).token?.loggedIn).toBe(true);
  });
});

const rows: readonly (readonly [string, SignatureParameters])[] = [
  ['rsa', { scheme: 'rsassa-pkcs1-v1_5', digest: 'sha256' }],
  ['rsa', { scheme: 'rsassa-pkcs1-v1_5', digest: 'sha384' }],
  ['rsa', { scheme: 'rsassa-pkcs1-v1_5', digest: 'sha512' }],
  ['rsa', { scheme: 'rsassa-pss', digest: 'sha256' }],
  ['rsa', { scheme: 'rsassa-pss', digest: 'sha384' }],
  ['rsa', { scheme: 'rsassa-pss', digest: 'sha512' }],
  ['p256', { scheme: 'ecdsa', digest: 'sha256' }],
  ['p256', { scheme: 'ecdsa', digest: 'sha512' }],
  ['p384', { scheme: 'ecdsa', digest: 'sha384' }],
  ['p384', { scheme: 'ecdsa', digest: 'sha256' }],
  ['ed', { scheme: 'ed25519', digest: 'sha512' }],
];

describe('a signature of the token', () => {
  let shared: TokenKeySource;
  let keys: readonly KeyDescription[];

  beforeAll(async () => {
    shared = new TokenKeySource({ module: await referenceModule(hsm.modulePath), environment: hsm.environment });
    keys = await shared.list();
    await shared.unlock(keys.find((key) => key.label === 'rsa')!.id, new Pin(hsm.pin));
  });
  afterAll(() => shared.close());

  it.each(rows)('with %s and %o is accepted by node:crypto', async (label, parameters) => {
    const key = keys.find((one) => one.label === label)!;
    const signer = await shared.open(key.id);
    const message = Buffer.from('A message, not its digest.');
    const signature = await signer.sign(message, parameters);
    expect(isValid(new X509Certificate(key.certificate).publicKey, message, signature, parameters)).toBe(true);
  });
});

describe('TokenKeySource.open', () => {
  it('names the schemes of the key, the usual scheme first', async () => {
    const schemes = async (label: string): Promise<readonly string[]> =>
      (await source.open((await keyCalled(label)).id)).schemes;
    expect(await schemes('rsa')).toEqual(['rsassa-pkcs1-v1_5', 'rsassa-pss']);
    expect(await schemes('p384')).toEqual(['ecdsa']);
    expect(await schemes('ed')).toEqual(['ed25519']);
  });

  it('refuses a scheme of another kind of key with ALGORITHM_UNSUPPORTED', async () => {
    const signer = await source.open((await unlock('p256')).id);
    const signing = signer.sign(Buffer.from('x'), { scheme: 'rsassa-pss', digest: 'sha256' });
    expect(await codeOf(signing)).toBe('ALGORITHM_UNSUPPORTED');
  });

  it.each(['rsa', 'p256', 'p384'])('signs a hash with the key %s as it signs the message itself', async (label) => {
    const key = await unlock(label);
    const signer = await source.open(key.id);
    const message = Buffer.from('known by its hash only');
    for (const scheme of signer.schemes) {
      for (const digest of ['sha256', 'sha384', 'sha512'] as const) {
        const hashed = createHash(digest).update(message).digest();
        const signature = await signer.sign(hashed, { scheme, digest, isHashed: true });
        const { publicKey } = new X509Certificate(key.certificate);
        expect(isValid(publicKey, message, signature, { scheme, digest })).toBe(true);
      }
    }
  });

  it('refuses a hash with a key that hashes by itself, and a hash of another length', async () => {
    const ed = await source.open((await unlock('ed')).id);
    const hashed = Buffer.alloc(64);
    const parameters = { digest: 'sha512', isHashed: true } as const;
    expect(await codeOf(ed.sign(hashed, { scheme: 'ed25519', ...parameters }))).toBe('KEY_SIGNS_NO_HASH');
    const rsa = await source.open((await keyCalled('rsa')).id);
    const short = rsa.sign(hashed.subarray(1), { scheme: 'rsassa-pss', ...parameters });
    expect(await codeOf(short)).toBe('ALGORITHM_UNSUPPORTED');
  });

  it('asks for the PIN for a token not unlocked, and again after locking', async () => {
    const key = await keyCalled('rsa');
    const signer = await source.open(key.id);
    const sign = (): Promise<Buffer> => signer.sign(Buffer.from('x'), { scheme: 'rsassa-pss', digest: 'sha256' });
    expect(await codeOf(sign())).toBe('PIN_REQUIRED');
    await source.unlock(key.id, new Pin(hsm.pin));
    await sign();
    await source.lock(key.id);
    expect(await codeOf(sign())).toBe('PIN_REQUIRED');
  });

  it('replaces the child process when the last token is locked, leaving no copy of the PIN', async () => {
    const key = await unlock('rsa');
    const other = await unlock('other');
    const first = source.processId;
    await source.lock(key.id);
    await source.list();
    expect(source.processId).toBe(first);
    await source.lock(other.id);
    await source.list();
    expect(source.processId).not.toBe(first);
  });

  it('makes two hundred signatures asked for at once, on two tokens with keys of three kinds, each for its own message', async () => {
    await unlock('rsa');
    await unlock('other');
    const plans = [
      ['p256', { scheme: 'ecdsa', digest: 'sha256' }],
      ['other', { scheme: 'ecdsa', digest: 'sha384' }],
      ['rsa', { scheme: 'rsassa-pkcs1-v1_5', digest: 'sha256' }],
      ['ed', { scheme: 'ed25519', digest: 'sha512' }],
    ] as const;
    const signers = await Promise.all(plans.map(async ([label]) => source.open((await keyCalled(label)).id)));
    await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const which = index % plans.length;
        const message = Buffer.from(`message ${index}`);
        const signature = await signers[which]!.sign(message, plans[which]![1]);
        const key = new X509Certificate(signers[which]!.certificate).publicKey;
        expect(isValid(key, message, signature, plans[which]![1])).toBe(true);
      }),
    );
  });

  it('takes signatures waiting out of the queue when cancelled, and lets the first finish', async () => {
    const key = await unlock('rsa');
    const control = new AbortController();
    const signer = await source.open(key.id, control.signal);
    const signing = Array.from({ length: 300 }, (_, index) =>
      codeOf(signer.sign(Buffer.from(`${index}`), { scheme: 'rsassa-pkcs1-v1_5', digest: 'sha256' })),
    );
    await Promise.race(signing);
    control.abort();
    const codes = await Promise.all(signing);
    expect(codes[0]).toBe('no error');
    expect(codes.at(-1)).toBe('CANCELLED');
    expect(new Set(codes)).toEqual(new Set(['no error', 'CANCELLED']));
  });
});

describe('TokenKeySource', () => {
  it('answers with QUEUE_FULL when too many requests wait, and works on afterwards', async () => {
    await source.close();
    source = new TokenKeySource({ module: source.module, environment: hsm.environment, queueLimit: 100 });
    const signer = await source.open((await unlock('p256')).id);
    const sign = (): Promise<string> => codeOf(signer.sign(Buffer.from('x'), { scheme: 'ecdsa', digest: 'sha256' }));
    const codes = await Promise.all(Array.from({ length: 150 }, sign));
    expect(codes.filter((code) => code === 'no error')).toHaveLength(100);
    expect(codes.filter((code) => code === 'QUEUE_FULL')).toHaveLength(50);
    expect(await sign()).toBe('no error');
  });

  it('starts another child after the first was killed, and asks for the PIN again', async () => {
    const key = await unlock('rsa');
    const signer = await source.open(key.id);
    const sign = (): Promise<Buffer> => signer.sign(Buffer.from('x'), { scheme: 'rsassa-pss', digest: 'sha256' });
    const first = source.processId!;
    process.kill(first, 'SIGKILL');
    await expect.poll(() => source.processId, { timeout: 20_000 }).not.toBe(first);
    expect(await codeOf(sign())).toBe('PIN_REQUIRED');
    await source.unlock(key.id, new Pin(hsm.pin));
    await sign();
  });

  it('notices a token taken out under an open session, and asks for the PIN after its return', async () => {
    const key = await unlock('rsa');
    const signer = await source.open(key.id);
    const sign = (): Promise<Buffer> => signer.sign(Buffer.from('x'), { scheme: 'rsassa-pss', digest: 'sha256' });
    await sign();
    await hsm.hideTokens();
    try {
      expect(await codeOf(sign())).toBe('TOKEN_REMOVED');
    } finally {
      await hsm.showTokens();
    }
    expect(await codeOf(sign())).toBe('PIN_REQUIRED');
    await source.unlock(key.id, new Pin(hsm.pin));
    await sign();
  });

  it('keeps the PIN out of errors, objects, arguments, the environment and the limits of a core file', async () => {
    const key = await keyCalled('rsa');
    const wrong = 'wrong-and-secret-pin';
    const pin = new Pin(wrong);
    const error = await source.unlock(key.id, pin).catch((caught: unknown) => caught);
    const unlocking = source.unlock(key.id, new Pin(hsm.pin));
    const during = inspect(source, { depth: 10, showHidden: true });
    await unlocking;
    const shown = [
      inspect(error, { depth: 10, showHidden: true }),
      (error as Error).stack,
      JSON.stringify(error),
      during,
      inspect(source, { depth: 10, showHidden: true }),
      inspect(pin, { showHidden: true }),
      source.output,
      ...['cmdline', 'environ'].map((name) => readFileSync(`/proc/${source.processId}/${name}`, 'latin1')),
      ...['cmdline', 'environ'].map((name) => readFileSync(`/proc/${process.pid}/${name}`, 'latin1')),
    ].join('\n');
    expect(shown).not.toContain(hsm.pin);
    expect(shown).not.toContain(wrong);
    expect(readFileSync(`/proc/${source.processId}/limits`, 'utf8')).toMatch(/Max core file size\s+0\s/);
  });

  it('gives the child an environment of its own, without variables changing the loaded code', async () => {
    await source.close();
    process.env['SINETE_TEST_SECRET'] = 'not for drivers';
    try {
      source = new TokenKeySource({
        module: source.module,
        environment: { ...hsm.environment, NODE_OPTIONS: '--title=changed', LD_PRELOAD: '/nothing.so' },
      });
      await source.list();
      const environment = readFileSync(`/proc/${source.processId}/environ`, 'latin1');
      expect(environment).toContain('SOFTHSM2_CONF=');
      expect(environment).not.toMatch(/SINETE_TEST_SECRET|NODE_OPTIONS|LD_PRELOAD/);
    } finally {
      delete process.env['SINETE_TEST_SECRET'];
    }
  });

  it('never loads a driver into this process', async () => {
    await unlock('rsa');
    expect(readFileSync('/proc/self/maps', 'utf8')).not.toMatch(/softhsm/);
    expect(readFileSync(`/proc/${source.processId}/maps`, 'utf8')).toMatch(
      /koffi\.node[^]*softhsm|softhsm[^]*koffi\.node/,
    );
  });

  it('ends the child when closed, and answers CANCELLED afterwards', async () => {
    await source.list();
    const child = source.processId!;
    await source.close();
    expect(readdirSync('/proc')).not.toContain(String(child));
    expect(await codeOf(source.list())).toBe('CANCELLED');
  });

  it('tells listeners of the present tokens, without being asked', async () => {
    const changes: TokenChange[] = [];
    source.onChange((change) => changes.push(change));
    await expect
      .poll(() => changes.flatMap((change) => (change.kind === 'inserted' ? [change.label] : [])).sort(), {
        timeout: 20_000,
      })
      .toEqual(['second', 'sinete']);
  });
});
