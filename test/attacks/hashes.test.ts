/** Requests for signatures of hashes that want more than the person saw. */
import { createHash, hash, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyCms } from '../../src/signing/index.ts';
import { startRealInstance, type Answer, type RealInstance } from '../interface/real-instance.ts';

let instance: RealInstance;
let calls: RealInstance['sinete']['handlers']['user-interface'];
let certificate: X509Certificate;
const site = {
  Origin: 'https://hostile.example',
  'Sec-Fetch-Site': 'cross-site',
  'Sec-Fetch-Mode': 'cors',
  'Sec-Fetch-Dest': 'empty',
};

beforeAll(async () => {
  instance = await startRealInstance({ approve: 'ask' });
  calls = instance.sinete.handlers['user-interface'];
  await calls['certificates.makeTestIdentity']({ name: 'ANA LIMA', cpf: '11144477735' });
  const [one] = await calls['certificates.list']({});
  const { pem } = await calls['certificates.describe']({ alias: one?.alias ?? '' });
  certificate = new X509Certificate(pem);
  await calls['sites.change']({ origin: site.Origin, scopes: ['sign'], days: 1 });
});
afterAll(async () => instance.stop());

const hashOf = (content: string): string => createHash('sha256').update(content).digest('base64');
const ask = async (json: object): Promise<Answer> =>
  instance.send('POST', '/signature-service', { json: { type: 'CAdES-detached', ...json }, headers: site });
const tcnOf = ({ content }: Answer): string => String(content.tcn);

interface Entry {
  readonly status: string;
  readonly signature?: string;
  readonly hash?: string;
}
const entriesOf = async (tcn: string): Promise<readonly Entry[]> => {
  const { content } = await instance.send('GET', `/signature-service/${tcn}?wait=20`);
  return content.documents as readonly Entry[];
};

describe('a hash to sign', () => {
  it.each([
    ['shorter than its algorithm', { hash: hash('sha1', 'x', 'base64') }],
    ['longer than its algorithm', { hash: hash('sha512', 'x', 'base64') }],
    ['of another algorithm than named', { hash: hashOf('x'), hash_algorithm: 'SHA384' }],
    ['of an unsafe algorithm', { hash: hash('md5', 'x', 'base64'), hash_algorithm: 'MD5' }],
    ['with bytes behind its end', { hash: Buffer.alloc(33).toString('base64') }],
    ['that is a whole DigestInfo', { hash: Buffer.alloc(51).toString('base64') }],
  ])('%s is refused, and nothing waits', async (_what, entry) => {
    const before = (await calls['home.read']({})).waiting.length;
    expect((await ask({ hashes: [entry] })).status).toBe(422);
    expect((await calls['home.read']({})).waiting.length).toBe(before);
  });

  it('cannot be followed by a second hash after the approval', async () => {
    const tcn = tcnOf(await ask({ hashes: [{ hash: hashOf('seen') }] }));
    await calls['approvals.decide']({ tcn, decision: 'approve' });
    const headers = { 'Content-Type': 'application/octet-stream' };
    const upload = await fetch(`${instance.url}/file-transfer/${tcn}/eot`, { method: 'POST', headers, body: 'unseen' });
    expect(upload.status).toBe(409);
    await upload.arrayBuffer();
    const entries = await entriesOf(tcn);
    expect(entries.map(({ hash: of }) => of)).toEqual([hash('sha256', 'seen', 'hex')]);
    const again = await ask({ hashes: [{ hash: hashOf('unseen') }] });
    expect(again.content).toMatchObject({ status: 'WAITING', waiting_for: 'approval' });
    await calls['approvals.decide']({ tcn: tcnOf(again), decision: 'refuse' });
    expect(await entriesOf(tcnOf(again))).toMatchObject([{ status: 'ERROR' }]);
  });

  it('is signed as itself: a signature fits the approved hash and no other', async () => {
    const tcn = tcnOf(await ask({ hashes: [{ hash: hashOf('seen') }] }));
    await calls['approvals.decide']({ tcn, decision: 'approve' });
    const [entry] = await entriesOf(tcn);
    const signature = Buffer.from(entry?.signature ?? '', 'base64');
    expect((await verifyCms(signature, Buffer.from('seen'))).intact).toBe(true);
    expect((await verifyCms(signature, Buffer.from('unseen'))).intact).toBe(false);
  });

  it('in a list of 10,000 keeps others served, and one of 10,001 is refused', async () => {
    const hashes = Array.from({ length: 10_000 }, (_one, index) => ({ hash: hashOf(`${index}`) }));
    const asked = ask({ hashes });
    const health = await instance.send('GET', '/live');
    expect(health.status).toBe(200);
    const answer = await asked;
    expect(answer.content).toMatchObject({ waiting_for: 'approval', counts: { WAITING: 10_000 } });
    await calls['approvals.decide']({ tcn: tcnOf(answer), decision: 'refuse' });
    const tooMany = await ask({ hashes: [...hashes, { hash: hashOf('one more') }] });
    expect([tooMany.status, tooMany.content.code]).toEqual([422, 'TOO_MANY_DOCUMENTS']);
  });
});

