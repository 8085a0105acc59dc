/** Odd methods, lengths, texts and lists, sent by a program or a page. */
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRealInstance, type Answer, type RealInstance, type SendOptions } from '../interface/real-instance.ts';

let instance: RealInstance;
let tcn: string;
beforeAll(async () => {
  instance = await startRealInstance({ approve: 'all' });
  const { 'user-interface': calls } = instance.sinete.handlers;
  await calls['certificates.makeTestIdentity']({ name: 'ANA LIMA', cpf: '11144477735' });
  tcn = String((await create({ documents_source: 'UPLOAD_REFERENCE', mode: 'async' })).content.tcn);
});
afterAll(async () => instance.stop());

const create = async (json: object, more: SendOptions = {}): Promise<Answer> =>
  instance.send('POST', '/signature-service', { json: { type: 'CMS-attached', mode: 'sync', ...json }, ...more });
const get = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  instance.send('GET', path, { headers });
const bytes = { documents_source: 'DATA_URL', documents: ['data:,x'] };

/** The first line of the answer to a request written by hand; empty for a connection closed without an answer. */
async function raw(...lines: readonly string[]): Promise<string> {
  const socket = connect(instance.port, '127.0.0.1').on('error', () => undefined);
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
  socket.write(Buffer.from([...lines, 'Connection: close', '', ''].join('\r\n'), 'latin1'));
  await new Promise((resolve) => socket.once('close', resolve));
  return answer.split('\r\n', 1)[0] ?? '';
}

const statusOf = (line: string): string => line.split(' ')[1] ?? '';
const host = (): string => `Host: 127.0.0.1:${instance.port}`;

describe('a waiting caller', () => {
  it.each(['1e309', '-1', 'NaN', 'Infinity', '+5', '0x3c', '60.01', ' 1', '6０', '1e9', '1&wait=1', '1,1', '٣'])(
    'waits for no time of its own making: %j',
    async (wait) => {
      const path = `/signature-service/${tcn}?wait=${wait === '1&wait=1' ? wait : encodeURIComponent(wait)}`;
      const { status, content } = await get(path);
      expect([status, content.errors]).toMatchObject([422, [{ field: 'wait' }]]);
    },
  );

  it('is answered at once for a missing transaction: waiting tells nothing', async () => {
    for (const other of ['x', 'A'.repeat(26), `${tcn}%00`, `..%2f${tcn}`, tcn.toLowerCase()]) {
      expect((await get(`/signature-service/${other}?wait=60`)).status).toBe(404);
    }
  });

  it('needs no missing body, and no leave to send a body', async () => {
    const poll = `GET /signature-service/${tcn}?wait=0.01 HTTP/1.1`;
    for (const header of ['Content-Length: 10', 'Transfer-Encoding: chunked', 'Expect: 100-continue']) {
      expect(statusOf(await raw(poll, host(), header))).toMatch(/^(100|200)$/);
    }
  });
});

describe('a method of another protocol', () => {
  const methods = ['PROPFIND', 'PROPPATCH', 'MKCOL', 'COPY', 'MOVE', 'LOCK', 'UNLOCK', 'SEARCH', 'REPORT', 'MKCALENDAR', 'ACL', 'BIND', 'PURGE', 'LINK', 'M-SEARCH', 'NOTIFY', 'SUBSCRIBE', 'PATCH', 'QUERY', 'TRACE', 'SOURCE']; // prettier-ignore
  it.each(methods)('does nothing: %s', async (method) => {
    for (const path of [`/signature-service/${tcn}`, '/user', `/file-transfer/${tcn}/0`, '/ui/rpc', '/']) {
      expect(['400', '405']).toContain(statusOf(await raw(`${method} ${path} HTTP/1.1`, host(), 'Depth: infinity')));
    }
  });

  it.each(['get', 'GeT', 'GETX', 'GET\t', 'PRI', '\x16\x03\x01'])('is none: %j', async (method) => {
    expect(['400', '405', '']).toContain(statusOf(await raw(`${method} /user HTTP/1.1`, host())));
  });
});

describe('a compressed body', () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000, 0x20));
  it.each(['gzip', 'x-gzip', 'deflate', 'br', 'zstd', 'gzip, gzip', 'identity, gzip', 'GZIP'])(
    'is refused and never grows: %s',
    async (encoding) => {
      for (const [path, type] of [
        ['/signature-service', 'application/json'],
        ['/user', 'application/x-www-form-urlencoded'],
        ['/oauth', 'application/json'],
        [`/file-transfer/${tcn}/eot`, 'application/pdf'],
      ] as const) {
        const headers = { 'Content-Type': type, 'Content-Encoding': encoding };
        const answer = await fetch(`${instance.url}${path}`, { method: 'POST', headers, body: bomb });
        await answer.arrayBuffer();
        expect([400, 413, 415]).toContain(answer.status);
      }
    },
  );
});

