/** OCSP responses field by field, also fields no responder should write (RFC 6960 §4.1, §4.2). */
import { createHash, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  readBasicResponse,
  unwrapOcspResponse,
  verifyOcspResponse,
  writeOcspRequest,
  type Certificate,
} from '../../../src/signing/index.ts';
import { Oid } from '../../../src/signing/der/oids.ts';
import { readDer } from '../../../src/signing/der/reader.ts';
import {
  derBitString,
  derContext,
  derElement,
  derInteger,
  derNull,
  derOctetString,
  derOid,
  derPrimitiveContext,
  derSequence,
} from '../../../src/signing/der/writer.ts';
import { isCertificateId, keyBits, writeCertificateId } from '../../../src/signing/revocation/ocsp/certificate-id.ts';
import { CLOCK_SKEW } from '../../../src/signing/revocation/revocation-result.ts';
import { writeSigned } from '../../../src/test-authority/write-certificate.ts';
import {
  SIGNATURE_KINDS,
  keyPurposes,
  makeExtension,
  makeName,
  makeParty,
  type Party,
  type SignatureKind,
} from '../certificates/path/path-pki.ts';
import { crlExtension } from './write-crl.ts';

const now = new Date('2026-03-01T12:00:00Z');
const later = (milliseconds: number): Date => new Date(now.getTime() + milliseconds);
const day = (number: number): Date => later(number * 86_400_000);
const time = (date: Date): Buffer =>
  derElement(0x18, Buffer.from(`${date.toISOString().replaceAll(/[-:T]|\.\d+Z/g, '')}Z`));

const issuer = makeParty({ name: 'Issuer' });
const holder = makeParty({ name: 'Holder', issuer }).certificate;
const purposes = keyPurposes(['1.3.6.1.5.5.7.3.9']);
const delegateWith = (fields: Partial<Parameters<typeof makeParty>[0]> = {}): Party =>
  makeParty({ name: 'Responder', issuer, keyUsage: [0], extensions: [purposes], ...fields });
const delegate = delegateWith();
const NONCE = '1.3.6.1.5.5.7.48.1.2';
const CUTOFF = '1.3.6.1.5.5.7.48.1.6';

interface Parts {
  readonly version?: Buffer;
  readonly responder?: Buffer;
  readonly producedAt?: Date;
  readonly answers?: readonly Buffer[];
  /** Finished Extensions of the whole response. */
  readonly extensions?: readonly Buffer[];
  readonly certificates?: readonly Buffer[];
  readonly signer?: Party;
  /** By default SHA-256. */
  readonly kind?: SignatureKind;
}

const GOOD = derPrimitiveContext(0, Buffer.alloc(0));
const identifier = writeCertificateId(holder, issuer.certificate);
const answer = (status: Buffer = GOOD, thisUpdate: Date = now, ...rest: readonly Buffer[]): Buffer =>
  derSequence(identifier, status, time(thisUpdate), ...rest);
const nextUpdate = (date: Date): Buffer => derContext(0, time(date));
const byName = ({ certificate }: Party): Buffer => derContext(1, certificate.subject);
const byKey = ({ certificate }: Party): Buffer =>
  derContext(2, derOctetString(createHash('sha1').update(keyBits(certificate)).digest()));

function write(parts: Parts = {}): Buffer {
  const { signer = delegate, answers = [answer()], certificates = [signer.certificate.der], extensions = [] } = parts;
  const body = derSequence(
    ...(parts.version === undefined ? [] : [derContext(0, parts.version)]),
    parts.responder ?? byName(signer),
    time(parts.producedAt ?? now),
    derSequence(...answers),
    ...(extensions.length === 0 ? [] : [derContext(1, derSequence(...extensions))]),
  );
  const trailing = certificates.length === 0 ? [] : [derContext(0, derSequence(...certificates))];
  if (parts.kind === undefined) return writeSigned(signer.key.privateKey, () => body, ...trailing);
  const { algorithm, sign } = parts.kind;
  return derSequence(body, algorithm, derBitString(sign(body, signer.key.privateKey)), ...trailing);
}
const read = (parts?: Parts) => readBasicResponse(write(parts));
const code = (expected: string): unknown => expect.objectContaining({ code: expected });

