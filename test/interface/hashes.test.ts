import { createHash, createPublicKey, hash, verify, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyCms } from '../../src/signing/index.ts';
import { createTestAuthority, issueTestPerson, writePkcs12, type TestKeyKind } from '../../src/test-authority/index.ts';
import type { CallHandlers } from '../../src/ui-contract/ui-contract.ts';
import { untilDefined } from '../setup/waits.ts';
import { startRealInstance, type Answer, type RealInstance } from './real-instance.ts';

/** Signatures of hashes: the documents stay with the caller. */

const portal = 'https://portal.example';
const site = { Origin: portal, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' };
const document = Buffer.from('a contract that stays where it is');
const hashOf = (algorithm: 'sha256' | 'sha384' | 'sha512', content = document): Buffer =>
  createHash(algorithm).update(content).digest();
const sha256 = hashOf('sha256').toString('base64');

interface Entry {
  readonly id: string;
  readonly status: string;
  readonly signature?: string;
  readonly hash?: string;
  readonly hash_algorithm?: string;
  readonly checksum: string | null;
  readonly size: number | null;
  readonly result: string;
  readonly error?: { readonly code: string };
}

let asking: RealInstance;
let signing: RealInstance;
let calls: CallHandlers;
const certificates = new Map<string, Buffer>();
const people = [
  ['ANA LIMA', 'rsa-2048'],
  ['BIA LIMA', 'ec-p256'],
  ['EVA LIMA', 'ed25519'],
] as const satisfies readonly (readonly [string, TestKeyKind])[];

beforeAll(async () => {
  asking = await startRealInstance({ approved: [] });
  signing = await startRealInstance({ approve: 'all' });
  calls = asking.sinete.handlers['user-interface'];
  const authority = await createTestAuthority();
  for (const instance of [asking, signing]) {
    for (const [name, keyKind] of people) {
      const person = await issueTestPerson(authority, { name, cpf: '11144477735', keyKind });
      const file = (await writePkcs12(person, 'x')).toString('base64');
      await instance.sinete.handlers['user-interface']['certificates.import']({ file, password: 'x' });
      if (instance === signing) certificates.set(name, person.certificate);
    }
    const list = await instance.sinete.handlers['user-interface']['certificates.list']({});
    const ana = list.find(({ holder }) => holder.includes('ANA'));
    await instance.sinete.handlers['user-interface']['certificates.setDefault']({ alias: ana?.alias ?? '' });
  }
});
afterAll(async () => Promise.all([asking.stop(), signing.stop()]));

const sign = async (body: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  signing.send('POST', '/signature-service', { json: { mode: 'sync', ...body }, headers });
const entriesOf = ({ content }: Answer): readonly Entry[] => content.documents as readonly Entry[];
const aliasOf = async (name: string): Promise<string> => {
  const list = await signing.sinete.handlers['user-interface']['certificates.list']({});
  return list.find(({ holder }) => holder.includes(name))?.alias ?? '';
};

describe('hashes in a create request', () => {
  it.each(['CMS-detached', 'CAdES-detached'])('get a signature as %s that fits the document', async (type) => {
    const answer = await sign({ type, hashes: [{ id: 'a', hash: sha256, original_file_name: 'contract.pdf' }] });
    expect([answer.status, answer.content.documents_source, answer.content.eot]).toEqual([201, null, true]);
    const [entry] = entriesOf(answer);
    expect(entry).toMatchObject({
      status: 'SIGNED',
      hash: hashOf('sha256').toString('hex'),
      hash_algorithm: 'SHA256',
      checksum: hashOf('sha256').toString('hex'),
      size: null,
    });
    const signature = Buffer.from(entry?.signature ?? '', 'base64');
    expect((await verifyCms(signature, document)).intact).toBe(true);
    expect((await verifyCms(signature, Buffer.from('another contract'))).intact).toBe(false);
    const file = await signing.send('GET', new URL(entry?.result ?? '').pathname);
    expect(file.headers['content-type']).toBe('application/pkcs7-signature');
    expect(file.headers['content-disposition']).toContain('contract.pdf.p7s');
  });

  it('may each have a hash function of their own, in hexadecimal, base64 and the base64 of URLs', async () => {
    const hashes = [
      { hash: hashOf('sha256').toString('hex').toUpperCase() },
      { hash: hashOf('sha384').toString('base64'), hash_algorithm: 'sha-384' },
      { hash: hashOf('sha512').toString('base64url'), hash_algorithm: 'SHA512' },
    ];
    const entries = entriesOf(await sign({ type: 'CMS-detached', hashes }));
    expect(entries.map(({ id }) => id)).toEqual(['0', '1', '2']);
    for (const [index, algorithm] of (['sha256', 'sha384', 'sha512'] as const).entries()) {
      const verified = await verifyCms(Buffer.from(entries[index]?.signature ?? '', 'base64'), document);
      expect([verified.intact, verified.signers[0]?.digestAlgorithm]).toEqual([true, algorithm]);
      expect(entries[index]?.checksum === null).toBe(algorithm !== 'sha256');
    }
  });

  it('may be one object or one text', async () => {
    for (const hashes of [{ hash: sha256 }, sha256, [sha256]]) {
      expect(entriesOf(await sign({ type: 'CAdES-detached', hashes }))).toMatchObject([{ status: 'SIGNED' }]);
    }
  });

  it('are added as a further signer to a signature of the same document', async () => {
    const first = entriesOf(await sign({ type: 'CAdES-detached', hashes: sha256 }))[0]?.signature;
    const second = entriesOf(await sign({ type: 'CAdES-detached', hashes: sha256, signature: first }))[0]?.signature;
    const { signers, intact } = await verifyCms(Buffer.from(second ?? '', 'base64'), document);
    expect([signers.length, intact]).toEqual([2, true]);
  });

  it.each([
    ['of another length', { hashes: [{ hash: sha256.slice(0, 40) }] }, 'hashes[0].hash'],
    ['of another function than named', { hashes: [{ hash: sha256, hash_algorithm: 'SHA512' }] }, 'hashes[0].hash'],
    ['that is no base64', { hashes: [{ hash: 'ação!' }] }, 'hashes[0].hash'],
    ['that is missing', { hashes: [{ id: 'a' }] }, 'hashes[0].hash'],
    ['beside bytes to sign', { hashes: [{ hash: sha256, data_to_sign: 'AAAA' }] }, 'hashes[0].data_to_sign'],
    ['whose bytes to sign ask for a CMS', { hashes: [{ data_to_sign: 'AAAA' }] }, 'hashes[0].data_to_sign'],
    ['beside documents', { hashes: sha256, documents: ['data:,x'] }, 'documents'],
    ['beside a source of documents', { hashes: sha256, documents_source: 'DATA_URL' }, 'documents_source'],
    ['for an attached signature', { type: 'CAdES', hashes: sha256 }, 'type'],
    ['for a PDF', { type: 'PAdES', hashes: sha256 }, 'type'],
    [
      'with one id twice',
      {
        hashes: [
          { id: 'a', hash: sha256 },
          { id: 'a', hash: sha256 },
        ],
      },
      'hashes[1].id',
    ],
    ['with a destination', { hashes: sha256, documents_destination: 'FILE_PATH' }, 'documents_destination'],
    ['with a policy that CMS does not have', { type: 'CMS-detached', policy: 'AD-RB', hashes: sha256 }, 'policy'],
    ['with a scheme of bare signatures', { hashes: sha256, signature_algorithm: 'RSASSA-PSS' }, 'signature_algorithm'],
    ['of which there is none', { hashes: [] }, 'hashes'],
  ] as const)('%s are refused with the field', async (_what, body, field) => {
    const answer = await sign({ type: 'CAdES-detached', ...body });
    expect(answer.status).toBe(422);
    expect(answer.content.errors).toEqual(expect.arrayContaining([expect.objectContaining({ field })]));
  });

  it('are refused by a hash function that is not safe', async () => {
    const answer = await sign({ type: 'CMS-detached', hashes: [{ hash: sha256, hash_algorithm: 'SHA1' }] });
    expect(answer.status).toBe(422);
  });

  it('without documents and without a source are refused with the ways', async () => {
    const answer = await sign({ type: 'CAdES-detached' });
    expect(answer.content.errors).toMatchObject([{ field: 'documents_source', code: 'REQUIRED' }]);
  });

  it('in an empty list beside documents are no hashes, as generated clients send them', async () => {
    const documents = [{ data: 'data:text/plain,hello' }];
    const answer = await sign({ type: 'CAdES-detached', documents_source: 'DATA_URL', documents, hashes: [] });
    expect([answer.status, answer.content.documents_source]).toEqual([201, 'DATA_URL']);
  });

  it('tell an unknown field, and the one that was probably meant', async () => {
    const answer = await sign({ type: 'CAdES-detached', hashes: [{ hash: sha256, hash_algorythm: 'SHA256' }] });
    expect(answer.content.ignored_fields).toEqual([
      { field: 'hashes[0].hash_algorythm', did_you_mean: 'hashes[0].hash_algorithm' },
    ]);
  });

  it('take no uploads', async () => {
    const { content } = await sign({ type: 'CAdES-detached', hashes: sha256 });
    const answer = await signing.send('POST', `/file-transfer/${String(content.tcn)}/eot`, { fields: { a: 'b' } });
    expect([409, 415]).toContain(answer.status);
  });

  it('by the thousand are signed in one transaction, each with its own signature', async () => {
    const contents = Array.from({ length: 1500 }, (_one, index) => Buffer.from(`document ${index}`));
    const hashes = contents.map((content) => ({ hash: hashOf('sha256', content).toString('base64') }));
    const created = await signing.send('POST', '/signature-service', { json: { type: 'CAdES-detached', hashes } });
    const tcn = String(created.content.tcn);
    await untilDefined(async () => {
      const { content } = await signing.send('GET', `/signature-service/${tcn}?documents_limit=0`);
      return content.status === 'WAITING' ? undefined : content;
    }, 'the signatures of all hashes');
    for (const place of [0, 999, 1499]) {
      const after = place === 0 ? '' : `&documents_after=${place - 1}`;
      const page = await signing.send('GET', `/signature-service/${tcn}?documents_limit=1${after}`);
      const signature = Buffer.from(entriesOf(page)[0]?.signature ?? '', 'base64');
      expect((await verifyCms(signature, contents[place])).intact).toBe(true);
    }
  });
});

describe('a raw signature', () => {
  const schemes = [
    ['ANA', undefined, {}],
    ['ANA', 'RSASSA-PKCS1-v1_5', {}],
    ['ANA', 'RSASSA-PSS', { padding: 6, saltLength: -1 }],
    ['BIA', undefined, {}],
    ['BIA', 'ECDSA', {}],
  ] as const;
  const rows = schemes.flatMap(([name, algorithm, options]) =>
    (['sha256', 'sha384', 'sha512'] as const).map((digest) => ({ name, algorithm, options, digest })),
  );

  it.each(rows)('of $name with $algorithm and $digest verifies, over a hash and over bytes', async (row) => {
    const { name, algorithm, options, digest } = row;
    const certificate_alias = await aliasOf(name);
    const answer = await sign({
      type: 'RAW',
      certificate_alias,
      signature_algorithm: algorithm,
      hash_algorithm: digest,
      hashes: [{ hash: hashOf(digest).toString('base64') }, { data_to_sign: document.toString('base64') }],
    });
    const key = createPublicKey(new X509Certificate(certificates.get(`${name} LIMA`)!).publicKey.export({ type: 'spki', format: 'pem' })); // prettier-ignore
    for (const { status, signature = '' } of entriesOf(answer)) {
      expect(status).toBe('SIGNED');
      expect(verify(digest, document, { key, ...options }, Buffer.from(signature, 'base64'))).toBe(true);
    }
  });

  it('is a file of its own', async () => {
    const answer = await sign({ type: 'RAW', hashes: [{ hash: sha256, original_file_name: 'contract.pdf' }] });
    const [entry] = entriesOf(answer);
    const file = await signing.send('GET', new URL(entry?.result ?? '').pathname);
    expect(file.headers['content-type']).toBe('application/octet-stream');
    expect(file.headers['content-disposition']).toContain('contract.pdf.sig');
  });

  it.each([
    ['with an algorithm that its key does not have', { hashes: sha256, signature_algorithm: 'ECDSA' }],
    ['with an unknown algorithm', { hashes: sha256, signature_algorithm: 'MD5withRSA' }],
    ['with a policy', { hashes: sha256, policy: 'B-B' }],
    ['of a document', { documents_source: 'DATA_URL', documents: ['data:,x'] }],
    ['of too many bytes', { hashes: [{ data_to_sign: Buffer.alloc(65_537).toString('base64') }] }],
    ['of no bytes', { hashes: [{ data_to_sign: '=' }] }],
    ['added to a signature', { hashes: sha256, signature: 'AAAA' }],
  ])('%s is refused', async (_what, body) => {
    const answer = await sign({ type: 'RAW', ...body });
    expect(answer.status).toBe(422);
  });
});

describe('a key that hashes by itself', () => {
  it('signs SHA-512 as CMS, and bytes as they are, and no other hash', async () => {
    const certificate_alias = await aliasOf('EVA');
    const sha512 = hashOf('sha512').toString('hex');
    const cms = await sign({ type: 'CMS-detached', certificate_alias, hash_algorithm: 'SHA512', hashes: sha512 });
    const signature = Buffer.from(entriesOf(cms)[0]?.signature ?? '', 'base64');
    expect((await verifyCms(signature, document)).intact).toBe(true);
    const other = await sign({ type: 'CMS-detached', certificate_alias, hashes: sha256 });
    expect(other.content).toMatchObject({
      code: 'ALGORITHM_NOT_SUPPORTED',
      errors: [{ field: 'hashes[0].hash_algorithm' }],
    });
    const refused = await sign({ type: 'RAW', certificate_alias, hashes: sha256 });
    expect(refused.content).toMatchObject({
      status: 422,
      code: 'KEY_SIGNS_NO_HASH',
      errors: [{ field: 'hashes[0].hash' }],
    });
    const hashes = [{ data_to_sign: document.toString('base64') }];
    const raw = entriesOf(await sign({ type: 'RAW', certificate_alias, hashes }))[0]?.signature ?? '';
    const { publicKey } = new X509Certificate(certificates.get('EVA LIMA')!);
    expect(verify(null, document, publicKey, Buffer.from(raw, 'base64'))).toBe(true);
  });
});

describe('the approval of hashes', () => {
  const ask = async (body: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    asking.send('POST', '/signature-service', { json: body, headers });
  const allow = async (scopes: readonly ('sign' | 'sign_raw')[]): Promise<void> => {
    await calls['sites.change']({ origin: portal, scopes: [...scopes], days: 1, insecure: false });
  };

  it('shows each hash, and the name as a claim', async () => {
    await allow(['sign']);
    const { content } = await ask(
      { type: 'CAdES-detached', hashes: [{ hash: sha256, original_file_name: 'a.pdf' }] },
      site,
    );
    const shown = await calls['transactions.read']({ tcn: String(content.tcn) });
    expect(shown).toMatchObject({ waitingFor: 'approval', requester: portal });
    expect(shown.documents).toMatchObject([
      { claimedName: 'a.pdf', size: null, hash: { digest: 'sha256', value: hashOf('sha256').toString('hex') } },
    ]);
    await calls['approvals.decide']({ tcn: shown.tcn, decision: 'refuse' });
  });

  it('of bytes to sign tells the statements of signed attributes', async () => {
    await allow(['sign', 'sign_raw']);
    const { content } = await ask(
      { type: 'RAW', hashes: [{ data_to_sign: attributesOf(document).toString('base64') }] },
      site,
    );
    const tcn = String(content.tcn);
    const inspection = await calls['approvals.inspect']({ tcn, documentId: '0' });
    expect(inspection.signedAttributes).toEqual({ contentHash: hash('sha256', document, 'hex') });
    await calls['approvals.decide']({ tcn, decision: 'refuse' });
  });

  it('is asked although the site has signatures approved in advance', async () => {
    await allow(['sign']);
    const first = await ask(
      { type: 'CAdES-detached', documents_source: 'DATA_URL', documents: ['data:text/plain,x'] },
      site,
    );
    await calls['approvals.decide']({
      tcn: String(first.content.tcn),
      decision: 'approve',
      standing: { signatures: 10, minutes: 10 },
    });
    const again = await ask(
      { type: 'CAdES-detached', documents_source: 'DATA_URL', documents: ['data:text/plain,y'] },
      site,
    );
    const wait = await asking.send('GET', `/signature-service/${String(again.content.tcn)}?wait=20`);
    expect(wait.content.status).toBe('SIGNED');
    const { content } = await ask({ type: 'CAdES-detached', hashes: sha256 }, site);
    const state = await asking.send('GET', `/signature-service/${String(content.tcn)}?wait=1`);
    expect([state.content.status, state.content.waiting_for]).toEqual(['WAITING', 'approval']);
    await calls['approvals.decide']({ tcn: String(content.tcn), decision: 'refuse' });
  });

  it('of raw signatures needs the permission of the site', async () => {
    await allow(['sign']);
    const refused = await ask({ type: 'RAW', hashes: sha256 }, site);
    expect([refused.status, refused.content.code]).toEqual([403, 'RAW_NOT_ALLOWED']);
    await allow(['sign', 'sign_raw']);
    expect((await ask({ type: 'RAW', hashes: sha256 }, site)).status).toBe(201);
  });

  it('of raw signatures needs the permission of the application', async () => {
    const { application, secrets } = await calls['applications.add']({
      ...{ name: 'Portal', comments: '', email: '', redirectUris: ['https://portal.example/back'], isPublic: false },
    });
    const pair = `${application.clientId}:${secrets.clientSecret ?? ''}`;
    const headers = { Authorization: `Sinete ${Buffer.from(pair).toString('base64')}` };
    const refused = await ask({ type: 'RAW', hashes: sha256 }, headers);
    expect([refused.status, refused.content.code]).toEqual([403, 'RAW_NOT_ALLOWED']);
    expect((await ask({ type: 'CAdES-detached', hashes: sha256 }, headers)).status).toBe(201);
    await calls['applications.change']({ clientId: application.clientId, signsRaw: true });
    expect((await ask({ type: 'RAW', hashes: sha256 }, headers)).status).toBe(201);
  });

  it('is impossible where the configuration forbids hashes, or raw signatures', async () => {
    const never = await startRealInstance({
      approve: 'all',
      hashes: { allowed: 'never', raw: 'ask', perAuthorization: 1 },
    });
    const noRaw = await startRealInstance({
      approve: 'all',
      hashes: { allowed: 'ask', raw: 'never', perAuthorization: 1 },
    });
    const answerOf = async (instance: RealInstance, type: string): Promise<unknown> => {
      const answer = await instance.send('POST', '/signature-service', { json: { type, hashes: sha256 } });
      return answer.content.code;
    };
    expect(await answerOf(never, 'CAdES-detached')).toBe('HASHES_NOT_ALLOWED');
    expect(await answerOf(never, 'RAW')).toBe('HASHES_NOT_ALLOWED');
    expect(await answerOf(noRaw, 'RAW')).toBe('RAW_NOT_ALLOWED');
    expect(await answerOf(noRaw, 'CAdES-detached')).not.toBe('RAW_NOT_ALLOWED');
    await Promise.all([never.stop(), noRaw.stop()]);
  });
});

/** DER of contentType (id-data) and messageDigest (RFC 5652 §11.1, §11.2), the shorter first. */
function attributesOf(content: Buffer): Buffer {
  const type = Buffer.from('301806092a864886f70d010903310b06092a864886f70d010701', 'hex');
  const digest = Buffer.concat([
    Buffer.from('302f06092a864886f70d01090431220420', 'hex'),
    hash('sha256', content, 'buffer'),
  ]);
  return Buffer.concat([Buffer.of(0x31, type.length + digest.length), type, digest]);
}
