/** Bodies of requests: in the form of their media type, and damaged. */
import fc from 'fast-check';
import type { JsonSchema } from './operations.ts';
import { oddText, oddValue, valueOf, type KnownValues } from './values.ts';

/** A body with its headers. */
export interface Body {
  readonly contentType: string | undefined;
  readonly bytes: Buffer;
  /** The length announced, if untrue. */
  readonly announced?: number;
}

/** The look-up of schemas, and the values known to the instance. */
export interface BodyContext {
  readonly known: KnownValues;
  /** Contents of documents. */
  readonly samples: readonly Buffer[];
  readonly resolve: (schema: JsonSchema) => JsonSchema;
}

/** A body of this media type, good or damaged. */
export function bodyOf(mediaType: string, schema: JsonSchema, context: BodyContext): fc.Arbitrary<Body> {
  switch (mediaType) {
    case 'application/json':
      return fc.oneof(
        { weight: 3, arbitrary: jsonBody(fieldsOf(schema, context)) },
        { weight: 1, arbitrary: damagedText('application/json', jsonBody(fieldsOf(schema, context))) },
        { weight: 1, arbitrary: jsonBody(oddValue) },
      );
    case 'application/x-www-form-urlencoded':
      return fc.oneof(
        { weight: 3, arbitrary: formBody(fieldsOf(schema, context)) },
        { weight: 1, arbitrary: damagedText(mediaType, formBody(fieldsOf(schema, context))) },
      );
    case 'multipart/form-data':
      return multipartBody(schema, context);
    default:
      return fc.constantFrom(...context.samples).map((bytes) => ({ contentType: mediaType, bytes }));
  }
}

/** Bodies foreign to the announced type. */
export const strangeBody: fc.Arbitrary<Body> = fc.record({
  contentType: fc.oneof(
    fc.constantFrom(
      undefined,
      '',
      'text/plain',
      'application/xml',
      'application/json; charset=utf-16',
      'application/json; charset=nonsense',
      'application/JSON;;;',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      `multipart/form-data; boundary=${'b'.repeat(400)}`,
      'multipart/mixed; boundary=b',
      'application/x-www-form-urlencoded; charset=latin1',
      'application/octet-stream',
      '/',
    ),
    fc.string({ maxLength: 20 }),
  ),
  bytes: fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.constantFrom(Buffer.from('{}'), Buffer.from('null'), Buffer.from('a=b'), Buffer.alloc(0)),
  ),
});

/** An object of the schema; half with a single field broken, left out or added. */
function fieldsOf(schema: JsonSchema, { known, resolve }: BodyContext): fc.Arbitrary<unknown> {
  const good = valueOf(schema, '', known, resolve);
  const names = Object.keys(resolve(schema).properties ?? {});
  const change = fc.record({ name: fc.constantFrom(...names, '__proto__', 'unknown', ''), value: oddValue });
  const broken = fc.tuple(good, change).map(([fields, { name, value }]) => withField(fields, name, value));
  const shorter = fc.tuple(good, fc.constantFrom(...names)).map(([fields, name]) => withField(fields, name, undefined));
  return fc.oneof({ weight: 4, arbitrary: good }, { weight: 3, arbitrary: broken }, { weight: 1, arbitrary: shorter });
}

function withField(fields: unknown, name: string, value: unknown): unknown {
  const entries = Object.entries(fields as Record<string, unknown>).filter(([one]) => one !== name);
  // `fromEntries` makes an own property of any name, `__proto__` too.
  return Object.fromEntries(value === undefined ? entries : [...entries, [name, value]]);
}

function jsonBody(value: fc.Arbitrary<unknown>): fc.Arbitrary<Body> {
  const contentType = fc.constantFrom('application/json', 'application/json; charset=utf-8', 'Application/Json');
  return fc
    .tuple(value, contentType)
    .map(([one, type]) => ({ contentType: type, bytes: Buffer.from(JSON.stringify(one)) }));
}

