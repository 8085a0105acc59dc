/** Documents, names and bodies made to break a reader. */
import { crc32, deflateSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildPdf, onePage } from '../signing/pdf/build-pdf.ts';
import { makePng } from '../signing/pdf/pictures.ts';
import { startRealInstance, type Answer, type RealInstance } from '../interface/real-instance.ts';

let instance: RealInstance;
beforeAll(async () => {
  instance = await startRealInstance({ approve: 'all' });
  const { 'user-interface': calls } = instance.sinete.handlers;
  await calls['certificates.makeTestIdentity']({ name: 'ANA LIMA', cpf: '11144477735' });
});
afterAll(async () => instance.stop());
afterEach(async () => {
  expect((await instance.send('GET', '/.well-known/sinete')).status).toBe(200);
});

const dataUrl = (content: Buffer, type = 'application/octet-stream'): string =>
  `data:${type};base64,${content.toString('base64')}`;

async function validate(signature: Buffer): Promise<number> {
  const form = new FormData();
  form.set('type', 'CMS');
  form.set('signature', new Blob([Uint8Array.from(signature)]), 'x.p7m');
  const answer = await fetch(`${instance.url}/validator-service`, { method: 'POST', body: form });
  await answer.arrayBuffer();
  return answer.status;
}

const sign = async (document: object, changes: object = {}): Promise<Answer> =>
  instance.send('POST', '/signature-service', {
    json: { type: 'PAdES', mode: 'sync', documents_source: 'DATA_URL', documents: [document], ...changes },
  });

/** A definite-length SEQUENCE around `content`. */
function sequence(content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([Buffer.from([0x30, 0x84]), length, content]);
}

function nested(levels: number): Buffer {
  const heads = Array.from({ length: levels }, (_one, level) => {
    const head = Buffer.from([0x30, 0x84, 0, 0, 0, 0]);
    head.writeUInt32BE((levels - level - 1) * 6, 2);
    return head;
  });
  return Buffer.concat(heads);
}

describe('a hostile signature', () => {
  it.each([
    ['of 20,000 levels', () => nested(20_000)],
    ['of 500,000 indefinite levels', () => Buffer.from('3080'.repeat(500_000), 'hex')],
    ['of length 2^63', () => Buffer.from('30888000000000000000', 'hex')],
    ['of a length of 100 bytes', () => Buffer.concat([Buffer.from([0x30, 0xe4]), Buffer.alloc(100, 0xff)])],
    ['of 300,000 algorithms', () => sequence(sequence(Buffer.from('3000'.repeat(300_000), 'hex')))],
    ['in a PEM of 8 MB', () => Buffer.from(`-----BEGIN PKCS7-----\n${'QUFB'.repeat(2_000_000)}\n-----END PKCS7-----`)],
  ])('%s is refused', async (_what, make) => {
    expect([413, 422]).toContain(await validate(make()));
  });
});

/** A PDF with these objects, without a cross-reference table: readers repair or refuse it. */
const pdf = (...objects: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    ...objects.flatMap((one) => [Buffer.from(one), Buffer.from('\n')]),
    Buffer.from('trailer <</Root 1 0 R /Size 10>>\nstartxref\n0\n%%EOF'),
  ]);

const bomb = deflateSync(Buffer.alloc(200_000_000), { level: 9 });

describe('a hostile PDF', () => {
  it.each([
    ['with pages in a circle', pdf('1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj', '2 0 obj <</Type /Pages /Count 1 /Kids [2 0 R]>> endobj')], // prettier-ignore
    ['with references in a circle', pdf('1 0 obj 2 0 R endobj', '2 0 obj 1 0 R endobj')],
    ['with 400,000 levels of arrays', pdf(`1 0 obj ${'['.repeat(400_000)} endobj`)],
    ['with 400,000 levels of dictionaries', pdf(`1 0 obj ${'<</A '.repeat(400_000)} endobj`)],
    ['with a table of 2^31 objects', Buffer.from('%PDF-1.7\nxref\n0 2147483648\ntrailer <</Size 2147483648 /Root 1 0 R>>\nstartxref\n9\n%%EOF')], // prettier-ignore
    ['with a section that follows itself', Buffer.from('%PDF-1.7\nxref\n0 0\ntrailer <</Root 1 0 R /Prev 9>>\nstartxref\n9\n%%EOF')], // prettier-ignore
    ['with 3 million parentheses', pdf(`1 0 obj ${'('.repeat(3_000_000)} endobj`)],
    ['with a table that inflates to 200 MB', pdf(Buffer.concat([Buffer.from(`1 0 obj <</Type /XRef /W [1 4 2] /Index [0 4000000000] /Size 4000000000 /Filter /FlateDecode /Length ${bomb.length}>> stream\n`), bomb, Buffer.from('\nendstream endobj')]))], // prettier-ignore
  ])('%s is refused, with and without repair', async (_what, content) => {
    for (const repair of [false, true]) {
      const answer = await sign({ data: dataUrl(content, 'application/pdf') }, { auto_fix_document: repair });
      const [entry] = answer.content.documents as readonly { readonly status: string; readonly error: { readonly code: string } }[]; // prettier-ignore
      expect([answer.status, entry?.status]).toEqual([201, 'ERROR']);
      expect(entry?.error.code).not.toBe('INTERNAL');
    }
  });
});

