import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleDocuments } from '../../src/app/demo/sample-documents.ts';
import { plainRequest, type PlainAnswer } from '../http/start-test-server.ts';
import { startRealInstance, type Answer, type RealInstance } from './real-instance.ts';

/** The sentences of refusals: each names the field or the mistake, and the right value. */

let instance: RealInstance;
beforeAll(async () => {
  instance = await startRealInstance({ approve: 'all' });
  await instance.sinete.handlers['user-interface']['certificates.makeTestIdentity']({
    name: 'ANA LIMA',
    cpf: '11144477735',
  });
});
afterAll(async () => instance.stop());

const good = { type: 'CMS', documents_source: 'DATA_URL', documents: 'data:text/plain,hello', mode: 'sync' };

async function create(changes: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return instance.send('POST', '/signature-service', { json: { ...good, ...changes }, headers });
}

async function raw(method: string, path: string, headers: object, body: string | Buffer): Promise<PlainAnswer> {
  const { port } = instance;
  return plainRequest({ port }, { method, path, headers: { Host: `127.0.0.1:${port}`, ...headers }, body });
}

/** The refusal's code, and its sentence with the sentences of its fields. */
function said({ body }: PlainAnswer): readonly [code: string, text: string] {
  const problem = JSON.parse(body) as { code: string; detail: string; errors?: { field: string; detail: string }[] };
  return [
    problem.code,
    [problem.detail, ...(problem.errors ?? []).map((one) => `${one.field}: ${one.detail}`)].join(' '),
  ];
}

describe('a create request', () => {
  it.each([
    [{ type: 'PDF' }, 422, 'REQUEST_INVALID', 'type: Use CMS, CAdES, CMS-attached'],
    [{ type: 7 }, 422, 'REQUEST_INVALID', 'type: Use CMS, CAdES, CMS-attached'],
    [{ mode: 'later' }, 422, 'REQUEST_INVALID', 'mode: Use async or sync.'],
    [{ type: undefined }, 422, 'REQUEST_INVALID', 'type: This field is required.'],
    [{ certificate_alias: [1] }, 422, 'REQUEST_INVALID', 'certificate_alias: Send this field once, with a text.'],
    [{ certificate_alias: 7 }, 422, 'REQUEST_INVALID', 'certificate_alias: Give a text.'],
    [{ auto_fix_document: 'maybe' }, 422, 'REQUEST_INVALID', 'auto_fix_document: Give true or false.'],
    [
      { signature_settings: { visible_sign_width: 0 } },
      422,
      'REQUEST_INVALID',
      'visible_sign_width: Give more than 0.',
    ],
    [{ signature_settings: { visible_sign_x: 99_999 } }, 422, 'REQUEST_INVALID', 'visible_sign_x: Give at most 20000.'],
    [{ signature_settings: { visible_sign_page: true } }, 422, 'REQUEST_INVALID', 'visible_sign_page: Give a number.'],
    [
      { signature_settings: { reason: 'x'.repeat(1001) } },
      422,
      'REQUEST_INVALID',
      'reason: Give at most 1000 characters.',
    ],
    [{ signature: 'AAAA' }, 422, 'REQUEST_INVALID', 'signature: This is no CMS signature: send the base64'],
    [{ certificate_alias: 'nobody' }, 422, 'CERTIFICATE_NOT_FOUND', 'Use one of "ANA LIMA:11144477735".'],
    [{ tsa_server_id: 'zz' }, 422, 'TSA_NOT_CONFIGURED', 'Configured ids: '],
    [
      {
        documents_destination: 'FILE_PATH',
        documents: [{ data: 'data:,a', destination_file_name: '/no/such/folder/a' }],
      },
      ...([422, 'FOLDER_NOT_FOUND', 'The folder of the destination is not there: make it first.'] as const),
    ],
  ] as const)('with %j is refused with the remedy', async (changes, status, code, words) => {
    const answer = await create(changes);
    const [found, text] = said(answer);
    expect([answer.status, found]).toEqual([status, code]);
    expect(text).toContain(words);
  });

  it('asks for a time stamp naming a time-stamp server and no policy', async () => {
    const { handlers } = instance.sinete;
    await handlers['user-interface']['tsa.add']({
      id: 'local',
      url: 'http://127.0.0.1:9/',
      digest: 'sha256',
      authentication: { kind: 'none' },
    });
    const answer = await create({ type: 'CAdES', mode: 'async', tsa_server_id: 'local' });
    expect(answer.content).toMatchObject({ policy: 'B-T', tsa: true });
  });

  it.each([
    [Buffer.from('{"type":"Aprova\xe7\xe3o"}', 'latin1'), 'BODY_NOT_UTF8', 'the byte at offset 15 is 0xe7'],
    [Buffer.from('{"type": "CMS",}'), 'REQUEST_MALFORMED', 'line 1, column 16'],
    [Buffer.from('null'), 'REQUEST_MALFORMED', 'The body must be a JSON object, and it is null.'],
  ])('with the body %s is refused with the place', async (body, code, words) => {
    const answer = await raw('POST', '/signature-service', { 'Content-Type': 'application/json' }, body);
    const [found, text] = said(answer);
    expect([answer.status, found]).toEqual([400, code]);
    expect(text).toContain(words);
  });
});

