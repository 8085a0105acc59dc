// A person authorizes one signature in the browser, and the program signs for them:
//   SINETE_CLIENT_ID=… SINETE_CLIENT_SECRET=… node authorize.mjs contract.pdf contract-signed.pdf
// The application is registered with the redirect address http://127.0.0.1:PORT/back (PORT is 8765 unless set).
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { basename } from 'node:path';
import { Sinete } from 'sinete-client';
import { OAuthApplication } from 'sinete-client/server';

const [source, target] = process.argv.slice(2);
const address = process.env.SINETE_ADDRESS ?? 'http://127.0.0.1:17171';
const port = Number(process.env.PORT ?? 8765);

const portal = new OAuthApplication({
  address,
  clientId: process.env.SINETE_CLIENT_ID,
  clientSecret: process.env.SINETE_CLIENT_SECRET,
  redirectUri: `http://127.0.0.1:${port}/back`,
});
const authorization = await portal.begin({ scope: 'single_signature', lifetime: 300 });
const answer = new Promise((resolve) => {
  const server = createServer((request, response) => {
    response.setHeader('Connection', 'close').end('You can close this page.\n');
    const { pathname, searchParams } = new URL(request.url, 'http://127.0.0.1');
    if (pathname !== '/back') return;
    server.close();
    resolve(searchParams);
  });
  server.listen(port, '127.0.0.1');
  once(server, 'listening').then(() => console.log(`Open ${authorization.url}`));
});
const token = await portal.finish(authorization, await answer);
const file = new File([await readFile(source)], basename(source), { type: 'application/pdf' });
const sinete = await Sinete.at(address);
const [signed] = await sinete.sign([file], { type: 'PAdES', authorization: token.authorization });
await writeFile(target, Buffer.from(await (await signed.download()).arrayBuffer()));
console.log(`${target} is signed.`);
