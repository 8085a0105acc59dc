import { isAscii, isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { HttpError } from './http-error.ts';

/**
 * Decodes a body as UTF-8 (RFC 8259 §8.1), without its byte order mark. Other bytes would become U+FFFD inside a
 * signature for ever, so they are refused: `BODY_NOT_UTF8` names the first wrong byte. Most bodies are ASCII, which is
 * read many times as fast.
 */
export function decodeBody(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1');
  if (isUtf8(bytes)) return bytes.toString('utf8').replace(/^\uFEFF/, '');
  const offset = firstWrongByte(bytes);
  const value = (bytes[offset] ?? 0).toString(16).padStart(2, '0');
  const detail = `The body is not UTF-8: the byte at offset ${offset} is 0x${value}. Encode the text as UTF-8.`;
  throw new HttpError('BODY_NOT_UTF8', detail);
}

/** The offset of the first byte that belongs to no UTF-8 character. */
function firstWrongByte(bytes: Buffer): number {
  const text = bytes.toString('utf8');
  let offset = 0;
  let start = 0;
  for (let at = text.indexOf('\uFFFD'); at >= 0; at = text.indexOf('\uFFFD', start)) {
    offset += Buffer.byteLength(text.slice(start, at));
    if (bytes.readUIntBE(offset, Math.min(3, bytes.length - offset)) !== 0xefbfbd) return offset;
    offset += 3;
    start = at + 1;
  }
  return offset;
}

/**
 * Longest text in characters in which the first mistake is searched: the search takes a microsecond for each character.
 */
const longestSearch = 2 ** 18;

/**
 * Reads a JSON object or list. Throws `REQUEST_MALFORMED` with the line and the column of the first mistake in a body
 * of usual length; the parser's own message quotes the body and is not passed on.
 */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    if (text.length > longestSearch) throw new HttpError('REQUEST_MALFORMED', 'The body is not JSON.');
    const { line, column } = findJsonMistake(text);
    throw new HttpError('REQUEST_MALFORMED', `The body is not JSON: look at line ${line}, column ${column}.`);
  }
  if (typeof value === 'object' && value !== null) {
    // Only an escape can make half of a character: the text itself was decoded from UTF-8.
    if (/\\u[dD][89a-fA-F]/.test(text)) refuseHalves(value);
    if (text.length <= longestSearch) refuseRepeatedNames(text, value);
    return value;
  }
  const kind = value === null ? 'null' : `a ${typeof value}`;
  throw new HttpError('REQUEST_MALFORMED', `The body must be a JSON object, and it is ${kind}.`);
}

/**
 * Refuses texts with a surrogate that has no other half (RFC 8259 §8.2), which no file can hold. Throws `BODY_NOT_UTF8`
 * with the name of the field.
 */
