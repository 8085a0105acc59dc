/** Whole requests for an operation: good requests, and broken requests of every kind possible on the wire. */
import fc from 'fast-check';
import { bodyOf, strangeBody, type Body, type BodyContext } from './bodies.ts';
import type { Operation, Parameter } from './operations.ts';
import type { RawRequest } from './raw-exchange.ts';
import { oddText, plantedSecret, valueOf } from './values.ts';

/** A request with the facts to judge its answer. */
export interface FuzzRequest extends RawRequest {
  /** The method is none of this address's own in the document. */
  readonly isOtherMethod: boolean;
  /** Bytes refusable by the HTTP parser before any code of ours. */
  readonly isBrokenOnTheWire: boolean;
}

type Header = readonly [name: string, value: string];

/** Requests for a single operation. `methods`: the methods documented at its path. */
export function requestFor(
  operation: Operation,
  methods: ReadonlySet<string>,
  context: BodyContext,
): fc.Arbitrary<FuzzRequest> {
  const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'].filter(
    (method) => !methods.has(method),
  );
  const method = fc.oneof(
    { weight: 12, arbitrary: fc.constant(operation.method) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );
  const parts = fc.tuple(
    method,
    targetOf(operation, context),
    headersOf(operation, context),
    bodies(operation, context),
  );
  return parts.map(([chosen, target, headers, body]): FuzzRequest => {
    const { contentType, bytes, announced } = body;
    const type: Header[] = contentType === undefined ? [] : [['Content-Type', contentType]];
    return {
      method: chosen,
      target,
      headers: [...type, ...headers],
      body: bytes,
      announced,
      isOtherMethod: chosen !== operation.method,
      isBrokenOnTheWire:
        announced !== undefined ||
        !isPlain(target) ||
        headers.some(([, value]) => !isPlain(value)) ||
        !isPlain(contentType ?? ''),
    };
  });
}

/** Visible ASCII, refused by no parser. */
function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

function bodies(operation: Operation, context: BodyContext): fc.Arbitrary<Body> {
  const known = [...operation.bodies].map(([type, schema]) => bodyOf(type, schema, context));
  const none = fc.constant<Body>({ contentType: undefined, bytes: Buffer.alloc(0) });
  if (known.length === 0) return fc.oneof({ weight: 6, arbitrary: none }, { weight: 1, arbitrary: strangeBody });
  return fc.oneof(
    { weight: 10, arbitrary: fc.oneof(...known) },
    { weight: 1, arbitrary: strangeBody },
    { weight: 1, arbitrary: none },
  );
}

function targetOf(operation: Operation, context: BodyContext): fc.Arbitrary<string> {
  const inPath = operation.parameters.filter(({ place }) => place === 'path');
  const segments = inPath.map((parameter) => fc.tuple(fc.constant(parameter.name), segmentOf(parameter, context)));
  const path = fc
    .tuple(...segments)
    .map((chosen) => chosen.reduce((text, [name, value]) => text.replace(`{${name}}`, () => value), operation.path));
  return fc.tuple(path, queryOf(operation, context)).map(([text, query]) => text + query);
}

function segmentOf(parameter: Parameter, { known, resolve }: BodyContext): fc.Arbitrary<string> {
  const good = valueOf(parameter.schema, parameter.name, known, resolve).map((value) =>
    encodeURIComponent(String(value)),
  );
  return fc.oneof(
    { weight: 6, arbitrary: good },
    { weight: 2, arbitrary: oddText.map((text) => encodeURIComponent(text.slice(0, 4000).toWellFormed())) },
    { weight: 1, arbitrary: fc.constantFrom('', '.', '..', '%', '%ff', '%00', '%2e%2e%2f', ':tcn', '\xff\xfe', 'a;b') },
  );
}

function queryOf({ parameters }: Operation, { known, resolve }: BodyContext): fc.Arbitrary<string> {
  const names = parameters.filter(({ place }) => place === 'query');
  const pair = (parameter: Parameter): fc.Arbitrary<string> => {
    const good = valueOf(parameter.schema, parameter.name, known, resolve).map(String);
    return fc
      .oneof({ weight: 5, arbitrary: good }, { weight: 1, arbitrary: oddText })
      .map((value) => `${parameter.name}=${encodeURIComponent(value.slice(0, 6000).toWellFormed())}`);
  };
  const pairs = names.map((parameter) =>
    fc.oneof(
      { weight: 6, arbitrary: pair(parameter) },
      { weight: 2, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: fc.tuple(pair(parameter), pair(parameter)).map((both) => both.join('&')) },
    ),
  );
  const odd = fc.constantFrom(
    '__proto__=1',
    'a[b]=c',
    '%=%',
    '&&&',
    'constructor[prototype]=1',
    `q=${'q'.repeat(3000)}`,
  );
  const extra = fc.oneof({ weight: 8, arbitrary: fc.constant('') }, { weight: 1, arbitrary: odd });
  return fc.tuple(...pairs, extra).map((all) => {
    const text = all.filter((one) => one !== '').join('&');
    return text === '' ? '' : `?${text}`;
  });
}

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

