/** A web site allowed to sign tries to reach the user's files and stores. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CallHandlers } from '../../src/ui-contract/ui-contract.ts';
import { createTestAuthority, issueTestPerson, writePkcs12 } from '../../src/test-authority/index.ts';
import { startRealInstance, type Answer, type RealInstance } from '../interface/real-instance.ts';

const portal = 'https://portal.example';
const browser = { Origin: portal, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' };
const cpf = '11144477735';

let instance: RealInstance;
let home: string;
let recoveryCodes: string[];
let application: string;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'sinete-attacks-'));
  writeFileSync(join(home, 'id_rsa'), 'victim secret');
  writeFileSync(join(home, 'unreadable'), 'victim secret', { mode: 0o000 });
  mkdirSync(join(home, 'folder'));
  symlinkSync(join(home, 'id_rsa'), join(home, 'link'));
  // Every permitted request is signed without a question, so only the refusal protects the files.
  instance = await startRealInstance({ approve: 'all' });
  const { 'user-interface': calls } = instance.sinete.handlers;
  const person = await issueTestPerson(await createTestAuthority(), { name: 'ANA LIMA', cpf });
  await calls['certificates.import']({ file: (await writePkcs12(person, 'x')).toString('base64'), password: 'x' });
  await calls['sites.change']({ origin: portal, scopes: ['sign', 'user:read', 'certificates:read'], days: null });
  recoveryCodes = await instance.enrol('ANA LIMA', cpf);
  const registered = await instance.send('POST', '/v0/oauth/application', {
    json: { name: 'Portal', comments: 'x', email: 'a@portal.example', redirect_uris: [`${portal}/back`] },
  });
  const { client_id: id, client_secret: secret } = registered.content;
  application = `Sinete ${Buffer.from(`${String(id)}:${String(secret)}`).toString('base64')}`;
});
afterAll(async () => {
  await instance.stop();
  rmSync(home, { recursive: true });
});

const create = async (json: object, headers: Readonly<Record<string, string>> = browser): Promise<Answer> =>
  instance.send('POST', '/signature-service', { json: { type: 'CMS-attached', mode: 'sync', ...json }, headers });
const readsPath = (path: string): object => ({ documents_source: 'FILE_PATH', documents: [path] });
const bytes = { documents_source: 'DATA_URL' };
const codeOf = ({ status, content }: Answer): readonly unknown[] => [status, content.code];

/** A site's ways to prove its identity. */
const credentials: readonly (readonly [string, () => Promise<Record<string, string>>])[] = [
  ['its origin alone', async () => Promise.resolve({})],
  ['a one-time password of the user', async () => Promise.resolve({ Authorization: basic() })],
  ['a session token of the user', async () => ({ Authorization: `Bearer ${await sessionToken()}` })],
  ['the secret of an application', async () => Promise.resolve({ Authorization: application })],
];

const basic = (): string => `Basic ${Buffer.from(`${cpf}:${recoveryCodes.pop() ?? ''}`).toString('base64')}`;

async function sessionToken(): Promise<string> {
  const answer = await create(
    { ...bytes, documents: ['data:,x'] },
    { ...browser, Authorization: basic(), 'X-Session-Options': 'return_access_token=true' },
  );
  return String(answer.headers['x-session-token']);
}

describe.each(credentials)('a web site with %s', (_with, authorization) => {
  it('reads no file of the user', async () => {
    const headers = { ...browser, ...(await authorization()) };
    expect(codeOf(await create(readsPath(join(home, 'id_rsa')), headers))).toEqual([403, 'SOURCE_NOT_ALLOWED']);
  });

  it('writes no file at a chosen place', async () => {
    const headers = { ...browser, ...(await authorization()) };
    const target = join(home, '.bash_login');
    const documents = [{ data: 'data:,x', destination_file_name: target }];
    const answer = await create({ ...bytes, documents_destination: 'FILE_PATH', documents }, headers);
    expect(codeOf(answer)).toEqual([403, 'DESTINATION_NOT_ALLOWED']);
    expect(readdirSync(home)).not.toContain('.bash_login');
  });

  it('still signs the bytes brought along', async () => {
    const headers = { ...browser, ...(await authorization()) };
    expect((await create({ ...bytes, documents: ['data:,x'] }, headers)).content).toMatchObject({ status: 'SIGNED' });
  });
});

