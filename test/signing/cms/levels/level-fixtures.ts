/** People, a time stamp authority and validation material from the test authority, all in this process. */
import { createPrivateKey, randomBytes } from 'node:crypto';
import {
  Oid,
  Tag,
  createTimestamper,
  derContext,
  derInteger,
  derNull,
  derOctetString,
  derOid,
  derSequence,
  parseCertificate,
  prepareCmsSigner,
  readBitStringBytes,
  readDer,
  softwareSigner,
  type Certificate,
  type CmsSigner,
  type CmsSignerOptions,
  type MaterialCollector,
  type Signer,
  type Timestamper,
} from '../../../../src/signing/index.ts';
import {
  answerOcspRequest,
  answerTimestampRequest,
  createTestAuthority,
  issueTestPerson,
  issueTestResponder,
  issueTestTimestampAuthority,
  writeCrl,
  type TestIdentity,
  type TestKeyKind,
} from '../../../../src/test-authority/index.ts';
import { hash } from 'node:crypto';
import { MARIA_CPF } from '../../../pki/identities.ts';

const authority = await createTestAuthority({ keyKind: 'ec-p256' });
const tsa = await issueTestTimestampAuthority(authority, { keyKind: 'ec-p256' });
const responder = await issueTestResponder(authority, { keyKind: 'ec-p256' });

/** DER of the root. */
export const rootCertificate = authority.root.certificate;

/** A person with a key of this kind. */
export const person = (keyKind: TestKeyKind = 'ec-p256', name = 'MARIA DE TESTE'): Promise<TestIdentity> =>
  issueTestPerson(authority, { keyKind, name, cpf: MARIA_CPF });

export function signerOf({ privateKey, certificate, chain }: TestIdentity): Signer {
  const key = createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });
  return softwareSigner(key, certificate, chain);
}

/** A CAdES signer with SHA-256 unless told otherwise. */
export const cadesSigner = (identity: TestIdentity, options: Partial<CmsSignerOptions> = {}): CmsSigner =>
  prepareCmsSigner(signerOf(identity), { digest: 'sha256', profile: 'cades', ...options });

/** Stamps without a network; counts how often. */
export function makeTimestamper(
  digest: 'sha256' | 'sha512' = 'sha256',
): Timestamper & { readonly count: () => number } {
  let count = 0;
  const timestamper = createTimestamper({
    authorities: [{ id: 'test', url: 'http://tsa.test/', digest, authentication: { kind: 'none' }, timeout: 1000 }],
    now: () => new Date(),
    http: {
      send({ body }) {
        count++;
        const answer = answerTimestampRequest(tsa, body ?? Buffer.alloc(0));
        return Promise.resolve({ status: 200, contentType: 'application/timestamp-reply', body: answer });
      },
    },
  });
  return {
    digest,
    get sizeLimit() {
      return timestamper.sizeLimit;
    },
    stamp: (...input) => timestamper.stamp(...input),
    count: () => count,
  };
}

const issuing = parseCertificate(authority.issuing.certificate);
const root = parseCertificate(authority.root.certificate);
const hourAgo = new Date(Date.now() - 3_600_000);
const tomorrow = new Date(Date.now() + 86_400_000);

/** The lists of both CAs. */
export const crls = {
  root: writeCrl({ issuer: authority.root, number: 1, thisUpdate: hourAgo, nextUpdate: tomorrow }),
  issuing: writeCrl({ issuer: authority.issuing, number: 7, thisUpdate: hourAgo, nextUpdate: tomorrow }),
};

function basicOcspResponse(certificate: Certificate): Buffer {
  const key = readBitStringBytes(readDer(issuing.publicKeyInfo).child(1, 'the key'), 'the key');
  const id = derSequence(
    derSequence(derOid(Oid.sha1), derNull()),
    derOctetString(hash('sha1', issuing.subject, 'buffer')),
    derOctetString(hash('sha1', key, 'buffer')),
    derInteger(certificate.serialNumber),
  );
  const request = derSequence(derSequence(derSequence(derSequence(id))));
  const answer = answerOcspRequest(request, {
    issuer: authority.issuing.certificate,
    responder,
    statusOf: () => ({ status: 'good' }),
  });
  const bytes = readDer(answer).child(1, 'the bytes').child(0, 'the bytes');
  return bytes.child(1, 'the response').expect(Tag.octetString, 'the response').content;
}

/** Gives OCSP for people and lists for all others; counts for which certificates it was asked. */
export function makeCollector(): MaterialCollector & { readonly asked: readonly string[] } {
  const asked: string[] = [];
  return {
    asked,
    collect(certificate) {
      asked.push(certificate.commonName);
      const isTsa = certificate.extendedKeyUsage?.includes(Oid.timeStamping) === true;
      return Promise.resolve({
        certificates: [certificate, issuing, root, ...(isTsa ? [] : [parseCertificate(responder.certificate)])],
        ocspResponses: isTsa ? [] : [basicOcspResponse(certificate)],
        crls: isTsa ? [crls.root, crls.issuing] : [crls.root],
      });
    },
  };
}

export const content = randomBytes(3000);
/** DER of encapContentInfo around `content`. */
export const enclosed = derSequence(derOid(Oid.data), derContext(0, derOctetString(content)));
export const signingTime = new Date();
