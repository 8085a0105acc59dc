// Receives callbacks and believes genuine ones only: SINETE_WEBHOOK_SECRET=whsec_… node receive-callback.mjs
// Give the printed address as notification_callback, or register it as a webhook of the application.
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook } from 'sinete-client/server';

const secret = process.env.SINETE_WEBHOOK_SECRET;
const seen = new Set(); // A real service keeps these ids in its database.

const server = createServer(async (request, response) => {
  try {
    const body = await verifyWebhook(request.headers, await buffer(request), secret);
    response.writeHead(204).end();
    if (seen.has(request.headers['webhook-id'])) return;
    seen.add(request.headers['webhook-id']);
    // A notification is the transaction itself; a webhook has it in `data`.
    const { status } = body.data ?? body;
    console.log(`genuine: ${body.data === undefined ? 'notification' : body.type} ${status}`);
  } catch (error) {
    console.log(`refused: ${error.message}`);
    response.writeHead(401).end();
  }
});
server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}/signed?tcn=`);
});
