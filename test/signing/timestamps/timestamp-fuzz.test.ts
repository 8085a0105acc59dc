import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  SigningError,
  createTimestamper,
  readTimestampToken,
  verifyTimestampToken,
} from '../../../src/signing/index.ts';
import { readTimestampResponse, writeTimestampRequest } from '../../../src/signing/timestamps/timestamp-response.ts';
import { answerOcspRequest, answerTimestampRequest } from '../../../src/test-authority/index.ts';
import { icpBrasilPki } from '../../pki/icp-brasil-pki.ts';
import { IMPRINT, authorityWith, now, replyWith, scriptedHttp } from './timestamp-fixtures.ts';

const RUNS = 2_000;
const NONCE = Buffer.from('0102030405060708', 'hex');

let request: Buffer;
let response: Buffer;
beforeAll(async () => {
  const { v5 } = await icpBrasilPki();
  request = writeTimestampRequest({ digest: 'sha256', imprint: IMPRINT, policy: '2.999.2', nonce: NONCE });
  response = answerTimestampRequest(v5.timestampAuthority, request);
});

interface Change {
  readonly kind: 'replace' | 'remove' | 'insert' | 'repeat';
  /** Where, as a part of the whole. */
  readonly at: number;
  readonly bytes: Uint8Array;
}

const changes = fc.array(
  fc.record<Change>({
    kind: fc.constantFrom('replace', 'remove', 'insert', 'repeat'),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 6 }),
  }),
  { minLength: 1, maxLength: 6 },
);

function mutate(good: Buffer, list: readonly Change[]): Buffer {
  let bytes = good;
  for (const { kind, at: part, bytes: added } of list) {
    const at = Math.floor(part * bytes.length);
    const removed = kind === 'replace' || kind === 'remove' ? added.length : 0;
    const inserted = kind === 'repeat' ? bytes.subarray(at, at + 40) : kind === 'remove' ? Buffer.alloc(0) : added;
    bytes = Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + removed)]);
  }
  return bytes;
}

/**
 * Runs `action`; only a SigningError may come out. An input with an endless reading meets the time limit of the test.
 */
async function expectOnlyOurErrors(action: () => unknown): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
  }
}

describe('hostile input gives only our errors', () => {
  it('as a token, read and verified', async () => {
    const token = readTimestampResponse(response);
    const imprint = { algorithm: 'sha256', value: IMPRINT } as const;
    await fc.assert(
      fc.asyncProperty(changes, async (list) => {
        const der = mutate(token, list);
        await expectOnlyOurErrors(() => readTimestampToken(der));
        await expectOnlyOurErrors(() => verifyTimestampToken({ der }, { imprint, at: now() }));
      }),
      { numRuns: RUNS },
    );
  });

  it('as a response, which is never taken when what was signed has changed', async () => {
    const signed = readTimestampToken(readTimestampResponse(response));
    await fc.assert(
      fc.asyncProperty(changes, async (list) => {
        const changed = mutate(response, list);
        const http = scriptedHttp({ 'tsa.example': () => replyWith(changed) });
        const options = { authorities: [authorityWith()], http, now, random: () => NONCE };
        await expectOnlyOurErrors(async () => {
          const token = await createTimestamper(options).stamp(IMPRINT);
          expect(token).toMatchObject({ time: signed.time, serialNumber: signed.serialNumber, policy: signed.policy });
        });
      }),
      { numRuns: RUNS },
    );
  });

  it('as bytes without any sense', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        await expectOnlyOurErrors(() => readTimestampToken(bytes));
        await expectOnlyOurErrors(() => readTimestampResponse(bytes));
      }),
      { numRuns: RUNS },
    );
  });

  it('and no request makes the test authority fail', async () => {
    const { v5 } = await icpBrasilPki();
    const { issuing } = v5.authority;
    const ocsp = { issuer: issuing.certificate, responder: issuing, statusOf: () => ({ status: 'good' }) as const };
    fc.assert(
      fc.property(changes, (list) => {
        const changed = mutate(request, list);
        expect(answerTimestampRequest(v5.timestampAuthority, changed)[0]).toBe(0x30);
        expect(answerOcspRequest(changed, ocsp)[0]).toBe(0x30);
      }),
      { numRuns: 500 },
    );
  });
});
