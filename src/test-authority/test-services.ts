/**
 * The services of the test authority on this computer: time stamps, OCSP, revocation lists and issuers' certificates.
 * The services answer anybody on the loopback address, are for trying things out, and have no legal value.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerTimestampRequest } from './answer-timestamp.ts';
import { issueTestTimestampAuthority } from './issue-services.ts';
import type { TestRevocationReason } from './revocation.ts';
import { ServiceBook, serviceDates, type ServiceTerms, type TestAuthorityName } from './service-book.ts';
import type { TestAuthority, TestAuthorityUrls, TestIdentity } from './test-authority.ts';

/** The authority and the port of the services. */
export interface TestServicesOptions {
  /** The authority itself, or a function to make the authority from the services' origin; see `testServiceUrls`. */
  readonly authority: TestAuthority | ((origin: string) => Promise<TestAuthority>);
  /** 0: any free port. By default 3180, so that earlier certificates stay valid. */
  readonly port?: number;
  /** By default the clock of this computer. */
  readonly now?: () => Date;
  /** Lifetimes of answers, and of the services' certificates. */
  readonly terms?: Omit<ServiceTerms, 'startedAt'>;
  /** Revocations recorded by other programs, read before each answer; by default none. */
  readonly readRevocations?: () => Promise<readonly TestRevokedCertificate[]>;
}

/** A revoked certificate of this authority. */
export interface TestRevokedCertificate {
  /** DER. */
  readonly certificate: Uint8Array;
  readonly at: Date;
  readonly reason?: TestRevocationReason;
}

/** The running services. */
export interface TestServices {
  /** `http://127.0.0.1:port`. */
  readonly origin: string;
  /** The address for time-stamp requests (RFC 3161 §3.4). */
  readonly timestampUrl: string;
  /** Addresses in certificates of this authority. */
  readonly urls: TestAuthorityUrls;
  readonly authority: TestAuthority;
  /** The signer of the time stamps. */
  readonly timestampAuthority: TestIdentity;
  /**
   * Revokes a certificate of the authority's CAs at once; by default as of now and without a reason. Throws
   * `FIELD_INVALID` for a certificate of another authority.
   */
  revoke(certificate: Uint8Array, options?: { readonly at?: Date; readonly reason?: TestRevocationReason }): void;
  /** Removes a revocation. */
  restore(certificate: Uint8Array): void;
  /** Ends the server and its connections. */
  close(): Promise<void>;
}

/** The default port of the services. */
export const DEFAULT_TEST_SERVICES_PORT = 3180;

const HOST = '127.0.0.1';
const MAX_REQUEST = 64 * 1024;
const NOTICE =
  'Sinete: test services. Nothing that they issue has legal value. / Serviços de teste, SEM VALOR LEGAL.\n';

/**
 * Addresses in certificates for services at `origin`; two places for lists, as in ICP-Brasil. `intermediate`: the
 * authority has a CA between the root and the issuing CA.
 */
export function testServiceUrls(origin: string, intermediate = false): TestAuthorityUrls {
  const urlsOf = (name: TestAuthorityName, above?: TestAuthorityUrls): TestAuthorityUrls => ({
    crl: [`${origin}/crl/${name}.crl`, `${origin}/copy/crl/${name}.crl`],
    ocsp: `${origin}/ocsp`,
    issuer: `${origin}/ca/${name}.crt`,
    above,
  });
  const root = urlsOf('root');
  return urlsOf('issuing', intermediate ? urlsOf('intermediate', root) : root);
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Uint8Array | string;
}

const text = (status: number, body: string): Answer => ({ status, type: 'text/plain; charset=utf-8', body });
const NOT_FOUND = text(404, 'There is nothing here.\n');

const found = (type: string, body: Buffer | undefined): Answer =>
  body === undefined ? NOT_FOUND : { status: 200, type, body };

/** The body, or undefined when larger than any honest request. */
async function readRequestBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_REQUEST) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The state of a running server. */
interface ServerState {
  readonly book: ServiceBook;
  readonly timestampAuthority: TestIdentity;
  readonly now: () => Date;
  readonly readRevocations: () => Promise<readonly TestRevokedCertificate[]>;
}

