import { Buffer } from 'node:buffer';
import { URI } from 'otpauth';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ana, bruno, company, IdentityWorld } from './identity-world.ts';

let world: IdentityWorld;

beforeEach(async () => {
  world = await IdentityWorld.open();
});
afterEach(async () => world.close());

const png = `data:image/png;base64,${Buffer.from('89504e470d0a1a0a00', 'hex').toString('base64')}`;

describe('an enrolment', () => {
  it('offers an otpauth address for authenticators, with the secret for typing', async () => {
    const { otpauthUri, secret, enrolment } = await world.accounts.begin(ana);
    const totp = URI.parse(otpauthUri);
    expect(totp).toMatchObject({ issuer: 'Sinete', algorithm: 'SHA1', digits: 6, period: 30 });
    expect(totp.secret.base32).toBe(secret);
    expect(totp.secret.bytes).toHaveLength(20);
    expect(otpauthUri).not.toContain(ana.username);
    expect(Buffer.from(enrolment, 'base64url')).toHaveLength(16);
  });

  it('keeps nobody before the first code, and shows ten recovery codes once', async () => {
    const { enrolment } = await world.accounts.begin(ana);
    expect(await world.accounts.list()).toEqual([]);
    await expect(world.accounts.confirm(enrolment, '000000')).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    const person = await world.enrol({ ...company, photo: png });
    expect(new Set(person.recoveryCodes).size).toBe(10);
    expect(await world.accounts.list()).toEqual([
      expect.objectContaining({ ...company, photo: png, recoveryCodes: 10 }),
    ]);
  });

  it('is over after ten minutes, after ten wrong codes, and after its confirmation', async () => {
    const late = await world.accounts.begin(ana);
    world.pass(601);
    await expect(world.accounts.confirm(late.enrolment, '000000')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const { enrolment } = await world.accounts.begin(ana);
    for (let tries = 0; tries < 10; tries += 1) {
      await expect(world.accounts.confirm(enrolment, 'abc')).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    }
    await expect(world.accounts.confirm(enrolment, 'abc')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each([
    ['a CPF with wrong check digits', { name: 'Ana', username: '11144477734' }, 'username'],
    ['a CNPJ with wrong check digits', { name: 'Ana', username: '12ABC34501DE36' }, 'username'],
    ['a name of nothing but spaces', { name: ' \u200b ', username: ana.username }, 'name'],
    ['a name that is too long', { name: 'a'.repeat(121), username: ana.username }, 'name'],
    ['a photo that is no data URI', { ...ana, photo: 'https://example.org/a.png' }, 'photo'],
    ['a photo that is not what it says', { ...ana, photo: 'data:image/png;base64,AAAA' }, 'photo'],
    ['a picture that may hold scripts', { ...ana, photo: 'data:image/svg+xml;base64,PHN2Zz4=' }, 'photo'],
    ['a photo that is too large', { ...ana, photo: `${png}${'A'.repeat(262_144)}` }, 'photo'],
  ])('refuses %s', async (_what, person, field) => {
    await expect(world.accounts.begin(person)).rejects.toMatchObject({
      code: 'REQUEST_INVALID',
      problems: [expect.objectContaining({ field })],
    });
  });

  it('takes a CPF with its punctuation, and nobody twice', async () => {
    await world.enrol({ name: 'Ana', username: '111.444.777-35' });
    await expect(world.accounts.begin(ana)).rejects.toMatchObject({ problems: [{ code: 'TAKEN' }] });
    expect(await world.accounts.find('111.444.777-35')).toMatchObject({ username: ana.username });
  });
});

describe('a one-time password', () => {
  it.each([-1, 0, 1])('is accepted %i steps from now, once', async (steps) => {
    const person = await world.enrol(ana);
    const code = person.code(steps);
    const account = await world.accounts.authenticate(ana.username, code, 'program');
    expect(account).toMatchObject(ana);
    await expect(world.accounts.authenticate(ana.username, code, 'program')).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
  });

  it.each([-2, 2, 20])('is refused %i steps from now', async (steps) => {
    const person = await world.enrol(ana);
    await expect(world.accounts.authenticate(ana.username, person.code(steps), 'program')).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
  });

  it('is refused after a later code, and after confirming the enrolment', async () => {
    const person = await world.enrol(ana);
    const [earlier, later] = [person.code(0), person.code(1)];
    await expect(world.accounts.authenticate(ana.username, person.code(-2), 'program')).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
    await world.accounts.authenticate(ana.username, later, 'program');
    await expect(world.accounts.authenticate(ana.username, earlier, 'program')).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
  });

  it('is accepted when the clock is put right again after a code was accepted far ahead', async () => {
    const person = await world.enrol(ana);
    const authenticate = async (code: string): Promise<unknown> =>
      world.accounts.authenticate(ana.username, code, 'program');
    const refused = { code: 'INVALID_CREDENTIALS' };
    const now = person.code();
    await authenticate(now);
    const days = 400 * 86_400;
    world.pass(days);
    const ahead = person.code();
    await authenticate(ahead);
    world.pass(-days);
    await expect(authenticate(now)).rejects.toMatchObject(refused);
    world.pass(30);
    await authenticate(person.code());
    await world.restart();
    // The code of that time stays spent until then.
    world.pass(days - 30);
    expect(person.code()).toBe(ahead);
    await expect(authenticate(ahead)).rejects.toMatchObject(refused);
    await expect(authenticate(person.code(-1))).rejects.toMatchObject(refused);
    await authenticate(person.code(1));
  });

  it('is accepted once when sent twenty times at the same moment', async () => {
    const person = await world.enrol(ana);
    const code = person.code();
    const attempts = Array.from({ length: 20 }, async (_, index) =>
      world.accounts.authenticate(ana.username, code, `https://site-${index}.example`),
    );
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('of one person is nothing for another', async () => {
    const person = await world.enrol(ana);
    await world.enrol(bruno);
    await expect(world.accounts.authenticate(bruno.username, person.code(), 'program')).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
  });
});

describe('a recovery code', () => {
  it('stands for a one-time password once, in any way of typing', async () => {
    const person = await world.enrol(ana);
    const typed = (person.recoveryCodes[3] ?? '').replaceAll('-', ' ');
    const account = await world.accounts.authenticate(ana.username, typed, 'program');
    expect(account.recoveryCodes).toBe(9);
    await expect(world.accounts.authenticate(ana.username, typed, 'program')).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
  });
});

describe('guessing', () => {
  const guess = async (username: string, origin: string): Promise<string> =>
    world.accounts.authenticate(username, '000000', origin).then(
      () => 'accepted',
      (error: unknown) => (error as { code: string }).code,
    );

  it('one account from one address stops after five wrong codes, and a restart changes nothing', async () => {
    const person = await world.enrol(ana);
    const answers: string[] = [];
    for (let tries = 0; tries < 6; tries += 1) answers.push(await guess(ana.username, 'address 192.0.2.1'));
    expect(answers).toEqual([...Array<string>(5).fill('INVALID_CREDENTIALS'), 'TOO_MANY_ATTEMPTS']);
    await world.restart();
    const again = world.accounts.authenticate(ana.username, person.code(), 'address 192.0.2.1');
    await expect(again).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS', retryAfter: 30 });
    await world.accounts.authenticate(ana.username, person.code(), 'address 192.0.2.2');
  });

  it('waits twice as long after each further wrong code, up to an hour', async () => {
    await world.enrol(ana);
    for (let tries = 0; tries < 4; tries += 1) await guess(ana.username, 'window');
    const pauses: number[] = [];
    for (let tries = 0; tries < 9; tries += 1) {
      expect(await guess(ana.username, 'window')).toBe('INVALID_CREDENTIALS');
      const refusal = await world.accounts
        .authenticate(ana.username, '000000', 'window')
        .catch((error: unknown) => error);
      const { retryAfter } = refusal as { retryAfter: number };
      pauses.push(retryAfter);
      world.pass(retryAfter);
    }
    expect(pauses).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600]);
  });

  it('many accounts from a single address stops after fifty, and elsewhere goes on', async () => {
    for (let tries = 0; tries < 50; tries += 1) {
      expect(await guess(`nobody-${tries}`, 'https://evil.example')).toBe('INVALID_CREDENTIALS');
    }
    expect(await guess('nobody', 'https://evil.example')).toBe('TOO_MANY_ATTEMPTS');
    expect(await guess('nobody', 'https://other.example')).toBe('INVALID_CREDENTIALS');
  });

  it('many accounts from many addresses stops nobody else', async () => {
    const person = await world.enrol(ana);
    for (let tries = 0; tries < 300; tries += 1) await guess(`nobody-${tries}`, `address 198.51.100.${tries}`);
    await world.accounts.authenticate(ana.username, person.code(), 'address 192.0.2.1');
  });

  it('from the networks of one line of IPv6 counts each /64 as an address, and the /56 as one more', async () => {
    const answers: string[] = [];
    for (let network = 0; network < 20; network += 1) {
      for (let host = 0; host < 5; host += 1) {
        answers.push(
          await guess(ana.username, `address 2001:db8:0:1${network.toString(16).padStart(2, '0')}::${host}`),
        );
      }
    }
    expect(answers.filter((answer) => answer === 'INVALID_CREDENTIALS')).toHaveLength(80);
  });

  it('at the same moment gets no more tries than in sequence', async () => {
    await world.enrol(ana);
    const answers = await Promise.all(Array.from({ length: 40 }, async () => guess(ana.username, 'window')));
    expect(answers.filter((answer) => answer === 'INVALID_CREDENTIALS')).toHaveLength(5);
  });

  it('is forgotten after a day', async () => {
    await world.enrol(ana);
    for (let tries = 0; tries < 4; tries += 1) await guess(ana.username, 'window');
    world.pass(86_401);
    for (let tries = 0; tries < 4; tries += 1) expect(await guess(ana.username, 'window')).toBe('INVALID_CREDENTIALS');
    expect(await guess(ana.username, 'window')).toBe('INVALID_CREDENTIALS');
  });
});

describe('an account', () => {
  it('changes its name and photo, and nothing else', async () => {
    const { id } = await world.enrol({ ...ana, photo: png });
    world.pass(60);
    const changed = await world.accounts.change(id, { name: '  Ana  Lima Souza ', photo: null });
    expect(changed).toMatchObject({ name: 'Ana Lima Souza', username: ana.username, photo: null });
    expect(changed.updatedAt).toEqual(world.time);
    await expect(world.accounts.change(id, { name: '' })).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
    await expect(world.accounts.change(99, { name: 'X' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('ends its tokens when removed, and its id is never given again', async () => {
    const person = await world.enrol(ana);
    const { id } = person;
    await world.accounts.remove(id);
    expect(world.ended).toEqual([ana.username]);
    await expect(world.accounts.authenticate(ana.username, person.code(), 'program')).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
    await expect(world.accounts.remove(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await world.enrol(bruno)).id).toBeGreaterThan(id);
  });
});
