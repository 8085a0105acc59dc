/** Sends the requests of a program of others to an instance, and checks the answers that the program reads. */
import { createHash, randomBytes } from 'node:crypto';
import { request as httpsRequest } from 'node:https';
import { expect } from 'vitest';
import { locationOf, requestIdOf } from '../http/authorization/oauth-world.ts';
import { plainRequest, type PlainAnswer } from '../http/start-test-server.ts';
import { buildPdf, onePage } from '../signing/pdf/build-pdf.ts';
import type { ClientRow, ClientStep, ValueForm } from './later-clients.ts';
import type { RealInstance } from './real-instance.ts';

export const ana = '11144477735';
export const redirect = 'http://127.0.0.1:9/callback';

/** An answer to a program. */
export interface Reply {
  readonly status: number;
  readonly headers: PlainAnswer['headers'];
  readonly bytes: Buffer;
  readonly json: unknown;
}

interface Sent {
  readonly method: string;
  readonly headers: Headers;
  readonly body: BodyInit | undefined;
}

/** The way to an instance: by the address of its own listener, or over TLS by its public name. */
export interface Way {
  /** The address that results begin with. */
  readonly origin: string;
  readonly exchange: (address: string, sent: Sent) => Promise<Reply>;
}

const replyOf = (status: number, headers: PlainAnswer['headers'], bytes: Buffer): Reply => {
  const isJson = String(headers['content-type']).includes('json');
  return { status, headers, bytes, json: isJson ? (JSON.parse(bytes.toString()) as unknown) : undefined };
};

/** Plain HTTP to the instance. */
export const plainWay = (origin: string): Way => ({
  origin,
  exchange: async (address, sent) => {
    // `fetch` writes the headers of a browser's navigation itself.
    if (sent.headers.has('Sec-Fetch-Mode')) return navigate(address, sent);
    const answer = await fetch(address, { ...sent, redirect: 'manual' });
    return replyOf(answer.status, Object.fromEntries(answer.headers), Buffer.from(await answer.arrayBuffer()));
  },
});

async function navigate(address: string, { method, headers, body }: Sent): Promise<Reply> {
  const { host, port, pathname, search } = new URL(address);
  const own = { ...Object.fromEntries(headers), Host: host };
  const sent = { method, path: pathname + search, headers: own, body: typeof body === 'string' ? body : undefined };
  const answer = await plainRequest({ port: Number(port) }, sent);
  return replyOf(answer.status, answer.headers, Buffer.from(answer.body));
}

/** HTTPS to a port of this computer under the public name of the instance; the certificate is checked against `ca`. */
export const tlsWay = (origin: string, port: number, ca: string): Way => ({
  origin,
  exchange: async (address, { method, headers, body }) =>
    new Promise((resolve, reject) => {
      const { host, hostname, pathname, search } = new URL(address);
      const to = { host: '127.0.0.1', port, servername: hostname, ca, agent: false, method };
      const options = { ...to, path: pathname + search, headers: { ...Object.fromEntries(headers), host } };
      const message = httpsRequest(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
        response.on('end', () => resolve(replyOf(response.statusCode ?? 0, response.headers, Buffer.concat(chunks))));
      });
      message.on('error', reject);
      message.end(body);
    }),
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

/** Puts the values into all texts of a request; `otp` is a new one-time password for each use. */
function filled<Value>(value: Value, values: Values, codes: string[]): Value {
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
  if (Array.isArray(value)) return value.map((one: unknown) => filled(one, values, codes)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, filled(member, values, codes)]),
  ) as Value;
}

/** The value at a path such as `documents.0.status`. */
export const valueAt = (value: unknown, path: string): unknown =>
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

/** The programs of an instance with one person. */
export class ClientReplay {
  readonly #way: Way;
  readonly #codes: string[];
  readonly #alias: string;
  readonly #programs: ReadonlyMap<string, { readonly id: string; readonly secret: string }>;

  private constructor(
    way: Way,
    { codes, alias }: { readonly codes: string[]; readonly alias: string },
    programs: ReadonlyMap<string, { readonly id: string; readonly secret: string }>,
  ) {
    this.#way = way;
    this.#codes = codes;
    this.#alias = alias;
    this.#programs = programs;
  }

  /** Enrols Ana Lima with a test certificate, and registers a usual program and an approved one. */
  static async prepare(instance: RealInstance, way: Way = plainWay(instance.url)): Promise<ClientReplay> {
    const { core, handlers } = instance.sinete;
    const codes = [...(await instance.enrol('Ana Lima', ana))];
    const make = handlers['user-interface']['certificates.makeTestIdentity'];
    const { alias } = await make({ name: 'ANA LIMA', cpf: ana });
    await core.assistant.addUser(ana, codes.shift() ?? '', 'window');
    const programs = new Map<string, { readonly id: string; readonly secret: string }>();
    for (const clientId of ['usual-program', 'approved-program']) {
      const about = { name: clientId, comments: '', email: '', redirectUris: [redirect], clientId };
      const { application, clientSecret } = await core.applications.register(about);
      programs.set(clientId, { id: application.clientId, secret: clientSecret });
    }
    return new ClientReplay(way, { codes, alias }, programs);
  }