describe('readBasicResponse', () => {
  it('reads the responder, the time and the certificates of an answer', () => {
    const response = read({ producedAt: day(-1) });
    expect(response).toMatchObject({
      responder: { name: delegate.certificate.subject },
      producedAt: day(-1),
      nonce: undefined,
      certificates: [delegate.certificate.der],
    });
    const key = createHash('sha1').update(keyBits(delegate.certificate)).digest();
    expect(read({ responder: byKey(delegate) }).responder).toEqual({ keyHash: key });
    expect(read({ certificates: [] }).certificates).toEqual([]);
    expect(read({ version: derInteger(0) }).responder).toEqual(response.responder);
  });

  const status = (tag: Buffer) => read({ answers: [answer(tag)] }).answers[0];
  const revokedAt = time(day(-3));
  it.each<[string, Buffer, object]>([
    ['good', GOOD, { status: 'good', revocation: undefined }],
    ['unknown', derPrimitiveContext(2, Buffer.alloc(0)), { status: 'unknown', revocation: undefined }],
    ['revoked', derContext(1, revokedAt), { status: 'revoked', revocation: { time: day(-3), reason: 'unspecified' } }],
    [
      'revoked with a reason',
      derContext(1, revokedAt, derContext(0, derElement(0x0a, Buffer.of(4)))),
      { status: 'revoked', revocation: { time: day(-3), reason: 'superseded' } },
    ],
  ])('reads the status %s', (_, tag, expected) => {
    expect(status(tag)).toMatchObject({
      ...expected,
      thisUpdate: now,
      nextUpdate: undefined,
      archiveCutoff: undefined,
    });
  });

  it('reads times and the cutoff, also beside a status with the same tag', () => {
    const cutoff = derContext(1, derSequence(crlExtension(CUTOFF, time(day(-100)))));
    for (const tag of [GOOD, derContext(1, revokedAt)]) {
      const [one] = read({ answers: [answer(tag, day(-1), nextUpdate(day(1)), cutoff)] }).answers;
      expect(one).toMatchObject({ thisUpdate: day(-1), nextUpdate: day(1), archiveCutoff: day(-100) });
    }
    const [bare] = read({ answers: [answer(derContext(1, revokedAt))] }).answers;
    expect(bare?.archiveCutoff).toBeUndefined();
  });

  it.each<[string, Buffer, string]>([
    ['an OCTET STRING', derOctetString(Buffer.of(1, 2, 3)), '010203'],
    ['the bytes themselves', Buffer.of(1, 2, 3), '010203'],
    ['bytes that begin like an OCTET STRING', Buffer.of(4, 9, 3), '040903'],
    ['bytes that have its length only', Buffer.of(5, 1, 3), '050103'],
  ])('reads a nonce in %s', (_, value, hex) => {
    expect(read({ extensions: [crlExtension(NONCE, value)] }).nonce?.toString('hex')).toBe(hex);
  });

  it('takes known critical extensions, and unknown uncritical extensions', () => {
    const known = [crlExtension(NONCE, derOctetString(Buffer.of(1)), true), crlExtension('1.2.3', derNull())];
    expect(read({ extensions: known }).nonce).toEqual(Buffer.of(1));
    const cutoff = derContext(1, derSequence(crlExtension(CUTOFF, time(now), true)));
    expect(read({ answers: [answer(GOOD, now, cutoff)] }).answers[0]?.archiveCutoff).toEqual(now);
  });

  it.each<[string, Parts]>([
    ['an unknown critical extension', { extensions: [crlExtension('1.2.3', derNull(), true)] }],
    [
      'an unknown critical extension of an answer',
      { answers: [answer(GOOD, now, derContext(1, derSequence(crlExtension('1.2.3', derNull(), true))))] },
    ],
    ['a status that does not exist', { answers: [answer(derPrimitiveContext(3, Buffer.alloc(0)))] }],
    ['a responder that is not named', { responder: derContext(3, derOctetString(Buffer.alloc(20))) }],
    ['a hash of a key that is none', { responder: derContext(2, derNull()) }],
    ['a certificate that is named by nothing', { answers: [derSequence(derNull(), GOOD, time(now))] }],
  ])('refuses %s', (_, parts) => {
    expect(() => read(parts)).toThrow(code('OCSP_MALFORMED'));
  });

  it.each<[string, readonly Buffer[]]>([
    ['the answers', [byName(delegate), time(now)]],
    ['the time', [byName(delegate)]],
    ['everything', []],
  ])('refuses a response without %s', (_, fields) => {
    const der = writeSigned(delegate.key.privateKey, () => derSequence(...fields));
    expect(() => readBasicResponse(der)).toThrow('something is missing');
    expect(() => readBasicResponse(Buffer.of(1))).toThrow('it is not DER');
  });
});

