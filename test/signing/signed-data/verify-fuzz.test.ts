import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  SigningError,
  parseCertificate,
  prepareCmsSigner,
  readIcpBrasilIdentity,
  softwareSigner,
  verifyCms,
  verifyCmsFile,
} from '../../../src/signing/index.ts';
import { normalizeBer } from '../../../src/signing/der/normalize-ber.ts';
import { readDer, type DerElement } from '../../../src/signing/der/reader.ts';
import { budgetFor, withBudget } from '../../../src/signing/budget/budget.ts';
import { mutationOf } from '../../fuzz/mutation-of.ts';
import { watch } from '../pdf/work-meter.ts';
import { makeScratchFolder } from '../cms/scratch-folder.ts';
import { KEY_KINDS, makeTestIdentity } from '../cms/test-identities.ts';

const scratch = makeScratchFolder();
const RUNS = 2_000;
/** Most views of buffers for each byte of an input. A signature needs a third of it, and a string in many pieces half. */
const VIEWS_PER_BYTE = 0.2;

const identity = makeTestIdentity({ name: 'Signer', key: KEY_KINDS['P-256']() });
const content = Buffer.from('content');
const signer = prepareCmsSigner(softwareSigner(identity.key.privateKey, identity.certificate, []), {
  digest: 'sha256',
  profile: 'cades',
});
const signature = await signer.signContent(content, new Date('2026-03-04'));
const detached = await signer.signDigest(hash('sha256', content, 'buffer'), new Date('2026-03-04'));

/**
 * Runs `action`, which reads `bytes`. Only a SigningError may come out, within the product's own budget for an input of
 * this size. Work is counted, because time would say how busy the machine is.
 */
async function expectOnlyOurErrors(bytes: Uint8Array, action: () => unknown): Promise<void> {
  let views = 0;
  const counts = [watch(Buffer.prototype as object, 'subarray', () => (views += 1))];
  const limits = { ...budgetFor(bytes.length), buffers: Infinity, time: Infinity };
  try {
    await withBudget(limits, async () => Promise.resolve(action()));
  } catch (error) {
    if (!(error instanceof SigningError) || error.code === 'LIMIT_EXCEEDED') throw error;
  } finally {
    for (const end of counts) end();
  }
  expect(views).toBeLessThan(VIEWS_PER_BYTE * bytes.length + 100);
}

function readEverything(element: DerElement): void {
  if (element.constructed) element.children.forEach(readEverything);
}

const parsers: readonly (readonly [string, Buffer, (bytes: Buffer) => unknown])[] = [
  ['readDer', signature, (bytes) => readEverything(readDer(bytes))],
  ['normalizeBer', signature, normalizeBer],
  [
    'parseCertificate',
    identity.certificate,
    (bytes): void => {
      const certificate = parseCertificate(bytes);
      readIcpBrasilIdentity(certificate);
      certificate.publicKey();
    },
  ],
  ['verifyCms, attached', signature, (bytes) => verifyCms(bytes)],
  ['verifyCms, detached', detached, (bytes) => verifyCms(bytes, content)],
];

describe('readers of untrusted input', () => {
  it.each(parsers)('throw nothing but SigningError, with bounded work, for mutations: %s', async (_, good, parse) => {
    const property = fc.asyncProperty(mutationOf(good), (bytes) => expectOnlyOurErrors(bytes, () => parse(bytes)));
    await fc.assert(property, { numRuns: RUNS });
  });

  it.each(parsers)('throw nothing but SigningError, with bounded work, for any bytes: %s', async (_, _good, parse) => {
    const bytes = fc.uint8Array({ maxLength: 200 }).map((some) => Buffer.from(some));
    const property = fc.asyncProperty(bytes, (some) => expectOnlyOurErrors(some, () => parse(some)));
    await fc.assert(property, { numRuns: RUNS });
  });

  it('call a mutated signature intact only when what was signed is untouched', async () => {
    const property = fc.asyncProperty(mutationOf(signature), async (bytes) => {
      const verification = await verifyCms(bytes, content).catch(() => undefined);
      for (const { outcome, certificate } of verification?.signers ?? []) {
        if (outcome === 'intact') expect(certificate?.der.equals(identity.certificate)).toBe(true);
      }
    });
    await fc.assert(property, { numRuns: RUNS });
  });

  it('do bounded work for deep nesting and for many small elements', async () => {
    const nested = Buffer.concat([Buffer.alloc(2_000_000, Buffer.from('3080', 'hex')), Buffer.alloc(100)]);
    const many = Buffer.concat([Buffer.from('3080', 'hex'), Buffer.alloc(2_000_000, Buffer.from('0500', 'hex'))]);
    const segments = Buffer.concat([Buffer.from('2480', 'hex'), Buffer.alloc(3_000_000, Buffer.from('040100', 'hex'))]);
    for (const hostile of [nested, many, segments]) {
      for (const [, , parse] of parsers) await expectOnlyOurErrors(hostile, () => parse(hostile));
    }
  });

  it('refuse a large file that only looks like a signature', async () => {
    const claim = Buffer.concat([signature.subarray(0, 30), Buffer.alloc(20_000_000)]);
    const path = scratch.write('claim', claim);
    await expect(verifyCmsFile(path)).rejects.toMatchObject({ code: 'CMS_MALFORMED' });
  });
});
