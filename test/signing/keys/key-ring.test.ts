import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  KeyRing,
  parseCertificate,
  Pin,
  SigningError,
  type KeyDescription,
  type KeyMemory,
  type KeySource,
  type KeySourceHealth,
  type RememberedKey,
  type Signer,
} from '../../../src/signing/index.ts';
import { personWith } from '../../pki/identities.ts';

/** Keys in a list; each request is written down. */
class ListedSource implements KeySource {
  readonly id: string;
  readonly calls: string[] = [];
  asksDriver = false;
  rank = 0;
  keys: readonly KeyDescription[];
  failure: Error | undefined;

  constructor(id: string, certificates: readonly Buffer[]) {
    this.id = id;
    this.keys = certificates.map((certificate, index) => ({
      id: `${id}-${index}`,
      source: 'file',
      label: '',
      certificate,
      chain: [],
    }));
  }

  list(): Promise<readonly KeyDescription[]> {
    return this.failure === undefined ? Promise.resolve(this.keys) : Promise.reject(this.failure);
  }
  open(keyId: string): Promise<Signer> {
    this.calls.push(`open ${keyId}`);
    return Promise.reject(new SigningError('KEY_NOT_FOUND', 'This source only lists.'));
  }
  unlock(keyId: string): Promise<void> {
    this.calls.push(`unlock ${keyId}`);
    return Promise.resolve();
  }
  lock(keyId: string): Promise<void> {
    this.calls.push(`lock ${keyId}`);
    return Promise.resolve();
  }
  health(): Promise<KeySourceHealth> {
    return Promise.resolve({ id: this.id, name: this.id, state: this.failure === undefined ? 'ok' : 'failing' });
  }
  close(): Promise<void> {
    this.calls.push('close');
    return Promise.resolve();
  }
}

const nameOf = (certificate: Buffer): string => parseCertificate(certificate).commonName;
let maria: Buffer;
let otherMaria: Buffer;
let joao: Buffer;
let mariaName: string;
const day = 86_400_000;

beforeAll(async () => {
  maria = (await personWith({ name: 'MARIA' })).certificate;
  otherMaria = (await personWith({ name: 'MARIA' })).certificate;
  joao = (await personWith({ name: 'JOAO' })).certificate;
  mariaName = nameOf(maria);
});

const codeOf = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no error',
    (error: unknown) => (error instanceof SigningError ? error.code : error),
  );

describe('a certificate in several places', () => {
  it('is one entry, and the place of the lowest rank signs, in whatever order the places were added', async () => {
    const ranks = [3, 0, 4, 1];
    const sources = ranks.map((rank) => Object.assign(new ListedSource(`place ${rank}`, [maria]), { rank }));
    const ring = new KeyRing(nameOf, sources);
    const [key, ...others] = await ring.list();
    expect(others).toEqual([]);
    expect(key?.sourceId).toBe('place 0');
    await ring.remove('place 0');
    expect((await ring.list()).map(({ sourceId }) => sourceId)).toEqual(['place 1']);
  });

  it('is offered by the next place while the first one fails', async () => {
    const first = Object.assign(new ListedSource('first', [maria]), { rank: 0 });
    const second = Object.assign(new ListedSource('second', [maria]), { rank: 3 });
    const ring = new KeyRing(nameOf, [second, first]);
    expect((await ring.list())[0]?.sourceId).toBe('first');
    first.failure = new Error('away');
    expect((await ring.list())[0]?.sourceId).toBe('second');
  });
});

describe('KeyRing.list', () => {
  it('calls a key by the common name of its certificate', async () => {
    const ring = new KeyRing(nameOf, [new ListedSource('one', [maria, joao])]);
    expect((await ring.list()).map(({ alias }) => alias)).toEqual([mariaName, nameOf(joao)]);
  });

  it('numbers certificates of the same name, over all sources, in the order of the sources', async () => {
    const ring = new KeyRing(nameOf, [new ListedSource('one', [maria]), new ListedSource('two', [otherMaria])]);
    expect((await ring.list()).map(({ alias, sourceId }) => [alias, sourceId])).toEqual([
      [mariaName, 'one'],
      [`${mariaName} (2)`, 'two'],
    ]);
  });

  it('names each certificate once to find a key', async () => {
    let named = 0;
    const ring = new KeyRing(
      (certificate) => {
        named++;
        return parseCertificate(certificate).commonName;
      },
      [new ListedSource('file', [maria, joao])],
    );
    await ring.find(parseCertificate(joao).commonName);
    expect(named).toBe(2);
  });

  it('never gives two keys the same alias, also when a certificate is called like the second of another name', async () => {
    const names = new Map(
      [maria, otherMaria, joao].map((certificate, index) => [certificate, ['A', 'A', 'A (2)'][index]!]),
    );
    const ring = new KeyRing((certificate) => names.get(certificate)!, [new ListedSource('one', [...names.keys()])]);
    expect((await ring.list()).map(({ alias }) => alias)).toEqual(['A', 'A (3)', 'A (2)']);
    expect((await ring.find('A (2)')).certificate).toEqual(joao);
    expect((await ring.find('A (3)')).certificate).toEqual(otherMaria);
  });

  it('lists a certificate of two sources once, from the first source', async () => {
    const ring = new KeyRing(nameOf, [new ListedSource('one', [maria]), new ListedSource('two', [maria, joao])]);
    expect((await ring.list()).map(({ sourceId }) => sourceId)).toEqual(['one', 'two']);
  });

  it('leaves out a failing source, shows the failure in health, and lists the source again after its recovery', async () => {
    const failing = new ListedSource('two', [joao]);
    const ring = new KeyRing(nameOf, [new ListedSource('one', [maria]), failing]);
    failing.failure = new SigningError('MODULE_CRASHED', 'The driver has crashed.');
    expect((await ring.list()).map(({ sourceId }) => sourceId)).toEqual(['one']);
    expect((await ring.health()).map(({ state }) => state)).toEqual(['ok', 'failing']);
    failing.failure = undefined;
    expect(await ring.list()).toHaveLength(2);
  });
});