describe('unwrapOcspResponse', () => {
  const basic = '1.3.6.1.5.5.7.48.1.1';
  const wrap = (status: number, ...rest: readonly Buffer[]): Buffer =>
    derSequence(derElement(0x0a, Buffer.of(status)), ...rest);
  const content = (oid = basic): Buffer => derContext(0, derSequence(derOid(oid), derOctetString(Buffer.of(1, 2))));

  it('answers the bytes of the basic response', () => {
    expect(unwrapOcspResponse(wrap(0, content()))).toEqual(Buffer.of(1, 2));
  });

  it.each([
    [1, 'finds the request malformed'],
    [2, 'has an internal error'],
    [3, 'asks to try later'],
    [4, 'answers with the unknown status 4'],
    [5, 'wants the request signed'],
    [6, 'is not allowed to answer for this certificate'],
  ])('tells the status %i', (status, words) => {
    const error = expect.objectContaining({
      code: 'REVOCATION_UNKNOWN',
      message: `The OCSP responder ${words}.`,
    }) as unknown;
    expect(() => unwrapOcspResponse(wrap(status, content()))).toThrow(error);
  });

  it.each<[string, Buffer]>([
    ['another kind of response', wrap(0, content('1.2.3'))],
    ['no response', wrap(0)],
    ['another tag', wrap(0, derContext(1, derSequence(derOid(basic), derOctetString(Buffer.of(1)))))],
    ['a status that is no ENUMERATED', derSequence(derInteger(0), content())],
    ['no OCTET STRING', wrap(0, derContext(0, derSequence(derOid(basic), derNull())))],
    ['a set', derElement(0x31, derElement(0x0a, Buffer.of(0)), content())],
  ])('refuses %s', (_, der) => {
    expect(() => unwrapOcspResponse(der)).toThrow(code('OCSP_MALFORMED'));
  });
});

