// A web service that signs PDFs, with Express 5: npm install express; node express.mjs
//   curl --data-binary @contract.pdf -H 'Content-Type: application/pdf' http://127.0.0.1:3000/sign -o signed.pdf
import express from 'express';
import { createHmac, timingSafeEqual } from 'node:crypto';

const sinete = process.env.SINETE_ADDRESS ?? 'http://127.0.0.1:17171';
const secret = process.env.SINETE_WEBHOOK_SECRET ?? ''; // webhook_secret of the application, whsec_…
const credentials = process.env.SINETE_AUTHORIZATION; // Sinete base64(client_id:client_secret), or Bearer …
const app = express();

app.post('/sign', express.raw({ type: 'application/pdf', limit: '20mb' }), async (request, response) => {
  const answer = await fetch(`${sinete}/signature-service`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(credentials && { Authorization: credentials }) },
    body: JSON.stringify({
      type: 'PAdES',
      documents_source: 'DATA_URL',
      mode: 'sync',
      documents: `data:application/pdf;base64,${request.body.toString('base64')}`,
    }),
  });
  const transaction = await answer.json();
  if (!answer.ok) return response.status(502).json({ error: transaction.detail });
  const [document] = transaction.documents;
  // The document waits for a person longer than the call: the application comes back, or is told by a callback.
  if (document.status === 'WAITING') return response.status(202).json({ tcn: transaction.tcn });
  if (document.status === 'ERROR') return response.status(422).json({ error: document.error.detail });
  const signed = await fetch(document.result);
  response.type('application/pdf').send(Buffer.from(await signed.arrayBuffer()));
});

app.post('/signed', express.raw({ type: 'application/json', limit: '1mb' }), (request, response) => {
  const [id, time] = [request.get('webhook-id'), request.get('webhook-timestamp')];
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const wanted = createHmac('sha256', key).update(`${id}.${time}.`).update(request.body).digest();
  const isGenuine = (request.get('webhook-signature') ?? '').split(' ').some((one) => {
    const given = Buffer.from(one.replace('v1,', ''), 'base64');
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
  if (!isGenuine || !(Math.abs(Date.now() / 1000 - Number(time)) < 300)) return response.sendStatus(401);
  console.log(`finished: ${JSON.parse(request.body).status}`);
  response.sendStatus(204);
});

app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => console.log('ready'));