describe('KeyRing.find', () => {
  const two = (): KeyRing => new KeyRing(nameOf, [new ListedSource('one', [maria, otherMaria, joao])]);

  it.each([
    ['its alias', () => nameOf(joao)],
    ['its alias with blanks around', () => `  ${nameOf(joao)} `],
    ['its id', () => 'one-2'],
    ['its fingerprint', () => parseCertificate(joao).fingerprint],
    ['its fingerprint in capitals', () => parseCertificate(joao).fingerprint.toUpperCase()],
  ])('finds a key by %s', async (_, alias) => {
    expect((await two().find(alias())).certificate).toEqual(joao);
  });

  it('takes the exact alias where two certificates share the name', async () => {
    expect((await two().find(mariaName)).certificate).toEqual(maria);
    expect((await two().find(`${mariaName} (2)`)).certificate).toEqual(otherMaria);
  });

  it('takes the renewed certificate for the alias of the expired one, and the expired one while no other certificate is valid', async () => {
    const end = parseCertificate(maria).notAfter;
    const renewed = (await personWith({ name: 'MARIA', notAfter: new Date(end.getTime() + 2 * day) })).certificate;
    const ring = new KeyRing(nameOf, [new ListedSource('files', [maria, renewed])]);
    const at = (days: number): Date => new Date(end.getTime() + days * day);
    expect((await ring.find(mariaName, at(-1))).certificate).toEqual(maria);
    expect((await ring.find(mariaName, at(1))).certificate).toEqual(renewed);
    expect((await ring.find(mariaName, at(3))).certificate).toEqual(maria);
    expect((await ring.find(`${mariaName} (2)`, at(3))).certificate).toEqual(renewed);
  });

  it('refuses the alias of an expired certificate when two others of its name are valid, and names only these', async () => {
    const end = parseCertificate(maria).notAfter;
    const later = { name: 'MARIA', notAfter: new Date(end.getTime() + 2 * day) };
    const renewed = [(await personWith(later)).certificate, (await personWith(later)).certificate];
    const ring = new KeyRing(nameOf, [new ListedSource('files', [maria, ...renewed])]);
    const error = await ring
      .find(mariaName, new Date(end.getTime() + day))
      .catch((caught: unknown) => caught as SigningError);
    expect(error).toMatchObject({ code: 'KEY_AMBIGUOUS' });
    expect(error).toHaveProperty('message', expect.stringContaining(`one of ${mariaName} (2), ${mariaName} (3),`));
  });

  it('forgives letter case where a single alias fits, and refuses where several fit', async () => {
    expect((await two().find(mariaName.toLowerCase())).certificate).toEqual(maria);
    expect((await two().find(`${mariaName.toLowerCase()} (2)`)).certificate).toEqual(otherMaria);
    const small = (await personWith({ name: 'joao' })).certificate;
    const both = new KeyRing(nameOf, [new ListedSource('files', [joao, small])]);
    expect((await both.find(nameOf(small))).certificate).toEqual(small);
    expect((await both.find(nameOf(joao))).certificate).toEqual(joao);
    expect(await codeOf(both.find(nameOf(joao).replace('JOAO', 'Joao')))).toBe('KEY_AMBIGUOUS');
  });

  it('refuses an unknown name with KEY_NOT_FOUND', async () => {
    expect(await codeOf(two().find('NINGUEM'))).toBe('KEY_NOT_FOUND');
  });
});

