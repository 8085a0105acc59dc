import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { readMultipartFields } from '../../../src/http/authorization/multipart-fields.ts';

const usual = { 'content-type': 'multipart/form-data; boundary=b' };

interface Body {
  readonly headers?: Readonly<Record<string, string>>;
  /** False: the connection breaks behind the text. */
  readonly complete?: boolean;
  /** The rest of the body comes later. */
  readonly isOpen?: boolean;
}

/** A request with this body. */
function requestOf(
  text: string,
  { headers = {}, complete = true, isOpen = false }: Body = {},
): IncomingMessage & PassThrough {
  const stream = new PassThrough();
  const request = Object.assign(stream, { headers: { ...usual, ...headers }, complete }) as unknown as IncomingMessage &
    PassThrough;
  stream.write(text);
  if (isOpen) return request;
  if (complete) stream.end();
  else stream.destroy();
  return request;
}

const field = (name: string, value: string): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const form = (...fields: readonly string[]): string => `${fields.join('')}--b--\r\n`;
const refusal = (detail: string): object => ({ code: 'REQUEST_MALFORMED', message: expect.stringContaining(detail) as string }); // prettier-ignore

describe('the text fields of a form in parts', () => {
  it('are read, and a repeated field becomes a list', async () => {
    const text = form(field('a', '1'), field('b', 'é'), field('a', '2'), field('empty', ''));
    await expect(readMultipartFields(requestOf(text))).resolves.toEqual({ a: ['1', '2'], b: 'é', empty: '' });
  });

  it('are none in an empty form', async () => {
    await expect(readMultipartFields(requestOf(form()))).resolves.toEqual({});
  });

  it('may fill the form up to its limits', async () => {
    const long = 'x'.repeat(16 * 1024 - 1);
    const fields = ['a', 'b', 'c', 'd'].map((name) => field(name, long));
    const read = await readMultipartFields(requestOf(form(...fields)));
    expect(Object.values(read)).toEqual([long, long, long, long]);
    const together = [16_000, 16_000, 16_000, 16_000, 64 * 1024 - 64_000].map((length, n) => field(`f${n}`, 'x'.repeat(length))); // prettier-ignore
    expect(Object.keys(await readMultipartFields(requestOf(form(...together))))).toHaveLength(5);
    const names = Array.from({ length: 49 }, (_one, index) => `f${index}`);
    const many = await readMultipartFields(requestOf(form(...names.map((name) => field(name, 'x')))));
    expect(Object.keys(many)).toEqual(names);
  });

  it('may have a body of exactly the longest announced length', async () => {
    const headers = { 'content-length': String(64 * 1024) };
    await expect(readMultipartFields(requestOf(form(field('a', '1')), { headers }))).resolves.toEqual({ a: '1' });
  });

  it.each([
    ['too long an announced body', form(), { headers: { 'content-length': String(64 * 1024 + 1) } }, `at most ${64 * 1024} bytes`], // prettier-ignore
    ['a field that is too long', form(field('a', 'x'.repeat(16 * 1024 + 1))), {}, 'A field of the form is too long'],
    ['fields that are too long together', form(...['a', 'b', 'c', 'd', 'e'].map((name) => field(name, 'x'.repeat(16_000)))), {}, 'too long'], // prettier-ignore
    ['a file', form('--b\r\nContent-Disposition: form-data; name="a"; filename="x"\r\n\r\nx\r\n'), {}, 'text fields only'], // prettier-ignore
    ['51 fields', form(...Array.from({ length: 51 }, (_one, index) => field(`f${index}`, 'x'))), {}, 'too many fields'],
    ['no boundary', form(), { headers: { 'content-type': 'multipart/form-data' } }, 'boundary is missing'],
    ['no end', field('a', '1'), {}, 'cannot be read'],
    ['a part without an end of its headers', '--b\r\nContent-Disposition', {}, 'cannot be read'],
    ['a broken connection', field('a', '1'), { complete: false }, 'ends before its last part'],
  ] as const)('are refused for %s', async (_what, text, body, detail) => {
    await expect(readMultipartFields(requestOf(text, body))).rejects.toMatchObject(refusal(detail));
  });

  it('leave nothing of a refused form unread, so that its connection can be used again', async () => {
    const stream = requestOf(`${field('a', 'x'.repeat(20_000))}--b\r\n`, { isOpen: true });
    await expect(readMultipartFields(stream)).rejects.toMatchObject(refusal('too long'));
    // The parser is no longer given the rest.
    expect(stream.listenerCount('data')).toBe(0);
    for (let part = 0; part < 20; part += 1) stream.write('y'.repeat(10_000));
    stream.end();
    await finished(stream, { writable: false });
    expect(stream.readableEnded).toBe(true);
  });

  it('name the cause of an unreadable boundary', async () => {
    const request = requestOf(form(), { headers: { 'content-type': 'multipart/form-data' } });
    const error: unknown = await readMultipartFields(request).catch((caught: unknown) => caught);
    expect(error).toHaveProperty('cause.message');
  });
});
