import { createServer, request as sendHttp, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { locationOf, requestIdOf } from '../http/authorization/oauth-world.ts';
import { buildPdf } from '../signing/pdf/build-pdf.ts';
import { askPdfsig } from '../signing/pdf/oracles.ts';
import { makeGif, showPage } from '../signing/pdf/pictures.ts';
import { startRealInstance, type RealInstance } from './real-instance.ts';

/**
 * Seven programs written for other services with this interface, request by request: their methods, paths,
 * headers and fields. Each ends with the signed document and its stamp where the program means it, counted from the top
 * left corner of the page.
 */

const ana = '11144477735';
let instance: RealInstance;
let folder: string;
let codes: string[];
let alias: string;
let client: { readonly id: string; readonly secret: string };
let receiver: Server;
const received: { readonly url: string; readonly body: { readonly tcn?: string } }[] = [];
const redirectUri = 'http://127.0.0.1:9/callback';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-clients-'));
  instance = await startRealInstance({ approve: 'listed', approved: ['listed-program'] });
  codes = await instance.enrol('Ana Lima', ana);
  const { core, handlers } = instance.sinete;
  const made = await handlers['user-interface']['certificates.makeTestIdentity']({ name: 'ANA LIMA', cpf: ana });
  alias = made.alias;
  await core.assistant.addUser(ana, otp(), 'window');
  client = await register('Consultório');
  receiver = createServer((message, answer) => {
    let text = '';
    message.on('data', (chunk: Buffer) => (text += chunk.toString()));
    message.on('end', () => {
      received.push({ url: message.url ?? '', body: JSON.parse(text) as { tcn: string } });
      answer.end();
    });
  }).listen(0, '127.0.0.1');
});
afterAll(async () => {
  receiver.close();
  await instance.stop();
  await rm(folder, { recursive: true });
});

async function register(name: string, clientId?: string): Promise<typeof client> {
  const about = { name, comments: '', email: '', redirectUris: [redirectUri] };
  const { core } = instance.sinete;
  const { application, clientSecret } = await core.applications.register({
    ...about,
    clientId,
  });
  return { id: application.clientId, secret: clientSecret };
}

const otp = (): string => codes.shift() ?? 'none is left';
const basic = (name: string, secret: string): string => `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;
const jsonHeaders = { 'Content-Type': 'application/json', Accept: 'application/json' };

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

async function call(method: string, path: string, headers: object, body?: unknown): Promise<Reply> {
  const isForm = body instanceof FormData || body instanceof URLSearchParams || Buffer.isBuffer(body);
  const answer = await fetch(`${instance.url}${path}`, {
    method,
    headers: headers as Record<string, string>,
    body: body === undefined ? undefined : isForm ? (body as FormData) : JSON.stringify(body),
    redirect: 'manual',
  });
  const text = await answer.text();
  const isJson = (answer.headers.get('content-type') ?? '').includes('json');
  const content = isJson ? (JSON.parse(text) as Reply['body']) : {};
  return { status: answer.status, headers: answer.headers, body: content };
}

/** A blank page in points. */
const pageOf = (width: number, height: number): Buffer =>
  buildPdf({
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] >>`,
  });
const a4 = pageOf(595, 842);

function form(name: string, fileName: string, content: Buffer, type = 'application/pdf'): FormData {
  const parts = new FormData();
  parts.append(name, new Blob([new Uint8Array(content)], { type }), fileName);
  return parts;
}

interface Entry {
  readonly id: string;
  readonly status: string;
  readonly result: string | null;
  readonly lifetime: unknown;
  readonly adjustments?: readonly string[];
}

const entriesOf = ({ body }: Reply): readonly Entry[] => body.documents as readonly Entry[];

/** Asks again, as often as the state changes, until nothing waits. */
async function poll(tcn: string, headers: object): Promise<Entry> {
  for (;;) {
    const reply = await call('GET', `/signature-service/${tcn}?wait=20`, { Accept: 'application/json', ...headers });
    expect(reply.status).toBe(200);
    const [entry] = entriesOf(reply);
    expect(Number.isInteger(entry?.lifetime)).toBe(true);
    if (entry !== undefined && entry.status !== 'WAITING') return entry;
  }
}

async function download(path: string, headers: object = {}): Promise<Buffer> {
  const answer = await fetch(path.startsWith('http') ? path : `${instance.url}${path}`, {
    headers: headers as Record<string, string>,
  });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

/** The answer to a browser, with the headers of a navigation. */
async function navigate(
  path: string,
): Promise<{ readonly status: number; readonly body: Buffer; readonly type: string }> {
  const { port } = instance;
  return new Promise((resolve, reject) => {
    const headers = {
      Host: `127.0.0.1:${port}`,
      Accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
      'Accept-Language': 'en',
      'Sec-Fetch-Mode': 'navigate',
      'Sec-Fetch-Dest': 'document',
      'Sec-Fetch-Site': 'cross-site',
    };
    const message = sendHttp({ port, host: '127.0.0.1', path, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const type = String(answer.headers['content-disposition']);
        resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks), type });
      });
    });
    message.on('error', reject);
    message.end();
  });
}