/** Headers read by the product or by the layers below, with good and bad values. */
const oddHeaders: Readonly<Record<string, readonly string[]>> = {
  Authorization: [
    `Bearer ${plantedSecret}`,
    basic(`11144477735:${plantedSecret}`),
    basic(plantedSecret),
    'Basic !!!',
    'Bearer',
    'Digest a="b"',
  ],
  Authentication: [basic(`11144477735:${plantedSecret}`), 'x'],
  VCSchemaData: [Buffer.from(`{"password":"${plantedSecret}"}`).toString('base64'), '{', 'AAAA'],
  VCSchemaCfg: ['x', '{}'],
  'X-Session-Options': ['x', 'lifetime=-1', 'lifetime=1e9', '{"lifetime":{}}', ';;;'],
  'Idempotency-Key': ['', 'k', 'k'.repeat(256), '__proto__'],
  Range: ['bytes=0-0', 'bytes=5-1', 'bytes=99999999999-', 'bytes=-1', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=a'],
  'If-None-Match': ['*', '"x"', 'W/"', ','],
  'If-Range': ['"x"', 'Sun, 99 Foo', ''],
  'If-Modified-Since': ['yesterday', 'Thu, 01 Jan 2099 00:00:00 GMT'],
  Origin: ['null', 'https://site.example', 'http://site.example', 'https://', 'x'],
  'Sec-Fetch-Site': ['cross-site', 'same-origin', 'none', 'x'],
  'Sec-Fetch-Mode': ['no-cors', 'navigate', 'cors', 'x'],
  'Sec-Fetch-Dest': ['iframe', 'document', 'image'],
  'Access-Control-Request-Method': ['POST', '__proto__', ''],
  'Accept-Language': ['pt-BR', 'x;q=a', '*', 'e'.repeat(2000)],
  Accept: ['text/html', 'application/json;q=2', ''],
  'Content-Encoding': ['gzip', 'br, gzip', 'nonsense', 'identity'],
  'Content-Disposition': ['attachment; filename="../x"', "attachment; filename*=utf-8''%ff", 'filename="\\'],
  Host: ['evil.example', '', '127.0.0.1', '[::1'],
  'User-Agent': ['<b>', 'u'.repeat(4000)],
  Cookie: [`session=${plantedSecret}`, '__proto__=1'],
  Expect: ['100-continue', 'the unexpected'],
  Upgrade: ['websocket', 'h2c'],
  'X-Forwarded-For': ['8.8.8.8'],
  'X-HTTP-Method-Override': ['DELETE'],
};

function headersOf({ parameters }: Operation, { known }: BodyContext): fc.Arbitrary<readonly Header[]> {
  const named = parameters.filter(({ place }) => place === 'header').map(({ name }) => name);
  const listed = Object.entries(oddHeaders).flatMap(([name, values]) => values.map((value): Header => [name, value]));
  const bearers = (known.access_token ?? []).map((token): Header => ['Authorization', `Bearer ${token}`]);
  const arbitrary = fc
    .tuple(fc.constantFrom(...Object.keys(oddHeaders), ...named), oddText)
    .map(([name, text]): Header => [
      name,
      Buffer.from(text.slice(0, 3000))
        .toString('latin1')
        .replaceAll(/[\r\n]/g, ' '),
    ]);
  const header = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...listed) },
    { weight: 2, arbitrary: fc.constantFrom(...listed, ...bearers, ...bearers) },
    { weight: 1, arbitrary },
  );
  // Most requests carry none, or few would get past the guard.
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant<readonly Header[]>([]) },
    { weight: 1, arbitrary: fc.constant<readonly Header[]>(bearers) },
    { weight: 2, arbitrary: fc.array(header, { minLength: 1, maxLength: 3 }) },
  );
}
