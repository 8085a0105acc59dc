import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { knownDifferences } from '../../src/http/client-spellings.ts';
import { locationOf, requestIdOf } from '../http/authorization/oauth-world.ts';
import { plainRequest, type PlainAnswer } from '../http/start-test-server.ts';
import { verifyPdf } from '../../src/signing/pdf/verification/verify-pdf.ts';
import { runTool } from '../oracles/run-program.ts';
import { buildPdf, onePage } from '../signing/pdf/build-pdf.ts';
import { askPdfsig } from '../signing/pdf/oracles.ts';
import { laterClients, type ClientRow, type ClientStep, type ValueForm } from './later-clients.ts';
import { startRealInstance, type RealInstance } from './real-instance.ts';

/** Ten programs of others are replayed from their data to the signed document, or to their documented difference. */

const ana = '11144477735';
const redirect = 'http://127.0.0.1:9/callback';
let instance: RealInstance;
let folder: string;
let codes: string[];
let alias: string;
const clients = new Map<string, { readonly id: string; readonly secret: string }>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-later-'));
  instance = await startRealInstance({ approve: 'listed', approved: ['approved-program'] });
  codes = [...(await instance.enrol('Ana Lima', ana))];
  const { core, handlers } = instance.sinete;
  ({ alias } = await handlers['user-interface']['certificates.makeTestIdentity']({ name: 'ANA LIMA', cpf: ana }));
  await core.assistant.addUser(ana, codes.shift() ?? '', 'window');
  for (const clientId of ['usual-program', 'approved-program']) {
    const about = { name: clientId, comments: '', email: '', redirectUris: [redirect], clientId };
    const { application, clientSecret } = await core.applications.register(about);
    clients.set(clientId, { id: application.clientId, secret: clientSecret });
  }
});
afterAll(async () => {
  await instance.stop();
  await rm(folder, { recursive: true });
});

/** A small PDF; damaged: two offsets of the cross-reference lead beside their objects. */
function documentOf({ isDamaged }: ClientRow): Buffer {
  const pdf = buildPdf(onePage());
  if (isDamaged !== true) return pdf;
  let entries = 0;
  const wrong = (line: string, offset: string): string => {
    entries += 1;
    return entries > 3 ? line : line.replace(offset, String(Number(offset) + 6).padStart(10, '0'));
  };
  return Buffer.from(pdf.toString('latin1').replaceAll(/(\d{10}) 00000 n/g, wrong), 'latin1');
}

type Values = Map<string, string>;

/** Puts the values into all texts of a request. */
function filled<Value>(value: Value, values: Values): Value {
  if (typeof value === 'string') {
    const named = value.replaceAll(/<([^<>]+)>/g, (_all, name: string) => {
      if (name === 'otp') return codes.shift() ?? 'none is left';
      const known = values.get(name);
      if (known === undefined) throw new Error(`No earlier answer gave ${name}.`);
      return known;
    });
    return named.replaceAll(/base64\(([^)]*)\)/g, (_all, text: string) =>
      Buffer.from(text).toString('base64'),
    ) as Value;
  }
  if (Array.isArray(value)) return value.map((one: unknown) => filled(one, values)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member, values)])) as Value;
}

interface Reply {
  readonly status: number;
  readonly bytes: Buffer;
  readonly json: unknown;
}

async function send(step: ClientStep, values: Values, pdf: Buffer): Promise<Reply> {
  const headers = new Headers(filled(step.headers ?? {}, values));
  const path = filled(step.path, values);
  let body: BodyInit | undefined = step.json === undefined ? undefined : JSON.stringify(filled(step.json, values));
  if (step.form !== undefined) body = new URLSearchParams(filled(step.form, values));
  if (step.file !== undefined) {
    const { field, name, type } = step.file;
    body = new FormData();
    body.append(field, new Blob([new Uint8Array(pdf)], { type }), name);
  }
  const url = path.startsWith('http') ? path : `${instance.url}${path}`;
  const answer = await fetch(url, { method: step.method, headers, body, redirect: 'manual' });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const isJson = (answer.headers.get('content-type') ?? '').includes('json');
  return { status: answer.status, bytes, json: isJson ? (JSON.parse(bytes.toString()) as unknown) : undefined };
}

const valueAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => (typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[name] : undefined), value); // prettier-ignore

const forms: Readonly<Record<ValueForm, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string' && value !== '',
  'whole number': (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  list: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'text or null': (value) => value === null || typeof value === 'string',
  'absent or text': (value) => value === undefined || typeof value === 'string',
};

