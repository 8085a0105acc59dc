import { describe, expect, it } from 'vitest';
import { AuthorizationRequests } from '../../../src/service/authorization/index.ts';
import { MemoryShortLivedStore } from '../../../src/service/short-lived/index.ts';

const details = {
  application: { clientId: 'crm', name: 'CRM' },
  redirectUri: 'https://crm.example/',
  redirectUriGiven: true,
  state: 'x',
  scopes: ['signature_session'],
  codeChallenge: undefined,
  lifetime: undefined,
} as const;

const start = new Date('2026-03-01T12:00:00Z');

describe('a page of authorization', () => {
  it('is pushed out by no number of other pages, asked or refused', async () => {
    const requests = new AuthorizationRequests(new MemoryShortLivedStore(), () => start);
    const { id } = await requests.add(details);
    for (let count = 0; count < 600; count += 1) {
      const other = await requests.add(details);
      if (count % 2 === 0) await requests.take(other.id);
    }
    expect(await requests.find(id)).toMatchObject(details);
    expect(await requests.take(id)).toMatchObject(details);
  });

  it('is answered once, also at the same moment', async () => {
    const requests = new AuthorizationRequests(new MemoryShortLivedStore(), () => start);
    const { id } = await requests.add(details);
    const taken = await Promise.all([requests.take(id), requests.take(id), requests.take(id)]);
    expect(taken.filter((one) => one !== undefined)).toHaveLength(1);
    expect([await requests.find(id), await requests.take(id)]).toEqual([undefined, undefined]);
  });

  it('ends after ten minutes', async () => {
    let now = start;
    const requests = new AuthorizationRequests(new MemoryShortLivedStore(), () => now);
    const { id } = await requests.add(details);
    now = new Date(start.getTime() + 10 * 60_000);
    expect([await requests.find(id), await requests.take(id)]).toEqual([undefined, undefined]);
  });

  it.each([
    ['changed in one character', (id: string) => `${id.slice(0, 40)}${id[40] === 'A' ? 'B' : 'A'}${id.slice(41)}`],
    ['cut off', (id: string) => id.slice(0, 20)],
    ['empty', () => ''],
    [
      'of another instance',
      () => Buffer.from(JSON.stringify({ details, key: 'x', endsAt: 9e15 })).toString('base64url'),
    ],
  ])('is refused when it is %s', async (_how, change) => {
    const requests = new AuthorizationRequests(new MemoryShortLivedStore(), () => start);
    const { id } = await requests.add(details);
    const forged = change(id);
    await requests.ask(forged, { name: 'Ana', username: '11144477735' });
    expect([await requests.find(forged), await requests.take(forged)]).toEqual([undefined, undefined]);
    expect(await requests.waiting()).toEqual([]);
  });
});
