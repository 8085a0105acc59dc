/** Odd addresses, keys, pictures and uploads. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AddressGuard } from '../../src/network/host-pattern.ts';
import { parseObjectAddress } from '../../src/service/stores/index.ts';
import { buildPdf, onePage } from '../signing/pdf/build-pdf.ts';
import { startRealInstance, type Answer, type RealInstance } from '../interface/real-instance.ts';

let instance: RealInstance;
beforeAll(async () => {
  instance = await startRealInstance({ approve: 'all' });
  const { 'user-interface': calls } = instance.sinete.handlers;
  await calls['certificates.makeTestIdentity']({ name: 'ANA LIMA', cpf: '11144477735' });
});
afterAll(async () => instance.stop());

const create = async (json: object): Promise<Answer> =>
  instance.send('POST', '/signature-service', { json: { type: 'CMS-attached', mode: 'sync', ...json } });

describe('an address chosen by a stranger', () => {
  const guard = new AddressGuard({ allow: [], allowLoopback: false });
  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '192.0.0.1',
    '192.168.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::7f00:1',
    '100::1',
    '2001::7f00:1',
    '2001:db8::1',
    '2002:7f00:1::',
    'fc00::1',
    'fd00::1',
    'fe80::1',
    'fe80::1%eth0',
    '::1%lo',
    'fec0::1',
    'ff02::1',
    '5f00::1',
    '1::1',
    'e000::1',
  ])('is not contacted: %s', (address) => {
    expect(guard.allows({ hostname: 'x.example', port: 443 }, address)).toBe(false);
  });

  it.each(['93.184.216.34', '2606:2800:220:1::1'])('is contacted on the public Internet: %s', (address) => {
    expect(guard.allows({ hostname: 'x.example', port: 443 }, address)).toBe(true);
  });

  it.each(['٠', '1.1.1', '0x7f.1', '127.1', 'localhost', '1.1.1.1 ', ''])('is none: %j', (address) => {
    expect(guard.allows({ hostname: 'x.example', port: 443 }, address)).toBe(false);
  });
});

describe('the key of an object', () => {
  it.each([
    'bucket/../other/key',
    'bucket/a/../../b',
    'bucket/.',
    'bucket/..',
    'bucket//key',
    'bucket/key/',
    'bucket/',
    'bucket/a\\..\\b',
    'bucket/a\0b',
    'bucket/a\r\nb',
    '/bucket/key',
    '../bucket/key',
    's3://bucket',
    'gs://b/k',
    'b/key',
    'BUCKET/key',
    'bu cket/key',
    `bucket/${'k'.repeat(1025)}`,
    'bucket/\ud800',
  ])('leads nowhere out of its bucket: %j', (text) => {
    expect(parseObjectAddress(text, 's3')).toBeUndefined();
  });
});

describe('a picture for a stamp', () => {
  const screen = (width: number, height: number, flags = 0x80): Buffer => {
    const head = Buffer.from('GIF89a\0\0\0\0\0\0\0', 'latin1');
    head.writeUInt16LE(width, 6);
    head.writeUInt16LE(height, 8);
    head[10] = flags;
    return Buffer.concat([head, Buffer.alloc(6, 0x7f)]);
  };
  const frame = (width: number, height: number, code: number, data: Buffer): Buffer => {
    const head = Buffer.alloc(10);
    head[0] = 0x2c;
    head.writeUInt16LE(width, 5);
    head.writeUInt16LE(height, 7);
    return Buffer.concat([head, Buffer.from([code, data.length]), data, Buffer.from([0, 0x3b])]);
  };
  const gif = (width: number, height: number, code = 2, data = Buffer.from([0x44, 0x01])): Buffer =>
    Buffer.concat([screen(width, height), frame(width, height, code, data)]);
  it.each([
    ['a GIF of 65,535 by 65,535 points', gif(65_535, 65_535)],
    ['a GIF with codes of no bit', gif(1, 1, 0)],
    ['a GIF with codes of 13 bits', gif(1, 1, 13)],
    ['a GIF whose data end too early', gif(100, 100)],
    ['a GIF whose codes name no entry', gif(2, 2, 2, Buffer.from([0xff, 0xff, 0xff]))],
    ['a GIF whose blocks have no end', gif(1, 1).subarray(0, -3)],
    ['a GIF with a frame beyond its screen', Buffer.concat([screen(1, 1), frame(60_000, 60_000, 2, Buffer.from([4]))])],
    ['a GIF without a table of colours', Buffer.concat([screen(1, 1, 0).subarray(0, 13), frame(1, 1, 2, Buffer.from([0x44, 1]))])], // prettier-ignore
    ['a TIFF', Buffer.from('49492a0008000000', 'hex')],
    ['a page of HTML', Buffer.from('<script>alert(1)</script>')],
  ])('is refused as %s', async (_what, image) => {
    const setting = { visible_sign_img: `data:image/gif;base64,${image.toString('base64')}` };
    const documents = [`data:application/pdf;base64,${pdf.toString('base64')}`];
    const answer = await create({
      type: 'PAdES',
      documents_source: 'DATA_URL',
      documents,
      signature_settings: setting,
    });
    expect(answer.content.status).not.toBe('SIGNED');
    expect([201, 422]).toContain(answer.status);
  });
});

const pdf = buildPdf(onePage());

describe('simultaneous uploads', () => {
  const announce = async (): Promise<string> => {
    const json = { documents_source: 'UPLOAD_REFERENCE', documents: [{ id: 'A' }], mode: 'async' };
    return String((await create(json)).content.tcn);
  };
  const upload = async (tcn: string, content: string): Promise<number> => {
    const form = new FormData();
    form.append('document[A]', new Blob([content]), 'a.txt');
    const answer = await fetch(`${instance.url}/file-transfer/${tcn}/eot`, { method: 'POST', body: form });
    await answer.arrayBuffer();
    return answer.status;
  };
  const finished = async (tcn: string): Promise<Answer> => {
    for (let query = 0; query < 12; query += 1) {
      const answer = await instance.send('GET', `/signature-service/${tcn}?wait=5`);
      if (answer.content.status !== 'WAITING') return answer;
    }
    throw new Error('The document still waits.');
  };

  it('sign the accepted one, and nothing of the others', async () => {
    const tcn = await announce();
    const contents = Array.from({ length: 10 }, (_one, index) => `content ${index} `.repeat(1000 * (index + 1)));
    const statuses = await Promise.all(contents.map(async (content) => upload(tcn, content)));
    const taken = contents.filter((_content, index) => statuses[index] === 200);
    expect(taken).toHaveLength(1);
    const { content } = await finished(tcn);
    const checksum = createHash('sha256')
      .update(taken[0] ?? '')
      .digest('hex');
    expect(content.documents).toMatchObject([{ id: 'A', status: 'SIGNED', checksum }]);
  });

  it('change nothing once the document was taken', async () => {
    const tcn = await announce();
    expect(await upload(tcn, 'first')).toBe(200);
    expect([404, 409, 422]).toContain(await upload(tcn, 'second'));
    const checksum = createHash('sha256').update('first').digest('hex');
    expect((await finished(tcn)).content.documents).toMatchObject([{ id: 'A', checksum }]);
  });
});

describe('a result', () => {
  const page = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
  let path: string;
  beforeAll(async () => {
    const documents = [{ data: 'data:text/javascript,alert(1)', original_file_name: 'worker.js', media_type: 'text/javascript' }]; // prettier-ignore
    const { content } = await create({ documents_source: 'DATA_URL', documents });
    path = `/file-transfer/${String(content.tcn)}/0`;
  });

  it('is no script, worker or service worker of our origin, under any type given by its caller', async () => {
    const { status, headers } = await instance.send('GET', path);
    expect(status).toBe(200);
    expect(String(headers['content-type'])).not.toMatch(/script|html|xml|svg/);
    expect(headers['content-disposition']).toMatch(/^attachment/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['service-worker-allowed']).toBeUndefined();
    for (const dest of ['script', 'worker', 'sharedworker', 'serviceworker', 'iframe', 'embed', 'object', 'style']) {
      const asked = { ...page, 'Sec-Fetch-Dest': dest, 'Sec-Fetch-Mode': 'no-cors', 'Service-Worker': 'script' };
      expect((await instance.send('GET', path, { headers: asked })).status).toBe(403);
    }
  });

  it('is sent once for a list of thousands of ranges', async () => {
    const whole = await instance.send('GET', path);
    for (const range of [
      `bytes=${'0-,'.repeat(3000)}0-`,
      `bytes=${'0-0,5-5,'.repeat(1500)}9-9`,
      'bytes=-0',
      'bytes=99999999999999999999-',
      'lines=0-1',
    ]) {
      // prettier-ignore
      const { status, body } = await instance.send('GET', path, { headers: { Range: range } });
      expect([200, 206, 416]).toContain(status);
      expect(body.length).toBeLessThanOrEqual(Math.max(whole.body.length, 1000));
    }
  });

  it('is opened to no page by a question about the private network', async () => {
    const preflight = { ...page, 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty', 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Private-Network': 'true', 'Access-Control-Request-Local-Network': 'true' }; // prettier-ignore
    const asked = await instance.send('OPTIONS', path, { headers: { ...preflight, Origin: 'http://evil.example' } });
    expect([asked.status, asked.headers['access-control-allow-origin']]).toEqual([403, undefined]);
    const got = await instance.send('GET', path, { headers: { ...page, 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' } }); // prettier-ignore
    expect([got.status, got.content.code]).toEqual([403, 'CONSENT_UNAVAILABLE']);
  });
});
