/**
 * Wrong and odd requests by kind, with the answer to each: a refusal names the field or the remedy, and an accepted
 * request shows the value that Sinete took.
 */

export interface WrongRequest {
  readonly title: string;
  /**
   * The whole request, or its lines without `Host`, `Connection` and `Content-Length`. TCNs of transactions: `$OPEN`
   * takes documents, `$BROKEN` keeps none of them, `$CLOSED` is signed, `$WAITING` waits for its document.
   */
  readonly request: string | Uint8Array | readonly string[];
  readonly body?: string | Uint8Array;
  readonly status: number;
  /** Text in the headers or the body of the answer, or in a line `field: sentence` of a wrong field. */
  readonly says: string;
}

type Row = readonly [
  title: string,
  request: WrongRequest['request'],
  body: WrongRequest['body'],
  status: number,
  says: string,
];

const rows = (...list: readonly Row[]): readonly WrongRequest[] =>
  list.map(([title, request, body, status, says]) => ({ title, request, body, status, says }));

const chunked = 'POST /signature-service HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';

const bytes = rows(
  ['a TLS handshake', Uint8Array.from([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0]), undefined, 400, 'without TLS'],
  ['a folded header', 'GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n', undefined, 400, 'in one line'],
  ['a blank before the colon', 'GET / HTTP/1.1\r\nHost : a\r\n\r\n', undefined, 400, 'blank before the colon'],
  ['a zero byte in a header', 'GET / HTTP/1.1\r\nX: a\0b\r\n\r\n', undefined, 400, 'control characters'],
  ['two lengths', 'POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na', undefined, 400, 'Content-Length comes twice'], // prettier-ignore
  ['a length beside chunks', 'POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', undefined, 400, 'Content-Length alone'], // prettier-ignore
  ['a length that is no number', 'POST / HTTP/1.1\r\nContent-Length: one\r\n\r\n', undefined, 400, 'not a number'],
  ['a negative length', 'POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n', undefined, 400, 'not a number'],
  ['an unknown method', 'BREW / HTTP/1.1\r\nHost: a\r\n\r\n', undefined, 400, 'The method is unknown'],
  ['a method in small letters', 'get / HTTP/1.1\r\nHost: a\r\n\r\n', undefined, 400, 'capital letters'],
  ['an accent in the path', 'GET /file-transfer/T/ação HTTP/1.1\r\nHost: a\r\n\r\n', undefined, 400, '%C3%A7'],
  ['a space in the path', 'GET /a b HTTP/1.1\r\nHost: a\r\n\r\n', undefined, 400, '%20'],
  ['a later version', 'GET / HTTP/3.1\r\nHost: a\r\n\r\n', undefined, 400, 'HTTP/1.1'],
  ['HTTP/2 without negotiation', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', undefined, 400, 'HTTP/2'],
  ['a chunk without a length', `${chunked}zz\r\nabc\r\n`, undefined, 400, 'length of a chunk'],
  ['a chunk whose line has no CR', `${chunked}1\nab`, undefined, 400, 'CR LF'],
  ['a coding that is not chunked at last', 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked, gzip\r\n\r\n', undefined, 400, 'chunked as the last'], // prettier-ignore
  ['headers of 17 KiB', ['GET /live', `X-A: ${'a'.repeat(17_000)}`], undefined, 431, 'send 16 KiB at most'],
  ['no host', 'GET /live HTTP/1.1\r\nConnection: close\r\n\r\n', undefined, 400, 'no Host header: send'],
  [
    'the host of another computer',
    'GET /live HTTP/1.1\r\nHost: sinete.example\r\nConnection: close\r\n\r\n',
    undefined,
    421,
    'Call this instance by its own address',
  ],
);

const form = (boundary = 'b'): string => `Content-Type: multipart/form-data; boundary=${boundary}`;
const part = (disposition: string, more = ''): string =>
  `--b\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\ntext\r\n`;
const file = part('name="document"; filename="a.txt"');
const end = '--b--\r\n';
const broken = 'POST /file-transfer/$BROKEN/eot';

const uploads = rows(
  ['another boundary than announced', [broken, form('other')], file + end, 400, 'The boundary that Content-Type names does not occur'], // prettier-ignore
  ['no boundary', [broken, 'Content-Type: multipart/form-data'], file + end, 400, 'boundary'],
  ['an end before the last part', [broken, form()], file, 400, 'send it again'],
  ['an end inside the headers of a part', [broken, form()], '--b\r\nContent-Disposition: form-data; na', 400, 'send it again'], // prettier-ignore
  ['a document as a text field', [broken, form()], part('name="document"') + end, 422, 'document: '],
  ['two files under other names', [broken, form()], part('name="a"; filename="a"') + part('name="b"; filename="b"') + end, 422, 'document'], // prettier-ignore
  ['the end of a batch without a document', [broken], '', 422, 'document'],
);

const expectations = rows(
  ['an unknown TCN', ['POST /file-transfer/AAAAAAAAAAAAAAAAAAAAAAAAAA/eot', 'Expect: 100-continue', 'Content-Type: application/pdf', 'Content-Length: 5'], undefined, 404, 'TRANSACTION_NOT_FOUND'], // prettier-ignore
  ['a closed transaction', ['POST /file-transfer/$CLOSED/eot', 'Expect: 100-continue', 'Content-Type: application/pdf', 'Content-Length: 5'], undefined, 409, 'UPLOAD_CLOSED'], // prettier-ignore
  ['a body of 100 GB', ['POST /file-transfer/$OPEN/eot', 'Expect: 100-continue', 'Content-Type: application/pdf', 'Content-Length: 100000000000'], undefined, 413, 'at most'], // prettier-ignore
  ['an expectation that nobody knows', ['GET /live', 'Expect: a-miracle'], undefined, 417, '100-continue'],
);

const json = 'Content-Type: application/json';
const create = 'POST /signature-service';
const good = '"type":"CMS","documents_source":"DATA_URL","documents":"data:,a"';
const named = (fields: string): string => `{${good},${fields}}`;

const codings = rows(
  ['JSON as a text', [create, 'Content-Type: text/plain'], `{${good}}`, 415, 'application/json'],
  ['JSON without a type', [create], `{${good}}`, 415, 'application/json'],
  ['a form in place of JSON', [create, 'Content-Type: application/x-www-form-urlencoded'], 'type=CMS', 415, 'application/json'], // prettier-ignore
  ['JSON in UTF-16', [create, `${json}; charset=utf-16`], Buffer.from(`{${good}}`, 'utf16le'), 415, 'UTF-8'],
  ['JSON in Latin-1', [create, json], Buffer.from(named('"tsa_server_id":"ç"'), 'latin1'), 400, 'the byte at offset'],
  ['compressed JSON', [create, json, 'Content-Encoding: gzip'], 'x', 415, 'without compression: Content-Encoding gzip'],
  ['half of a character', [create, json], named('"signature_settings":{"reason":"ab\\ud800cd"}'), 400, 'signature_settings.reason'], // prettier-ignore
  ['a document as JSON', [broken, json], '{}', 415, 'multipart/form-data'],
  ['a part in base64', [broken, form()], part('name="document"; filename="a.pdf"', 'Content-Transfer-Encoding: base64\r\n') + end, 415, 'Content-Transfer-Encoding base64'], // prettier-ignore
  ['a body in gzip and chunks', [broken, 'Content-Type: application/pdf', 'Transfer-Encoding: gzip, chunked'], '1\r\nx\r\n0\r\n\r\n', 415, 'Transfer-Encoding gzip'], // prettier-ignore
  ['a validation as JSON', ['POST /validator-service', json], '{}', 415, 'multipart/form-data'],
);

const fields = rows(
  ['the document in another field', [create, json], '{"type":"CMS","documents_source":"DATA_URL","documents":[{"content":"data:,a"}]}', 422, 'documents[0].data: Send the data URL as "data": the field "content"'], // prettier-ignore
  [
    'a company without its CNPJ',
    [create, json],
    named('"signer_company":"ACME"'),
    422,
    'signer_company: Give the CNPJ',
  ],
  ['a truth in another word', [create, json], named('"auto_fix_document":"yes"'), 422, 'auto_fix_document: Give true or false'], // prettier-ignore
  ['a type that is not made here', [create, json], '{"type":"XAdES","documents_source":"DATA_URL","documents":"data:,a"}', 422, 'type: XML signatures'], // prettier-ignore
  ['an old hash', [create, json], named('"hash_algorithm":"SHA1"'), 422, 'hash_algorithm: Use SHA256'],
  ['an unknown policy', [create, json], named('"policy":"AD_RX"'), 422, 'policy: Use '],
  ['a field twice', [create, json], named('"policy":"none","policy":"B-B"'), 400, 'The field "policy" comes twice'],
  ['an id of a setting twice', [create, json], named('"signature_settings":[{"id":"a"},{"id":"a"}]'), 422, 'signature_settings[1].id: The id "a"'], // prettier-ignore
  ['an unknown field where strictness is asked for', [create, json, 'Prefer: handling=strict'], named('"polcy":"B-B"'), 422, 'polcy: '], // prettier-ignore
);

const result = '/file-transfer/$CLOSED/0';
const conditions = rows(
  ['a version that the file does not have', [`GET ${result}`, 'If-Match: "other"'], undefined, 412, 'If-Match'],
  ['a weak version where a strong one is needed', [`GET ${result}`, 'If-Match: W/"other"'], undefined, 412, 'If-Match'],
  ['a file unchanged since 1990', [`GET ${result}`, 'If-Unmodified-Since: Mon, 01 Jan 1990 00:00:00 GMT'], undefined, 412, 'If-Unmodified-Since'], // prettier-ignore
  ['a version of any kind that is there', [`GET ${result}`, 'If-None-Match: *'], undefined, 304, 'ETag: '],
  ['a list of versions with the right one', [`GET ${result}`, 'If-None-Match: "a", $ETAG'], undefined, 304, 'ETag: '],
  ['a range behind the end', [`GET ${result}`, 'Range: bytes=99999999-'], undefined, 416, 'Content-Range: bytes */'],
  ['no last bytes', [`GET ${result}`, 'Range: bytes=-0'], undefined, 416, 'Content-Range: bytes */'],
  ['a range in another unit', [`GET ${result}`, 'Range: pages=1-2'], undefined, 200, 'Accept-Ranges: bytes'],
  ['a range of another version', [`GET ${result}`, 'Range: bytes=0-1', 'If-Range: "other"'], undefined, 200, 'Accept-Ranges: bytes'], // prettier-ignore
  ['a range of this version', [`GET ${result}`, 'Range: bytes=0-1', 'If-Range: $ETAG'], undefined, 206, 'Content-Length: 2'], // prettier-ignore
  ['the head of a file', [`HEAD ${result}`], undefined, 200, 'Content-Length: '],
  ['the removal of a file', [`DELETE ${result}`], undefined, 405, 'Allow: '],
  ['a file put at its address', [`PUT ${result}`, 'Content-Type: application/pdf'], 'x', 405, 'Allow: '],
  ['a change of a transaction', ['PATCH /signature-service/$CLOSED', json], '{}', 405, 'Allow: '],
  ['the end of a signed transaction', ['DELETE /signature-service/$CLOSED'], undefined, 200, '"status":"SIGNED"'],
  [
    'a file that is not signed yet',
    ['GET /file-transfer/$WAITING/0'],
    undefined,
    409,
    'not signed yet: ask again later',
  ],
  ['a document that the transaction lacks', ['GET /file-transfer/$CLOSED/7'], undefined, 404, 'DOCUMENT_NOT_FOUND'],
  ['an unknown transaction', ['GET /signature-service/AAAAAAAAAAAAAAAAAAAAAAAAAA'], undefined, 404, 'TRANSACTION_NOT_FOUND'], // prettier-ignore
  ['an unknown address', ['GET /signature-services'], undefined, 404, '/docs'],
);

const name = (text: string): string => part(`name="document"; ${text}`) + end;
const open = ['POST /file-transfer/$OPEN/continue', form()];
const kept = (text: string): string => `"original_file_name":${JSON.stringify(text)}`;
const names = rows(
  ['a name in Latin-1', open, Buffer.from(name('filename="a\xe7\xe3o.pdf"'), 'latin1'), 400, 'UTF-8'],
  ['a name in UTF-8', open, name('filename="ação.pdf"'), 200, kept('ação.pdf')],
  ['an encoded name', open, name("filename*=UTF-8''a%C3%A7.pdf"), 200, kept('aç.pdf')],
  ['an encoded name beside a plain one', open, name("filename=\"a.pdf\"; filename*=UTF-8''b%C3%A7.pdf"), 200, kept('bç.pdf')], // prettier-ignore
  ['a name as in e-mails', open, name('filename="=?UTF-8?B?Y29udHJhdG8gYcOnw6NvLnBkZg==?="'), 200, kept('contrato ação.pdf')], // prettier-ignore
  ['a path', open, name('filename="../../etc/passwd"'), 200, kept('passwd')],
  ['a path of Windows', open, name('filename="C:\\\\Users\\\\ana\\\\c.pdf"'), 200, kept('c.pdf')],
  ['two points', open, name('filename=".."'), 200, '"original_file_name":null'],
  ['no name', open, name('filename=""'), 422, 'document: Send this document as a file part, with a file name'],
  ['a control character', open, name('filename="a\u0007b.pdf"'), 400, 'without control characters'],
  ['a zero byte', open, name('filename="a\0b.pdf"'), 400, 'without control characters'],
  ['characters that turn the reading order', open, name('filename="a\u202efdp.exe"'), 200, kept('a\u202efdp.exe')],
  ['300 characters', open, name(`filename="${'n'.repeat(300)}.pdf"`), 200, 'nnnn'],
);

const key = (text: string): readonly string[] => [create, json, `Idempotency-Key: ${text}`];
const idempotency = rows(
  ['a first request', key('one'), `{${good}}`, 201, 'Location: '],
  ['the same request', key('one'), `{${good}}`, 201, 'Idempotent-Replayed: true'],
  ['the same fields in another order', key('one'), '{ "documents":"data:,a", "documents_source":"DATA_URL", "type":"CMS" }', 201, 'Idempotent-Replayed: true'], // prettier-ignore
  ['another request', key('one'), named('"policy":"none"'), 409, 'Idempotency-Key'],
  ['a key of 300 characters', key('k'.repeat(300)), `{${good}}`, 422, 'Idempotency-Key: Use at most 255 characters'],
  ['the same letters as escapes', key('one'), `{${good.replace('CMS', String.raw`C\u004dS`)}}`, 201, 'Idempotent-Replayed: true'], // prettier-ignore
);

const list = (query: string): readonly string[] => [`GET /signature-service?${query}`];
const query = (text: string): readonly string[] => [`GET /signature-service/$CLOSED?${text}`];
const pages = rows(
  ['a page of nothing', list('limit=0'), undefined, 422, 'limit: '],
  ['a page of less than nothing', list('limit=-1'), undefined, 422, 'limit: '],
  ['a page without a number', list('limit=many'), undefined, 422, 'limit: '],
  ['a page too long', list('limit=1000000'), undefined, 422, 'limit: '],
  ['two lengths of a page', list('limit=1&limit=2'), undefined, 422, 'limit: '],
  ['half a transaction', list('limit=1.5'), undefined, 422, 'limit: '],
  ['an unknown state', list('status=DONE'), undefined, 422, 'status: '],
  ['two states', list('status=SIGNED&status=ERROR'), undefined, 422, 'status: '],
  ['a page after nothing known', list('after=zzz'), undefined, 422, 'after: '],
  ['two pages at once', list('after=a&after=b'), undefined, 422, 'after: '],
  ['documents after an unknown one', query('documents_after=zzz'), undefined, 422, 'documents_after: '],
  ['documents after two', query('documents_after=0&documents_after=1'), undefined, 422, 'documents_after: '],
  ['less than no documents', query('documents_limit=-1'), undefined, 422, 'documents_limit: '],
  ['too many documents', query('documents_limit=1001'), undefined, 422, 'documents_limit: '],
  ['documents without a number', query('documents_limit=all'), undefined, 422, 'documents_limit: '],
  ['a wait below zero', query('wait=-1'), undefined, 422, 'wait: '],
  ['a wait beyond a minute', query('wait=61'), undefined, 422, 'wait: '],
  ['a wait in words', query('wait=forever'), undefined, 422, 'wait: '],
  ['a wait with its unit', query('wait=5s'), undefined, 422, 'wait: '],
  ['a wait with a comma', query('wait=1,5'), undefined, 422, 'wait: '],
  ['two waits', query('wait=1&wait=2'), undefined, 422, 'wait: '],
  ['states of no list', ['POST /signature-service/status', json], '{"tcns":"$CLOSED"}', 422, 'tcns: '],
);

/** The wrong requests by kind. */
export const wrongRequests = {
  'bytes of no usual HTTP request': bytes,
  'a broken upload': uploads,
  'an expectation before the body': expectations,
  'another type or coding': codings,
  'a wrong field': fields,
  'a condition or a method': conditions,
  'a file name': names,
  'an Idempotency-Key': idempotency,
  'a page or a wait': pages,
} as const;
