import { describe, expect, it } from 'vitest';
import type { NodeMessage } from '../../../src/service/transactions/index.ts';
import { ClientBudget } from '../../../src/http/listeners/limit-clients.ts';
import { AddressList, clientAddress, limitKeyOf } from '../../../src/http/listeners/listener.ts';

const publicUrl = 'https://sign.example';
const trustedProxies = new AddressList(['10.0.0.0/8', 'fd00::/8']);
const behind = { publicUrl, trustedProxies };
const bySocket = { publicUrl, isSocketOfProxy: true } as const;

describe('the address of a client', () => {
  it.each([
    ['of the connection without a proxy', { publicUrl }, '198.51.100.7', '203.0.113.9', '198.51.100.7'],
    ['of the connection in its usual form', { publicUrl }, '::ffff:198.51.100.7', undefined, '198.51.100.7'],
    ['that the proxy names', behind, '10.0.0.5', '203.0.113.9', '203.0.113.9'],
    ['that the last proxy of several names', behind, '10.0.0.5', '203.0.113.9, 10.0.0.9', '203.0.113.9'],
    ['behind which the client claims another', behind, '10.0.0.5', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
    ['of the proxy itself', behind, '10.0.0.5', undefined, '10.0.0.5'],
    ['of the proxy where the header is damaged', behind, '10.0.0.5', '203.0.113.9, unknown', '10.0.0.5'],
    ['of an untrusted connection, whatever it claims', behind, '192.0.2.1', '203.0.113.9', '192.0.2.1'],
    ['that the proxy behind a socket names', bySocket, undefined, '1.1.1.1, 203.0.113.9', '203.0.113.9'],
    ['that a proxy before the one behind a socket names', { ...bySocket, trustedProxies }, undefined, '203.0.113.9, 10.0.0.9', '203.0.113.9'], // prettier-ignore
    ['of the socket where the header is absent', bySocket, undefined, undefined, 'socket'],
    ['in IPv6', behind, 'fd00::1', '2001:db8::7', '2001:db8::7'],
  ] as const)('is the one %s', (_which, remote, connection, forwarded, address) => {
    expect(clientAddress(remote, connection, forwarded)).toBe(address);
  });

  it.each([
    ['198.51.100.7', '198.51.100.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::7', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::', 'fe80:0:0:0::/64'],
  ])('%s is counted as %s', (address, key) => {
    expect(limitKeyOf(address)).toBe(key);
  });

  it.each(['10.0.0', '10.0.0.0/33', 'localhost', 'fd00::/x'])('is in no list such as %s', (text) => {
    expect(() => new AddressList([text])).toThrow();
  });
});

describe('the budget of a client', () => {
  it('is spent at once, refilled evenly, and of its own', () => {
    let time = 0;
    const budget = new ClientBudget({ perMinute: 60, atOnce: 3 }, () => time);
    const take = (address = 'a'): number => budget.take(address);
    expect([take(), take(), take(), take()]).toEqual([0, 0, 0, 1]);
    expect(take('b')).toBe(0);
    time += 2000;
    expect([take(), take(), take()]).toEqual([0, 0, 1]);
    time += 3_600_000;
    expect([take(), take(), take(), take()]).toEqual([0, 0, 0, 1]);
  });

  it("is common to all nodes: each counts the others' admissions", () => {
    let time = 0;
    const listeners: ((message: NodeMessage) => void)[] = [];
    const budgets = [0, 1].map((own) => {
      const budget = new ClientBudget({ perMinute: 60, atOnce: 3 }, () => time);
      budget.share({
        tell: (message) => {
          for (const [node, listener] of listeners.entries()) if (node !== own) listener(message);
        },
        listen: (listener) => listeners.push(listener),
      });
      return budget;
    });
    const take = (node: number): number => budgets[node]!.take('a');
    expect([take(0), take(1), take(0), take(1), take(0)]).toEqual([0, 0, 0, 1, 1]);
    time += 1000;
    expect([take(1), take(0)]).toEqual([0, 1]);
  });
});