describe('a certificate', () => {
  it.each(['11144477735', '111.444.777-35'])('is found by the number %s of its only holder', async (number) => {
    const answer = await create({ certificate_alias: number });
    expect([answer.status, answer.content.certificate_alias]).toEqual([201, 'ANA LIMA:11144477735']);
  });
});

describe('the authorization service and the local helper', () => {
  const json = 'application/json';
  const form = 'application/x-www-form-urlencoded';

  it.each([
    ['/oauth', json, '{"grant_type":', 400, 'The body is not JSON: look at line 1, column 15.'],
    ['/oauth', json, 'null', 400, 'The body must be a JSON object, and it is null.'],
    ['/application', form, 'client_name=PC&force=maybe', 422, 'Use true or false.'],
    ['/user', form, 'username=1&username=2&password=3', 422, 'Send this field once, with a text or a number.'],
  ])('tell at %s the fault of %s %s', async (path, type, body, status, sentence) => {
    const answer = await raw('POST', path, { 'Content-Type': type }, body);
    const content = JSON.parse(answer.body) as { error_description?: string; errors?: { detail: string }[] };
    expect([answer.status, content.error_description ?? content.errors?.[0]?.detail]).toEqual([status, sentence]);
  });

  it('name the supported response type', async () => {
    const { content } = await instance.send('POST', '/v0/oauth/application', {
      json: { name: 'P', comments: '', email: 'a@p.example', redirect_uris: ['https://p.example/back'] },
    });
    const asked = `/oauth/authorize?response_type=token&client_id=${String(content.client_id)}`;
    const { location } = (await instance.send('GET', asked)).headers;
    expect(new URL(String(location)).searchParams.get('error_description')).toBe(
      'response_type is not supported: send response_type=code.',
    );
  });

  it('name the time-stamp servers when a missing one is tested', async () => {
    const test = instance.sinete.handlers['user-interface']['tsa.test'];
    await expect(test({ id: 'zz' })).rejects.toMatchObject({
      message: expect.stringMatching(/^No time-stamp server has the id "zz"\. (Add one|Configured ids: )/) as string,
    });
  });
});

describe('unknown fields', () => {
  const mistyped = {
    polcy: 'B-LTA',
    hash_algoritm: 'SHA512',
    certificateAlias: '',
    shop_number: 7,
    documents: [{ data: 'data:,a', orignal_file_name: 'a.txt', path: undefined }],
    signature_settings: { id: 'default', reson: 'x', extraInfo: undefined },
  };
  const told = [
    { field: 'polcy', did_you_mean: 'policy' },
    { field: 'hash_algoritm', did_you_mean: 'hash_algorithm' },
    { field: 'certificateAlias', did_you_mean: 'certificate_alias' },
    { field: 'shop_number' },
    { field: 'documents[0].orignal_file_name', did_you_mean: 'documents[0].original_file_name' },
    { field: 'signature_settings[0].reson', did_you_mean: 'signature_settings[0].reason' },
  ];

  it('are told, with the probable meaning', async () => {
    const answer = await create(mistyped);
    expect([answer.status, answer.content.ignored_fields]).toEqual([201, told]);
    expect((await create({})).content).not.toHaveProperty('ignored_fields');
  });

  it.each(['handling=strict', 'respond-async, Handling="strict"'])('are refused for Prefer: %s', async (preference) => {
    const answer = await create(mistyped, { Prefer: preference });
    expect([answer.status, answer.headers['preference-applied']]).toEqual([422, 'handling=strict']);
    expect(answer.content.errors).toEqual(
      told.map(({ field, did_you_mean: meant }) => ({
        field,
        code: 'UNKNOWN_FIELD',
        detail: meant === undefined ? 'This field is not known: leave it out.' : `Did you mean "${meant}"?`,
      })),
    );
    expect((await create({}, { Prefer: preference })).status).toBe(201);
  });

  it('are told beside options foreign to the type', async () => {
    const misplaced = { type: 'CMS', signature_settings: { reason: 'x', visible_signature: 'false' } };
    const { status, content } = await create(misplaced);
    expect([status, content.ignored_fields]).toEqual([201, [{ field: 'signature_settings[0].reason' }]]);
    const strict = await create(misplaced, { Prefer: 'handling=strict' });
    expect([strict.status, strict.content.errors]).toMatchObject([422, [{ field: 'signature_settings[0].reason' }]]);
  });
});