function refuseHalves(value: object): void {
  const rest: (readonly [path: string, value: unknown])[] = [['', value]];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [path, one] = next;
    if (typeof one === 'string' && !one.isWellFormed()) throw halfCharacter(path);
    if (typeof one !== 'object' || one === null) continue;
    for (const [name, member] of Object.entries(one)) {
      if (!name.isWellFormed()) throw halfCharacter(path === '' ? 'a name' : `a name in ${path}`);
      rest.push([Array.isArray(one) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`, member]);
    }
  }
}

const halfCharacter = (place: string): HttpError =>
  new HttpError(
    'BODY_NOT_UTF8',
    `The text of ${place.slice(0, 100)} has half of a character, a surrogate without its pair: send the whole character.`,
  );

/**
 * Refuses an object that has a name twice (RFC 7493 §2.3): readers take different values of the two. Throws
 * `REQUEST_MALFORMED` with the name. Only a text with more colons behind quotation marks than members is read again.
 */
function refuseRepeatedNames(text: string, value: object): void {
  const colons = text.match(/"\s*:/g)?.length ?? 0;
  if (colons === memberCount(value)) return;
  const open: Set<string>[] = [];
  for (const [, name, sign] of text.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")\s*:|"[^"\\]*(?:\\.[^"\\]*)*"|([{}])/g)) {
    if (sign === '{') open.push(new Set());
    else if (sign === '}') open.pop();
    if (name === undefined) continue;
    const names = open.at(-1);
    const read = JSON.parse(name) as string;
    if (names?.has(read) === true) {
      const detail = `The field "${read.slice(0, 100)}" comes twice in one object: send it once.`;
      throw new HttpError('REQUEST_MALFORMED', detail);
    }
    names?.add(read);
  }
}

/** The number of members of all objects in a JSON value. */
function memberCount(value: object): number {
  let count = 0;
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const one = rest.pop();
    if (typeof one !== 'object' || one === null) continue;
    const members: readonly unknown[] = Object.values(one);
    if (!Array.isArray(one)) count += members.length;
    for (const member of members) rest.push(member);
  }
  return count;
}

/**
 * Lower-case hex SHA-256 of what a JSON value means: the order of members and the blanks of its text change nothing.
 * Each part is written with its kind and its length, so that different values never give the same bytes.
 */
export function meaningDigest(value: unknown): string {
  const digest = createHash('sha256');
  // A stack, because a nested value may be deeper than the stack of calls.
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const one = rest.pop();
    if (typeof one === 'string') {
      digest.update(`s${one.length}:`).update(one, 'utf8');
    } else if (Array.isArray(one)) {
      digest.update(`l${one.length}:`);
      for (let at = one.length - 1; at >= 0; at -= 1) rest.push(one[at]);
    } else if (typeof one === 'object' && one !== null) {
      const members = Object.entries(one).toSorted(([name], [other]) => (name < other ? 1 : -1));
      digest.update(`m${members.length}:`);
      for (const [name, member] of members) rest.push(member, name);
    } else digest.update(`v${String(one)};`);
  }
  return digest.digest('hex');
}

const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const space = /[ \t\r\n]*/y;

/**
 * The first mistake of a JSON text (RFC 8259), as line and column from 1; the end of the text when something is missing
 * there.
 */
export function findJsonMistake(text: string): { readonly line: number; readonly column: number } {
  const offset = offsetOfMistake(text);
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing';

function offsetOfMistake(text: string): number {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let at = 0;
  const afterValue = (): Expected => (open.length === 0 ? 'nothing' : 'comma or end');
  for (;;) {
    at = endOf(space, text, at) ?? at;
    const sign = text[at];
    if (sign === undefined) return at;
    if (sign === '"' && expected !== 'nothing' && expected !== 'colon' && expected !== 'comma or end') {
      const end = endOfString(text, at);
      if (end.wrong) return end.at;
      at = end.at;
      expected = expected.startsWith('key') ? 'colon' : afterValue();
    } else if ((sign === '{' || sign === '[') && expected.startsWith('value')) {
      open.push(sign);
      expected = sign === '{' ? 'key or end' : 'value or end';
      at += 1;
    } else if (
      (sign === '}' || sign === ']') &&
      expected.endsWith('end') &&
      open.at(-1) === (sign === '}' ? '{' : '[')
    ) {
      open.pop();
      expected = afterValue();
      at += 1;
    } else if (sign === ',' && expected === 'comma or end') {
      expected = open.at(-1) === '{' ? 'key' : 'value';
      at += 1;
    } else if (sign === ':' && expected === 'colon') {
      expected = 'value';
      at += 1;
    } else {
      const end = expected.startsWith('value') ? endOf(scalar, text, at) : undefined;
      if (end === undefined || end === at) return at;
      at = end;
      expected = afterValue();
    }
  }
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/**
 * The end of the string that begins at `at`, or the offset of the first character that a JSON string cannot contain.
 */
function endOfString(text: string, at: number): { readonly at: number; readonly wrong: boolean } {
  for (let next = at + 1; next < text.length; next += 1) {
    const sign = text.charAt(next);
    if (sign === '"') return { at: next + 1, wrong: false };
    if (sign < ' ') return { at: next, wrong: true };
    if (sign !== '\\') continue;
    const escape = /^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(text.slice(next + 1, next + 6));
    if (escape === null) return { at: next, wrong: true };
    next += escape[0].length;
  }
  return { at: text.length, wrong: true };
}

/**
 * Reads a form (`application/x-www-form-urlencoded`); a repeated field becomes a list. Throws `BODY_NOT_UTF8` that names
 * the field, and `REQUEST_MALFORMED` for too many fields.
 */
export function parseForm(text: string, mostFields: number): Record<string, unknown> {
  const pairs = text.split('&').filter((pair) => pair !== '');
  if (pairs.length > mostFields) {
    throw new HttpError('REQUEST_MALFORMED', `The form may have at most ${mostFields} fields.`);
  }
  const fields = new Map<string, string[]>();
  for (const pair of pairs) {
    const [, encodedName = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair) ?? [];
    const name = decodedPart(encodedName, encodedName);
    fields.set(name, [...(fields.get(name) ?? []), decodedPart(value, name)]);
  }
  return Object.fromEntries([...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}

/**
 * Decodes a part of a form. A `%` that begins no escape is kept, as in browsers; escaped bytes that are not UTF-8 are
 * refused.
 */
function decodedPart(text: string, field: string): string {
  const escaped = text.replaceAll('+', ' ').replaceAll(/%(?![0-9a-fA-F]{2})/g, '%25');
  try {
    return decodeURIComponent(escaped);
  } catch (cause) {
    throw new HttpError('BODY_NOT_UTF8', `The field "${field}" of the form is not UTF-8: encode its text as UTF-8.`, {
      cause,
    });
  }
}
