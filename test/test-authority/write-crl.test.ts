import { createWriteStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { parseCertificate } from '../../src/signing/index.ts';
import {
  streamCrl,
  writeCrl,
  type TestCrlEntry,
  type TestCrlFields,
  type TestIdentity,
  type TestKeyKind,
} from '../../src/test-authority/index.ts';
import { runProgram } from '../oracles/run-program.ts';
import { authorityWith, personWith } from '../pki/identities.ts';
import { pem } from '../pki/openssl.ts';
import { inFreshFolder } from '../pki/pkcs12-files.ts';

const HOUR = 60 * 60 * 1000;
const AT = new Date('2026-03-04T05:06:07Z');

const fieldsOf = (issuer: TestIdentity, more: Partial<TestCrlFields> = {}): TestCrlFields => ({
  issuer,
  number: 42,
  thisUpdate: new Date(Date.now() - HOUR),
  nextUpdate: new Date(Date.now() + HOUR),
  ...more,
});

/** The text of openssl for the list, after it has verified the signature. */
async function describeWithOpenssl(list: Buffer, issuer: TestIdentity): Promise<string> {
  return inFreshFolder(async (folder) => {
    await writeFile(join(folder, 'list.crl'), list);
    await writeFile(join(folder, 'issuer.pem'), pem('CERTIFICATE', issuer.certificate));
    const files = ['-in', join(folder, 'list.crl'), '-CAfile', join(folder, 'issuer.pem')];
    const { output, errors } = await runProgram('openssl', ['crl', '-inform', 'DER', '-noout', '-text', ...files]);
    return `${errors}\n${output}`;
  });
}

/** The output of `openssl verify -crl_check_all` for the person, with these lists. */
async function verifyWithLists(person: TestIdentity, lists: readonly Buffer[]): Promise<string> {
  return inFreshFolder(async (folder) => {
    const file = (name: string): string => join(folder, name);
    const [issuer, root] = person.chain;
    await writeFile(file('person.pem'), pem('CERTIFICATE', person.certificate));
    await writeFile(file('issuer.pem'), pem('CERTIFICATE', issuer!));
    await writeFile(file('root.pem'), pem('CERTIFICATE', root!));
    await writeFile(file('lists.pem'), lists.map((list) => pem('X509 CRL', list)).join(''));
    const rules = ['-x509_strict', '-crl_check_all', '-CRLfile', file('lists.pem')];
    const files = ['-CAfile', file('root.pem'), '-untrusted', file('issuer.pem'), file('person.pem')];
    const { output, errors } = await runProgram('openssl', ['verify', ...rules, ...files]);
    return output + errors;
  });
}

const entryOf = (identity: TestIdentity, more: Partial<TestCrlEntry> = {}): TestCrlEntry => ({
  serialNumber: parseCertificate(identity.certificate).serialNumber,
  at: AT,
  ...more,
});

describe('writeCrl', () => {
  it.each<TestKeyKind>(['rsa-2048', 'ec-p256', 'ec-p384', 'ec-p521', 'ed25519'])(
    'with a %s key gives lists verified by openssl',
    async (keyKind) => {
      const { issuing } = await authorityWith(keyKind);
      const shown = await describeWithOpenssl(
        writeCrl(fieldsOf(issuing), [{ serialNumber: Buffer.of(7), at: AT }]),
        issuing,
      );
      expect(shown).toContain('verify OK');
      expect(shown).toMatch(/X509v3 CRL Number: \n\s+42\n/);
      expect(shown).toContain('Serial Number: 07');
    },
  );

  it('says why and when', async () => {
    const { issuing } = await authorityWith();
    const reasons = ['keyCompromise', 'certificateHold', 'privilegeWithdrawn', 'superseded'] as const;
    const entries = reasons.map((reason, index) => ({ serialNumber: Buffer.of(index + 1), at: AT, reason }));
    const shown = await describeWithOpenssl(writeCrl(fieldsOf(issuing), entries), issuing);
    for (const text of ['Key Compromise', 'Certificate Hold', 'Privilege Withdrawn', 'Superseded']) {
      expect(shown).toContain(text);
    }
    expect(shown).toContain('Revocation Date: Mar  4 05:06:07 2026 GMT');
  });

  it('decides what openssl says of a certificate', async () => {
    const { root, issuing } = await authorityWith();
    const person = await personWith();
    const rootList = writeCrl(fieldsOf(root));
    expect(await verifyWithLists(person, [rootList, writeCrl(fieldsOf(issuing))])).toContain('person.pem: OK');
    const revoked = await verifyWithLists(person, [rootList, writeCrl(fieldsOf(issuing), [entryOf(person)])]);
    expect(revoked).toContain('certificate revoked');
    const stale = fieldsOf(issuing, { nextUpdate: new Date(Date.now() - 1000) });
    expect(await verifyWithLists(person, [rootList, writeCrl(stale)])).toContain('CRL has expired');
    const issuingRevoked = writeCrl(fieldsOf(root), [entryOf(issuing)]);
    expect(await verifyWithLists(person, [issuingRevoked, writeCrl(fieldsOf(issuing))])).toContain(
      'certificate revoked',
    );
  });

  it('marks indirect lists and names the issuers of their entries', async () => {
    const { issuing, root } = await authorityWith();
    const certificateIssuer = parseCertificate(root.certificate).subject;
    const distributionPoint = { indirect: true, urls: ['http://127.0.0.1/indirect.crl'] };
    const list = writeCrl(fieldsOf(issuing, { distributionPoint }), [
      { serialNumber: Buffer.of(9), at: AT, certificateIssuer },
    ]);
    const shown = await describeWithOpenssl(list, issuing);
    expect(shown).toContain('verify OK');
    expect(shown).toContain('Indirect CRL');
    expect(shown).toContain('URI:http://127.0.0.1/indirect.crl');
    expect(shown).toContain('X509v3 Certificate Issuer: critical');
  });

  it('can be without a next update, and with years after 2049', async () => {
    const { issuing } = await authorityWith();
    const without = await describeWithOpenssl(writeCrl(fieldsOf(issuing, { nextUpdate: null })), issuing);
    expect(without).toContain('Next Update: NONE');
    const far = await describeWithOpenssl(
      writeCrl(fieldsOf(issuing, { nextUpdate: new Date('2055-01-01T00:00:00Z') })),
      issuing,
    );
    expect(far).toContain('Next Update: Jan  1 00:00:00 2055 GMT');
  });
});

describe('streamCrl', () => {
  it('writes the same as writeCrl, and a long list verified by openssl', async () => {
    const { issuing } = await authorityWith('rsa-2048');
    const fields = fieldsOf(issuing);
    const few = [{ serialNumber: Buffer.of(3), at: AT }];
    expect(Buffer.concat([...streamCrl(fields, () => few)])).toEqual(writeCrl(fields, few));
    const many = function* (): Generator<TestCrlEntry> {
      for (let index = 1; index <= 20_000; index++) {
        const serialNumber = Buffer.alloc(16, 0x11);
        serialNumber.writeUInt32BE(index, 12);
        yield { serialNumber, at: AT, reason: 'superseded' };
      }
    };
    await inFreshFolder(async (folder) => {
      const path = join(folder, 'long.crl');
      await pipeline(Readable.from(streamCrl(fields, many)), createWriteStream(path));
      expect((await stat(path)).size).toBeGreaterThan(20_000 * 40);
      await writeFile(join(folder, 'issuer.pem'), pem('CERTIFICATE', issuing.certificate));
      const files = ['-in', path, '-CAfile', join(folder, 'issuer.pem')];
      const { errors } = await runProgram('openssl', ['crl', '-inform', 'DER', '-noout', ...files]);
      expect(errors).toContain('verify OK');
    });
  });
});
