// The eight calls that most programs make, with Node 20 or newer and no package.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';

// [begin]
const base = process.env.SINETE_ADDRESS ?? 'http://127.0.0.1:17171';

async function call(path, options) {
  const answer = await fetch(base + path, options);
  const body = await answer.json();
  if (!answer.ok) throw new Error(`${body.code ?? body.error}: ${body.detail ?? body.error_description}`);
  return body;
}
// [one-call]
async function signInOneCall(pdf) {
  const { documents } = await call('/signature-service', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      type: 'PAdES',
      documents_source: 'DATA_URL',
      mode: 'sync',
      documents: `data:application/pdf;base64,${pdf.toString('base64')}`,
    }),
  });
  if (documents[0].status !== 'SIGNED') throw new Error(documents[0].error?.detail ?? 'Not signed yet: query it.');
  return Buffer.from(await (await fetch(documents[0].result)).arrayBuffer());
}
// [create]
async function create(settings) {
  const { tcn } = await call('/signature-service', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() },
    body: JSON.stringify({ type: 'PAdES', documents_source: 'UPLOAD_REFERENCE', signature_settings: settings }),
  });
  return tcn;
}
// [upload]
async function upload(tcn, name, pdf) {
  const form = new FormData();
  form.set('document', new Blob([pdf], { type: 'application/pdf' }), name);
  await call(`/file-transfer/${tcn}/eot`, { method: 'POST', body: form }); // continue instead of eot: more follow
}
// [query]
async function waitUntilFinished(tcn) {
  for (;;) {
    const transaction = await call(`/signature-service/${tcn}?wait=60`);
    if (transaction.status !== 'WAITING') return transaction.documents;
  }
}
// [download]
async function download(tcn, id) {
  const answer = await fetch(`${base}/file-transfer/${tcn}/${id}`);
  if (!answer.ok) throw new Error((await answer.json()).detail);
  return Buffer.from(await answer.arrayBuffer());
}
// [validate]
async function validate(signed) {
  const form = new FormData();
  form.set('type', 'PAdES');
  form.set('signature', new Blob([signed]), 'signed.pdf');
  const { status, detail } = await call('/validator-service', { method: 'POST', body: form });
  return { isValid: status, integrity: detail.signature };
}
// [token]
async function exchangeCode(code, verifier, application) {
  const form = { grant_type: 'authorization_code', code, code_verifier: verifier, ...application };
  const { access_token } = await call('/oauth', { method: 'POST', body: new URLSearchParams(form) });
  return access_token; // Authorization: Bearer …
}
// [callback]
function verifyCallback(headers, body, secret) {
  const id = headers['webhook-id'];
  const time = headers['webhook-timestamp'];
  if (Math.abs(Date.now() / 1000 - Number(time)) > 300) throw new Error('The callback is too old.');
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const wanted = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest();
  const isGenuine = headers['webhook-signature'].split(' ').some((one) => {
    const given = Buffer.from(one.slice('v1,'.length), 'base64');
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
  if (!isGenuine) throw new Error('The callback is not genuine.');
  return JSON.parse(body);
}
// [end]

const { env } = process;
const pdf = await readFile('contract.pdf');
await writeFile('one-call.pdf', await signInOneCall(pdf));
const tcn = await create({ reason: 'I agree' });
await upload(tcn, 'contract.pdf', pdf);
const [document] = await waitUntilFinished(tcn);
const signed = await download(tcn, document.id);
await writeFile('four-steps.pdf', signed);
console.log(`integrity ${(await validate(signed)).integrity.code}`);
const application = { client_id: env.CLIENT_ID, client_secret: env.CLIENT_SECRET, redirect_uri: env.REDIRECT_URI };
const token = await exchangeCode(env.CODE, env.CODE_VERIFIER, application);
console.log(`token ${token.length > 0}`);
const headers = Object.fromEntries(
  ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
    name,
    env[name.toUpperCase().replace('-', '_')],
  ]),
);
console.log(`callback ${verifyCallback(headers, env.WEBHOOK_BODY, env.WEBHOOK_SECRET).status}`);
try {
  verifyCallback(headers, `${env.WEBHOOK_BODY} `, env.WEBHOOK_SECRET);
} catch (error) {
  console.log(`forged ${error.message}`);
}
