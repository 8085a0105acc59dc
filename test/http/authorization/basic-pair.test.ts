import { describe, expect, it } from 'vitest';
import { readBasicClient, readPair } from '../../../src/http/authorization/oauth-library.ts';

const encoded = (text: string): string => Buffer.from(text).toString('base64');

describe('a pair in base64', () => {
  it.each([
    ['name and secret', encoded('ana:123'), { name: 'ana', secret: '123' }],
    ['a secret with colons', encoded('ana:1:2'), { name: 'ana', secret: '1:2' }],
    ['an empty name', encoded(':123'), { name: '', secret: '123' }],
    ['an empty secret', encoded('ana:'), { name: 'ana', secret: '' }],
    ['letters beyond ASCII, in UTF-8', encoded('ção:é'), { name: 'ção', secret: 'é' }],
    ['the alphabet of URLs', Buffer.from('ana:??>>').toString('base64url'), { name: 'ana', secret: '??>>' }],
    ['one sign of padding', encoded('an:1'), { name: 'an', secret: '1' }],
    ['no sign of padding', encoded('an:1').replaceAll('=', ''), { name: 'an', secret: '1' }],
  ])('with %s is read', (_what, value, pair) => {
    expect(readPair(value)).toEqual(pair);
  });

  it.each([
    ['nothing', ''],
    ['no colon', encoded('ana')],
    ['padding before its end', `${encoded('ana:1')}=A`],
    ['a blank before it', ` ${encoded('ana:123')}`],
    ['a sign of no alphabet behind it', `${encoded('ana:123')}!`],
    ['padding alone', '=='],
  ])('with %s is none', (_what, value) => {
    expect(readPair(value)).toBeUndefined();
  });
});

describe('the client in Authorization: Basic', () => {
  it.each([
    ['is form-decoded, id and secret', 'Basic', 'a%3Ab+c', 's%2B%25', { name: 'a:b c', secret: 's+%' }],
    ['is taken under a scheme in any letter case', 'bAsIc', 'id', 'secret', { name: 'id', secret: 'secret' }],
    ['may have an empty secret, as a public application has', 'Basic', 'id', '', { name: 'id', secret: '' }],
    ['may stand behind several blanks', '  Basic  ', 'id', 'secret', { name: 'id', secret: 'secret' }],
  ])('%s', (_what, scheme, name, secret, client) => {
    expect(readBasicClient(`${scheme} ${encoded(`${name}:${secret}`)} `)).toEqual(client);
  });

  it.each([
    ['no header', undefined],
    ['another scheme', `Bearer ${encoded('id:secret')}`],
    ['a scheme that only begins like Basic', `Basically ${encoded('id:secret')}`],
    ['a scheme that only ends like Basic', `NotBasic ${encoded('id:secret')}`],
  ])('is absent with %s', (_what, header) => {
    expect(readBasicClient(header)).toBeUndefined();
  });

  it.each([
    ['nothing', 'Basic'],
    ['a blank only', 'Basic '],
    ['no base64', 'Basic a b'],
    ['two lines', `Basic ${encoded('id:secret')}\n${encoded('id:secret')}`],
    ['no colon', `Basic ${encoded('portal')}`],
    ['a percent sign in the id that begins no character', `Basic ${encoded('%zz:secret')}`],
    ['a percent sign in the secret that begins no character', `Basic ${encoded('id:100%')}`],
  ])('is refused as invalid_client with %s behind Basic', (_what, header) => {
    expect(() => readBasicClient(header)).toThrow(
      expect.objectContaining({ name: 'invalid_client', message: expect.stringContaining('form-encoded') as string }),
    );
  });
});