describe('an upload', () => {
  const part = (name: string): string =>
    `--b\r\nContent-Disposition: form-data; name="document"; filename="${name}"\r\n\r\nx\r\n--b--\r\n`;
  it.each([
    ['without a boundary', 'multipart/form-data', part('a.txt'), 'boundary is missing'],
    [
      'with a control character in a name',
      'multipart/form-data; boundary=b',
      part('a\u0000.txt'),
      'control characters',
    ],
    [
      'with a name in Latin-1',
      'multipart/form-data; boundary=b',
      Buffer.from(part('\xe7.txt'), 'latin1'),
      'file names as UTF-8',
    ],
  ])('%s is not told to try again', async (_what, type, body, words) => {
    const { content } = await create({ documents_source: 'UPLOAD_REFERENCE', documents: undefined });
    const answer = await raw('POST', `/file-transfer/${String(content.tcn)}/eot`, { 'Content-Type': type }, body);
    expect([answer.status, said(answer)[0]]).toEqual([
      400,
      expect.stringMatching(/^(REQUEST_MALFORMED|BODY_NOT_UTF8)$/),
    ]);
    expect(said(answer)[1]).toContain(words);
  });
});

describe('a problem', () => {
  it('has a type leading to a page with cause and remedy, in both languages', async () => {
    const { content } = await create({ type: 'PDF' });
    const page = async (language: string): Promise<PlainAnswer> => {
      const { port } = instance;
      const navigation = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Site': 'none' };
      const headers = { Host: `127.0.0.1:${port}`, 'Accept-Language': language, ...navigation };
      return plainRequest({ port }, { path: String(content.type), headers });
    };
    const english = await page('en');
    expect([english.status, english.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(english.body).toContain('Correct the fields in errors');
    expect((await page('pt-BR,en;q=0.5')).body).toContain('Corrija os campos listados em errors.');
    expect((await instance.send('GET', '/problems/NO_SUCH_CODE')).status).toBe(404);
    expect((await instance.send('GET', '/problems/constructor')).status).toBe(404);
  });

  it('is in Portuguese for Accept-Language: pt; its codes stay', async () => {
    const answer = await create({ type: 'PDF' }, { 'Accept-Language': 'pt-BR, pt;q=0.9, en;q=0.5' });
    expect(answer.content).toMatchObject({ code: 'REQUEST_INVALID', title: 'Alguns campos não são válidos' });
    expect(answer.content.detail).toBe(
      'Alguns campos da requisição faltam ou estão errados. Corrija os campos listados em errors.',
    );
    expect(answer.headers['content-language']).toBe('pt-BR');
    expect((await create({ type: 'PDF' }, { 'Accept-Language': 'de, en;q=0.9, pt;q=0.1' })).content.title).toBe(
      'Some fields are not valid',
    );
  });
});

describe('the error of a document', () => {
  const english = expect.stringContaining('is not a PDF') as string;
  const portuguese = 'O documento não é um PDF. Escolha CMS ou CAdES para outros arquivos.';
  const code = 'DOCUMENT_NOT_A_PDF';
  const errorIn = ({ content }: Answer): unknown =>
    (content.documents as readonly { readonly error?: unknown }[] | undefined)?.[0]?.error;

  it('is in the language of Accept-Language in every answer; its code stays', async () => {
    const pt = { 'Accept-Language': 'pt-BR' };
    const answer = await create({ type: 'PAdES' }, pt);
    expect([answer.content.status, errorIn(answer)]).toEqual(['ERROR', { code, detail: portuguese }]);
    expect(answer.headers.vary).toContain('Accept-Language');
    const tcn = String(answer.content.tcn);
    const query = async (headers: Readonly<Record<string, string>>): Promise<unknown> =>
      errorIn(await instance.send('GET', `/signature-service/${tcn}`, { headers }));
    expect(await query(pt)).toEqual({ code, detail: portuguese });
    expect(await query({})).toEqual({ code, detail: english });
    const download = async (headers: Readonly<Record<string, string>>): Promise<Answer> =>
      instance.send('GET', `/file-transfer/${tcn}/0`, { headers });
    const refusal = await download(pt);
    expect([refusal.status, refusal.content.code]).toEqual([409, 'SIGNING_FAILED']);
    expect(refusal.content.errors).toEqual([{ field: 'documents[0]', code, detail: portuguese }]);
    expect((await download({})).content.errors).toEqual([{ field: 'documents[0]', code, detail: english }]);
  });

  it('is in Portuguese in the answer to a cancellation', async () => {
    const open = await create({ documents_source: 'UPLOAD_REFERENCE', documents: [{ id: 'a' }], mode: 'async' });
    const path = `/signature-service/${String(open.content.tcn)}`;
    const cancelled = await instance.send('DELETE', path, { headers: { 'Accept-Language': 'pt' } });
    expect(errorIn(cancelled)).toEqual({
      code: 'CANCELLED',
      detail: 'A transação foi cancelada. Inicie outra.',
    });
  });

  it('does not point to members missing in a document', async () => {
    const image = `data:image/gif;base64,${Buffer.from('GIF89a').toString('base64')}`;
    const settings = { visible_sign_img: image };
    const { content: pdf } = sampleDocuments(new Date()).contract;
    const documents = `data:application/pdf;base64,${pdf.toString('base64')}`;
    const asked = { type: 'PAdES', documents, signature_settings: settings };
    const answer = await create(asked, { 'Accept-Language': 'pt' });
    expect(errorIn(answer)).toEqual({
      code: 'REQUEST_INVALID',
      detail:
        'O documento não permite o que a requisição pede, por exemplo uma imagem danificada. Confira os campos da ' +
        'assinatura visível (visible_sign_…).',
    });
  });
});

describe('HTTP manners', () => {
  it('answer 412 to a condition not met by another version', async () => {
    const { content } = await create({});
    const path = `/file-transfer/${String(content.tcn)}/0`;
    const etag = String((await instance.send('GET', path)).headers.etag);
    const ask = async (headers: Readonly<Record<string, string>>): Promise<number> =>
      (await instance.send('GET', path, { headers })).status;
    expect(await ask({ 'If-Match': `"x", ${etag}` })).toBe(200);
    expect(await ask({ 'If-Match': '*' })).toBe(200);
    expect(await ask({ 'If-Match': '"x"' })).toBe(412);
    expect(await ask({ 'If-Unmodified-Since': 'Thu, 01 Jan 2026 00:00:00 GMT' })).toBe(412);
    expect(await ask({ 'If-Unmodified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' })).toBe(200);
  });

  it.each([
    ['GET', '/file-transfer/T', 'POST'],
    ['DELETE', '/file-transfer/T/0', 'POST, GET, HEAD'],
    ['PUT', '/signature-service', 'POST, GET, HEAD'],
    ['PUT', '/signature-service/T', 'GET, HEAD, DELETE'],
  ])('name the methods of exactly this address: %s %s', async (method, path, allowed) => {
    const answer = await instance.send(method, path);
    expect([answer.status, answer.headers.allow]).toEqual([405, allowed]);
  });

  it.each([
    ['bytes that are no request', '\u0016\u0003\u0001\r\n\r\n', 400, 'REQUEST_MALFORMED'],
    [
      'too long headers',
      `GET / HTTP/1.1\r\nHost: x\r\nCookie: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    ['another expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: coffee\r\n\r\n', 417, 'EXPECTATION_FAILED'],
    [
      'a guarded request that waits for 100 Continue',
      'POST /signature-service HTTP/1.1\r\nHost: evil.example\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n',
      421,
      'HOST_NOT_OURS',
    ],
  ])('answer %s with a problem', async (_what, text, status, code) => {
    const answer = await exchange(text);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain(`"code":"${code}"`);
    const [, id] = /^x-request-id: (.+)\r$/im.exec(answer) ?? [];
    expect(id).toBeDefined();
    expect(answer).toContain(`"instance":"urn:sinete:request:${id}"`);
  });

  it('invite the body of an allowed request', async () => {
    const body = JSON.stringify(good);
    const head = `POST /signature-service HTTP/1.1\r\nHost: 127.0.0.1:${instance.port}\r\nContent-Type: application/json`;
    const answer = await exchange(
      `${head}\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`,
      body,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
  });

  /** Sends text, and `rest` after the first answer; the answers until the server or the test ends the connection. */
  async function exchange(text: string, rest?: string): Promise<string> {
    return new Promise((resolve, reject) => {
      let heard = '';
      const socket = connect(instance.port, '127.0.0.1', () => socket.write(text, 'latin1'));
      socket.on('data', (chunk) => {
        heard += chunk.toString();
        if (rest !== undefined && heard.endsWith('Continue\r\n\r\n')) socket.write(rest);
        else if (rest === undefined && heard.includes('"instance"')) socket.end();
      });
      socket.on('close', () => {
        resolve(heard);
      });
      socket.on('error', reject);
    });
  }
});
