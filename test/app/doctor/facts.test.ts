import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { machine, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCards } from '../../../src/app/doctor/card-service.ts';
import { libraryFormat, readLibraryFormat } from '../../../src/signing/index.ts';
import { findPortOwners } from '../../../src/app/doctor/port-owners.ts';
import { readListeners, readNames } from '../../../src/app/doctor/windows-facts.ts';
import { SiteVisits } from '../../../src/app/compose/site-visits.ts';
import { systemFile } from '../../setup/system-packages.ts';

let folder: string;
const servers: Server[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-doctor-'));
});
afterAll(async () => {
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

/** A PE file's head: where the COFF header is, machine, characteristics, magic. */
function pe(machine: number, magic: number, characteristics = 0x2022): Buffer {
  const head = Buffer.alloc(512);
  head.write('MZ');
  head.writeUInt32LE(0x80, 0x3c);
  head.write('PE\0\0', 0x80);
  head.writeUInt16LE(machine, 0x84);
  head.writeUInt16LE(characteristics, 0x84 + 18);
  head.writeUInt16LE(magic, 0x98);
  return head;
}

/** An ELF file's head: class, data, type, machine. */
function elf(width: 1 | 2, machine: number, type = 3): Buffer {
  const head = Buffer.alloc(64);
  head.set([0x7f, 0x45, 0x4c, 0x46, width, 1]);
  head.writeUInt16LE(type, 16);
  head.writeUInt16LE(machine, 18);
  return head;
}

const words = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4));
  return bytes;
};

describe('the head of a library', () => {
  it.each([
    ['ELF for x86, 32 bits', elf(1, 3), 32, ['ia32']],
    ['ELF for x86, 64 bits', elf(2, 62), 64, ['x64']],
    ['ELF for ARM, 64 bits', elf(2, 183), 64, ['arm64']],
    ['ELF for a machine without a name here', elf(2, 9999), 64, []],
    ['PE32', pe(0x14c, 0x10b), 32, ['ia32']],
    ['PE32+', pe(0x8664, 0x20b), 64, ['x64']],
    ['PE32+ for ARM', pe(0xaa64, 0x20b), 64, ['arm64']],
    ['Mach-O for Intel', words(0xcffaedfe, 0x07000001), 64, ['x64']],
    ['Mach-O for 32 bits', words(0xcefaedfe, 0x07000000), 32, ['ia32']],
    [
      'a universal Mach-O',
      words(0xcafebabe, 2, 0x01000007, 3, 0, 0, 0, 0x0100000c, 0, 0, 0, 0),
      ...([64, ['x64', 'arm64']] as const),
    ],
  ] as const)('of %s is told', (_name, head, bits, architectures) => {
    expect(libraryFormat(head)).toEqual({ kind: 'library', bits, architectures });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a text', Buffer.from('#! a text\necho')],
    ['an ELF program', elf(2, 62, 2)],
    ['a PE program', pe(0x8664, 0x20b, 0x22)],
    ['a PE file that is cut off', pe(0x8664, 0x20b).subarray(0, 0x81)],
    ['a class of Java', words(0xcafebabe, 0x34)],
  ])('of %s is none', (_name, head) => {
    expect(libraryFormat(head)).toEqual({ kind: 'other' });
  });

  it('agrees with the tool "file" about a driver of this computer, and is undefined for a missing one', async () => {
    const path = systemFile('softhsm');
    const kernel = machine();
    const architecture = kernel === 'x86_64' ? 'x64' : kernel === 'aarch64' ? 'arm64' : kernel;
    expect(await readLibraryFormat(path)).toEqual({ kind: 'library', bits: 64, architectures: [architecture] });
    expect(await readLibraryFormat(join(folder, 'none.so'))).toBeUndefined();
  });
});

/** Stands in for pcscd (pcsc-lite's winscard_msg.h): takes one version only, then tells sixteen places. */
async function startService(path: string, minor: number): Promise<void> {
  const answer = (socket: Socket, bytes: Buffer): void => {
    const [, command] = [bytes.readUInt32LE(0), bytes.readUInt32LE(4)];
    if (command === 0x11) {
      const wanted = bytes.readUInt32LE(12);
      const told = Buffer.alloc(12);
      told.writeUInt32LE(4, 0);
      told.writeUInt32LE(minor, 4);
      told.writeUInt32LE(wanted === minor ? 0 : 0x8010001e, 8);
      // In two pieces, possible with a socket.
      socket.write(told.subarray(0, 5));
      setImmediate(() => socket.write(told.subarray(5)));
      return;
    }
    const readers = Buffer.alloc(16 * 184);
    readers.write('Generic Reader 00 00', 0);
    readers.write('SafeNet eToken 5110 01 00', 184);
    readers.writeUInt32LE(0x2, 132);
    readers.writeUInt32LE(0x4 | (3 << 16), 184 + 132);
    socket.write(readers);
  };
  const server = createServer((socket) => socket.on('data', (bytes: Buffer) => answer(socket, bytes)));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(path, resolve));
}