function formBody(fields: fc.Arbitrary<unknown>): fc.Arbitrary<Body> {
  return fields.map((value) => {
    const pairs = Object.entries(value as Record<string, unknown>).map(([name, one]): [string, string] => [
      name,
      typeof one === 'string' ? one : JSON.stringify(one),
    ]);
    return {
      contentType: 'application/x-www-form-urlencoded',
      bytes: Buffer.from(new URLSearchParams(pairs.map(([n, v]) => [n.toWellFormed(), v.toWellFormed()])).toString()),
    };
  });
}

/** Text with bytes changed, taken out, doubled or cut off, also against its announced length. */
function damagedText(contentType: string, good: fc.Arbitrary<Body>): fc.Arbitrary<Body> {
  const at = fc.double({ min: 0, max: 0.999, noNaN: true });
  const kind = fc.constantFrom('cut', 'cut-off', 'double', 'nonsense', 'bom', 'twice');
  return fc
    .tuple(good, at, kind, fc.uint8Array({ minLength: 1, maxLength: 8 }))
    .map(([{ bytes }, part, how, noise]) => {
      const offset = Math.floor(part * bytes.length);
      const [before, after] = [bytes.subarray(0, offset), bytes.subarray(offset)];
      switch (how) {
        case 'cut':
          return { contentType, bytes: before };
        case 'cut-off':
          return { contentType, bytes: before, announced: bytes.length + 10 };
        case 'double':
          return { contentType, bytes: Buffer.concat([before, after, after]) };
        case 'nonsense':
          return { contentType, bytes: Buffer.concat([before, Buffer.from(noise), after]) };
        case 'bom':
          return { contentType, bytes: Buffer.concat([Buffer.from('\uFEFF'), bytes]) };
        case 'twice':
          return { contentType, bytes: Buffer.concat([bytes, bytes]) };
      }
    });
}

interface Part {
  readonly head: string;
  readonly content: Buffer;
}

function multipartBody(schema: JsonSchema, { samples, resolve }: BodyContext): fc.Arbitrary<Body> {
  const known = Object.keys(resolve(schema).properties ?? {});
  const odd = ['document[-1]', 'document[99999999999]', 'document[0]', 'document[]', '__proto__', 'constructor', ''];
  const field = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, fc.constantFrom(...odd), oddText);
  const fileName = fc.option(fc.oneof(fc.constantFrom('a.pdf', '../../a', 'C:\\a', '/etc/passwd', '.', '"'), oddText));
  const type = fc.constantFrom('application/pdf', 'text/plain', '', 'multipart/mixed; boundary=x', 'x');
  const oneLine = (text: string): string => text.replaceAll(/[\r\n"]/g, '_').toWellFormed();
  const part = fc
    .tuple(field, fileName, type, fc.oneof(fc.constantFrom(...samples), fc.constantFrom(Buffer.from('1'))))
    .map(([name, file, mediaType, content]): Part => {
      const named = file === null ? '' : `; filename="${oneLine(file)}"`;
      const head = `Content-Disposition: form-data; name="${oneLine(name)}"${named}\r\nContent-Type: ${mediaType}`;
      return { head, content };
    });
  const ending = fc.constantFrom('good', 'good', 'good', 'no-end', 'cut-off', 'other-boundary', 'header-nonsense');
  return fc.tuple(fc.array(part, { maxLength: 4 }), ending).map(([parts, end]) => formOf(parts, end));
}

function formOf(parts: readonly Part[], ending: string): Body {
  const boundary = 'sinete-boundary';
  const nonsense = ending === 'header-nonsense' ? 'no colon here\r\n\0\r\n' : '';
  const bytes = Buffer.concat([
    ...parts.flatMap(({ head, content }) => [
      Buffer.from(`--${boundary}\r\n${nonsense}${head}\r\n\r\n`),
      content,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(ending === 'no-end' ? '' : `--${boundary}--\r\n`),
  ]);
  const contentType = `multipart/form-data; boundary=${ending === 'other-boundary' ? 'another' : boundary}`;
  if (ending !== 'cut-off') return { contentType, bytes };
  return { contentType, bytes: bytes.subarray(0, bytes.length >> 1), announced: bytes.length };
}