describe('the name of a certificate', () => {
  const idWith = (fields: {
    readonly oid?: string;
    readonly digest?: string;
    readonly name?: Buffer;
    readonly key?: Buffer;
    readonly serial?: Buffer;
  }): Buffer => {
    const { oid = Oid.sha256, digest = 'sha256', name = issuer.certificate.subject } = fields;
    const hash = (bytes: Buffer): Buffer => derOctetString(createHash(digest).update(bytes).digest());
    return derSequence(
      derSequence(derOid(oid), derNull()),
      hash(name),
      hash(fields.key ?? keyBits(issuer.certificate)),
      fields.serial ?? derElement(0x02, holder.serialNumber),
    );
  };
  const is = (der: Buffer, certificate: Certificate = holder): boolean =>
    isCertificateId(readDer(der), certificate, issuer.certificate);

  it.each<[string, boolean, Buffer]>([
    ['with SHA-1', true, identifier],
    ['with SHA-256', true, idWith({})],
    ['with SHA-384', true, idWith({ oid: Oid.sha384, digest: 'sha384' })],
    ['with SHA-512', true, idWith({ oid: Oid.sha512, digest: 'sha512' })],
    ['with another function than it says', false, idWith({ oid: Oid.sha384 })],
    ['with an unknown function', false, idWith({ oid: '1.2.3' })],
    ['of another issuer by name', false, idWith({ name: makeName('Other') })],
    ['of another issuer by key', false, idWith({ key: Buffer.of(1) })],
    ['with another number', false, idWith({ serial: derInteger(5) })],
    [
      'with zeros in front of its number',
      true,
      idWith({ serial: derElement(0x02, Buffer.of(0, 0), holder.serialNumber) }),
    ],
    ['with a number that is no INTEGER', false, idWith({ serial: derElement(0x04, holder.serialNumber) })],
    ['without anything', false, derSequence(derSequence(derOid(Oid.sha256)))],
  ])('%s is right: %j', (_, expected, der) => {
    expect(is(der)).toBe(expected);
  });

  it('tells the number 255 from the number -1 (X.690 §8.3)', () => {
    const numbered = (serialNumber: Buffer): Certificate => ({ ...holder, serialNumber });
    const [positive, negative] = [Buffer.of(0, 0xff), Buffer.of(0xff)];
    const named = idWith({ serial: derElement(0x02, negative) });
    expect([is(named, numbered(negative)), is(named, numbered(positive))]).toEqual([true, false]);
  });

  it('may write the name of the issuer as the certificate does', () => {
    const issuerName = makeName('ISSUER');
    const other = makeParty({ name: 'Holder', issuer, issuerName }).certificate;
    const serial = derElement(0x02, other.serialNumber);
    expect(is(idWith({ name: issuerName, serial }), other)).toBe(true);
    expect(is(idWith({ serial }), other)).toBe(true);
  });

  it('is asked about with a nonce, or without', () => {
    const question = { certificate: holder, issuer: issuer.certificate };
    const plain = readDer(writeOcspRequest(question)).child(0, 'the body');
    expect(plain.children).toHaveLength(1);
    expect(plain.child(0, 'list').child(0, 'one').child(0, 'id').bytes).toEqual(identifier);
    const body = readDer(writeOcspRequest({ ...question, nonce: Buffer.of(7) })).child(0, 'the body');
    expect(body.child(1, 'extensions').bytes).toEqual(
      derContext(2, derSequence(crlExtension(NONCE, derOctetString(Buffer.of(7))))),
    );
  });
});