describe('the service for smart cards', () => {
  it.each([4, 5])('speaking version 4.%i is asked for its readers and their cards', async (minor) => {
    const socket = join(folder, `pcscd-${minor}`);
    await startService(socket, minor);
    const cards = await readCards({ platform: 'linux', socket, usbDevices: join(folder, 'none') });
    expect(cards).toEqual({
      service: 'running',
      devices: [],
      readers: [
        { name: 'Generic Reader 00 00', hasCard: false },
        { name: 'SafeNet eToken 5110 01 00', hasCard: true },
      ],
    });
  });

  it('does not run, and USB tells of a token', async () => {
    const usb = join(folder, 'usb');
    mkdirSync(join(usb, '1-2'), { recursive: true });
    for (const [name, type] of [
      ['1-2:1.0', '0b'],
      ['1-3:1.0', '03'],
    ] as const) {
      mkdirSync(join(usb, name));
      writeFileSync(join(usb, name, 'bInterfaceClass'), `${type}\n`);
    }
    writeFileSync(join(usb, '1-2', 'product'), 'Token JC\n');
    writeFileSync(join(usb, '1-2', 'manufacturer'), 'SafeNet\n');
    const cards = await readCards({ platform: 'linux', socket: join(folder, 'nobody'), usbDevices: usb });
    expect(cards).toEqual({ service: 'stopped', readers: [], devices: ['SafeNet Token JC'] });
  });

  it('is not asked on other systems', async () => {
    const cards = await readCards({ platform: 'darwin', socket: '', usbDevices: '' });
    expect(cards).toEqual({ service: 'unknown', readers: [], devices: undefined });
  });

  it('has its names read from a multi-string of Windows', () => {
    const text = Buffer.from('Gemalto USB 0\0SafeNet Token JC 0\0\0', 'utf16le');
    expect(readNames(text)).toEqual(['Gemalto USB 0', 'SafeNet Token JC 0']);
    expect(readNames(Buffer.from('\0', 'utf16le'))).toEqual([]);
  });

  it('is not known on Windows where its functions cannot be called', async () => {
    const cards = await readCards({ platform: 'win32', socket: '', usbDevices: '' });
    if (process.platform === 'win32') expect(['running', 'stopped', 'unknown']).toContain(cards.service);
    else expect(cards).toEqual({ service: 'unknown', readers: [], devices: undefined });
  });
});

describe('the listener at a port', () => {
  it('is told by its name where ours, and left out where nobody listens', async () => {
    const server = createServer();
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const [owner, ...others] = await findPortOwners([port, 1]);
    expect(others).toEqual([]);
    expect(owner?.port).toBe(port);
    expect(owner?.program).toMatch(/\w/);
  });

  it('is read from a table of IPv4 filled by Windows', () => {
    // Two rows of MIB_TCPROW_OWNER_PID, recorded; a third is announced and missing.
    const table = Buffer.from(
      '03000000' +
        '02000000' +
        '7f000001' +
        '43130000' +
        '00000000' +
        '00000000' +
        'd4110000' +
        '02000000' +
        '00000000' +
        '01bd0000' +
        '00000000' +
        '00000000' +
        '04000000',
      'hex',
    );
    expect([...readListeners(table, 2)]).toEqual([
      [17_171, 4_564],
      [445, 4],
    ]);
    expect([...readListeners(Buffer.alloc(0), 2)]).toEqual([]);
  });

  it('is read from a table of IPv6 filled by Windows', () => {
    const row = Buffer.alloc(56);
    row.writeUInt16BE(17_171, 20);
    row.writeUInt32LE(2, 48);
    row.writeUInt32LE(4_564, 52);
    const table = Buffer.concat([Buffer.from([1, 0, 0, 0]), row]);
    expect([...readListeners(table, 23)]).toEqual([[17_171, 4_564]]);
  });
});

describe('the notes on sites', () => {
  const chrome =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';

  it('names browsers by their own names', () => {
    const visits = new SiteVisits(() => new Date());
    const edge = `${chrome} Edg/156.0.0.0`;
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';
    const safari = 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15';
    for (const agent of [chrome, edge, firefox, safari, undefined]) visits.note('https://a.example', agent, 'passed');
    expect(visits.list().map(({ browser }) => browser)).toEqual(['other', 'Safari', 'Firefox', 'Edge', 'Chrome']);
  });

  it('shows a frequent site once, the newest first, and no more than fifty', () => {
    const visits = new SiteVisits(() => new Date());
    for (let count = 0; count < 60; count += 1) visits.note(`https://${count}.example`, chrome, 'asked');
    for (let count = 0; count < 9; count += 1) visits.note('https://30.example', chrome, 'asked');
    expect(visits.list()).toHaveLength(50);
    expect(visits.list()[0]?.origin).toBe('https://30.example');
  });
});