type Box = readonly [x: number, y: number, width: number, height: number];

/** Both signatures and place: poppler finds the PDF intact, and its page has ink inside the box and nowhere else. */
async function expectSigned(pdf: Buffer, [x, y, width, height]: Box, signatures = 1): Promise<void> {
  const path = join(folder, `${received.length}-${pdf.length}.pdf`);
  await writeFile(path, pdf);
  const found = await askPdfsig(path);
  expect(found?.map(({ valid }) => valid)).toEqual(Array.from({ length: signatures }, () => true));
  const shown = await showPage(path);
  const [left = Number.NaN, bottom = Number.NaN, right = Number.NaN, top = Number.NaN] = shown.ink() ?? [];
  const fromTop = [left, shown.height - top, right, shown.height - bottom];
  const [minX = 0, minY = 0, maxX = 0, maxY = 0] = fromTop;
  expect(minX).toBeGreaterThanOrEqual(x - 1);
  expect(minY).toBeGreaterThanOrEqual(y - 1);
  expect(maxX).toBeLessThanOrEqual(x + width + 1);
  expect(maxY).toBeLessThanOrEqual(y + height + 1);
}

const pdfSignature = { type: 'PDFSignature', hash_algorithm: 'SHA256', auto_fix_document: true };
const stampAt = (page: number, [x, y, width, height]: Box): object => ({
  visible_sign_page: page,
  visible_sign_x: x,
  visible_sign_y: y,
  visible_sign_width: width,
  visible_sign_height: height,
});

