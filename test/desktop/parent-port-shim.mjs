// Makes a forked Node process look like a utility process of Electron: its channel is `process.parentPort`, and nothing
// else of it is left. Threads of the process load this too, and have no channel.
import { EventEmitter } from 'node:events';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const send = process.send.bind(process);
  const port = new EventEmitter();
  port.postMessage = (message) => send(message);
  process.on('message', (data) => port.emit('message', { data }));
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  Object.defineProperties(process, { parentPort: { value: port }, send: { value: undefined } });
}
