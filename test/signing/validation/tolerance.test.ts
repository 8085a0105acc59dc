/** Signatures that are right, and written otherwise than Sinete writes them. */
import { constants, hash, privateEncrypt } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { readFile } from 'node:fs/promises';
import {
  ICP_BRASIL_POLICIES,
  Oid,
  Tag,
  contextTag,
  derContext,
  derElement,
  derNull,
  derOctetString,
  derOid,
  derSequence,
  derSetOf,
  parseCertificate,
  readDer,
  signPdf,
} from '../../../src/signing/index.ts';
import { makeArchiveV3 } from '../../../src/signing/cms/levels/archive-time-stamp.ts';
import { withUnsigned } from '../../../src/signing/cms/levels/envelope.ts';
import { levelContentOfBytes, openMessage, writeMessage } from '../../../src/signing/cms/levels/level-content.ts';
import { CadesOid } from '../../../src/signing/cms/cades-oids.ts';
import type { TestIdentity } from '../../../src/test-authority/index.ts';
import { privateKeyOf } from '../../../src/test-authority/test-authority.ts';
import { buildPdf, onePage } from '../pdf/build-pdf.ts';
import { Workshop } from '../pdf/workshop.ts';
import { attributeOf, craftCms } from './craft-cms.ts';
import { craftPdf } from './craft-pdf.ts';
import { validatePdfBytes } from './finding-rows.ts';
import { SIGNED_AT, ValidationWorld, codesOf, date, onlySignature, verdict } from './validation-world.ts';

const CONTENT = Buffer.from('content');
let world: ValidationWorld;
let person: TestIdentity;
let rsaPerson: TestIdentity;

beforeAll(async () => {
  world = await ValidationWorld.open();
  person = await world.person();
  rsaPerson = await world.person({ keyKind: 'rsa-2048' });
});

/** The name with every UTF8String as PrintableString, and the other way round. */
function otherwise(name: Buffer): Buffer {
  const element = readDer(name);
  if (element.constructed) return derElement(element.tag, ...element.children.map(({ bytes }) => otherwise(bytes)));
  const swapped = element.tag === Tag.utf8String ? Tag.printableString : Tag.utf8String;
  const isText = element.tag === Tag.utf8String || element.tag === Tag.printableString;
  return isText ? derElement(swapped, element.content) : element.bytes;
}

describe('names in a signature (RFC 5280 §7.1)', () => {
  const issuerOf = ({ certificate }: TestIdentity): Buffer => parseCertificate(certificate).issuer;

  it("find the signer's certificate in another string type", async () => {
    const issuerName = otherwise(issuerOf(person));
    expect(issuerName.equals(issuerOf(person))).toBe(false);
    const report = await world.validate(craftCms(person, { issuerName }));
    expect(verdict(report)).toBe('TOTAL-PASSED');
  });

  it('find no certificate of another issuer', async () => {
    const issuerName = parseCertificate(world.authority.root.certificate).issuer;
    const report = await world.validate(craftCms(person, { issuerName }));
    expect(codesOf(onlySignature(report))).toContain('SIGNER_CERTIFICATE_MISSING');
  });

  /** signing-certificate-v2 with this hash, name and serial number (RFC 5035 §4). */
  const naming = (certificateHash: Buffer, issuer: Buffer, serialNumber: Buffer): Buffer => {
    const issuerSerial = derSequence(derSequence(derContext(4, issuer)), derElement(Tag.integer, serialNumber));
    const identifier = derSequence(derOctetString(certificateHash), issuerSerial);
    return attributeOf(Oid.signingCertificateV2, derSequence(derSequence(identifier)));
  };

  it.each([
    ['its issuer in another string type', 'right', otherwise, 'right', 'SIGNING_CERTIFICATE_ATTRIBUTE_RIGHT', false],
    [
      'the serial number of another',
      'right',
      (name: Buffer) => name,
      'wrong',
      'SIGNING_CERTIFICATE_ATTRIBUTE_RIGHT',
      true,
    ],
    ['the name of another', 'right', () => derSequence(), 'right', 'SIGNING_CERTIFICATE_ATTRIBUTE_RIGHT', true],
    ['the hash of another', 'wrong', (name: Buffer) => name, 'right', 'SIGNER_CERTIFICATE_NOT_NAMED', false],
  ] as const)('judge a signing-certificate attribute with %s', async (_, digest, name, serial, code, isWarned) => {
    const { issuer, serialNumber } = parseCertificate(person.certificate);
    const certificateHash = hash('sha256', digest === 'right' ? person.certificate : CONTENT, 'buffer');
    const attribute = naming(certificateHash, name(issuer), serial === 'right' ? serialNumber : Buffer.of(5));
    const report = await world.validate(craftCms(person, { withoutName: true, more: [attribute] }));
    const codes = codesOf(onlySignature(report));
    expect(codes).toContain(code);
    expect(codes.includes('SIGNING_CERTIFICATE_ISSUER_DIFFERS')).toBe(isWarned);
    expect(report.indication === 'TOTAL-PASSED').toBe(digest === 'right');
  });
});