describe('a web site allowed to sign', () => {
  it('learns nothing about a path: every answer is the same', async () => {
    const paths = ['id_rsa', 'not there', 'unreadable', 'folder', 'link', 'folder/../id_rsa'].map((name) =>
      join(home, name),
    );
    const others = [
      '/dev/zero',
      '/proc/self/environ',
      'relative',
      '//host/share/a',
      '\\\\host\\share\\a',
      'file://host/a',
    ];
    const answers = await Promise.all([...paths, ...others].map(async (path) => create(readsPath(path))));
    const bodies = answers.map(({ status, content }) => JSON.stringify([status, { ...content, instance: '' }]));
    expect(new Set(bodies).size).toBe(1);
    expect(bodies[0]).toContain('SOURCE_NOT_ALLOWED');
    expect(bodies[0]).not.toMatch(/size|checksum|id_rsa/);
  });

  it('names no object in a store of the user, existing or not', async () => {
    for (const source of ['STORE_A_S3', 'STORE_B_STORAGE']) {
      const answer = await create({ documents_source: source, documents: ['bucket/key'] });
      expect(codeOf(answer)).toEqual([403, 'SOURCE_NOT_ALLOWED']);
      const stored = await create({ ...bytes, documents: ['data:,x'], documents_destination: source });
      expect(codeOf(stored)).toEqual([403, 'DESTINATION_NOT_ALLOWED']);
    }
  });

  it('names no place for a result in an upload or beside a kept result', async () => {
    const documents = [{ id: 'a', destination_file_name: join(home, 'x') }];
    const upload = { documents_source: 'UPLOAD_REFERENCE', documents };
    const refused = [403, 'DESTINATION_NOT_ALLOWED'];
    expect(codeOf(await create({ ...upload, documents_destination: 'FILE_PATH' }))).toEqual(refused);
    expect(codeOf(await create(upload))).toEqual(refused);
  });

  it('gets nothing by the answer to an earlier request of a program with the same Idempotency-Key', async () => {
    const key = { 'Idempotency-Key': 'shared' };
    const json = { type: 'CMS-attached', mode: 'sync', ...readsPath(join(home, 'id_rsa')) };
    const own = await instance.send('POST', '/signature-service', { json, headers: key });
    expect(own.content).toMatchObject({ status: 'SIGNED' });
    const answer = await create(readsPath(join(home, 'id_rsa')), { ...browser, ...key });
    expect(codeOf(answer)).toEqual([403, 'SOURCE_NOT_ALLOWED']);
  });
});

