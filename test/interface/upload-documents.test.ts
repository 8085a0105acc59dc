import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/service/errors/index.ts';
import { plainRequest, startTestServer, type PlainAnswer, type TestServer } from '../http/start-test-server.ts';
import { until } from '../setup/waits.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => server.stop());
beforeEach(() => {
  server.transactions.uploads.length = 0;
  server.transactions.failure = undefined;
});

type Part = readonly [field: string, content: string, fileName?: string];

function form(parts: readonly Part[]): { readonly headers: Record<string, string>; readonly body: string } {
  const lines = parts.map(([field, content, fileName = 'a.txt']) => {
    const name = fileName === '' ? '' : `; filename="${fileName}"`;
    return `--b\r\nContent-Disposition: form-data; name="${field}"${name}\r\n${
      fileName === '' ? '' : 'Content-Type: text/plain\r\n'
    }\r\n${content}\r\n`;
  });
  return { headers: { 'Content-Type': 'multipart/form-data; boundary=b' }, body: `${lines.join('')}--b--\r\n` };
}

async function upload(path: string, parts: readonly Part[] = [['document', 'hello']]): Promise<PlainAnswer> {
  return plainRequest(server, { method: 'POST', path, ...form(parts) });
}

const codeOf = (answer: PlainAnswer): string => (JSON.parse(answer.body) as { code: string }).code;
const received = (): readonly string[] =>
  server.transactions.uploads.flatMap(({ documents }) => documents.map(({ content }) => content));

