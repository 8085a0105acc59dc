// Runs inside a root apart from the network. `relay.mjs PORT SOCKET` leads a loopback port to a UNIX socket; `relay.mjs
// PORT` only holds the port against everybody else. Says "listening" once listening.
import { connect, createServer } from 'node:net';

const [port, socket] = process.argv.slice(2);
createServer((client) => {
  if (socket === undefined) {
    client.destroy();
    return;
  }
  const outside = connect(socket);
  client.on('error', () => outside.destroy());
  outside.on('error', () => client.destroy());
  client.pipe(outside).pipe(client);
}).listen(Number(port), '127.0.0.1', () => console.log('listening'));