async function answerPost(state: ServerState, path: string, request: IncomingMessage): Promise<Answer> {
  const expected = path === '/tsa' ? 'application/timestamp-query' : 'application/ocsp-request';
  if (path !== '/tsa' && path !== '/ocsp') return NOT_FOUND;
  if (request.headers['content-type'] !== expected) return text(415, `The content type is ${expected}.\n`);
  const body = await readRequestBody(request);
  if (body === undefined) return text(413, `A request has at most ${MAX_REQUEST} bytes.\n`);
  if (path === '/ocsp') return found('application/ocsp-response', state.book.answerOcsp(body, state.now()));
  const response = answerTimestampRequest(state.timestampAuthority, body, { now: state.now() });
  return found('application/timestamp-reply', response);
}

/** OCSP by GET: the request in base64, percent-encoded (RFC 6960 Appendix A.1). */
function answerOcspGet(state: ServerState, encoded: string): Answer {
  let request: Buffer;
  try {
    request = Buffer.from(decodeURIComponent(encoded), 'base64');
  } catch {
    return text(400, 'The request is not percent-encoded base64.\n');
  }
  return found('application/ocsp-response', state.book.answerOcsp(request, state.now()));
}

function answerGet(state: ServerState, path: string): Answer {
  if (path === '/') return text(200, NOTICE);
  if (path.startsWith('/ocsp/')) return answerOcspGet(state, path.slice('/ocsp/'.length));
  const list = /^(?:\/copy)?\/crl\/(\w+)\.crl$/.exec(path)?.[1];
  if (list !== undefined) return found('application/pkix-crl', state.book.crlOf(list, state.now()));
  const authority = /^\/ca\/(\w+)\.crt$/.exec(path)?.[1];
  return authority === undefined ? NOT_FOUND : found('application/pkix-cert', state.book.certificateOf(authority));
}

async function serve(state: ServerState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '').split('?')[0] ?? '';
  for (const { certificate, at, reason } of await state.readRevocations()) state.book.revoke(certificate, at, reason);
  const isPost = request.method === 'POST';
  const refused = isPost || request.method === 'GET' ? undefined : text(405, 'The methods are GET and POST.\n');
  const { status, type, body } = refused ?? (isPost ? await answerPost(state, path, request) : answerGet(state, path));
  // The rest of a request that was too large is not read.
  if (status === 413) response.setHeader('connection', 'close');
  response.writeHead(status, { 'content-type': type, 'x-legal-value': 'none' }).end(body);
}

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/**
 * Starts the services on 127.0.0.1. Nothing can be changed over HTTP; `revoke` and `restore` are for the starting
 * program. The private keys of `authority` must stay unchanged while the services run. Rejects with the system's error
 * for a taken port, and with the errors of making the authority.
 */
export async function startTestServices(options: TestServicesOptions): Promise<TestServices> {
  const now = options.now ?? (() => new Date());
  let state: ServerState | undefined;
  const server = createServer((request, response) => {
    if (state === undefined) {
      response.writeHead(503, { 'retry-after': '1' }).end();
      return;
    }
    serve(state, request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    });
  });
  const origin = `http://${HOST}:${await listen(server, options.port ?? DEFAULT_TEST_SERVICES_PORT)}`;
  try {
    const { authority: given } = options;
    const authority = typeof given === 'function' ? await given(origin) : given;
    const terms = { ...options.terms, startedAt: now() };
    const dates = serviceDates(authority.issuing, terms);
    const timestampAuthority = await issueTestTimestampAuthority(authority, dates);
    const book = await ServiceBook.open(authority, terms);
    const { readRevocations = () => Promise.resolve([]) } = options;
    state = { book, timestampAuthority, now, readRevocations };
    return {
      origin,
      timestampUrl: `${origin}/tsa`,
      urls: testServiceUrls(origin, authority.intermediate !== undefined),
      authority,
      timestampAuthority,
      revoke: (certificate, { at = now(), reason } = {}) => book.revoke(certificate, at, reason),
      restore: (certificate) => book.restore(certificate),
      close: () => closeServer(server),
    };
  } catch (error) {
    await closeServer(server);
    throw error;
  }
}
