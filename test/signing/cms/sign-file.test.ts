import { createHash, randomBytes, randomFillSync } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, readdirSync, statSync, truncateSync, writeSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  prepareCmsSigner,
  softwareSigner,
  verifyCms,
  verifyCmsFile,
  type CmsSigner,
  type Signer,
} from '../../../src/signing/index.ts';
import { readDer } from '../../../src/signing/der/reader.ts';
import { verifyWithOpenssl } from '../../oracles/openssl.ts';
import { makeScratchFolder } from './scratch-folder.ts';
import { KEY_KINDS, makeTestIdentity, toPem, type TestIdentity } from './test-identities.ts';

const scratch = makeScratchFolder();
const signingTime = new Date('2026-03-04T05:06:07Z');
const rsa = makeTestIdentity({ name: 'RSA', key: KEY_KINDS['RSA-2048']() });
const curve = makeTestIdentity({ name: 'P-256', key: KEY_KINDS['P-256']() });

const keyOf = ({ key, certificate }: TestIdentity): Signer => softwareSigner(key.privateKey, certificate, []);
const prepare = (signer: Signer): CmsSigner => prepareCmsSigner(signer, { digest: 'sha256', profile: 'cades' });

let files = 0;
const freshPath = (): string => scratch.path(`output-${files++}`);

function writeLargeFile(name: string, megabytes: number): string {
  const path = scratch.path(name);
  const chunk = Buffer.alloc(2 ** 20);
  const file = openSync(path, 'wx');
  for (let count = 0; count < megabytes; count++) writeSync(file, randomFillSync(chunk));
  closeSync(file);
  return path;
}

describe('signFile › a file of 64 MiB', () => {
  const inputPath = writeLargeFile('large', 64);
  const contentDigest = createHash('sha256').update(readFileSync(inputPath)).digest('hex');

  it('is, attached and with RSA, byte for byte the result of signContent in memory', async () => {
    const signer = prepare(keyOf(rsa));
    const outputPath = freshPath();
    const result = await signer.signFile({ inputPath, outputPath, attached: true, signingTime });
    const inMemory = await signer.signContent(readFileSync(inputPath), signingTime);
    expect(readFileSync(outputPath).equals(inMemory)).toBe(true);
    expect(result).toEqual({ size: inMemory.length, contentDigest });
  });

  it.each([
    ['RSA', rsa],
    ['P-256', curve],
  ])('verifies here and with OpenSSL, attached and detached: %s', async (name, identity) => {
    const trusted = scratch.write(`${name}.pem`, toPem(identity.certificate));
    for (const attached of [true, false]) {
      const outputPath = freshPath();
      await prepare(keyOf(identity)).signFile({ inputPath, outputPath, attached, signingTime });
      const verification = await verifyCmsFile(outputPath, attached ? undefined : inputPath);
      expect(verification).toMatchObject({ intact: true, attached });
      const detachedContent = attached ? {} : { content: inputPath };
      const verdict = await verifyWithOpenssl({ signature: outputPath, ...detachedContent, trusted, cades: true });
      expect(verdict.detail).toContain('successful');
    }
  });

  it('is broken after the change of a byte in the attached signature', async () => {
    const outputPath = freshPath();
    await prepare(keyOf(curve)).signFile({ inputPath, outputPath, attached: true, signingTime });
    const file = openSync(outputPath, 'r+');
    writeSync(file, Buffer.of((readFileSync(outputPath)[50_000_000]! + 1) & 0xff), 0, 1, 50_000_000);
    closeSync(file);
    const verification = await verifyCmsFile(outputPath);
    expect(verification.signers[0]).toMatchObject({ outcome: 'broken' });
    expect(await verifyCmsFile(outputPath, inputPath)).toMatchObject({ intact: false });
  });

  it('is verified against the document given, also against another one', async () => {
    const outputPath = freshPath();
    await prepare(keyOf(rsa)).signFile({ inputPath, outputPath, attached: true, signingTime });
    const other = scratch.write('other document', 'another document');
    expect((await verifyCmsFile(outputPath, other)).signers[0]).toMatchObject({ outcome: 'broken' });
    expect(await verifyCmsFile(outputPath, inputPath)).toMatchObject({ intact: true, attached: true });
  });

  it('is no signature when the end of the attached signature is missing', async () => {
    const outputPath = freshPath();
    const { size } = await prepare(keyOf(rsa)).signFile({ inputPath, outputPath, attached: true, signingTime });
    truncateSync(outputPath, size - 1);
    await expect(verifyCmsFile(outputPath)).rejects.toMatchObject({ code: 'CMS_MALFORMED' });
  });
});

