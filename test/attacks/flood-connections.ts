/**
 * A program of its own, for another user of the computer: opens many connections to a listener at once, sends a request
 * on each, and opens another for each closed connection. Tells the beginning to a parent process with a channel, prints
 * the numbers of outcomes, and ends when the given number of connections was opened.
 */
import './as-nobody.ts';
import { connect } from 'node:net';

const [, , port = '0', total = '0', together = '0'] = process.argv;

let opened = 0;
let open = 0;
const outcomes = new Map<string, number>();

function count(outcome: string): void {
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
}

function attack(): void {
  if (opened >= Number(total)) {
    if (open === 0) process.stdout.write(`${JSON.stringify(Object.fromEntries(outcomes))}\n`);
    return;
  }
  opened += 1;
  open += 1;
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('connect', () => socket.write(`GET /user HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`));
  socket.on('error', () => undefined);
  let isAnswered = false;
  socket.on('data', (chunk: Buffer) => {
    if (!isAnswered) count(chunk.toString('latin1', 0, 12));
    isAnswered = true;
    socket.end();
  });
  socket.once('close', () => {
    open -= 1;
    if (!isAnswered) count('closed');
    attack();
  });
}

process.send?.('begun');
for (let started = 0; started < Number(together); started += 1) attack();