/** A person follows the page in a browser, types the one-time password and allows. */
async function allowInBrowser(step: ClientStep, values: Values): Promise<void> {
  const navigation = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Site': 'cross-site' };
  const headers = { Host: `127.0.0.1:${instance.port}`, Accept: 'text/html', ...navigation };
  let page: PlainAnswer = await plainRequest(instance, { method: 'GET', path: filled(step.path, values), headers });
  const answer = async (fields: Readonly<Record<string, string>>): Promise<PlainAnswer> =>
    instance.send('POST', '/oauth/authorize', { fields: { request: requestIdOf(page), ...fields } });
  if (step.path.includes('integration=true')) page = await answer({ way: 'password' });
  expect(page.body).toContain('name="password"');
  const allowed = await answer({ username: ana, password: codes.shift() ?? '', decision: 'allow' });
  const returned = new URL(locationOf(allowed)).searchParams;
  const state = /[?&]state=([^&]*)/.exec(step.path)?.[1];
  expect([returned.get('state'), returned.get('error')]).toEqual([state, null]);
  // One program encodes the code once more.
  expect(returned.get('code')).toMatch(/^[A-Za-z0-9._-]+$/);
  values.set('code', returned.get('code') ?? '');
}

async function take(step: ClientStep, values: Values, pdf: Buffer): Promise<Reply> {
  const expected = step.status ?? (step.path === '/signature-service' && step.method === 'POST' ? 201 : 200);
  for (;;) {
    const reply = await send(step, values, pdf);
    const isLater = step.until === 'status' && reply.status === 409;
    const isWaiting = step.until === 'signed' && valueAt(reply.json, 'documents.0.status') === 'WAITING';
    if (isLater || isWaiting) continue;
    expect([reply.status, reply.status === expected ? '' : reply.bytes.toString()], step.path).toEqual([expected, '']);
    return reply;
  }
}

async function replay(row: ClientRow): Promise<readonly Reply[]> {
  const program = clients.get(row.isDamaged === true ? 'approved-program' : 'usual-program');
  const verifier = randomBytes(48).toString('base64url');
  const pdf = documentOf(row);
  const values: Values = new Map([
    ['client_id', program?.id ?? ''], ['client_secret', program?.secret ?? ''], ['cpf', ana], ['own alias', alias],
    ['redirect', redirect], ['redirect_uri', encodeURIComponent(redirect)], ['pdf', pdf.toString('base64')],
    ['verifier', verifier], ['challenge', createHash('sha256').update(verifier).digest('base64url')],
  ]); // prettier-ignore
  const replies: Reply[] = [];
  for (const step of row.steps) {
    if (step.by === 'browser') {
      await allowInBrowser(step, values);
      continue;
    }
    const reply = await take(step, values, pdf);
    replies.push(reply);
    for (const [path, form] of Object.entries(step.reads ?? {})) {
      const value = valueAt(reply.json, path);
      expect(forms[form](value), `${step.path}: ${path} is ${JSON.stringify(value)}`).toBe(true);
    }
    for (const [name, path] of Object.entries(step.keeps ?? {})) values.set(name, String(valueAt(reply.json, path)));
  }
  return replies;
}

async function fileOf(row: ClientRow): Promise<string> {
  const pdf = (await replay(row)).at(-1)?.bytes ?? Buffer.alloc(0);
  const path = join(folder, `${row.client.slice(0, 2).trim()}.pdf`.replace(',', ''));
  await writeFile(path, pdf);
  // poppler does not know the signatures of ICP-Brasil's policies.
  const isPolicy = pdf.includes('/PBAD.PAdES');
  const { signatures } = await verifyPdf(path);
  expect(signatures.map(({ outcome, coversWholeFile }) => [outcome, coversWholeFile])).toEqual([['intact', true]]);
  if (!isPolicy) expect((await askPdfsig(path))?.map(({ valid }) => valid)).toEqual([true]);
  expect(pdf.subarray(-2048).includes('%%EOF')).toBe(true);
  return path;
}

const named = (letter: string): ClientRow => {
  const row = laterClients.find(({ client }) => client.startsWith(`${letter},`));
  if (row === undefined) throw new Error(`There is no client ${letter}.`);
  return row;
};

describe('the client', () => {
  it.each(laterClients.filter(({ end, client }) => end === 'signed' && !client.startsWith('L,')))(
    'reaches its signed document: $client',
    async (row) => {
      await fileOf(row);
    },
  );

  it('L reaches its signed document, with the information in the dictionary and not on the stamp', async () => {
    const path = await fileOf(named('L'));
    expect(await runTool('pdfinfo', ['-custom', path])).toMatch(/^2\.16\.1\.12\.1\.2: *Prescrição Médica$/m);
    const shown = await runTool('pdftotext', [path, '-']);
    expect(shown).toContain('ANA LIMA');
    expect(shown).not.toContain('2.16.1.12.1.2');
    expect(shown).not.toContain('{{');
  });

  it('L0 gets a refusal with the right name of its field', async () => {
    const [reply] = await replay(named('L0'));
    expect(valueAt(reply?.json, 'errors.0.field')).toBe('documents[0].data');
    expect(String(valueAt(reply?.json, 'errors.0.detail'))).toContain('"content"');
  });

  it('P gets its token, and reaches the first address for hashes', async () => {
    expect(await replay(named('P'))).toHaveLength(2);
  });

  it.each(laterClients.flatMap(({ client, differences = [] }) => differences.map((name) => ({ client, name }))))(
    'has its difference in the documentation: $name, $client',
    ({ name }) => {
      expect(knownDifferences.some(({ difference }) => difference.includes(name))).toBe(true);
    },
  );
});