describe('KeyRing.find for a key on a token seen before', () => {
  const onToken = (): ListedSource => {
    const source = new ListedSource('token:a', [maria]);
    source.keys = source.keys.map((key) => ({ ...key, source: 'token' }));
    return source;
  };
  let kept: readonly RememberedKey[];
  const memory: KeyMemory = {
    read: () => Promise.resolve(kept),
    write: (keys) => {
      kept = keys;
      return Promise.resolve();
    },
  };

  /** The token was seen by an earlier run. */
  async function ringWithout(change: (source: ListedSource) => void): Promise<KeyRing> {
    kept = [];
    await new KeyRing(nameOf, [onToken()], memory).list();
    const source = onToken();
    change(source);
    return new KeyRing(nameOf, [source], memory);
  }

  it('answers TOKEN_REMOVED while the token is away, and KEY_NOT_FOUND for others', async () => {
    const ring = await ringWithout((source) => (source.keys = []));
    expect(await codeOf(ring.find(mariaName))).toBe('TOKEN_REMOVED');
    expect(await codeOf(ring.find(parseCertificate(maria).fingerprint))).toBe('TOKEN_REMOVED');
    expect(await codeOf(ring.find(nameOf(joao)))).toBe('KEY_NOT_FOUND');
  });

  it('answers the failure of its driver', async () => {
    const failure = new SigningError('MODULE_QUARANTINED', 'It crashed.');
    expect(await codeOf((await ringWithout((source) => (source.failure = failure))).find(mariaName))).toBe(
      failure.code,
    );
  });

  it('answers KEY_NOT_FOUND when its driver was removed', async () => {
    const ring = await ringWithout(() => undefined);
    await ring.remove('token:a');
    expect(await codeOf(ring.find(mariaName))).toBe('KEY_NOT_FOUND');
  });
});

describe('a driver that does not answer', () => {
  /** A source of stored keys, and a driver that hangs. */
  function besideHungDriver(memory?: KeyMemory): KeyRing {
    const driver = new ListedSource('driver', []);
    driver.asksDriver = true;
    driver.list = async () => new Promise(() => undefined);
    return new KeyRing(nameOf, [new ListedSource('files', [maria, joao]), driver], memory);
  }

  it.each(['its alias', 'its fingerprint'])('does not delay a stored key that is asked for by %s', async (way) => {
    const ring = besideHungDriver();
    const fingerprint = createHash('sha256').update(maria).digest('hex');
    expect(await ring.find(way === 'its alias' ? mariaName : fingerprint)).toMatchObject({ alias: mariaName });
  });

  it('is waited for if a key of its own is remembered under the same name', async () => {
    const remembered = [{ alias: mariaName, name: mariaName, fingerprint: 'ff'.repeat(32), sourceId: 'driver' }];
    const ring = besideHungDriver({ read: () => Promise.resolve(remembered), write: () => Promise.resolve() });
    const answers: string[] = [];
    void ring.find(mariaName).then(() => answers.push(mariaName));
    await ring.find(nameOf(joao)).then(() => answers.push('joao'));
    await new Promise(setImmediate);
    expect(answers).toEqual(['joao']);
  });
});

describe('a thousand keys', () => {
  it('are named once, and again only after a change of a list', async () => {
    const named: Buffer[] = [];
    const source = new ListedSource('files', [maria, otherMaria, joao]);
    const ring = new KeyRing(
      (certificate) => {
        named.push(certificate);
        return nameOf(certificate);
      },
      [source],
    );
    const before = await ring.list();
    for (let time = 0; time < 3; time += 1) {
      const again = await ring.list();
      expect(again.every((key, index) => key === before[index])).toBe(true);
      await ring.find(nameOf(joao));
    }
    expect(named).toEqual([maria, otherMaria, joao]);
    source.keys = source.keys.slice(1);
    expect((await ring.list()).map(({ alias }) => alias)).toEqual([mariaName, nameOf(joao)]);
    expect(named).toEqual([maria, otherMaria, joao]);
  });
});

describe('KeyRing', () => {
  it('sends open, unlock and lock to the source holding the key', async () => {
    const one = new ListedSource('one', [maria]);
    const other = new ListedSource('two', [joao]);
    const ring = new KeyRing(nameOf, [one, other]);
    const key = await ring.find(nameOf(joao));
    await codeOf(ring.open(key));
    await ring.unlock(key, new Pin('1234'));
    await ring.lock(key);
    expect(other.calls).toEqual(['open two-0', 'unlock two-0', 'lock two-0']);
    expect(one.calls).toEqual([]);
  });

  it('closes a removed source and answers KEY_NOT_FOUND for its keys', async () => {
    const one = new ListedSource('one', [maria]);
    const ring = new KeyRing(nameOf, [one]);
    const key = await ring.find(mariaName);
    await ring.remove('one');
    await ring.remove('never there');
    expect(one.calls).toEqual(['close']);
    expect(await ring.list()).toEqual([]);
    expect(await codeOf(ring.open(key))).toBe('KEY_NOT_FOUND');
  });

  it('closes all sources', async () => {
    const sources = [new ListedSource('one', [maria]), new ListedSource('two', [joao])];
    await new KeyRing(nameOf, sources).close();
    expect(sources.map(({ calls }) => calls)).toEqual([['close'], ['close']]);
  });
});
