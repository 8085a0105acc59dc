/** Certificates of services: time stamps, OCSP and TLS servers. */
import { Oid, derPrimitiveContext } from '../signing/index.ts';
import { TestAuthorityError } from './errors.ts';
import {
  KeyUsageBit,
  certificatePolicy,
  extendedKeyUsage,
  keyUsage,
  noRevocationCheck,
  subjectAlternativeName,
} from './extensions.ts';
import { AuthorityOid } from './oids.ts';
import {
  TEST_NAME_BASE,
  issueTestCertificate,
  type TestAuthority,
  type TestIdentity,
  type TestIssueOptions,
} from './test-authority.ts';

const STATEMENT_URL = 'http://127.0.0.1/dpc-de-teste.pdf';

const testName = (service: string) => [...TEST_NAME_BASE, [Oid.commonName, `${service} SEM VALOR LEGAL`]] as const;

/** A time stamp authority: a single critical purpose (RFC 3161 §2.3), and the usage prescribed by ICP-Brasil. */
export function issueTestTimestampAuthority(
  authority: TestAuthority,
  options: TestIssueOptions = {},
): Promise<TestIdentity> {
  const extensions = [
    keyUsage([KeyUsageBit.digitalSignature, KeyUsageBit.nonRepudiation]),
    extendedKeyUsage([Oid.timeStamping], true),
    certificatePolicy(AuthorityOid.testTimestampPolicy, STATEMENT_URL),
  ];
  return issueTestCertificate(authority, { subject: testName('Carimbo do Tempo de Teste'), extensions }, options);
}

/** An OCSP responder delegated by the issuing CA (RFC 6960 §4.2.2.2). */
export function issueTestResponder(authority: TestAuthority, options: TestIssueOptions = {}): Promise<TestIdentity> {
  const extensions = [
    keyUsage([KeyUsageBit.digitalSignature]),
    extendedKeyUsage([Oid.ocspSigning]),
    noRevocationCheck(),
  ];
  return issueTestCertificate(authority, { subject: testName('OCSP de Teste'), extensions }, options);
}

/** A TLS server. */
export interface TestServerRequest extends TestIssueOptions {
  /** DNS names and IPv4 addresses, at least one. */
  readonly hosts: readonly string[];
}

function hostName(host: string): Buffer {
  const bytes = host.split('.').map(Number);
  const isAddress = bytes.length === 4 && bytes.every((byte) => Number.isInteger(byte) && byte >= 0 && byte < 256);
  return isAddress ? derPrimitiveContext(7, Buffer.from(bytes)) : derPrimitiveContext(2, Buffer.from(host, 'latin1'));
}

/** A certificate for TLS servers. Rejects with `FIELD_INVALID` when there is no host. */
export async function issueTestServer(authority: TestAuthority, request: TestServerRequest): Promise<TestIdentity> {
  const [first] = request.hosts;
  if (first === undefined) throw new TestAuthorityError('FIELD_INVALID', 'A server has at least one host name.');
  const extensions = [
    keyUsage([KeyUsageBit.digitalSignature]),
    extendedKeyUsage([AuthorityOid.serverAuthentication]),
    certificatePolicy(AuthorityOid.testServerPolicy, STATEMENT_URL),
    subjectAlternativeName(request.hosts.map(hostName)),
  ];
  return issueTestCertificate(authority, { subject: testName(first), extensions }, request);
}