describe('POST /file-transfer/<tcn>/<eot>/<signature_setting>', () => {
  const paths: readonly (readonly [string, boolean, string | undefined])[] = [
    ['/file-transfer/T', false, undefined],
    ['/file-transfer/T/', false, undefined],
    ['/file-transfer/T/eot', true, undefined],
    ['/file-transfer/T/eot/', true, undefined],
    ['/file-transfer/T/EOT', true, undefined],
    ['/file-transfer/T/continue', false, undefined],
    ['/file-transfer/T//default', false, 'default'],
    ['/file-transfer/T/continue/default', false, 'default'],
    ['/file-transfer/T/eot/default', true, 'default'],
    ['/file-transfer/T/eot/two%20b', true, 'two b'],
    ['/file-transfer/T//', false, undefined],
  ];

  it.each(paths)('takes %s', async (path, endOfTransaction, settingId) => {
    const answer = await upload(path);
    expect(answer.status, answer.body).toBe(200);
    expect(JSON.parse(answer.body)).toMatchObject({ tcn: 'T', end_of_transaction: endOfTransaction });
    expect(server.transactions.uploads[0]?.request).toEqual({
      endOfTransaction,
      announcedBytes: Buffer.byteLength(form([['document', 'hello']]).body),
      settingId,
      isOneDocument: false,
    });
  });

  const forms: readonly (readonly [string, readonly Part[], readonly string[]])[] = [
    ['one document', [['document', 'a']], ['a']],
    ['an empty document', [['document', '']], ['']],
    ['a batch', [['document[0]', 'a'], ['document[1]', 'b'], ['document[2]', 'c']], ['a', 'b', 'c']], // prettier-ignore
    ['a batch out of order', [['document[2]', 'c'], ['document[0]', 'a'], ['document[1]', 'b']], ['a', 'b', 'c']], // prettier-ignore
    ['a batch that goes on counting', [['document[11]', 'b'], ['document[10]', 'a']], ['a', 'b']], // prettier-ignore
    ['a single file under another name', [['contrato', 'a']], ['a']],
    ['document twice', [['document', 'a'], ['document', 'b']], ['a', 'b']], // prettier-ignore
    ['text fields beside it', [['note', 'x', ''], ['document', 'a']], ['a']], // prettier-ignore
    ['no documents at all', [], []],
  ];

  it.each(forms)('reads %s', async (_name, parts, expected) => {
    const answer = await upload('/file-transfer/T', parts);
    expect(answer.status, answer.body).toBe(200);
    expect(received()).toEqual(expected);
    expect(await readdir(server.spoolFolder)).toEqual([]);
  });

  it('tells the service the text in brackets, also of a part that waited for its turn', async () => {
    const parts: readonly Part[] = [['document[A]', 'a'], ['document', 'b'], ['document[1]', 'd'], ['document[0]', 'c']]; // prettier-ignore
    await upload('/file-transfer/T', parts);
    const documents = server.transactions.uploads.flatMap((one) => one.documents);
    expect(documents.map(({ label, content }) => [label, content])).toEqual([
      ['A', 'a'],
      [undefined, 'b'],
      ['0', 'c'],
      ['1', 'd'],
    ]);
  });

  it('keeps file names in UTF-8', async () => {
    await upload('/file-transfer/T', [['document', 'a', 'petição.pdf']]);
    expect(server.transactions.uploads[0]?.documents[0]).toMatchObject({
      fileName: 'petição.pdf',
      mediaType: 'text/plain',
    });
  });

  it.each([
    ['in base64', '=?UTF-8?B?Y29udHJhdG8gYcOnw6NvLnBkZg==?=', 'contrato ação.pdf'],
    ['in base64 with a slash', '=?UTF-8?B?w7/Dvw==?=.pdf', 'ÿÿ.pdf'],
    ['in quoted-printable of Latin-1', '=?ISO-8859-1?Q?a=E7=E3o_1.pdf?=', 'ação 1.pdf'],
    ['in two words', '=?utf-8?q?a=C3=A7?= =?utf-8?q?=C3=A3o.pdf?=', 'ação.pdf'],
    ['with a folder inside', '=?utf-8?b?Li4vLi4vZXRjL3Bhc3N3ZA==?=', 'passwd'],
    ['in an unknown character set', '=?x-none?Q?a.pdf?=', '=?x-none?Q?a.pdf?='],
    ['in broken UTF-8', '=?utf-8?Q?=C3.pdf?=', '=?utf-8?Q?=C3.pdf?='],
  ])('decodes names as in e-mails: %s', async (_, sent, name) => {
    await upload('/file-transfer/T', [['document', 'a', sent]]);
    const headers = { 'Content-Type': 'application/pdf', 'Content-Disposition': `attachment; filename="${sent}"` };
    await plainRequest(server, { method: 'POST', path: '/file-transfer/T', headers, body: '%PDF-' });
    const [ofForm, ofBody] = server.transactions.uploads.map(({ documents }) => documents[0]?.fileName);
    expect([ofForm, ofBody?.split('/').at(-1)]).toEqual([name, name]);
  });

  it('takes the raw body as one document, with its name', async () => {
    const answer = await plainRequest(server, {
      method: 'POST',
      path: '/file-transfer/T/eot',
      headers: { 'Content-Type': 'application/pdf', 'Content-Disposition': "attachment; filename*=UTF-8''a%C3%A7.pdf" },
      body: '%PDF-',
    });
    expect(answer.status).toBe(200);
    expect(server.transactions.uploads[0]?.documents).toEqual([
      { fileName: 'aç.pdf', mediaType: 'application/pdf', content: '%PDF-' },
    ]);
  });

  it('takes application/octet-stream as a document of unknown type', async () => {
    const headers = { 'Content-Type': 'application/octet-stream' };
    await plainRequest(server, { method: 'POST', path: '/file-transfer/T', headers, body: 'x' });
    expect(server.transactions.uploads[0]?.documents).toEqual([
      { fileName: undefined, mediaType: undefined, content: 'x' },
    ]);
  });

  it('ends a batch with a request without body', async () => {
    const answer = await plainRequest(server, { method: 'POST', path: '/file-transfer/T/eot' });
    expect(answer.status).toBe(200);
    expect(server.transactions.uploads).toEqual([
      { request: { endOfTransaction: true, announcedBytes: 0, isOneDocument: false }, documents: [] },
    ]);
  });

  const misuses: readonly (readonly [string, readonly Part[], number, string])[] = [
    ['a document as text', [['document', 'a', '']], 422, 'REQUEST_INVALID'],
    ['the same id twice', [['document[A]', 'a'], ['document[A]', 'b']], 422, 'REQUEST_INVALID'], // prettier-ignore
    ['the same index twice', [['document[0]', 'a'], ['document[0]', 'b']], 422, 'REQUEST_INVALID'], // prettier-ignore
    ['two files under other names', [['a', 'a'], ['b', 'b']], 422, 'REQUEST_INVALID'], // prettier-ignore
    ['a document behind a file of another name', [['a', 'a'], ['document', 'b']], 422, 'REQUEST_INVALID'], // prettier-ignore
    [
      'more documents than the limit',
      [0, 1, 2, 3, 4, 5].map((n) => [`document[${n}]`, 'a']),
      422,
      'TOO_MANY_DOCUMENTS',
    ],
  ];

  it.each(misuses)('refuses %s and keeps nothing', async (_name, parts, status, code) => {
    const answer = await upload('/file-transfer/T', parts);
    expect([answer.status, codeOf(answer)]).toEqual([status, code]);
    expect(server.transactions.uploads).toEqual([]);
    expect(await readdir(server.spoolFolder)).toEqual([]);
  });

  it('names the field of a part without name, which would have to be the only one', async () => {
    const answer = await upload('/file-transfer/T', [['document', 'a'], ['', 'b']]); // prettier-ignore
    const body = JSON.parse(answer.body) as { readonly errors: readonly { readonly field: string }[] };
    expect([answer.status, body.errors.map(({ field }) => field)]).toEqual([422, ['document']]);
  });

  const requests: readonly (readonly [string, string, Record<string, string>, string, number, string])[] = [
    [
      'an unknown segment',
      '/file-transfer/T/default',
      form([['document', 'a']]).headers,
      form([]).body,
      422,
      'REQUEST_INVALID',
    ],
    ['JSON', '/file-transfer/T', { 'Content-Type': 'application/json' }, '{}', 415, 'MEDIA_TYPE_NOT_SUPPORTED'],
    [
      'a compressed body',
      '/file-transfer/T',
      { 'Content-Type': 'application/pdf', 'Content-Encoding': 'gzip' },
      'x',
      415,
      'MEDIA_TYPE_NOT_SUPPORTED',
    ],
    [
      'a form without boundary',
      '/file-transfer/T',
      { 'Content-Type': 'multipart/form-data' },
      'x',
      400,
      'REQUEST_MALFORMED',
    ],
    [
      'a form that ends early',
      '/file-transfer/T',
      form([]).headers,
      form([['document', 'a']]).body.slice(0, -10),
      400,
      'UPLOAD_INCOMPLETE',
    ],
    [
      'a part whose header cannot be read, though another is behind it',
      '/file-transfer/T',
      form([]).headers,
      form([['document', 'a', '\0'], ['document', 'b']]).body, // prettier-ignore
      400,
      'REQUEST_MALFORMED',
    ],
    ...(['Transfer-Encoding: base64', 'transfer-encoding:quoted-printable', 'Encoding: gzip'] as const).map(
      (coding): (typeof requests)[number] => [
        `a part with Content-${coding}, behind a usual one`,
        '/file-transfer/T/eot',
        form([]).headers,
        form([
          ['document[0]', 'a'],
          ['document[1]', 'JVBERi0='],
        ]).body.replace(
          'Content-Type: text/plain\r\n\r\nJV',
          `Content-Type: text/plain\r\nContent-${coding}\r\n\r\nJV`,
        ),
        415,
        'MEDIA_TYPE_NOT_SUPPORTED',
      ],
    ),
    [
      'a body in base64',
      '/file-transfer/T/eot',
      { 'Content-Type': 'application/pdf', 'Content-Transfer-Encoding': 'base64' },
      'JVBERi0=',
      415,
      'MEDIA_TYPE_NOT_SUPPORTED',
    ],
    [
      'a body with a transfer coding',
      '/file-transfer/T/eot',
      { 'Content-Type': 'application/pdf', 'Transfer-Encoding': 'gzip, chunked' },
      'x',
      415,
      'MEDIA_TYPE_NOT_SUPPORTED',
    ],
    ['garbage as a form', '/file-transfer/T', form([]).headers, 'garbage', 400, 'REQUEST_MALFORMED'],
  ];

  it.each(requests)('refuses %s', async (_name, path, headers, body, status, code) => {
    const answer = await plainRequest(server, { method: 'POST', path, headers, body });
    expect([answer.status, codeOf(answer)]).toEqual([status, code]);
    expect(await readdir(server.spoolFolder)).toEqual([]);
  });

  it.each(['7bit', '8bit', 'binary', 'Binary', ''])(
    'takes a part with the coding "%s", which changes no byte',
    async (coding) => {
      const { headers, body } = form([['document', 'hello']]);
      const coded = body.replace('\r\n\r\nhello', `\r\nContent-Transfer-Encoding: ${coding}\r\n\r\nhello`);
      const answer = await plainRequest(server, { method: 'POST', path: '/file-transfer/T', headers, body: coded });
      expect([answer.status, received()]).toEqual([200, ['hello']]);
    },
  );

  it.each([
    ['UPLOAD_CLOSED', 409],
    ['DOCUMENT_NOT_ANNOUNCED', 422],
    ['DOCUMENT_ALREADY_UPLOADED', 409],
    ['SIGNATURE_SETTING_REQUIRED', 422],
    ['NO_DOCUMENTS', 422],
    ['TRANSACTION_NOT_FOUND', 404],
    ['UPLOAD_EXPIRED', 410],
    ['DOCUMENT_TOO_LARGE', 413],
    ['STORAGE_FULL', 503],
  ] as const)('answers %s with %i although the form was not read', async (code, status) => {
    server.transactions.failure = new ServiceError(code, 'x');
    const answer = await upload('/file-transfer/T/eot', [['document', 'x'.repeat(300_000)]]);
    expect([answer.status, codeOf(answer)]).toEqual([status, code]);
  });

  it('tells the service that the upload broke when the client goes away in the middle of a part', async () => {
    const { headers, body } = form([['document', 'x'.repeat(1000)]]);
    await new Promise<void>((resolve) => {
      const socket = connect(server.port, '127.0.0.1', () => {
        socket.write(
          `POST /file-transfer/T HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Length: ${body.length}\r\n` +
            `Content-Type: ${headers['Content-Type'] ?? ''}\r\n\r\n${body.slice(0, 500)}`,
        );
        // Some of the part has arrived by then, or the request ends before its first byte: both broke.
        setTimeout(() => socket.destroy(), 100);
      });
      socket.once('close', () => resolve());
    });
    await until(() => server.requests.at(-1)?.broken === true, 'a request that broke');
    expect(server.transactions.uploads).toEqual([]);
    expect(server.requests.at(-1)).toMatchObject({ route: 'uploadDocuments', broken: true });
  });
});