describe('headers', () => {
  it.each([
    ['of 17 KiB', [`X-A: ${'a'.repeat(17_000)}`], /431/],
    ['that are folded', ['X-A: a', ' Origin: https://evil.example'], /400/],
    ['with a NUL', ['X-A: a\0b'], /400/],
    ['with a blank before the colon', ['Origin : https://evil.example'], /400/],
    ['without a name', [': a'], /400/],
    ['with a bare line feed', ['X-A: a\nOrigin: https://evil.example'], /400|403/],
    ['with a bare carriage return', ['X-A: a\rOrigin: https://evil.example'], /400/],
    ['with an address of 20 kB', [], /431/],
  ])('are refused %s', async (what, lines, expected) => {
    const path = what.includes('address') ? `/dashboard?${'a'.repeat(20_000)}` : '/dashboard';
    expect(statusOf(await raw(`GET ${path} HTTP/1.1`, host(), ...lines))).toMatch(expected);
  });

  it.each([
    '[::1%25lo]',
    '[::1%lo]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:7f00:1]',
    'ⓛocalhost',
    'lоcalhost',
    '127。0。0。1',
    '١٢٧.0.0.1',
    '127.0.0.1.',
    'localhost.',
    '2130706433',
    '0177.0.0.1',
    '127.1',
    'localhost@evil.example',
    'evil.example#localhost',
  ])(
    // prettier-ignore
    'name us by no other script, zone or number: %s',
    async (name) => {
      const text = Buffer.from(`${name}:${instance.port}`).toString('latin1');
      expect(['400', '421']).toContain(statusOf(await raw('GET /dashboard HTTP/1.1', `Host: ${text}`)));
    },
  );

  it('ask for strictness in any number and form, without any other effect', async () => {
    const odd = [
      'a, '.repeat(4000),
      'handling',
      'handling=',
      '"handling=strict',
      'handling=strictly',
      'handling*=strict',
    ];
    for (const Prefer of odd) expect((await create({ ...bytes, polcy: 1 }, { headers: { Prefer } })).status).toBe(201);
    for (const Prefer of ['handling=strict', 'x; HANDLING = "STRICT" ,y']) {
      expect((await create({ ...bytes, polcy: 1 }, { headers: { Prefer } })).status).toBe(422);
    }
  });
});

