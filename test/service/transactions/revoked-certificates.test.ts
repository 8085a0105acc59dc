/** Certificates known here as revoked from earlier lists, and the warnings of their signatures. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCertificateEvidence } from '../../../src/app/evidence/certificate-evidence.ts';
import { findKnownRevocation } from '../../../src/service/certificates/index.ts';
import {
  documentSigners,
  type CreateTransaction,
  type DocumentView,
  type TransactionDependencies,
} from '../../../src/service/transactions/index.ts';
import { noEvidence } from '../../../src/service/transactions/choices/choose-policy.ts';
import { createTrustAnchors, parseCertificate, repairPdf, signPdf } from '../../../src/signing/index.ts';
import type { TestIdentity } from '../../../src/test-authority/index.ts';
import { buildPdf, onePage } from '../../signing/pdf/build-pdf.ts';
import { ValidationWorld } from '../../signing/validation/validation-world.ts';
import { createRequest, dataUrl, filesOnly, finished, openWorld, requester, type World } from './transaction-world.ts';

const PDF = `data:application/pdf;base64,${buildPdf(onePage()).toString('base64')}`;
const REVOKED_AT = new Date('2026-02-20T08:00:00Z');

let pki: ValidationWorld;
let person: TestIdentity;
let world: World | undefined;

beforeEach(async () => {
  pki = await ValidationWorld.open();
  person = await pki.person();
});
afterEach(async () => {
  await world?.end();
  world = undefined;
});

/** Fetches the present lists into the cache, as a validation does. */
async function fetchLists(): Promise<void> {
  const { revocation } = pki.services({ cache: pki.cache });
  const [certificate, issuer] = [person.certificate, ...person.chain].map(parseCertificate);
  if (certificate === undefined || issuer === undefined) throw new Error('The person has no issuer.');
  await revocation.check({ certificate, issuer, at: pki.now });
}

/** Evidence from the cache of the PKI alone; the network is recorded by `pki.http`. */
function cachedEvidence() {
  const trust = { present: createTrustAnchors([parseCertificate(pki.authority.root.certificate)]), intermediates: [] };
  const evidence = openCertificateEvidence({ trust, cache: pki.cache, now: () => pki.now });
  let asked = 0;
  return {
    ...noEvidence,
    asked: () => asked,
    findRevocation: (...[certificate, chain, at]: Parameters<typeof noEvidence.findRevocation>) => {
      asked += 1;
      return findKnownRevocation(certificate, chain, { evidence, at });
    },
  };
}

async function sign(
  request: Partial<CreateTransaction>,
  { refuseRevoked, limits }: { refuseRevoked?: boolean; limits?: TransactionDependencies['limits'] } = {},
): Promise<{ readonly documents: readonly DocumentView[]; readonly asked: number }> {
  const evidence = cachedEvidence();
  world = await openWorld({
    now: () => pki.now,
    evidence,
    limits,
    prepareDocumentSigner: documentSigners({ signPdf: (one) => signPdf(one), repairPdf, evidence, refuseRevoked }),
  });
  await world.addKey(person);
  const { tcn } = await world.transactions.create(
    createRequest({ documentsSource: 'DATA_URL', ...request }),
    requester,
  );
  const { documents } = await finished(world.transactions, tcn);
  return { documents, asked: evidence.asked() };
}

const texts = ['One text.', 'Another text.'].map((text) => ({ data: dataUrl(text) }));
const kinds: readonly [string, Partial<CreateTransaction>, TransactionDependencies['limits']][] = [
  ['texts in the database', { type: 'CAdES-detached', documents: texts }, undefined],
  ['texts in files', { type: 'CMS-attached', documents: texts }, filesOnly],
  ['PDFs', { type: 'PAdES', documents: [{ data: PDF }, { data: PDF }] }, undefined],
];

describe('a certificate on a revocation list in the cache', () => {
  beforeEach(async () => {
    pki.revoke(person, REVOKED_AT);
    await fetchLists();
  });

  it.each(kinds)('signs %s with a warning on each, and is asked about once, without the network', async (...row) => {
    const [, request, limits] = row;
    const exchanges = pki.http.asked.length;
    const { documents, asked } = await sign(request, { limits });
    expect(documents).toHaveLength(2);
    for (const { status, warnings } of documents) {
      expect(status).toBe('SIGNED');
      expect(warnings).toEqual([
        {
          code: 'CERTIFICATE_REVOKED',
          standard: '',
          kept: true,
          detail:
            'The certificate is known here as revoked since 2026-02-20T08:00:00.000Z (keyCompromise). Others will not accept the signature.',
        },
      ]);
    }
    expect(asked).toBe(1);
    expect(pki.http.asked).toHaveLength(exchanges);
  });

  it.each(kinds)('does not sign %s where revoked certificates are refused', async (...row) => {
    const [, request, limits] = row;
    const { documents } = await sign(request, { refuseRevoked: true, limits });
    expect(documents.map(({ status, error }) => [status, error?.code])).toEqual([
      ['ERROR', 'CERTIFICATE_REVOKED'],
      ['ERROR', 'CERTIFICATE_REVOKED'],
    ]);
    expect(documents[0]?.error?.detail).toContain('revoked since 2026-02-20T08:00:00.000Z');
  });
});

describe('the known revocation', () => {
  const known = () =>
    cachedEvidence().findRevocation(parseCertificate(person.certificate), person.chain.map(parseCertificate), pki.now);

  it('is a suspension where the list holds the certificate', async () => {
    pki.revoke(person, REVOKED_AT, 'certificateHold');
    await fetchLists();
    expect(await known()).toEqual({ time: REVOKED_AT, reason: 'certificateHold', isOfAuthority: false });
  });

  it('is of an authority where the list of its root names the authority', async () => {
    const [issuer, root] = person.chain.map(parseCertificate);
    if (issuer === undefined || root === undefined) throw new Error('The person has no issuer below a root.');
    pki.revokedAuthorities.push({ serialNumber: issuer.serialNumber, at: REVOKED_AT, reason: 'keyCompromise' });
    await pki.services({ cache: pki.cache }).revocation.check({ certificate: issuer, issuer: root, at: pki.now });
    expect(await known()).toEqual({ time: REVOKED_AT, reason: 'keyCompromise', isOfAuthority: true });
  });

  it('is none where the list was never fetched, and the certificate signs without a warning', async () => {
    pki.revoke(person, REVOKED_AT);
    expect(await known()).toBeUndefined();
    const { documents } = await sign({ type: 'PAdES', documents: [{ data: PDF }] }, { refuseRevoked: true });
    expect(documents.map(({ status, warnings }) => [status, warnings])).toEqual([['SIGNED', []]]);
  });

  it('is none for a certificate that the list does not name', async () => {
    await fetchLists();
    expect(await known()).toBeUndefined();
  });
});
