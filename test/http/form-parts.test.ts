import { describe, expect, it } from 'vitest';
import { PartCodings } from '../../src/http/signing-service/form-parts.ts';

/** The refusals of a form that arrives in chunks of this length. */
function refusalsOf(body: string, length: number, boundary = 'b'): readonly string[] {
  const found: string[] = [];
  const request = { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
  const codings = new PartCodings(request, ({ message }) => found.push(message));
  const bytes = Buffer.from(body, 'latin1');
  for (let at = 0; at < bytes.length; at += length) codings.look(bytes.subarray(at, at + length));
  return found;
}

const part = (headers: string, content: string): string =>
  `--b\r\nContent-Disposition: form-data; name="document"; filename="a"\r\n${headers}\r\n${content}\r\n`;
const CODED = 'Content-Transfer-Encoding: base64\r\n';
const LENGTHS = [1, 2, 3, 5, 7, 64, 10_000];

describe('the codings of a form', () => {
  it.each(LENGTHS)('are found in each part, in chunks of %i bytes', (length) => {
    const body = `${part(CODED, 'a')}${part('', '')}${part(CODED, '')}${part(CODED, 'x'.repeat(100))}--b--\r\n`;
    expect(refusalsOf(body, length)).toHaveLength(3);
  });

  it.each(LENGTHS)('are not looked for in contents, in chunks of %i bytes', (length) => {
    const message = `Subject: x\r\n${CODED}\r\n--b inside a line is no delimiter: x--b\r\n${CODED}\r\n`;
    const body = `preamble ${CODED}\r\n${part('Content-Type: message/rfc822\r\n', message.replace('--b inside', 'b'))}--b--\r\n`;
    expect(refusalsOf(body, length)).toEqual([]);
  });

  it('name the coding, shortened', () => {
    const [refusal] = refusalsOf(part(`Content-Encoding: ${'z'.repeat(100)}\r\n`, 'a'), 10_000);
    expect(refusal).toContain(`Content-Encoding ${'z'.repeat(40)}:`);
  });
});
