import { PassThrough } from 'node:stream';
import type { Request } from 'express';
import { describe, expect, it } from 'vitest';
import {
  innerOf,
  OAuth2Server,
  OAuthRefusal,
  readOAuthBody,
  readParameters,
} from '../../../src/http/authorization/oauth-library.ts';

/** A request with this body and content type, as handed over by Express. */
function requestOf(body: string, contentType?: string): Request {
  const stream = new PassThrough();
  stream.end(body);
  const headers = contentType === undefined ? {} : { 'content-type': contentType };
  const get = (name: string): string | undefined => (name === 'Content-Type' ? contentType : undefined);
  return Object.assign(stream, { headers, get, complete: true }) as unknown as Request;
}

const form = 'application/x-www-form-urlencoded';
const part = '--b\r\nContent-Disposition: form-data; name="code"\r\n\r\nx\r\n--b--\r\n';

describe('parameters of RFC 6749', () => {
  it('that are empty count as absent', () => {
    expect(readParameters({ code: '', scope: null, state: undefined })).toEqual({ parameters: {}, wrong: [] });
  });

  it('may be 8,192 characters long', () => {
    const longest = 'x'.repeat(8192);
    expect(readParameters({ state: longest, scope: `${longest}x` })).toEqual({
      parameters: { state: longest },
      wrong: ['scope'],
    });
  });

  it('may be a truth value only for a truth parameter', () => {
    expect(readParameters({ integration: true, scope: true })).toEqual({
      parameters: { integration: 'true' },
      wrong: ['scope'],
    });
    expect(readParameters({ integration: ['true', 'true'] })).toEqual({
      parameters: {},
      wrong: ['integration'],
    });
  });
});

describe('a body of the authorization service', () => {
  it.each(['multipart/form-data; boundary=b', 'Multipart/Form-Data;boundary=b', 'multipart/form-data \t; boundary=b'])(
    'is read part by part as %j',
    async (contentType) => {
      await expect(readOAuthBody(requestOf(part, contentType))).resolves.toEqual({ code: 'x' });
    },
  );

  it.each([
    'application/x; multipart/form-data; boundary=b',
    'xmultipart/form-data; boundary=b',
    'multipart/form-dataX; boundary=b',
  ])('is refused with 415 as %j', async (contentType) => {
    const refusal = await readOAuthBody(requestOf(part, contentType)).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(OAuthRefusal);
    expect(refusal).toMatchObject({ name: 'invalid_request', code: 415 });
  });

  it('is refused with 400 as multipart/form-data without a boundary', async () => {
    const refusal = await readOAuthBody(requestOf(part, 'multipart/form-data')).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ name: 'invalid_request', code: 400 });
    expect((refusal as Error).message).toContain('boundary');
  });

  it('is refused with 415 without a content type', async () => {
    await expect(readOAuthBody(requestOf('code=x'))).rejects.toMatchObject({ name: 'invalid_request', code: 415 });
  });

  it('is read once as a form', async () => {
    await expect(readOAuthBody(requestOf('code=x&state=', form))).resolves.toEqual({ code: 'x' });
  });

  it('is refused with the names of all repeated parameters', async () => {
    const refused = readOAuthBody(requestOf('code=x&code=y&scope=a&scope=b&state=z', form));
    await expect(refused).rejects.toThrow('These parameters are repeated or no text: code, scope.');
  });

  it('keeps a fault of ours', async () => {
    const broken = requestOf('', form);
    const fault = new Error('the disk is full');
    broken.get = () => {
      throw fault;
    };
    await expect(readOAuthBody(broken)).rejects.toBe(fault);
  });
});

describe('the cause of an error', () => {
  const cause = new Error('the cause');

  it('is the error wrapped by the library, however deep', () => {
    const wrapped = new OAuth2Server.ServerError(new OAuth2Server.ServerError(cause));
    expect(innerOf(wrapped)).toBe(cause);
  });

  it.each([
    ['an error of the server without a cause', new OAuth2Server.ServerError('nothing inside')],
    ['an error of another kind that has a field of this name', Object.assign(new Error('other'), { inner: cause })],
    ['an error without a cause', cause],
  ])('is the error itself for %s', (_name, error) => {
    expect(innerOf(error)).toBe(error);
  });
});