describe('verifyOcspResponse', () => {
  const question = { certificate: holder, issuer: issuer.certificate };
  type Expected = Partial<Parameters<typeof verifyOcspResponse>[1]>;
  const verify = (parts: Parts = {}, expected: Expected = {}) =>
    verifyOcspResponse(read(parts), { ...question, ...expected });
  const revoked = derContext(1, time(day(-3)));

  it('takes the latest of several answers', () => {
    const [old, latest] = [answer(GOOD, day(-2)), answer(revoked, day(-1))];
    for (const answers of [
      [old, latest],
      [latest, old],
    ]) {
      expect(verify({ answers }).answer.status).toBe('revoked');
    }
  });

  it.each<[string, Buffer | undefined, Buffer | undefined, boolean]>([
    ['the same nonce', Buffer.of(1, 2), Buffer.of(1, 2), true],
    ['no nonce in the answer', Buffer.of(1, 2), undefined, true],
    ['no nonce in the request', undefined, Buffer.of(1, 2), true],
    ['another nonce', Buffer.of(1, 2), Buffer.of(1, 3), false],
    ['a longer nonce', Buffer.of(1, 2), Buffer.of(1, 2, 3), false],
  ])('with %s', (_, asked, answered, isTaken) => {
    const extensions = answered === undefined ? [] : [crlExtension(NONCE, derOctetString(answered))];
    const judge = () => verify({ extensions }, asked === undefined ? {} : { nonce: asked });
    if (isTaken) expect(judge().answer.status).toBe('good');
    else expect(judge).toThrow('its nonce is wrong');
  });

  const otherIssuer = makeParty({ name: 'Other' });
  const renamed = makeParty({ name: 'Other', key: issuer.key });
  const renewed = makeParty({ name: 'Issuer' });
  it.each<[string, Parts, string]>([
    ['is of somebody without a certificate', { certificates: [] }, 'is not in its response'],
    ['names another key', { responder: byKey(issuer), signer: delegate, certificates: [] }, 'signature'],
    [
      'is of a stranger',
      { signer: makeParty({ name: 'Responder', issuer: otherIssuer, keyUsage: [0], extensions: [purposes] }) },
      'is not authorised',
    ],
    ['is by another name of the issuer', { signer: renamed }, 'is not authorised'],
    ['is by another key of the issuer', { signer: renewed }, 'The signature of the OCSP response is wrong'],
    ['is of a responder without the purpose', { signer: delegateWith({ extensions: [] }) }, 'is not authorised'],
    [
      'is of a responder with an unknown critical extension',
      { signer: delegateWith({ extensions: [purposes, makeExtension('1.2.3', derNull(), true)] }) },
      'is not authorised',
    ],
    [
      'is of a responder whose certificate somebody else signed',
      { signer: delegateWith({ issuer: { ...issuer, key: otherIssuer.key } }) },
      'is not authorised',
    ],
  ])('refuses an answer that %s', (_, parts, words) => {
    expect(() => verify(parts)).toThrow(words);
  });

  it.each([
    ['just before its responder was valid', later(CLOCK_SKEW), day(9), true],
    ['before its responder was valid', later(CLOCK_SKEW + 1000), day(9), false],
    ['just after its responder was valid', day(-9), later(-CLOCK_SKEW), true],
    ['after its responder was valid', day(-9), later(-CLOCK_SKEW - 1000), false],
  ])('judges an answer made %s', (_, notBefore, notAfter, isTaken) => {
    const judge = () => verify({ signer: delegateWith({ notBefore, notAfter }) });
    if (isTaken) expect(judge().responder.commonName).toBe('Responder');
    else expect(judge).toThrow('is not authorised');
  });

  it('takes the issuer itself, also in a renewed certificate', () => {
    expect(verify({ signer: issuer, certificates: [] }).responder).toBe(issuer.certificate);
    const again = makeParty({ name: 'Issuer', key: issuer.key });
    expect(verify({ signer: again, responder: byKey(again) }).answer.status).toBe('good');
  });

  it('skips unreadable certificates, and all behind the tenth', () => {
    const { der } = delegate.certificate;
    expect(verify({ certificates: [derNull(), der] }).answer.status).toBe('good');
    const filler = Array.from({ length: 10 }, () => issuer.certificate.der);
    expect(verify({ certificates: [...filler.slice(1), der] }).answer.status).toBe('good');
    expect(() => verify({ certificates: [...filler, der] })).toThrow('is not in its response');
    expect(verify({ certificates: filler }, { known: [delegate.certificate] }).answer.status).toBe('good');
  });

  const sha1 = SIGNATURE_KINDS['ECDSA, SHA-1'];
  it('takes SHA-1 for responses of the past only', () => {
    expect(() => verify({ kind: sha1 })).toThrow(code('ALGORITHM_UNSUPPORTED'));
    expect(verify({ kind: sha1 }, { allowLegacyAlgorithms: true }).answer.status).toBe('good');
  });

  const old = makeParty({
    name: 'Old',
    key: generateKeyPairSync('rsa', { modulusLength: 1024 }),
    signature: SIGNATURE_KINDS['RSA, SHA-256'],
  });
  it.each<[string, Party, SignatureKind]>([
    ['ECDSA', issuer, sha1],
    ['RSA', old, SIGNATURE_KINDS['RSA, SHA-1']],
  ])('takes the certificate of a responder with SHA-1 and %s for responses of the past only', (_, above, signature) => {
    const { certificate } = makeParty({ name: 'Holder', issuer: above, signature });
    const signer = delegateWith({ issuer: above, signature });
    const answers = [derSequence(writeCertificateId(certificate, above.certificate), GOOD, time(now))];
    const judge = (expected: Expected = {}) =>
      verify({ signer, answers }, { certificate, issuer: above.certificate, ...expected });
    expect(() => judge()).toThrow('is not authorised');
    expect(judge({ allowLegacyAlgorithms: true }).answer.status).toBe('good');
  });

  it('says an answer is damaged with an unreadable name of a certificate', () => {
    const answers = [derSequence(derSequence(derNull()), GOOD, time(now))];
    expect(() => verify({ answers })).toThrow(code('OCSP_MALFORMED'));
  });

  it('tells of silence about the certificate', () => {
    const other = makeParty({ name: 'Other', issuer }).certificate;
    expect(() => verify({}, { certificate: other })).toThrow(code('REVOCATION_UNKNOWN'));
  });
});
