import { describe, expect, it } from 'vitest';
import { openCallbackClients } from '../../../src/app/compose/open-notifications.ts';
import { ownAddresses } from '../../../src/app/compose/own-addresses.ts';
import { until } from '../../setup/waits.ts';

const named = { remote: { publicUrl: 'https://sign.example' } };
const listen = [named] as never;

describe('the addresses of the public name of a server', () => {
  it('are known from the start, and follow a change within ten minutes', async () => {
    let now = 0;
    let answer = ['203.0.114.9'];
    const own = ownAddresses({ listen }, async (name) => Promise.resolve(name === 'sign.example' ? answer : []), () => now); // prettier-ignore
    await until(() => own().length > 0, 'the name is resolved');
    expect(own()).toEqual(['203.0.114.9']);
    answer = ['203.0.114.10'];
    now = 600_001;
    await until(() => own()[0] === '203.0.114.10', 'the new address is known');
  });

  it('are known of each name while another name does not resolve', async () => {
    const two = [named, { remote: { publicUrl: 'https://gone.example' } }] as never;
    const resolve = async (name: string): Promise<readonly string[]> =>
      name === 'gone.example' ? Promise.reject(new Error('no such name')) : Promise.resolve(['203.0.114.9']);
    const own = ownAddresses({ listen: two }, resolve);
    await until(() => own().length > 0, 'the other name is resolved');
    expect(own()).toEqual(['203.0.114.9']);
  });

  it('are none for an instance of this computer alone', () => {
    expect(ownAddresses({ listen: [] }, () => Promise.reject(new Error('nobody is asked')))()).toEqual([]);
  });

  it('are no address for a callback, of a caller on this computer either', async () => {
    const remote = { publicUrl: 'https://203.0.114.9' };
    const network = { allow: [], noProxy: [], certificateAuthorities: [], proxy: undefined };
    const clients = openCallbackClients({ listen: [{ remote }], network } as never, undefined);
    const refusalOf = (url: string, fromLoopback: boolean): string | undefined =>
      clients.refusalOf({ url, fromLoopback, baseUrl: 'https://203.0.114.9', clientId: null });
    await until(() => refusalOf('https://203.0.114.9/hook', false) !== undefined, 'the public name is known');
    expect(refusalOf('https://203.0.114.9:8443/hook', true)).toContain('203.0.114.9 is in a private');
    expect(refusalOf('https://203.0.114.10/hook', false)).toBeUndefined();
    await clients.close();
  });
});
