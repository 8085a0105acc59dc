/** Labels of tokens and of their objects: the owner of a token, or anybody before, writes them at will. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resultSchemas } from '../../src/signing/keys/pkcs11/protocol.ts';
import { referenceModule, TokenKeySource } from '../../src/signing/index.ts';
import { createSoftHsm, type SoftHsm } from '../token/softhsm.ts';

const token = {
  serialNumber: '1',
  label: 'token',
  manufacturer: 'maker',
  model: 'model',
  loginRequired: true,
  loggedIn: false,
  pinPad: false,
  pinAttempts: 'normal',
  mechanisms: [],
} as const;

const labelOf = (label: string): string | undefined =>
  resultSchemas.slots.parse({ slotCount: 1, tokens: [{ ...token, label }] }).tokens[0]?.label;

describe('a token with a hostile label', () => {
  it.each([
    ['writes no line of ours', 'X\n✔ signed by BANK', 'X‹U+000A›✔ signed by BANK'],
    ['writes no cell of a table', 'X\t1\tValid', 'X‹U+0009›1‹U+0009›Valid'],
    ['controls no terminal by ESC', '\u001B[2Jgone', '‹U+001B›[2Jgone'],
    ['controls no terminal by CSI of C1', '\u009B2Jgone', '‹U+009B›2Jgone'],
    ['turns no text around', 'BANK\u202Eelif', 'BANK‹U+202E›elif'],
    ['hides no character', 'BA\u200BNK', 'BA‹U+200B›NK'],
    ['ends no text by NUL', 'BANK\u0000 of others', 'BANK‹U+0000› of others'],
  ])('%s', (_what, label, shown) => {
    expect(labelOf(label)).toBe(shown);
  });

  it('marks the same in its maker, its model, its library and its certificates', () => {
    const odd = 'a\u202Eb';
    const marked = 'a‹U+202E›b';
    const { tokens } = resultSchemas.slots.parse({ slotCount: 1, tokens: [{ ...token, manufacturer: odd, model: odd }] }); // prettier-ignore
    expect(tokens[0]).toMatchObject({ manufacturer: marked, model: marked });
    const library = { description: odd, manufacturer: odd, libraryVersion: odd, cryptokiVersion: odd };
    expect(new Set(Object.values(resultSchemas.probe.parse(library)))).toEqual(new Set([marked]));
    const contents = { certificates: [{ keyId: '01', label: odd, der: new Uint8Array(1) }] };
    expect(resultSchemas.certificates.parse(contents).certificates[0]?.label).toBe(marked);
  });

  it.each([
    ['a key id of another form', { certificates: [{ keyId: 'zz', label: '', der: new Uint8Array(1) }] }],
    ['a certificate that is no bytes', { certificates: [{ keyId: '01', label: '', der: 'text' }] }],
    ['more members than agreed', { certificates: [], constructor: {}, more: 1 }],
  ])('gets no answer believed with %s', (_what, contents) => {
    expect(resultSchemas.certificates.safeParse(contents).success).toBe(false);
  });

  it('has a name of at most 256 characters, and never none', () => {
    const named = (serialNumber: string): boolean =>
      resultSchemas.slots.safeParse({ slotCount: 1, tokens: [{ ...token, serialNumber }] }).success;
    expect([named(''), named('x'.repeat(256)), named('x'.repeat(257))]).toEqual([false, true, false]);
  });
});

describe('a real token with a hostile label', () => {
  let hsm: SoftHsm;
  let source: TokenKeySource;
  beforeAll(async () => {
    const keys = [{ label: 'key\u202Efdp', keyId: '0a', kind: 'ec-p256' as const, name: 'MARIA' }];
    const twin = { label: 'Sinete\u2066', keys: [] };
    hsm = await createSoftHsm([{ label: 'Sinete\u202Egpj', keys }, twin]);
    source = new TokenKeySource({ module: await referenceModule(hsm.modulePath), environment: hsm.environment });
  });
  afterAll(async () => {
    await source.close();
    await hsm.remove();
  });

  it('is listed with its unseen characters marked, in its own label and in that of its key', async () => {
    const [key] = await source.list();
    expect(key?.token?.label).toBe('Sinete‹U+202E›gpj');
    expect(key?.label).toBe('key‹U+202E›fdp');
  });

  it('opens no key of a token with the same look', async () => {
    const keys = await source.list();
    expect(keys.map(({ token: of }) => of?.serialNumber)).toEqual([hsm.tokens[0]?.serialNumber]);
  });
});