describe('the client', () => {
  it('A asks for a token with its one-time password, and signs a second transaction with it', async () => {
    const place: Box = [0, 750, 200, 40];
    const setting = { contact: '', location: 'Brasil', reason: 'Assinatura médica — Portal', visible_signature: true };
    const body = {
      certificate_alias: '',
      ...pdfSignature,
      documents_source: 'UPLOAD_REFERENCE',
      signature_settings: [{ id: 'default', ...setting, ...stampAt(1, place) }],
    };
    const wish = { VCSchemaCfg: 'returnAccessToken=true;lifetime=300;autoRevoke=true' };
    const first = await call('POST', '/signature-service', { ...jsonHeaders, Authorization: basic(ana, otp()), ...wish }, body); // prettier-ignore
    const [token = ''] = (first.headers.get('VCSchemaData') ?? '').split(';');
    expect([first.status, token.length > 0, `${token}${String(first.body.tcn)}`.includes('|')]).toEqual([
      201,
      true,
      false,
    ]);
    const bearer = { Authorization: `Bearer ${token}` };
    const second = await call('POST', '/signature-service', { ...jsonHeaders, ...bearer }, body);
    const tcn = String(second.body.tcn);
    const low = pageOf(595, 789);
    const upload = await call(
      'POST',
      `/file-transfer/${tcn}/eot/default`,
      bearer,
      form('document', 'receita.pdf', low),
    );
    expect(upload.status).toBe(200);
    const entry = await poll(tcn, bearer);
    expect(entry.status).toBe('SIGNED');
    const id = String(entry.result).split(`${instance.url}/file-transfer/${tcn}/`)[1];
    expect(entry.adjustments?.[0]).toContain('200 × 40 points at 0, 749 from the top left corner');
    await expectSigned(await download(`/file-transfer/${tcn}/${String(id)}`, bearer), [0, 749, 200, 40]);
  });

  it('B lets a person authorize the transaction of its application, and gets as far as SIGNED', async () => {
    const place: Box = [50, 50, 200, 50];
    const setting = { contact: '', location: 'Brasil', reason: 'Prescrição Médica Digital', visible_signature: true };
    const application = { Authorization: basic(client.id, client.secret) };
    const wish = { VCSchemaCfg: 'returnAccessToken=true;lifetime=2592000;autoRevoke=false' };
    const created = await call('POST', '/signature-service', { ...jsonHeaders, ...application, ...wish }, {
      certificate_alias: '', ...pdfSignature, documents_source: 'UPLOAD_REFERENCE',
      signature_settings: [{ id: 'default', ...setting, ...stampAt(1, place) }],
    }); // prettier-ignore
    expect(created.status).toBe(201);
    const tcn = String(created.body.tcn);
    const upload = await call('POST', `/file-transfer/${tcn}/eot/default`, { ...application, 'Content-Type': 'application/pdf' }, a4); // prettier-ignore
    expect(upload.status).toBe(200);
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: client.id,
      redirect_uri: redirectUri,
      scope: 'signature_session',
      state: `7:${tcn}`,
    });
    const page = await navigate(`/oauth/authorize?${query.toString()}`);
    const fields = { request: requestIdOf({ body: page.body.toString() } as never), username: ana, password: otp() };
    const allowed = await instance.send('POST', '/oauth/authorize', { fields: { ...fields, decision: 'allow' } });
    const returned = new URL(locationOf(allowed)).searchParams;
    expect(returned.get('state')).toBe(`7:${tcn}`);
    const exchange = new URLSearchParams({
      grant_type: 'authorization_code',
      code: returned.get('code') ?? '',
      redirect_uri: redirectUri,
    });
    const token = await call('POST', '/oauth/token', application, exchange);
    expect([token.status, typeof token.body.access_token]).toEqual([200, 'string']);
    const authorized = await call('POST', `/signature-service/${tcn}/authorize`, {
      Authorization: `Bearer ${String(token.body.access_token)}`,
      'Content-Type': 'application/json',
    });
    expect(authorized.status).toBe(200);
    // The program waits for COMPLETED or DONE, which no document ever is: the difference is known.
    expect((await poll(tcn, application)).status).toBe('SIGNED');
    await expectSigned(await download(`/file-transfer/${tcn}/0`, application), place);
  });

  it('C names the person by their CPF, and is told by a callback keeping its own parameter', async () => {
    const place: Box = [48, 842 - 60, 260, 60];
    const login = { client_id: client.id, client_secret: client.secret, username: ana, password: otp() };
    const token = await call('POST', '/v0/oauth/pwd_authorize', jsonHeaders, {
      ...login,
      grant_type: 'password',
      scope: 'signature_session',
      lifetime: 600,
    });
    expect([token.status, token.body.expires_in]).toEqual([200, 600]);
    const bearer = { Authorization: `Bearer ${String(token.body.access_token)}` };
    const { port } = receiver.address() as AddressInfo;
    const created = await call('POST', '/signature-service', { ...jsonHeaders, ...bearer }, {
      certificate_alias: ana, ...pdfSignature, documents_source: 'UPLOAD_REFERENCE',
      notification_callback: `http://127.0.0.1:${port}/api/webhooks/signing?doc_id=7`,
      signature_settings: [
        { id: 'default', reason: 'Assinatura digital de documento médico', location: '', visible_signature: true, ...stampAt(-1, [48, 48, 260, 60]) },
      ],
    }); // prettier-ignore
    expect([created.status, created.body.certificate_alias]).toEqual([201, alias]);
    const tcn = String(created.body.tcn);
    await call('POST', `/file-transfer/${tcn}/eot/default`, { ...bearer, Accept: 'application/json' }, form('file', 'aptidao_fisica-7.pdf', a4)); // prettier-ignore
    const entry = await poll(tcn, bearer);
    expect([entry.status, entry.id]).toEqual(['SIGNED', '0']);
    await expect.poll(() => received.length, { timeout: 60_000 }).toBeGreaterThan(0);
    const [told] = received;
    const address = new URL(told?.url ?? '', 'http://127.0.0.1');
    expect([address.searchParams.get('doc_id'), told?.body.tcn]).toEqual(['7', tcn]);
    const [x, , width, height] = place;
    await expectSigned(await download(`/file-transfer/${tcn}/0`, bearer), [x, 48, width, height]);
  });

  it.each(['the alias', 'the CPF'])('D sends id and secret as Basic, and %s of the person', async (kind) => {
    const listed = kind === 'the alias' ? await register('Listed', 'listed-program') : undefined;
    if (listed !== undefined) listedProgram = listed;
    const place: Box = [0, 0, 230, 50];
    const program = { Authorization: basic(listedProgram.id, listedProgram.secret), Accept: 'application/json' };
    const created = await call('POST', '/signature-service', { ...program, 'Content-Type': 'application/json' }, {
      certificate_alias: kind === 'the alias' ? alias : ana, ...pdfSignature,
      signature_settings: [{ id: 'default', reason: 'Assinatura digital', visible_signature: true, ...stampAt(1, place) }],
      documents_source: 'UPLOAD_REFERENCE',
    }); // prettier-ignore
    expect(created.status).toBe(201);
    const tcn = String(created.body.tcn);
    await call('POST', `/file-transfer/${tcn}/eot/default`, program, form('document', 'documento.pdf', a4));
    const entry = await poll(tcn, program);
    expect([entry.status, Number(entry.id)]).toEqual(['SIGNED', 0]);
    await expectSigned(await download(`/file-transfer/${tcn}/${Number(entry.id)}`, program), place);
  });

  it('E sends a multipart login, a stamp higher than any page, and the browser for the result', async () => {
    const login = new FormData();
    const fields = { client_id: client.id, client_secret: client.secret, username: ana, password: otp() };
    for (const [name, value] of Object.entries({ ...fields, grant_type: 'password', scope: 'signature_session' })) {
      login.append(name, value);
    }
    login.append('lifetime', '432000');
    const token = await call('POST', '/oauth/pwd_authorize', { Accept: '*/*' }, login);
    const bearer = { Authorization: `Bearer ${String(token.body.access_token)}` };
    const setting = { contact: '123456789', location: 'Ceara - CE', reason: 'Assinatura_Documento' };
    const created = await call('POST', '/signature-service', { ...jsonHeaders, ...bearer }, {
      certificate_alias: '', ...pdfSignature, documents_source: 'UPLOAD_REFERENCE',
      signature_settings: [{ id: 'default', ...setting, ...stampAt(-1, [0, 0, 300, 1620]) }],
    }); // prettier-ignore
    const tcn = String(created.body.tcn);
    const upload = form('document[0]', './upload/PDFcertificado/7/laudo.pdf', a4, 'application/octet-stream');
    expect((await call('POST', `/file-transfer/${tcn}/eot/default`, { Accept: '*/*' }, upload)).status).toBe(200);
    expect((await poll(tcn, {})).adjustments?.[0]).toContain('the last page');
    const shown = await navigate(`/file-transfer/${tcn}/0`);
    expect([shown.status, shown.type]).toEqual([200, expect.stringMatching(/^attachment; .*laudo-signed\.pdf/)]);
    await expectSigned(shown.body, [0, 0, 157, 842]);
  });

  it('F signs in a single request, with a GIF; its store is named as the vendor names it', async () => {
    const place: Box = [0, 0, 300, 70];
    const gif = makeGif({ width: 40, height: 40, depth: 1, pixel: (x, y) => (x * y) % 2 }).toString('base64');
    const setting = { contact: '123456789', location: 'Goiânia - GO', reason: 'Assinatura_Documento' };
    const image = { visible_sign_img: `data:image/gif;base64,${gif}` };
    const data = `data:application/pdf;base64,${a4.toString('base64')}`;
    const body = {
      certificate_alias: '',
      ...pdfSignature,
      mode: 'sync',
      documents_source: 'DATA_URL',
      signature_settings: [{ id: 'default', ...setting, ...stampAt(1, place), ...image }],
      documents: [{ id: '0', signature_setting: 'default', data }],
    };
    const person = (): object => ({ ...jsonHeaders, Authorization: basic(ana, otp()) });
    const signed = await call('POST', '/signature-service', person(), body);
    expect([signed.status, entriesOf(signed)[0]?.status]).toEqual([201, 'SIGNED']);
    await expectSigned(await download(`/file-transfer/${String(signed.body.tcn)}/0`), place);
    const documents = [{ id: '0', signature_setting: 'default', destination_file_name: 'minha_assinatura2.pdf', data }];
    const stored = await call('POST', '/signature-service', person(), { ...body, documents, documents_destination: 'AWS_S3' }); // prettier-ignore
    expect([stored.status, stored.body.code]).toEqual([422, 'STORE_NOT_CONFIGURED']);
  });

  it('G polls at once, signs twice at the bottom of the page, and downloads without a credential', async () => {
    const login = { client_id: client.id, client_secret: client.secret, username: ana, password: otp() };
    const token = await call('POST', '/oauth', jsonHeaders, {
      ...login,
      grant_type: 'password',
      scope: 'signature_session',
      lifetime: 432_000,
    });
    expect([token.status, Number.isInteger(token.body.expires_in)]).toEqual([200, true]);
    const sign = async (pdf: Buffer, place: Box): Promise<Buffer> => {
      const setting = { contact: '123456789', location: 'SaoPauloSP', reason: 'Aprovação de documento' };
      const data = `data:application/pdf;base64,${pdf.toString('base64')}`;
      const document = { id: '12345', signature_setting: 'default', original_file_name: 'TESTE-ASSINATURA.pdf', data };
      const created = await call('POST', '/signature-service', { ...jsonHeaders, Authorization: String(token.body.authorization) }, {
        certificate_alias: '', ...pdfSignature, documents_source: 'DATA_URL', documents: [document],
        signature_settings: [{ id: 'default', ...setting, visible_signature: true, ...stampAt(-1, place), extraInfo: [] }],
      }); // prettier-ignore
      expect(created.status).toBe(201);
      const entry = await poll(String(created.body.tcn), {
        Authorization: `Bearer ${String(token.body.access_token)}`,
      });
      expect(entry.status).toBe('SIGNED');
      return download(entry.result ?? '');
    };
    const once = await sign(a4, [165, 680, 190, 50]);
    await expectSigned(once, [165, 680, 190, 50]);
    await expectSigned(await sign(once, [385, 680, 190, 50]), [165, 680, 410, 50], 2);
  });
});

let listedProgram: typeof client;
