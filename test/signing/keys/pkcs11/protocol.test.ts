import { deserialize, serialize } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { MAX_BATCH, replySchema, requestSchema } from '../../../../src/signing/keys/pkcs11/protocol.ts';

const key = { tokenSerial: 'abc', keyId: '01', publicKey: '04' };
const request = (operation: unknown): unknown => deserialize(serialize({ version: 1, id: 1, operation }));
const inputs = (count: number): Uint8Array[] => Array.from({ length: count }, () => new Uint8Array(32));

describe('requestSchema', () => {
  it.each([
    [{ op: 'binding' }],
    [{ op: 'probe', path: '/lib/a.so', sessions: 1 }],
    [{ op: 'slots' }],
    [{ op: 'certificates', tokenSerial: 'abc' }],
    [{ op: 'login', tokenSerial: 'abc', pin: '' }],
    [{ op: 'sign', key, mechanism: { name: 'rsa-pss', digest: 'sha256' }, inputs: inputs(MAX_BATCH) }],
    [{ op: 'close' }],
  ])('takes %j, also after a structured clone', (operation) => {
    expect(requestSchema.safeParse(request(operation)).success).toBe(true);
  });

  it.each([
    ['an unknown operation', { op: 'format' }],
    ['an unknown member', { op: 'slots', more: true }],
    [
      'a handle instead of a CKA_ID',
      { op: 'sign', key: { ...key, keyId: 'xyz' }, mechanism: { name: 'ecdsa' }, inputs: inputs(1) },
    ],
    ['a mechanism that is not offered', { op: 'sign', key, mechanism: { name: 'rsa-x509' }, inputs: inputs(1) }],
    ['text instead of bytes', { op: 'sign', key, mechanism: { name: 'ecdsa' }, inputs: ['digest'] }],
    ['too large a batch', { op: 'sign', key, mechanism: { name: 'ecdsa' }, inputs: inputs(MAX_BATCH + 1) }],
    ['an endless PIN', { op: 'login', tokenSerial: 'abc', pin: '1'.repeat(1000) }],
  ])('refuses %s', (_, operation) => {
    expect(requestSchema.safeParse(request(operation)).success).toBe(false);
  });

  it('does not repeat a PIN in the report of what is wrong', () => {
    const report = requestSchema.safeParse(request({ op: 'login', tokenSerial: '', pin: 'my-secret-pin', more: 1 }));
    expect(report.success).toBe(false);
    expect(JSON.stringify(report.error?.issues) + String(report.error)).not.toContain('my-secret-pin');
  });
});

describe('replySchema', () => {
  it.each([
    ['a signature that is text', { kind: 'signatures', id: 1, outcomes: ['x'] }],
    ['no number', { kind: 'done', result: {} }],
    ['nothing', undefined],
    ['a failure without a kind', { kind: 'failed', id: 1, failure: { name: 'CKR_OK' } }],
  ])('refuses %s', (_, reply) => {
    expect(replySchema.safeParse(reply).success).toBe(false);
  });
});
