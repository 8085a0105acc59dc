/** A person below an authority, with a responder and lists: the answer of each, and a checker asking. */
import {
  createMemoryRevocationCache,
  createRevocationChecker,
  type RevocationCheckerOptions,
  type RevocationRequest,
  type RevocationResult,
} from '../../../src/signing/index.ts';
import { derNull, derSequence } from '../../../src/signing/der/writer.ts';
import { answerOcspRequest, type TestCertificateStatus, type TestIdentity } from '../../../src/test-authority/index.ts';
import { authorityInformationAccess, crlDistributionPoints } from '../../../src/test-authority/extensions.ts';
import { keyPurposes, makeExtension, makeParty, type Party } from '../certificates/path/path-pki.ts';
import { createFakeHttp, type FakeAnswer } from './fake-http.ts';
import { crlExtension, writeTestCrl, type TestCrlFields } from './write-crl.ts';

export const OCSP = 'http://ocsp.test/';
export const CRL = 'http://crl.test/a.crl';
export const COPY = 'http://copy.test/a.crl';
export const now = new Date('2026-03-01T12:00:00Z');
export const day = (number: number): Date => new Date(now.getTime() + number * 86_400_000);

export const root = makeParty({ name: 'Root' });
export const issuer = makeParty({ name: 'Issuer', issuer: root, authority: true });
// A space behind an address, and an address other than HTTP, occur in certificates in use.
export const places = crlDistributionPoints(['ldap://crl.test/a', `${CRL} `, COPY]);
export const holder = makeParty({
  name: 'Holder',
  issuer,
  extensions: [places, authorityInformationAccess({ ocsp: OCSP })],
});
export const crlOnly = makeParty({ name: 'Holder', issuer, extensions: [places] });
export const bare = makeParty({ name: 'Holder', issuer });
export const noCheck = makeExtension('1.3.6.1.5.5.7.48.1.5', derNull());
export const purposes = keyPurposes(['1.3.6.1.5.5.7.3.9']);
export const delegate = makeParty({ name: 'Responder', issuer, keyUsage: [0], extensions: [purposes, noCheck] });
export const checkedDelegate = makeParty({ name: 'Responder', issuer, keyUsage: [0], extensions: [purposes, places] });

export const identity = ({ certificate, key }: Party): TestIdentity => ({
  certificate: certificate.der,
  privateKey: key.privateKey.export({ format: 'der', type: 'pkcs8' }),
  chain: [],
});

export interface Answer {
  readonly status?: TestCertificateStatus;
  readonly responder?: Party;
  readonly thisUpdate?: Date;
  readonly nextUpdate?: Date | null;
  /** When the answer is made. */
  readonly now?: Date;
  /** False: the responder's certificate is left out. */
  readonly withCertificate?: boolean;
}

export const ocsp =
  ({ status = { status: 'good' }, responder = delegate, ...times }: Answer = {}): FakeAnswer =>
  ({ body = Buffer.alloc(0) }) =>
    answerOcspRequest(body, {
      issuer: issuer.certificate.der,
      responder: identity(responder),
      statusOf: () => status,
      now,
      ...times,
    });

export const crl = (fields: Partial<TestCrlFields> = {}, signer: Party = issuer): Buffer =>
  writeTestCrl(
    { issuer: signer.certificate.subject, thisUpdate: day(-1), nextUpdate: day(1), ...fields },
    signer.key.privateKey,
  );

export const listed = (party: Party, revokedAt: Date): Partial<TestCrlFields> => ({
  entries: [{ serialNumber: party.certificate.serialNumber, revokedAt, reason: 4 }],
});

export function setUp(answers: Readonly<Record<string, FakeAnswer>>, options: RevocationCheckerOptions = {}) {
  const http = createFakeHttp(answers);
  let clock = now;
  const time = (): Date => clock;
  const cache = createMemoryRevocationCache({ now: time });
  const checker = createRevocationChecker({ http, cache, now: time, ...options });
  const check = (party: Party = holder, request: Partial<RevocationRequest> = {}): Promise<RevocationResult> =>
    checker.check({ certificate: party.certificate, issuer: issuer.certificate, at: clock, ...request });
  return { http, check, setClock: (date: Date) => (clock = date) };
}

export const codes = (result: RevocationResult): readonly string[] =>
  result.status === 'unknown' ? result.reasons.map(({ code }) => code) : [result.status];
export const origin = (result: RevocationResult): string =>
  result.status === 'unknown' ? 'none' : `${result.evidence.kind} ${result.evidence.origin}`;
export const embedded = (crls: readonly Buffer[], parties: readonly Party[] = []) => ({
  embedded: { crls, ocspResponses: [], certificates: parties.map(({ certificate }) => certificate) },
});

/** IssuingDistributionPoint, critical. */
export function scope(...fields: readonly Buffer[]): Buffer {
  return crlExtension('2.5.29.28', derSequence(...fields), true);
}
