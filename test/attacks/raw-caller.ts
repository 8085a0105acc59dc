/**
 * A program of its own, for another user of the computer: sends requests by hand. Its first argument is JSON: the port,
 * the local address to call from, the address to call, the texts of the requests, how many blanks follow, how often each
 * is sent, each time on a connection of its own, and whether the connection is closed or half-closed without waiting for the answer. It prints
 * the first lines of the answers as JSON.
 */
import './as-nobody.ts';
import { connect } from 'node:net';

interface Call {
  readonly port: number;
  readonly host?: string;
  readonly from?: string;
  readonly texts: readonly string[];
  readonly padding?: number;
  readonly times?: number;
  readonly end?: 'close' | 'half-close';
}

const call = JSON.parse(process.argv[2] ?? '{}') as Call;

async function send(text: string): Promise<string> {
  const socket = connect({
    port: call.port,
    host: call.host ?? '127.0.0.1',
    localAddress: call.from,
  });
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  socket.on('connect', () => {
    socket.write(text + ' '.repeat(call.padding ?? 0), () => {
      if (call.end === 'close') socket.destroy();
      if (call.end === 'half-close') socket.end();
    });
  });
  await new Promise((resolve) => socket.once('close', resolve));
  return answer.split('\r\n', 1)[0] ?? '';
}

const texts = call.texts.flatMap((text) => Array.from({ length: call.times ?? 1 }, () => text));
const answers = await Promise.all(texts.map(send));
process.stdout.write(JSON.stringify(answers));
