/** Lists by OpenSSL, long lists, lists by every kind of key, and damaged ones. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CrlIndex, parseCertificate } from '../../../src/signing/index.ts';
import { derInteger, derPrimitiveContext, derSequence } from '../../../src/signing/der/writer.ts';
import { createTestAuthority, writeCrl } from '../../../src/test-authority/index.ts';
import { openssl, pem } from '../../pki/openssl.ts';
import { makeParty } from '../certificates/path/path-pki.ts';
import { makeScratchFolder } from '../cms/scratch-folder.ts';
import { expectOnlyOurErrors } from './mutations.ts';
import { crlExtension, manyEntries, writeTestCrl, type TestCrlFields } from './write-crl.ts';

const scratch = makeScratchFolder();
const folder = scratch.path('');
const issuer = makeParty({ name: 'Issuer' });
const thisUpdate = new Date('2026-01-02T03:04:05Z');
const nextUpdate = new Date('2026-02-02T03:04:05Z');
const serial = (number: number): Buffer => Buffer.from(number.toString(16).padStart(8, '0'), 'hex');

const crlOf = (fields: Partial<TestCrlFields>): Buffer =>
  writeTestCrl({ issuer: issuer.certificate.subject, thisUpdate, nextUpdate, ...fields }, issuer.key.privateKey);

const entries = [
  { serialNumber: serial(0x01020304), revokedAt: new Date('2025-12-01'), reason: 1 },
  { serialNumber: serial(0x81020304), revokedAt: new Date('2025-12-02') },
];

const REASONS = ['unspecified', 'keyCompromise', 'superseded', 'certificateHold', 'CACompromise'] as const;

/** A CRL that `openssl ca` writes from its own database. */
async function opensslCrl(count: number, options: readonly string[] = []): Promise<Buffer> {
  const lines = Array.from({ length: count }, (_, index) => {
    const reason = REASONS[index % REASONS.length] ?? '';
    const number = (0x5000 + index * 977).toString(16).toUpperCase().padStart(6, '0');
    return `R\t400101000000Z\t251201000000Z,${reason}\t${number}\tunknown\t/CN=${index}\n`;
  });
  scratch.write('index.txt', lines.join(''));
  scratch.write('crlnumber', '1234\n');
  scratch.write('ca.pem', pem('CERTIFICATE', issuer.certificate.der));
  scratch.write('ca.key', issuer.key.privateKey.export({ format: 'pem', type: 'pkcs8' }));
  const configuration = [
    '[ca]',
    'default_ca=c',
    '[c]',
    'database=index.txt',
    'crlnumber=crlnumber',
    'default_md=sha256',
  ];
  scratch.write(
    'ca.cnf',
    [...configuration, 'default_crl_days=30', 'crl_extensions=e', '[e]', 'authorityKeyIdentifier=keyid', ''].join('\n'),
  );
  const files = ['-config', 'ca.cnf', '-cert', 'ca.pem', '-keyfile', 'ca.key', '-out', 'crl.pem'];
  await openssl(['ca', '-gencrl', ...files, ...options], { folder });
  await openssl(['crl', '-in', 'crl.pem', '-outform', 'DER', '-out', 'crl.der'], { folder });
  return readFileSync(scratch.path('crl.der'));
}

describe('CrlIndex, as strangers sign', () => {
  it('finds every entry of a list written by OpenSSL, with its reason, and no other', async () => {
    const index = await CrlIndex.build(await opensslCrl(300), issuer.certificate);
    expect(index.entryCount).toBe(300);
    expect(index.extensions.number).toBe('1234');
    expect(index.extensions.authorityKeyIdentifier).toEqual(issuer.certificate.subjectKeyIdentifier);
    for (let number = 0; number < 300; number++) {
      const reason = REASONS[number % REASONS.length];
      const found = index.find(serial(0x5000 + number * 977));
      expect(found?.reason).toBe(reason === 'CACompromise' ? 'cACompromise' : reason);
      expect(found?.revokedAt).toEqual(new Date('2025-12-01'));
      expect(index.find(serial(0x5001 + number * 977))).toBeUndefined();
    }
  });

  it.each(['rsa-2048', 'ec-p384', 'ed25519'] as const)('verifies a list signed with %s', async (keyKind) => {
    const { issuing } = await createTestAuthority({ keyKind });
    const crl = writeCrl({ issuer: issuing, number: 7, thisUpdate, nextUpdate }, [
      { serialNumber: Buffer.of(5), at: thisUpdate, reason: 'superseded' },
    ]);
    const index = await CrlIndex.build(crl, parseCertificate(issuing.certificate));
    expect(index.find(Buffer.of(5))).toEqual({ revokedAt: thisUpdate, reason: 'superseded' });
    expect(index.thisUpdate).toEqual(thisUpdate);
    expect(index.nextUpdate).toEqual(nextUpdate);
    const changed = Buffer.from(crl);
    changed[changed.length - 3] = (changed.at(-3) ?? 0) ^ 1;
    await expect(CrlIndex.build(changed, parseCertificate(issuing.certificate))).rejects.toMatchObject({
      code: 'SIGNATURE_INVALID',
    });
  });

  it.each(['memory', 'a file'])(
    'finds the entries of a large list in %s, also with its index restored',
    async (where) => {
      const count = 60_000;
      const { der, serials } = manyEntries(count);
      const crl = crlOf({ entriesDer: der });
      const source = where === 'memory' ? crl : scratch.write('large.crl', crl);
      const built = await CrlIndex.build(source, issuer.certificate);
      const restored = await CrlIndex.restore(built.serialize(), source);
      for (const index of [built, restored]) {
        expect(index.entryCount).toBe(count);
        for (let number = 0; number < count; number += 37) {
          const wanted = serials.subarray(number * 16, number * 16 + 16);
          expect(index.find(wanted)?.reason).toBe('keyCompromise');
          expect(index.find(Buffer.from(wanted).fill(0x7f, 8))).toBeUndefined();
        }
        index.close();
      }
    },
  );

  it('throws nothing but SigningError for mutated lists, and indexes none of them', async () => {
    const crl = crlOf({
      entries,
      extensions: [
        crlExtension('2.5.29.20', derInteger(1)),
        crlExtension('2.5.29.28', derSequence(derPrimitiveContext(1, Buffer.of(0xff))), true),
      ],
    });
    const read = (bytes: Buffer): Promise<CrlIndex> => CrlIndex.build(bytes, issuer.certificate);
    await expectOnlyOurErrors(crl, read, (_, bytes) => bytes.equals(crl));
  });

  it('throws nothing but SigningError for mutated indexes', async () => {
    const crl = crlOf({ entries });
    const good = (await CrlIndex.build(crl, issuer.certificate)).serialize();
    await expectOnlyOurErrors(good, async (bytes) => (await CrlIndex.restore(bytes, crl)).find(serial(0x01020304)));
  });
});