describe('an RSA signature whose DigestInfo leaves out NULL (RFC 8017 §9.2, note 2)', () => {
  const withInfo = (message: Buffer, digestInfo: (digest: Buffer) => Buffer): Buffer => {
    const key = { key: privateKeyOf(rsaPerson), padding: constants.RSA_PKCS1_PADDING };
    return privateEncrypt(key, digestInfo(hash('sha256', message, 'buffer')));
  };
  const sha256 = derOid(Oid.sha256);
  const FORMS: readonly (readonly [string, (digest: Buffer) => Buffer, string, boolean])[] = [
    [
      'with NULL',
      (digest) => derSequence(derSequence(sha256, derNull()), derOctetString(digest)),
      'TOTAL-PASSED',
      false,
    ],
    ['without NULL', (digest) => derSequence(derSequence(sha256), derOctetString(digest)), 'TOTAL-PASSED', true],
    [
      'without NULL and with bytes behind',
      (digest) => Buffer.concat([derSequence(derSequence(sha256), derOctetString(digest)), Buffer.of(0)]),
      'TOTAL-FAILED SIG_CRYPTO_FAILURE',
      false,
    ],
    [
      'with other parameters',
      (digest) => derSequence(derSequence(sha256, derOctetString(Buffer.of(1))), derOctetString(digest)),
      'TOTAL-FAILED SIG_CRYPTO_FAILURE',
      false,
    ],
    [
      'without NULL and another hash function',
      (digest) => derSequence(derSequence(derOid(Oid.sha512)), derOctetString(digest)),
      'TOTAL-FAILED SIG_CRYPTO_FAILURE',
      false,
    ],
  ];

  it.each(FORMS)('is judged over attributes: %s', async (_, form, expected, isWarned) => {
    const first = readDer(craftCms(rsaPerson)).child(1, 'content').child(0, 'SignedData').children.at(-1);
    const attributes = Buffer.from(first?.child(0, 'signer').child(3, 'attributes').bytes ?? []);
    attributes[0] = Tag.set;
    const report = await world.validate(craftCms(rsaPerson, { signature: withInfo(attributes, form) }));
    expect(verdict(report)).toBe(expected);
    expect(codesOf(onlySignature(report)).includes('DIGEST_INFO_WITHOUT_NULL')).toBe(isWarned);
  });

  it.each(FORMS)('is judged over content: %s', async (_, form, expected, isWarned) => {
    const options = { withoutAttributes: true, signature: withInfo(CONTENT, form) };
    const report = await world.validate(craftCms(rsaPerson, options));
    expect(verdict(report)).toBe(expected);
    expect(codesOf(onlySignature(report)).includes('DIGEST_INFO_WITHOUT_NULL')).toBe(isWarned);
  });
});

describe('bytes behind a signature', () => {
  it.each([
    ['a newline', '\n', 'TOTAL-PASSED'],
    ['the line end of Windows', '\r\n', 'TOTAL-PASSED'],
    ['zeros up to a fixed size', '\0'.repeat(2048), 'TOTAL-PASSED'],
    ['blanks, tabs and zeros', ' \t\0 ', 'TOTAL-PASSED'],
    ['a letter', 'x', 'TOTAL-FAILED FORMAT_FAILURE'],
    ['zeros and a letter', '\0\0x', 'TOTAL-FAILED FORMAT_FAILURE'],
  ])('are told of: %s', async (_, tail, expected) => {
    const report = await world.validate(Buffer.concat([craftCms(person), Buffer.from(tail)]));
    expect(verdict(report)).toBe(expected);
    const isPadding = expected === 'TOTAL-PASSED';
    expect(report.checks.some(({ code }) => code === 'PADDING_BEHIND_SIGNATURE')).toBe(isPadding);
    expect(codesOf(onlySignature(report)).includes('BYTES_BEHIND_SIGNATURE')).toBe(!isPadding);
  });
});