  /** Sends all requests of a program, and answers the replies but those of a browser. */
  async run(row: ClientRow): Promise<readonly Reply[]> {
    const program = this.#programs.get(row.isDamaged === true ? 'approved-program' : 'usual-program');
    const verifier = randomBytes(48).toString('base64url');
    const pdf = documentOf(row);
    const values: Values = new Map([
      ['client_id', program?.id ?? ''], ['client_secret', program?.secret ?? ''], ['cpf', ana],
      ['own alias', this.#alias], ['redirect', redirect], ['redirect_uri', encodeURIComponent(redirect)],
      ['pdf', pdf.toString('base64')], ['verifier', verifier],
      ['challenge', createHash('sha256').update(verifier).digest('base64url')],
    ]); // prettier-ignore
    const replies: Reply[] = [];
    for (const step of row.steps) {
      if (step.by === 'browser') {
        await this.#allowInBrowser(step, values);
        continue;
      }
      const reply = await this.#take(step, values, pdf);
      replies.push(reply);
      for (const [path, form] of Object.entries(step.reads ?? {})) {
        const value = valueAt(reply.json, path);
        expect(forms[form](value), `${step.path}: ${path} is ${JSON.stringify(value)}`).toBe(true);
      }
      for (const [path, text] of Object.entries(step.says ?? {})) {
        expect(String(valueAt(reply.json, path)), `${step.path}: ${path}`).toContain(text);
      }
      for (const [name, path] of Object.entries(step.keeps ?? {})) values.set(name, String(valueAt(reply.json, path)));
    }
    return replies;
  }

  async #take(step: ClientStep, values: Values, pdf: Buffer): Promise<Reply> {
    const expected = step.status ?? (step.path === '/signature-service' && step.method === 'POST' ? 201 : 200);
    for (;;) {
      const reply = await this.#send(step, values, pdf);
      const isLater = step.until === 'status' && reply.status === 409;
      const isWaiting = step.until === 'signed' && valueAt(reply.json, 'documents.0.status') === 'WAITING';
      if (isLater || isWaiting) continue;
      expect([reply.status, reply.status === expected ? '' : reply.bytes.toString()], step.path).toEqual([
        expected,
        '',
      ]);
      return reply;
    }
  }

  async #send(step: ClientStep, values: Values, pdf: Buffer): Promise<Reply> {
    const fill = <Value>(value: Value): Value => filled(value, values, this.#codes);
    const headers = new Headers(fill(step.headers ?? {}));
    const path = fill(step.path);
    let body: BodyInit | undefined = step.json === undefined ? undefined : JSON.stringify(fill(step.json));
    if (step.form !== undefined) body = new URLSearchParams(fill(step.form));
    if (step.file !== undefined) {
      const { field, name, type } = step.file;
      body = new FormData();
      body.append(field, new Blob([new Uint8Array(pdf)], { type }), name);
    }
    const isWhole = path.startsWith('http');
    if (isWhole) expect(new URL(path).origin, 'the origin of a result').toBe(this.#way.origin);
    const address = isWhole ? path : `${this.#way.origin}${path}`;
    return this.#way.exchange(address, { method: step.method, headers, body });
  }

  /** A person follows the page in a browser, types the one-time password and allows. */
  async #allowInBrowser(step: ClientStep, values: Values): Promise<void> {
    const { origin } = this.#way;
    const navigation = { Accept: 'text/html', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
    const headers = new Headers({ ...navigation, 'Sec-Fetch-Site': 'cross-site' });
    const address = `${origin}${filled(step.path, values, this.#codes)}`;
    let page = pageOf(await this.#way.exchange(address, { method: 'GET', headers, body: undefined }));
    const answer = async (fields: Readonly<Record<string, string>>): Promise<PlainAnswer> => {
      const own = { ...navigation, 'Sec-Fetch-Site': 'same-origin', Origin: origin };
      const form = new Headers({ ...own, 'Content-Type': 'application/x-www-form-urlencoded' });
      const body = new URLSearchParams({ request: requestIdOf(page), ...fields }).toString();
      return pageOf(await this.#way.exchange(`${origin}/oauth/authorize`, { method: 'POST', headers: form, body }));
    };
    if (step.path.includes('integration=true')) page = await answer({ way: 'password' });
    expect(page.body).toContain('name="password"');
    const allowed = await answer({ username: ana, password: this.#codes.shift() ?? '', decision: 'allow' });
    const returned = new URL(locationOf(allowed)).searchParams;
    const state = /[?&]state=([^&]*)/.exec(step.path)?.[1];
    expect([returned.get('state'), returned.get('error')]).toEqual([state, null]);
    // One program encodes the code once more.
    expect(returned.get('code')).toMatch(/^[A-Za-z0-9._-]+$/);
    values.set('code', returned.get('code') ?? '');
  }
}

const pageOf = ({ status, headers, bytes }: Reply): PlainAnswer => ({ status, headers, body: bytes.toString() });
