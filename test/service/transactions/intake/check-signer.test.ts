import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../../src/service/errors/index.ts';
import { noEvidence } from '../../../../src/service/transactions/choices/choose-policy.ts';
import type { CreateTransaction } from '../../../../src/service/transactions/index.ts';
import { checkSigner } from '../../../../src/service/transactions/intake/check-signer.ts';
import { identityWithExtensions } from '../../../pki/icp-brasil-pki.ts';
import { authorityWith, companyWith, COMPANY_CNPJ, personWith } from '../../../pki/identities.ts';
import { craftCms } from '../../../signing/validation/craft-cms.ts';
import { createRequest } from '../create-request.ts';
import { keyOf } from './intake-world.ts';

const person = await personWith();
const company = await companyWith();
const withoutNumbers = await identityWithExtensions(await authorityWith(), []);
const attached = craftCms(person);
const detached = craftCms(person, { attached: false });

/** Checks a request of Maria where these time-stamp servers are configured. */
const check = async (
  changes: Partial<CreateTransaction>,
  servers: readonly string[] = [],
  key = keyOf(person),
): Promise<void> =>
  checkSigner(
    { evidence: { ...noEvidence, timestampServers: async () => Promise.resolve(servers) }, now: () => new Date() },
    { ...createRequest(changes), documents: [] },
    key,
  );

async function refusalOf(checked: Promise<void>): Promise<ServiceError> {
  const error: unknown = await checked.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ServiceError)) throw error instanceof Error ? error : new Error('Nothing was refused.');
  return error;
}

describe('a time stamp', () => {
  it.each([
    ['none', undefined, []],
    ['B-B', undefined, []],
    ['B-T', undefined, ['one']],
    ['B-T', 'two', ['one', 'two']],
    ['none', 'one', ['one']],
  ] as const)('can be had for %s by the server %j of %j', async (policy, timestampServer, servers) => {
    const named = { timestampServer };
    await expect(check({ policy, ...named }, servers)).resolves.toBeUndefined();
  });

  it.each([
    ['B-T', undefined, [], 'policy', 'no time-stamp server is configured'],
    ['B-T', 'two', ['one', 'three'], 'tsa_server_id', 'Configured ids: one, three.'],
    ['none', 'two', [], 'tsa_server_id', 'Configured ids: none.'],
  ] as const)('cannot be had for %s by the server %j of %j', async (policy, timestampServer, servers, field, words) => {
    const named = { timestampServer };
    const refused = await refusalOf(check({ policy, ...named }, servers));
    expect(refused).toMatchObject({ code: 'TSA_NOT_CONFIGURED', problems: [{ field, code: 'TSA_NOT_CONFIGURED' }] });
    expect(refused.message).toContain(words);
  });
});

describe('the represented company', () => {
  it('is the one in the certificate, however its number is written', async () => {
    await expect(check({ signerCompany: { cnpj: COMPANY_CNPJ } }, [], keyOf(company))).resolves.toBeUndefined();
    await expect(check({ signerCompany: { cnpj: '12.ABC.345/01DE-35' } }, [], keyOf(company))).resolves.toBeUndefined();
  });

  it.each([
    ['another company', company, '11222333000181'],
    ['any company, with the certificate of a person', person, COMPANY_CNPJ],
    ['any company, with a certificate that names no number', withoutNumbers, COMPANY_CNPJ],
  ])('is not %s', async (_what, identity, cnpj) => {
    expect(await refusalOf(check({ signerCompany: { cnpj } }, [], keyOf(identity)))).toMatchObject({
      code: 'REQUEST_INVALID',
      problems: [{ field: 'signer_company', code: 'REQUEST_INVALID' }],
    });
  });

  it('is told of together with a missing time-stamp server', async () => {
    const refused = await refusalOf(check({ policy: 'B-T', signerCompany: { cnpj: COMPANY_CNPJ } }));
    expect(refused.problems.map(({ field }) => field)).toEqual(['policy', 'signer_company']);
  });
});

describe('the signature that a signer is added to', () => {
  it.each([
    ['CAdES-attached', attached],
    ['CAdES-detached', detached],
    ['CMS-detached', detached],
  ] as const)('fits the type %s', async (type, existingSignature) => {
    await expect(check({ type, existingSignature })).resolves.toBeUndefined();
  });

  it.each([
    ['PAdES', detached, 'send the signed PDF'],
    ['PDFSignature', Buffer.from('no CMS'), 'send the signed PDF'],
    ['CAdES-detached', attached, 'encloses its content: ask for an attached type'],
    ['CAdES-attached', detached, 'does not enclose its content: ask for a detached type'],
    ['CAdES-attached', Buffer.from('no CMS'), 'This is no CMS signature: send the base64 of the whole signature file'],
  ] as const)('does not fit the type %s (%#)', async (type, existingSignature, words) => {
    const refused = await refusalOf(check({ type, existingSignature }));
    expect(refused).toMatchObject({
      code: 'REQUEST_INVALID',
      problems: [{ field: 'signature', code: 'REQUEST_INVALID', detail: refused.message }],
    });
    expect(refused.message).toContain(words);
  });

  it('is told with its cause when it cannot be read', async () => {
    const refused = await refusalOf(check({ existingSignature: Buffer.from('no CMS') }));
    expect(refused.cause).toMatchObject({ name: 'SigningError' });
    expect(refused.message).toContain('send the base64 of the whole signature file');
  });

  it('is no excuse for a fault of ours', async () => {
    const odd = { existingSignature: 'no bytes' as unknown as Buffer };
    const error: unknown = await check(odd).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(ServiceError);
  });
});

describe('the policy', () => {
  it('is refused where the chain of the certificate ends in no trusted root', async () => {
    expect(await refusalOf(check({ policy: 'AD-RB' }))).toMatchObject({ code: 'POLICY_NOT_SUPPORTED' });
  });

  it('is chosen for the certificate and its chain, by type and hash, as of now', async () => {
    const asked: unknown[] = [];
    const now = new Date('2026-05-06T00:00:00Z');
    const evidence = {
      ...noEvidence,
      findChainEnd: async (
        certificate: { readonly der: Buffer },
        chain: readonly { readonly der: Buffer }[],
        at: Date,
      ) => {
        asked.push([certificate.der, chain.map(({ der }) => der), at]);
        return Promise.resolve(undefined);
      },
    };
    await refusalOf(
      checkSigner(
        { evidence, now: () => now },
        { ...createRequest({ policy: 'AD-RB' }), documents: [] },
        keyOf(person),
      ),
    );
    expect(asked).toEqual([[person.certificate, [...person.chain], now]]);
  });
});