describe('an archive time stamp of version 2 (RFC 5126 §6.4.1)', () => {
  const archives = async (cms: Buffer): Promise<readonly string[]> => {
    const { timestamps } = onlySignature(await world.validate(cms));
    return timestamps.filter(({ role }) => role === 'archive').map((stamp) => verdict(stamp));
  };

  it.each([
    ['a day later', date('2026-03-02')],
    ['in the same second', SIGNED_AT],
  ])('holds when a time stamp of version 3 is added %s', async (_, later) => {
    world.now = SIGNED_AT;
    const archived = await world.cms(person, 'AD-RA').signContent(CONTENT, SIGNED_AT);
    const { envelope, encapsulated, content = CONTENT } = openMessage(archived);
    const [signer] = envelope.signers;
    if (signer === undefined) throw new Error('There is no signer.');
    world.now = later;
    const before = encapsulated.subarray(0, encapsulated.length - content.length);
    const stamp = await makeArchiveV3(envelope, signer, levelContentOfBytes(before, content), world.timestamper);
    const added = withUnsigned(signer, stamp.attribute({ certificates: [], ocspResponses: [], crls: [] }));
    const renewed = writeMessage({ ...envelope, signers: [added] }, encapsulated);
    expect(await archives(renewed)).toEqual(['TOTAL-PASSED', 'TOTAL-PASSED']);
    world.now = SIGNED_AT;
  });

  /** An element of indefinite length (X.690 §8.1.3.6). */
  const indefinite = (tag: number, ...parts: readonly Buffer[]): Buffer =>
    Buffer.concat([Buffer.of(tag, 0x80), ...parts, Buffer.of(0, 0)]);

  it.each([
    ['the content information alone', false],
    ['all parts', true],
  ])('holds in BER, over %s as they stand', async (_, isAll) => {
    const signed = await world.cms(person, 'AD-RC').signContent(CONTENT, SIGNED_AT);
    const message = readDer(signed);
    const signedData = message.child(1, 'content').child(0, 'SignedData');
    const [version, digests, , ...rest] = signedData.children.map(({ bytes }) => bytes);
    const pieces = [derOctetString(CONTENT.subarray(0, 3)), derOctetString(CONTENT.subarray(3))];
    const encapsulated = indefinite(0x30, derOid(Oid.data), indefinite(0xa0, indefinite(0x24, ...pieces)));
    const material = rest.slice(0, -1).map((der) => {
      const element = readDer(der);
      return isAll ? indefinite(element.tag, ...element.children.map(({ bytes }) => bytes)) : der;
    });
    const signer = signedData.children.at(-1)?.child(0, 'signer').children ?? [];
    const fields = signer.map(({ bytes }) => bytes);
    const imprint = hash('sha256', Buffer.concat([encapsulated, ...material, ...fields]), 'buffer');
    const { der } = await world.timestamper.stamp(imprint);
    const archive = attributeOf(CadesOid.archiveTimeStampV2, der);
    const unsigned = [...(signer.at(-1)?.children ?? []).map(({ bytes }) => bytes), archive];
    const changed = derSequence(...fields.slice(0, -1), derElement(contextTag(1), ...unsigned));
    const parts = [version, digests].map((part) => part ?? Buffer.alloc(0));
    const body = indefinite(0x30, ...parts, encapsulated, ...material, derSetOf(changed));
    const ber = indefinite(0x30, message.child(0, 'type').bytes, indefinite(0xa0, body));
    expect(await archives(ber)).toEqual(['TOTAL-PASSED']);
    const other = Buffer.from(ber);
    const place = ber.indexOf(CONTENT.subarray(3));
    other[place] = (ber[place] ?? 0) ^ 1;
    expect(await archives(other)).toEqual(['TOTAL-FAILED HASH_FAILURE']);
  });
});

describe('parts that no signature covers (RFC 5652 §5)', () => {
  /** The message with another element at a place in SignedData. */
  const withPart = (index: number, change: (part: Buffer) => Buffer): Buffer => {
    const message = readDer(craftCms(person));
    const parts = message
      .child(1, 'content')
      .child(0, 'SignedData')
      .children.map(({ bytes }) => bytes);
    const body = derSequence(...parts.map((part, place) => (place === index ? change(part) : part)));
    return derSequence(message.child(0, 'type').bytes, derContext(0, body));
  };
  const retagged = (part: Buffer, tag: number): Buffer => derElement(tag, readDer(part).content);
  const inSigner = (set: Buffer): Buffer => {
    const fields = readDer(set)
      .child(0, 'signer')
      .children.map(({ bytes }) => bytes);
    return derSetOf(derSequence(derElement(0x0a, Buffer.of(1)), ...fields.slice(1)));
  };

  it.each([
    ['the version is no number', 0, (part: Buffer) => retagged(part, 0x0a)],
    ['the digest algorithms are no set', 1, (part: Buffer) => retagged(part, 0x30)],
    ['the digest algorithms hold something else', 1, () => derSetOf(derNull())],
    ['the content is no string', 2, () => derSequence(derOid(Oid.data), derContext(0, derElement(0x04 + 1, CONTENT)))],
    ['the version of the signer is no number', 4, inSigner],
  ] as const)('make it broken when %s', async (_, index, change) => {
    const report = await world.validate(withPart(index, change));
    expect(verdict(report)).toBe('TOTAL-FAILED FORMAT_FAILURE');
    const codes = codesOf(onlySignature(report));
    expect(codes).toContain('STRUCTURE_DAMAGED');
    expect(codes).not.toContain('STRUCTURE_SOUND');
  });
});