/** A signer making ECDSA signatures of a chosen length: asks the real signer until the length fits. */
function signerWithSignaturesOf(length: number): Signer {
  const real = keyOf(curve);
  return {
    ...real,
    async sign(message, parameters) {
      for (;;) {
        const signature = await real.sign(message, parameters);
        if (signature.length === length) return signature;
      }
    },
  };
}

describe('signFile › lengths decided by an ECDSA signature', () => {
  it.each([70, 71, 72])(
    'is exact DER around every content near a longer length form, with %i bytes',
    async (length) => {
      const signer = prepare(signerWithSignaturesOf(length));
      const overhead = (await signer.signContent(randomBytes(60_000), signingTime)).length - 60_000;
      for (let size = 65_536 - overhead - 4; size <= 65_536 - overhead + 80; size += 3) {
        const content = randomBytes(size);
        const outputPath = freshPath();
        const inputPath = scratch.write(`input-${length}-${size}`, content);
        const result = await signer.signFile({ inputPath, outputPath, attached: true, signingTime });
        const output = readFileSync(outputPath);
        expect(readDer(output).bytes.length).toBe(result.size);
        expect(await verifyCms(output, content)).toMatchObject({ intact: true });
      }
    },
  );
});

describe('signFile › when something is in the way', () => {
  const inputPath = scratch.write('small', randomBytes(5_000_000));
  const request = (outputPath: string): Parameters<CmsSigner['signFile']>[0] => ({
    inputPath,
    outputPath,
    attached: true,
    signingTime,
  });

  it('leaves an existing output alone', async () => {
    const outputPath = scratch.write('taken', 'mine');
    await expect(prepare(keyOf(rsa)).signFile(request(outputPath))).rejects.toMatchObject({ code: 'EEXIST' });
    expect(readFileSync(outputPath, 'utf8')).toBe('mine');
  });

  it('makes no output of a missing file, or of a folder', async () => {
    const outputPath = freshPath();
    const signer = prepare(keyOf(rsa));
    await expect(signer.signFile({ ...request(outputPath), inputPath: scratch.path('absent') })).rejects.toMatchObject({
      code: 'ENOENT',
    });
    await expect(signer.signFile({ ...request(outputPath), inputPath: scratch.path('.') })).rejects.toMatchObject({
      code: 'CMS_UNSUPPORTED',
    });
    expect(existsSync(outputPath)).toBe(false);
  });

  it.each([true, false])('removes the output when the key fails, attached: %s', async (attached) => {
    const outputPath = freshPath();
    const broken: Signer = { ...keyOf(rsa), sign: () => Promise.reject(new Error('the token is gone')) };
    await expect(prepare(broken).signFile({ ...request(outputPath), attached })).rejects.toThrow('the token is gone');
    expect(existsSync(outputPath)).toBe(false);
  });

  it('stops before the beginning when already cancelled', async () => {
    const outputPath = freshPath();
    const signal = AbortSignal.abort();
    await expect(prepare(keyOf(rsa)).signFile({ ...request(outputPath), signal })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
    expect(existsSync(outputPath)).toBe(false);
  });

  it('stops between two chunks, and removes the output, when cancelled', async () => {
    const outputPath = freshPath();
    const controller = new AbortController();
    const signing = prepare(keyOf(rsa)).signFile({ ...request(outputPath), signal: controller.signal });
    while (!existsSync(outputPath)) await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    await expect(signing).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(existsSync(outputPath)).toBe(false);
  });

  it.each([
    ['grows', true, 6_000_000],
    ['grows', false, 6_000_000],
    ['shrinks', true, 1_500_000],
    ['shrinks', false, 1_500_000],
  ])('makes no output when the file %s during the reading, attached: %s', async (_, attached, size) => {
    const changing = scratch.write(`changing-${files++}`, randomBytes(5_000_000));
    const outputPath = freshPath();
    const signing = prepare(keyOf(rsa)).signFile({ ...request(outputPath), inputPath: changing, attached });
    while (!existsSync(outputPath)) await new Promise((resolve) => setImmediate(resolve));
    truncateSync(changing, size);
    await expect(signing).rejects.toMatchObject({ name: 'SigningError', code: 'CONTENT_CHANGED' });
    expect(existsSync(outputPath)).toBe(false);
  });

  it('leaves nothing else behind', () => {
    expect(readdirSync(scratch.path('.')).filter((name) => /tmp|partial/.test(name))).toEqual([]);
    expect(statSync(inputPath).size).toBe(5_000_000);
  });
});