describe('a hostile picture', () => {
  /** A PNG of a single point saying it has another size. */
  const png = (width: number, height: number): Buffer => {
    const image = makePng({ width: 1, height: 1, depth: 8, colourType: 6, pixel: () => [0, 0, 0, 255] });
    image.writeUInt32BE(width, 16);
    image.writeUInt32BE(height, 20);
    // The checksum of the header covers its type and its 13 bytes (PNG §5.3).
    image.writeUInt32BE(crc32(image.subarray(12, 29)), 29);
    return image;
  };
  const stamp = async (type: string, image: Buffer): Promise<unknown> => {
    const settings = { id: 'default', visible_sign_img: dataUrl(image, type) };
    const document = { data: dataUrl(buildPdf(onePage()), 'application/pdf') };
    const { status, content } = await sign(document, { signature_settings: settings });
    return status === 201 ? (content.documents as readonly { readonly status: string }[])[0]?.status : status;
  };

  it('is told from a good one, which is signed', async () => {
    expect(await stamp('image/png', png(1, 1))).toBe('SIGNED');
  });

  it.each([
    ['of 50,000 by 50,000 points', 'image/png', png(50_000, 50_000)],
    ['of 2^31 by 2^31 points', 'image/png', png(2 ** 31, 2 ** 31)],
    ['that is an SVG', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['that is a broken JPEG', 'image/jpeg', Buffer.from('ffd8ffe0ffff', 'hex')],
  ])('%s is refused', async (_what, type, image) => {
    expect(['ERROR', 422]).toContain(await stamp(type, image));
  });
});

describe('a hostile body', () => {
  it.each([
    ['of 200,000 levels', `{"type":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
    ['with settings of 100,000 levels', `{"type":"CMS","signature_settings":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_001)}`], // prettier-ignore
    ['with __proto__', '{"__proto__":{"isOwner":true},"constructor":{"prototype":{"type":"CMS"}}}'],
    ['with a number beyond all bounds', '{"type":"CMS","documents_source":"DATA_URL","documents":[{"id":1e999999}]}'],
    ['with a data URL of a million parameters', JSON.stringify({ type: 'CMS', documents_source: 'DATA_URL', documents: `data:a/b${';x=y'.repeat(1_000_000)}` })], // prettier-ignore
  ])('%s is refused', async (_what, body) => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${instance.url}/signature-service`, { method: 'POST', headers, body });
    await answer.arrayBuffer();
    expect([400, 413, 422]).toContain(answer.status);
    expect(({} as { readonly isOwner?: boolean }).isOwner).toBeUndefined();
  });
});

describe('a hostile file name', () => {
  it.each([
    ['a\r\nX-Injected: yes', /^aX-Injected_? ?:? ?yes|^aX-Injected/],
    ['../../etc/passwd', /^passwd/],
    ['..\\..\\windows\\system.ini', /^system\.ini/],
    ['/', /^0|^document/],
    ['..', /^0|^document/],
    ['a\0b', /^ab/],
    ['invoice-\u202Efdp.exe', /^invoice-fdp\.exe\.p7m/],
    ['\u200B\u2066\uFEFF', /^document\.p7m/],
    ['ⓐ'.repeat(255), /^ⓐ+/],
  ])('%j neither breaks a header, nor leaves its folder, nor hides its end', async (name, expected) => {
    const document = { data: 'data:,x', original_file_name: name };
    const { content } = await sign(document, { type: 'CMS-attached' });
    const answer = await instance.send('GET', `/file-transfer/${String(content.tcn)}/0`);
    const disposition = String(answer.headers['content-disposition']);
    expect([answer.status, answer.headers['x-injected']]).toEqual([200, undefined]);
    const extended = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1];
    const told =
      extended === undefined ? (/filename="?([^";]*)/.exec(disposition)?.[1] ?? '') : decodeURIComponent(extended);
    expect(told).toMatch(expected);
    expect(told).toMatch(/\.p7m$/);
    expect(told).not.toMatch(/[\p{Cc}\p{Cf}/\\]/u);
  });
});