describe('a counter-signature with a content type (RFC 5652 §11.4)', () => {
  it('passes with a warning', async () => {
    const witness = await world.person();
    const counterSigned = craftCms(person, {
      unsigned: (signature) => {
        const message = readDer(craftCms(witness, { content: signature, attached: false }));
        const signers = message.child(1, 'content').child(0, 'SignedData').children.at(-1);
        return [attributeOf(CadesOid.counterSignature, signers?.child(0, 'signer').bytes ?? Buffer.alloc(0))];
      },
      certificates: [person.certificate, witness.certificate, ...person.chain],
    });
    const report = await world.validate(counterSigned);
    expect(verdict(report)).toBe('TOTAL-PASSED');
    const [counter] = onlySignature(report).counterSignatures;
    expect(counter && codesOf(counter)).toContain('COUNTER_SIGNATURE_CONTENT_TYPE');
  });

  it.each([
    ['right', 'TOTAL-PASSED', (bytes: Buffer) => bytes],
    ['broken', 'TOTAL-FAILED HASH_FAILURE', () => Buffer.from('another signature')],
  ] as const)('in a PDF decides about the whole: %s', async (_, expected, over) => {
    const witness = await world.person();
    const pdf = await craftPdf('ETSI.CAdES.detached', (content) =>
      craftCms(person, {
        content,
        attached: false,
        unsigned: (signature) => {
          const message = readDer(craftCms(witness, { content: over(signature), attached: false }));
          const signers = message.child(1, 'content').child(0, 'SignedData').children.at(-1);
          return [attributeOf(CadesOid.counterSignature, signers?.child(0, 'signer').bytes ?? Buffer.alloc(0))];
        },
        certificates: [person.certificate, witness.certificate, ...person.chain],
      }),
    );
    const report = await validatePdfBytes(pdf, { world });
    expect(verdict(onlySignature(report))).toBe('TOTAL-PASSED');
    expect(verdict(report)).toBe(expected);
  });
});

describe('the dictionary of a PDF under an ICP-Brasil policy (DOC-ICP-15.03, tables A.14 to A.22)', () => {
  const policy = ICP_BRASIL_POLICIES.filter((one) => one.format === 'PAdES' && one.profile === 'AD-RB').at(-1);

  it.each(['adbe.pkcs7.detached', 'ETSI.CAdES.detached', 'PBAD.PAdES'])('is told of: %s', async (subFilter) => {
    if (policy === undefined) throw new Error('There is no policy.');
    const pdf = await craftPdf(subFilter, (content) =>
      world
        .cms(person, undefined, { policy, omitSigningTime: true })
        .signDigest(hash('sha256', content, 'buffer'), SIGNED_AT),
    );
    const report = await validatePdfBytes(pdf, { world });
    expect(verdict(report)).toBe('TOTAL-PASSED');
    const codes = codesOf(onlySignature(report));
    expect(codes).toContain('POLICY_RULES_KEPT');
    // The crafted dictionary names the filter of Adobe, whatever its SubFilter is.
    expect(codes).toContain('POLICY_DICTIONARY');
  });

  it('is right in what Sinete signs', async () => {
    if (policy === undefined) throw new Error('There is no policy.');
    const workshop = await Workshop.open();
    try {
      const [inputPath, outputPath] = [await workshop.write(buildPdf(onePage())), workshop.newPath()];
      const signer = world.cms(person, undefined, { policy, omitSigningTime: true });
      const options = { subFilter: 'PBAD.PAdES', signingTime: SIGNED_AT } as const;
      await signPdf({ inputPath, outputPath, signer, options });
      const report = await validatePdfBytes(await readFile(outputPath), { world });
      const codes = codesOf(onlySignature(report));
      expect(codes).toContain('POLICY_RULES_KEPT');
      expect(codes).not.toContain('POLICY_DICTIONARY');
    } finally {
      await workshop.close();
    }
  });
});