describe('unknown fields', () => {
  it('change nothing by the names of JavaScript, and are told shortly', async () => {
    const names = ['constructor', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__', 'then', 'toJSON'];
    const json = Object.fromEntries(names.map((name) => [name, { status: 'SIGNED', length: 1e9 }]));
    const text = JSON.stringify({ type: 'CMS-attached', mode: 'sync', ...bytes, ...json });
    const polluting = text.replace(/}$/, ',"__proto__":{"policy":"B-LTA","isAdmin":true}}');
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${instance.url}/signature-service`, { method: 'POST', headers, body: polluting });
    expect([answer.status, await answer.json()]).toMatchObject([201, { policy: 'none', status: 'SIGNED' }]);
    expect(Reflect.get({}, 'isAdmin')).toBeUndefined();
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_one, index) => [`${'a'.repeat(90)}${index}`, 1]));
    const { status, body } = await create({ ...bytes, ...many });
    expect([201, 422]).toContain(status);
    expect(body.length).toBeLessThan(20_000);
  });
});

describe('a list', () => {
  it.each([
    'limit=1e9',
    'limit=-1',
    'limit=0',
    'limit=1&limit=2',

    'status=%25',
    'status=SIGNED&status=ERROR',
    "status=' OR 1=1 --",
  ])(
    // prettier-ignore
    'has no other page than offered: %s',
    async (query) => {
      expect((await get(`/signature-service?${encodeURI(query)}`)).status).toBe(422);
    },
  );

  it.each(['x', "' OR ''='", '%25', '../..', '\0', 'a'.repeat(5000)])(
    'begins behind no foreign cursor: %j',
    async (after) => {
      // prettier-ignore
      const { status, content } = await get(`/signature-service?after=${encodeURIComponent(after)}`);
      expect([200, 404, 422]).toContain(status);
      expect(content.transactions ?? []).toEqual([]);
    },
  );

  it('of states is asked for a bounded number of transactions, each known by its whole TCN', async () => {
    const ask = async (tcns: unknown): Promise<Answer> => instance.send('POST', '/signature-service/status', { json: { tcns } }); // prettier-ignore
    const wrong = [tcn, {}, [1], [null], [[tcn]], [{ tcn }], Array.from({ length: 50_000 }, () => tcn), undefined];
    for (const tcns of wrong) expect((await ask(tcns)).status).toBe(422);
    const near = [tcn.slice(0, -1), `${tcn}%`, `${tcn.slice(0, 5)}%`, '_'.repeat(26), tcn.toLowerCase(), ` ${tcn}`];
    const { content } = await ask([...near, tcn, tcn]);
    expect(content).toMatchObject({ transactions: [{ tcn }], unknown: near });
  });
});

describe('a text in another form', () => {
  const post = async (content: Buffer | string, type: string): Promise<number> => {
    const body = typeof content === 'string' ? content : new Uint8Array(content);
    const answer = await fetch(`${instance.url}/signature-service`, { method: 'POST', headers: { 'Content-Type': type }, body }); // prettier-ignore
    await answer.arrayBuffer();
    return answer.status;
  };
  const text = JSON.stringify({ type: 'CMS-attached', ...bytes });
  it.each([
    ['UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le'), 'application/json; charset=utf-16'],
    ['UTF-7', '+AHsAfQ-', 'application/json; charset=utf-7'],
    ['overlong UTF-8', Buffer.concat([Buffer.from('{"type":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')]), 'application/json'], // prettier-ignore
    ['a form that looks like JSON', text, 'text/plain'],
    ['a form that looks like JSON', text, 'application/x-www-form-urlencoded'],
    ['no type', text, ''],
    ['JSON in a part', text, 'multipart/form-data; boundary=x'],
    ['two types', text, 'text/plain, application/json'],
  ])('starts no signature: %s %#', async (_what, body, type) => {
    expect([400, 415, 422]).toContain(await post(body, type));
  });

  it('on the page of a problem is shown as text', async () => {
    for (const code of ['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '..%2f..%2fetc%2fpasswd']) {
      const { status, body, headers } = await get(`/problems/${encodeURIComponent(code)}`);
      expect(status).toBe(404);
      expect(body).not.toMatch(/<script>alert|<img|root:/);
      expect(String(headers['content-security-policy'])).toContain("default-src 'none'");
    }
  });

  it('in an address comes back in no page, script or function', async () => {
    for (const path of [
      '/dashboard?callback=alert',
      '/nothing/<svg onload=alert(1)>',
      `/signature-service/<b>${tcn}`,
    ]) {
      const { headers, body } = await get(encodeURI(path));
      expect([String(headers['content-type']), headers['x-content-type-options']]).toMatchObject([expect.stringContaining('json'), 'nosniff']); // prettier-ignore
      expect(body).not.toMatch(/^alert|<svg|<b>/);
    }
  });
});

describe('a part of an upload', () => {
  const upload = async (disposition: string): Promise<{ readonly status: number; readonly names: unknown }> => {
    const { content } = await create({ documents_source: 'UPLOAD_REFERENCE', mode: 'async' });
    const body = `--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\nabc\r\n--x--\r\n`;
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
    const path = `/file-transfer/${String(content.tcn)}/eot`;
    const answer = await fetch(instance.url + path, { method: 'POST', headers, body });
    const { documents } = (await answer.json()) as { readonly documents?: readonly object[] };
    return { status: answer.status, names: documents?.map((one): unknown => Reflect.get(one, 'original_file_name')) };
  };

  it.each([
    'document[-1]',
    'document[99999999999]',
    'document[__proto__]',
    'document[../0]',
    'document[0][1]',
    'document[',
    `document[${'0'.repeat(5000)}]`,
    'document[0]\\0',
  ])(
    // prettier-ignore
    'goes to no missing entry: %j',
    async (name) => {
      const { status } = await upload(`name="${name}"; filename="a.txt"`);
      expect([200, 400, 413, 422]).toContain(status);
      if (status === 200) expect(name).not.toMatch(/\[.*[/_]/);
      expect((await get('/live')).status).toBe(200);
    },
  );

  it.each(['../../a.txt', '/etc/passwd', 'C:\\\\Windows\\\\a.txt', '..', 'CON', 'a/../../b'])(
    'keeps no way out in its file name: %j',
    async (name) => {
      // prettier-ignore
      const { status, names } = await upload(`name="document"; filename="${name}"`);
      expect([200, 400, 422]).toContain(status);
      for (const kept of Array.isArray(names) ? (names as unknown[]) : []) {
        expect(String(kept)).not.toMatch(/[/\\]|^\.\.?$/);
      }
    },
  );
});

describe('an address of a file', () => {
  it.each([
    'file://evil.example/share/a',
    'file:////evil.example/a',
    '\\\\evil.example\\share',
    '//evil.example/a',
    'file:///etc/%2e%2e/proc/self/environ',
    'file:///dev/fd/0',
    'file:///tmp/a%00.pdf',
    'FILE:///dev/zero',
    'file:relative',
    'http://127.0.0.1/a',
    '~/a',
    '$HOME/a',
    '/proc/self/fd/0',
  ])(
    // prettier-ignore
    'is none of another computer, device or process: %s',
    async (data) => {
      const { status, content } = await create({ documents_source: 'FILE_PATH', documents: [data] });
      expect(content.status).not.toBe('SIGNED');
      expect([201, 403, 404, 422]).toContain(status);
    },
  );
});

describe('two credentials', () => {
  it('in one request are no more than the weaker credentials', async () => {
    const two = [`Authorization: Sinete ${Buffer.from('a:b').toString('base64')}`, 'Authorization: Bearer x'];
    const line = await raw('GET /signature-service HTTP/1.1', host(), ...two);
    expect(['400', '401']).toContain(statusOf(line));
    for (const Authorization of [
      'Basic',
      'Basic \0',
      'Bearer',
      'Bearer a b',
      'Basic OjE=',
      'Negotiate x',
      'Digest x',
    ]) {
      if (Authorization.includes('\0')) continue;
      expect((await create(bytes, { headers: { Authorization } })).status).toBe(401);
    }
  });
});
