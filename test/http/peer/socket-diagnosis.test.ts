import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { linuxOwners, ownersInTables, readTable } from '../../../src/http/peer/linux-peers.ts';
import { openSocketDiagnosis, readAnswer, writeQuestion } from '../../../src/http/peer/socket-diagnosis.ts';
import { itNeeding } from '../../setup/needs.ts';
import { endsFrom } from './ends-from.ts';

const ownUser = process.getuid?.() ?? 0;

describe('sock_diag', () => {
  const ends = endsFrom(0xaed2);
  const [established, listening, timeWait] = [1, 10, 6];
  /** An answer of the kernel about `ends`. */
  const reply = (state: number, changes: { readonly inode?: number; readonly port?: number } = {}): Buffer => {
    const bytes = Buffer.alloc(124);
    bytes.set(writeQuestion(ends, 7).subarray(0, 12));
    bytes.writeUInt16LE(20, 4);
    bytes[17] = state;
    bytes.set(writeQuestion({ ...ends, remotePort: changes.port ?? ends.remotePort }, 7).subarray(24, 60), 20);
    bytes.writeUInt32LE(1000, 80);
    bytes.writeUInt32LE(changes.inode ?? 5, 84);
    return bytes;
  };

  it.each([
    ['an established socket', reply(established), 1000],
    ['a closing socket', reply(timeWait), undefined],
    ['an established socket without an inode', reply(established, { inode: 0 }), undefined],
    ['the listening socket, which the kernel answers for an unknown connection', reply(listening), undefined],
    ['a socket with another port', reply(established, { port: 1 }), undefined],
    ['an answer with one byte less than the fields', reply(established).subarray(0, 87), 'no-answer'],
    ['an answer with just the fields', reply(established).subarray(0, 88), 1000],
    ['an answer without its head', reply(established).subarray(0, 19), 'no-answer'],
  ])('reads %s', (_name, bytes, expected) => {
    expect(readAnswer(bytes, ends, 7)).toBe(expected);
  });

  it('does not take the answer to another question', () => {
    expect(readAnswer(reply(established), ends, 8)).toBe('no-answer');
  });

  it('asks for the socket with exactly the ends of the peer', () => {
    const question = writeQuestion(ends, 7);
    const expected = Buffer.alloc(72);
    expected.set([72, 0, 0, 0, 20, 0, 1, 0, 7, 0, 0, 0]);
    expected.set([2, 6, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xae, 0xd2, 0x98, 0x87, 127, 0, 0, 1], 16);
    expected.set([127, 0, 0, 1], 44);
    expected.fill(0xff, 64);
    expect(question).toEqual(expected);
  });

  it('asks for an IPv6 socket by 16 bytes', () => {
    const question = writeQuestion({ ...ends, remoteAddress: '::1', localAddress: '::1' }, 7);
    expect([question[16], question.subarray(28, 60).toString('hex')]).toEqual([10, `${'0'.repeat(31)}1`.repeat(2)]);
  });

  it('reads an IPv6 socket with IPv4 addresses', () => {
    const bytes = reply(established);
    const mapped = Buffer.from('00000000000000000000ffff7f000001'.repeat(2), 'hex');
    bytes.set(mapped, 24);
    expect(readAnswer(bytes, ends, 7)).toBe(1000);
    bytes[39] = 2;
    expect(readAnswer(bytes, ends, 7)).toBeUndefined();
  });

  it.each([
    [-2, undefined],
    [-1, 'no-answer'],
  ])('reads the error %i of the kernel', (error, expected) => {
    const bytes = reply(established).subarray(0, 20);
    bytes.writeUInt16LE(2, 4);
    bytes.writeInt32LE(error, 16);
    expect(readAnswer(bytes, ends, 7)).toBe(expected);
  });

  it('takes no other kind of message', () => {
    const bytes = reply(established);
    bytes.writeUInt16LE(3, 4);
    expect(readAnswer(bytes, ends, 7)).toBe('no-answer');
  });
});

describe('sock_diag of this kernel', () => {
  // sock_diag is a part of Linux.
  itNeeding('Linux').each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])(
    'gives the same answers as the tables for an open and a closing connection to %s',
    async (address) => {
      const diagnosis = await openSocketDiagnosis();
      expect(diagnosis).toBeDefined();
      const listener = createTcpServer({ allowHalfOpen: true });
      await new Promise<void>((resolve) => listener.listen(0, '::', resolve));
      const client = connect({ port: (listener.address() as AddressInfo).port, host: address });
      const accepted = await new Promise<Socket>((resolve) => listener.once('connection', resolve));
      const both = endsOfSocket(accepted);
      const [ours, theirs] = [linuxOwners(ownUser), linuxOwners(ownUser + 1)];
      // From now on both ask sock_diag.
      await openSocketDiagnosis();
      const answers = async () => [
        diagnosis?.userOf(both),
        ...(await ownersInTables(ownUser, readTable)([both])),
        ...(await ours([both])),
        ...(await theirs([both])),
      ];
      expect(await answers()).toEqual([ownUser, 'same-user', 'same-user', 'other-user']);
      const ended = new Promise((resolve) => accepted.once('end', resolve));
      accepted.resume();
      client.end();
      await ended;
      expect(await answers()).toEqual([undefined, 'not-identified', 'not-identified', 'not-identified']);
      accepted.destroy();
      listener.close();
    },
  );

  const endsOfSocket = ({ remoteAddress = '', remotePort = 0, localAddress = '', localPort = 0 }: Socket) => ({
    remoteAddress,
    remotePort,
    localAddress,
    localPort,
  });
});