describe('a raw signature', () => {
  it('is refused to a site without its permission, under any spelling and in any mode', async () => {
    for (const type of ['RAW', 'raw', ' Raw ']) {
      for (const entry of [{ hash: hashOf('x') }, { data_to_sign: 'AAAA' }]) {
        const answer = await ask({ type, hashes: [entry] });
        expect([answer.status, answer.content.code]).toEqual([403, 'RAW_NOT_ALLOWED']);
      }
    }
  });

  it('over the signed attributes of an unseen document is refused as a CMS, and shown with its hash as RAW', async () => {
    await calls['sites.change']({ origin: site.Origin, scopes: ['sign', 'sign_raw'], days: 1 });
    const data_to_sign = attributesOf('never seen').toString('base64');
    expect((await ask({ hashes: [{ data_to_sign }] })).status).toBe(422);
    const answer = await ask({ type: 'RAW', hashes: [{ data_to_sign, original_file_name: 'holiday.jpg' }] });
    const inspection = await calls['approvals.inspect']({ tcn: tcnOf(answer), documentId: '0' });
    expect(inspection.signedAttributes?.contentHash).toBe(hash('sha256', 'never seen', 'hex'));
    await calls['approvals.decide']({ tcn: tcnOf(answer), decision: 'refuse' });
  });

  it.each([
    ['a text', Buffer.from('I owe you nothing.')],
    ['attributes with another statement behind them', Buffer.concat([attributesOf('x'), Buffer.from('more')])],
    ['the body of a certificate', () => certificate.raw.subarray(4)],
  ])('over %s is not shown as signed attributes', async (_what, given) => {
    await calls['sites.change']({ origin: site.Origin, scopes: ['sign', 'sign_raw'], days: 1 });
    const bytes = typeof given === 'function' ? given() : given;
    const answer = await ask({ type: 'RAW', hashes: [{ data_to_sign: bytes.toString('base64') }] });
    const inspection = await calls['approvals.inspect']({ tcn: tcnOf(answer), documentId: '0' });
    expect(inspection.signedAttributes).toBeUndefined();
    await calls['approvals.decide']({ tcn: tcnOf(answer), decision: 'refuse' });
  });
});

/** DER of contentType and messageDigest over a content (RFC 5652 §11.1, §11.2). */
function attributesOf(content: string): Buffer {
  const type = Buffer.from('301806092a864886f70d010903310b06092a864886f70d010701', 'hex');
  const start = Buffer.from('302f06092a864886f70d01090431220420', 'hex');
  const digest = Buffer.concat([start, hash('sha256', content, 'buffer')]);
  return Buffer.concat([Buffer.of(0x31, type.length + digest.length), type, digest]);
}