describe("a web site in possession of a program's request", () => {
  it('gets no transaction of the program by its Idempotency-Key and its body', async () => {
    const key = { 'Idempotency-Key': 'order-7' };
    const json = { ...bytes, documents: ['data:,x'] };
    const own = await create(json, key);
    const answers = await Promise.all([create(json, { ...browser, ...key }), create(json, { ...browser, ...key })]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    for (const { content } of answers) expect(content.tcn).not.toBe(own.content.tcn);
    expect((await create(json, key)).content.tcn).toBe(own.content.tcn);
  });
});

describe('a web site with a folder opened by the owner', () => {
  const folder = (): string => join(home, 'portal');
  const signedFrom = async (path: string): Promise<Answer> => create(readsPath(path));
  const calls = (): CallHandlers => instance.sinete.handlers['user-interface'];
  beforeAll(async () => {
    mkdirSync(folder());
    writeFileSync(join(folder(), 'contract.txt'), 'contract');
    symlinkSync(join(home, 'id_rsa'), join(folder(), 'link'));
    symlinkSync(home, join(folder(), 'way'));
    await calls()['sites.allowFiles']({ caller: portal, root: folder(), access: 'read', days: 1 });
  });
  afterEach(async () => {
    await calls()['sites.allowFiles']({ caller: portal, root: folder(), access: 'read', days: 1 });
  });

  it("has the folder's files signed, and each use counted", async () => {
    const [before] = await calls()['sites.files']({});
    expect((await signedFrom(join(folder(), 'contract.txt'))).content).toMatchObject({ status: 'SIGNED' });
    expect(await calls()['sites.files']({})).toMatchObject([
      { caller: portal, root: folder(), uses: (before?.uses ?? 0) + 1, lastUsedAt: expect.any(String) as string },
    ]);
  });

  it('names nothing outside of the folder, by dots, by another spelling or beside', async () => {
    writeFileSync(join(home, 'portal-secret'), 'x');
    const others = ['../id_rsa', './../id_rsa', '../portal-secret', 'x/../../id_rsa', '..', '.'];
    for (const path of [...others.map((name) => `${folder()}/${name}`), `file://${folder()}/%2e%2e/id_rsa`]) {
      expect(codeOf(await signedFrom(path))).toEqual([403, 'SOURCE_NOT_ALLOWED']);
    }
  });

  it('has no link inside followed, and is not told its target', async () => {
    const answers = await Promise.all(
      ['link', 'way/id_rsa', 'way/not there', 'not there'].map(async (name) => signedFrom(join(folder(), name))),
    );
    for (const answer of answers) expect(answer.status).toBe(422);
    const bodies = answers.map(({ body }) => body).filter((body) => /victim|size|checksum/.test(body));
    expect(bodies).toEqual([]);
    const told = answers
      .slice(1, 3)
      .map(({ content }) => JSON.stringify([content.code, content.detail, content.errors]));
    expect(new Set(told).size).toBe(1);
  });

  it('writes no result there without a grant for writing, and none through a link with a grant', async () => {
    const write = async (name: string): Promise<Answer> => {
      const documents = [{ data: 'data:,x', destination_file_name: join(folder(), name) }];
      return create({ ...bytes, documents_destination: 'FILE_PATH', documents });
    };
    expect(codeOf(await write('result.p7m'))).toEqual([403, 'DESTINATION_NOT_ALLOWED']);
    await calls()['sites.allowFiles']({ caller: portal, root: folder(), access: 'both', days: 1 });
    expect((await write('result.p7m')).content).toMatchObject({ status: 'SIGNED' });
    expect(readdirSync(folder())).toContain('result.p7m');
    expect(codeOf(await write('way/.bash_login'))).toEqual([403, 'DESTINATION_NOT_ALLOWED']);
    expect(codeOf(await write('way/none/x'))).toEqual([403, 'DESTINATION_NOT_ALLOWED']);
    expect(readdirSync(home)).not.toContain('.bash_login');
  });

  it('does not learn the taken names from a grant for writing alone', async () => {
    await calls()['sites.revokeFiles']({ caller: portal, root: folder() });
    await calls()['sites.allowFiles']({ caller: portal, root: folder(), access: 'write', days: 1 });
    const write = async (name: string): Promise<Answer> => {
      const documents = [{ data: 'data:,x', destination_file_name: join(folder(), name) }];
      return create({ ...bytes, documents_destination: 'FILE_PATH', documents });
    };
    const before = readdirSync(folder());
    const answers = await Promise.all(['contract.txt', 'link', 'nothing.txt', 'contract.txt'].map(write));
    for (const [index, { status, content }] of answers.entries()) {
      expect([status, content.status]).toEqual([201, 'SIGNED']);
      const [{ result = '' } = {}] = content.documents as readonly { readonly result?: string }[];
      const wanted = [/^contract-[0-9a-f]{12}\.txt$/, /^link-[0-9a-f]{12}$/, /^nothing-[0-9a-f]{12}\.txt$/];
      expect(basename(result)).toMatch(wanted[index % 3] ?? /^$/);
    }
    const added = readdirSync(folder()).filter((name) => !before.includes(name));
    expect(added).toHaveLength(4);
    for (const name of added) rmSync(join(folder(), name));
    await calls()['sites.revokeFiles']({ caller: portal, root: folder() });
  });

  it('names nothing inside for another site, nor after the end of the grant', async () => {
    const other = 'https://other.example';
    await calls()['sites.change']({ origin: other, scopes: ['sign'], days: null });
    const json = { type: 'CMS-attached', ...readsPath(join(folder(), 'contract.txt')) };
    const headers = { ...browser, Origin: other };
    const answer = await instance.send('POST', '/signature-service', { json, headers });
    expect(codeOf(answer)).toEqual([403, 'SOURCE_NOT_ALLOWED']);
    await calls()['sites.revokeFiles']({ caller: portal, root: folder() });
    expect(codeOf(await signedFrom(join(folder(), 'contract.txt')))).toEqual([403, 'SOURCE_NOT_ALLOWED']);
  });
});

describe('a program of the owner', () => {
  it('names its own files, with and without credentials', async () => {
    expect((await create(readsPath(join(home, 'id_rsa')), {})).content).toMatchObject({ status: 'SIGNED' });
    const answer = await create(readsPath(join(home, 'id_rsa')), { Authorization: application });
    expect(answer.content).toMatchObject({ status: 'SIGNED' });
  });

  it('has no path of another computer opened over HTTP', async () => {
    for (const path of ['\\\\127.0.0.1\\share\\a', '//127.0.0.1/share/a', 'file://127.0.0.1/share/a']) {
      expect(codeOf(await create(readsPath(path), {}))).toEqual([403, 'SOURCE_NOT_ALLOWED']);
      const documents = [{ data: 'data:,x', destination_file_name: path }];
      const answer = await create({ ...bytes, documents_destination: 'FILE_PATH', documents }, {});
      expect(codeOf(answer)).toEqual([403, 'DESTINATION_NOT_ALLOWED']);
    }
  });
});
