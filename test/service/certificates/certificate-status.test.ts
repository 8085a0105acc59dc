import { beforeAll, describe, expect, it } from 'vitest';
import { readCertificateStatus, type CertificateEvidence } from '../../../src/service/certificates/index.ts';
import { buildPath, hierarchyOf, parseCertificate, type RevocationResult } from '../../../src/signing/index.ts';
import type { TestIdentity } from '../../../src/test-authority/index.ts';
import { icpBrasilPki, type PkiBranch } from '../../pki/icp-brasil-pki.ts';
import { MARIA_CPF } from '../../pki/identities.ts';

let branch: PkiBranch;
beforeAll(async () => {
  branch = (await icpBrasilPki()).v12;
});

const now = new Date();
const good = { status: 'good' } as RevocationResult;
const revoked = {
  status: 'revoked',
  time: new Date('2026-01-02T03:04:05Z'),
  reason: 'keyCompromise',
} as RevocationResult;
const unknown: RevocationResult = {
  status: 'unknown',
  reasons: [{ code: 'UNREACHABLE', sentence: `Nobody answers about MARIA:${MARIA_CPF}.` }],
};

/** Real paths over the root, and revocation as the test says for each certificate of the path. */
function evidenceWith(results: readonly RevocationResult[], trusted = true): CertificateEvidence & { times: Date[] } {
  const times: Date[] = [];
  const left = [...results];
  return {
    times,
    hierarchyOf,
    buildPath: async (certificate, known, at) => {
      times.push(at);
      const anchors = trusted ? [parseCertificate(branch.authority.root.certificate)] : [];
      return Promise.resolve(buildPath({ certificate, intermediates: known, anchors, at }));
    },
    checkRevocation: async () => Promise.resolve(left.shift() ?? good),
  };
}

const statusOf = async (
  { certificate, chain }: TestIdentity,
  evidence: CertificateEvidence,
): ReturnType<typeof readCertificateStatus> =>
  readCertificateStatus(parseCertificate(certificate), chain.map(parseCertificate), { evidence, now });

describe('readCertificateStatus', () => {
  it('tells the documented codes of a good certificate, its issuer and its hierarchy', async () => {
    const { findings, issuer, hierarchy } = await statusOf(branch.person, evidenceWith([]));
    expect([findings.date.code, findings.crl.code, findings.trust.code]).toEqual([1187, 1191, 1189]);
    expect(issuer?.der).toEqual(branch.person.chain[0]);
    expect(hierarchy).toBe('test');
    expect(findings.trust.chain).not.toContain(MARIA_CPF);
  });

  it.each<[string, RevocationResult[], number, RegExp]>([
    ['revoked', [revoked], 1192, /Revoked on 2026-01-02T03:04:05.000Z \(keyCompromise\)/],
    ['below a revoked authority', [good, revoked], 1192, /Revoked on/],
    ['unknown to all that could be asked', [unknown], 1193, /Nobody answers/],
    ['revoked below an authority that nobody answers about', [revoked, unknown], 1192, /Revoked on/],
  ])('says of a certificate %s its state', async (_name, results, code, message) => {
    const { crl } = (await statusOf(branch.person, evidenceWith(results))).findings;
    expect([crl.status, crl.code]).toEqual([false, code]);
    expect(crl.message).toMatch(message);
    expect(crl.message).not.toContain(MARIA_CPF);
  });

  it('says a chain is not trusted, and shows the known part of the chain', async () => {
    const { findings, hierarchy } = await statusOf(branch.person, evidenceWith([], false));
    expect(findings.trust).toMatchObject({ status: false, code: 1190 });
    expect(findings.trust.chain.split(' > ').length).toBeGreaterThan(1);
    expect(hierarchy).toBeUndefined();
  });

  it('cannot tell of revocation where the issuer is not known', async () => {
    const { findings } = await statusOf({ ...branch.person, chain: [] }, evidenceWith([]));
    expect([findings.crl.code, findings.trust.code]).toEqual([1193, 1190]);
  });

  it.each(['expired', 'notYetValid'] as const)(
    'judges the chain of a certificate %s within its validity',
    async (defect) => {
      const identity = branch.defective[defect];
      const evidence = evidenceWith([]);
      const { findings } = await statusOf(identity, evidence);
      expect(findings.date).toMatchObject({ status: false, code: 1188 });
      const { notBefore, notAfter } = parseCertificate(identity.certificate);
      expect(evidence.times).toEqual([defect === 'expired' ? notAfter : notBefore]);
    },
  );

  it('does not call a root absent from lists without a look', async () => {
    const { findings, issuer } = await statusOf(branch.authority.root, evidenceWith([]));
    expect([findings.crl.code, findings.trust.code]).toEqual([1193, 1189]);
    expect(issuer?.der).toEqual(branch.authority.root.certificate);
  });
});
