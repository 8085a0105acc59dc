/**
 * Card readers. On Linux pcscd is asked through its socket, and USB for devices of the card reader class; on Windows
 * WinSCard is asked. On other systems readers are unknown.
 */
import { readdir, readFile } from 'node:fs/promises';
import { createConnection, type Socket } from 'node:net';
import { endianness } from 'node:os';
import { join } from 'node:path';
import type { CardFacts } from '../../service/checks/index.ts';
import { readWindowsCards } from './windows-facts.ts';

/** The places to read; tests use other places. */
interface CardPlaces {
  readonly platform: NodeJS.Platform;
  readonly socket: string;
  readonly usbDevices: string;
}

const here: CardPlaces = {
  platform: process.platform,
  socket: '/run/pcscd/pcscd.comm',
  usbDevices: '/sys/bus/usb/devices',
};

/** The plugged-in readers, as far as the system reports them. */
export async function readCards(places: CardPlaces = here): Promise<CardFacts> {
  if (places.platform === 'win32') return readWindowsCards();
  if (places.platform !== 'linux') return { service: 'unknown', readers: [], devices: undefined };
  const [readers, devices] = await Promise.all([askService(places.socket), listDevices(places.usbDevices)]);
  if (readers === undefined) return { service: 'stopped', readers: [], devices };
  return { service: 'running', readers, devices };
}

/** Interfaces of the class "smart card" (USB class 0x0b), by the name of their device. */
async function listDevices(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    names.map(async (name) => {
      const type = await readFile(join(folder, name, 'bInterfaceClass'), 'utf8').catch(() => '');
      if (type.trim() !== '0b') return undefined;
      // `1-2:1.0` is an interface of the device `1-2`.
      const device = join(folder, name.split(':', 1)[0] ?? name);
      const product = await readFile(join(device, 'product'), 'utf8').catch(() => '');
      const maker = await readFile(join(device, 'manufacturer'), 'utf8').catch(() => '');
      return [maker.trim(), product.trim()].filter((part) => part !== '').join(' ') || name;
    }),
  );
  return [...new Set(found.filter((one) => one !== undefined))];
}

/** Messages of pcsc-lite, in the byte order of this computer: length of the body, command, body. */
const versionCommand = 0x11;
const readersCommand = 0x12;
const major = 4;
const minor = 4;
const versionLength = 12;
/** The answer always has sixteen entries; entries without a reader have an empty name. */
const places = 16;
const placeLength = 184;
const nameLength = 128;
const stateOffset = 132;
const cardPresent = 0x4;
const patience = 3000;

/** Undefined if the service does not run, or its answer is not understood. */
async function askService(path: string): Promise<CardFacts['readers'] | undefined> {
  const first = await ask(path, minor);
  if (first === undefined || 'readers' in first) return first?.readers;
  // The service has answered with another protocol version.
  const second = await ask(path, first.minor);
  return second !== undefined && 'readers' in second ? second.readers : undefined;
}

type Answer = { readonly readers: CardFacts['readers'] } | { readonly minor: number };

async function ask(path: string, wanted: number): Promise<Answer | undefined> {
  const socket = createConnection(path);
  socket.setTimeout(patience, () => socket.destroy());
  try {
    const bytes = read(socket);
    socket.write(message(versionCommand, [major, wanted, 0]));
    const version = await bytes.take(versionLength);
    if (integer(version, 0) !== major) return undefined;
    if (integer(version, 8) !== 0) return wanted === integer(version, 4) ? undefined : { minor: integer(version, 4) };
    socket.write(message(readersCommand, []));
    return { readers: readersIn(await bytes.take(places * placeLength)) };
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}

function readersIn(bytes: Buffer): CardFacts['readers'] {
  return Array.from({ length: places }, (_, index) => bytes.subarray(index * placeLength, (index + 1) * placeLength))
    .map((place) => ({
      name: place.toString('utf8', 0, Math.max(0, place.subarray(0, nameLength).indexOf(0))),
      hasCard: (integer(place, stateOffset) & cardPresent) !== 0,
    }))
    .filter(({ name }) => name !== '');
}

const isLittle = endianness() === 'LE';
const integer = (bytes: Buffer, offset: number): number =>
  isLittle ? bytes.readUInt32LE(offset) : bytes.readUInt32BE(offset);

function message(command: number, body: readonly number[]): Buffer {
  const bytes = Buffer.alloc(8 + body.length * 4);
  [body.length * 4, command, ...body].forEach((value, index) =>
    isLittle ? bytes.writeUInt32LE(value, index * 4) : bytes.writeUInt32BE(value, index * 4),
  );
  return bytes;
}

/** Reads exactly the requested number of bytes; rejects when the connection ends before. */
function read(socket: Socket): { take(length: number): Promise<Buffer> } {
  const chunks = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let kept = Buffer.alloc(0);
  return {
    async take(length) {
      while (kept.length < length) {
        const next = await chunks.next();
        if (next.done === true) throw new Error('The connection ended.');
        kept = Buffer.concat([kept, next.value]);
      }
      const taken = kept.subarray(0, length);
      kept = kept.subarray(length);
      return taken;
    },
  };
}
