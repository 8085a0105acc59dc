import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  DEFAULT_ALGORITHM_POLICY,
  WorkerPool,
  createMemoryRevocationCache,
  createTrustAnchors,
  parseCertificate,
  type Certificate,
  type ValidationOptions,
  type WorkerValidationServices,
} from '../../../src/signing/index.ts';
import type { TestIdentity } from '../../../src/test-authority/index.ts';
import {
  CRL_URL,
  ROOT_CRL_URL,
  SIGNED_AT,
  ValidationWorld,
  codesOf,
  date,
  onlySignature,
  verdict,
} from './validation-world.ts';

const CONTENT = Buffer.from('what was signed');

describe('validating in a worker', () => {
  let world: ValidationWorld;
  let person: TestIdentity;
  let folder = '';
  const workers = new WorkerPool({ threads: 1 });
  const services = (): WorkerValidationServices => ({
    trust: world.services().trust,
    http: world.http,
    cache: createMemoryRevocationCache({ now: () => world.now }),
    now: () => world.now,
  });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sinete-validate-'));
    world = await ValidationWorld.open();
    person = await world.person();
  });

  afterAll(async () => {
    await workers.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('says the same as a validation here, and asks the caller for what the network knows', async () => {
    const signature = await world.cms(person).signContent(CONTENT, SIGNED_AT);
    world.http.asked.length = 0;
    const report = await workers.validate({ input: { signature } }, services());
    expect(verdict(report)).toBe('TOTAL-PASSED');
    expect(world.http.asked).toEqual([CRL_URL, ROOT_CRL_URL]);
    const here = onlySignature(await world.validate(signature));
    expect(codesOf(onlySignature(report))).toEqual(codesOf(here));
    expect(Buffer.from(onlySignature(report).signerCertificate ?? [])).toEqual(person.certificate);
  });

  it('reads signature and content from files', async () => {
    const [path, contentPath] = [join(folder, 'signature.p7s'), join(folder, 'content')];
    await writeFile(contentPath, CONTENT);
    const request = { inputPath: contentPath, outputPath: path, attached: false, signingTime: SIGNED_AT };
    await world.cms(person).signFile(request);
    const input = { signature: { path }, content: { path: contentPath } };
    const report = await workers.validate({ input }, services());
    expect(verdict(report)).toBe('TOTAL-PASSED');
    expect(report.kind).toBe('cms-detached');
  });

  it('could not tell without a network', async () => {
    const signature = await world.cms(person).signContent(CONTENT, SIGNED_AT);
    const { trust, now } = services();
    const report = await workers.validate({ input: { signature } }, { trust, now });
    expect(verdict(report)).toBe('INDETERMINATE TRY_LATER');
    expect(codesOf(onlySignature(report))).toContain('REVOCATION_NOT_ASKED');
  });

  it('judges by the algorithms, by the rule for unknown policies and as of the time of the caller', async () => {
    const policy = { oid: '1.2.3.4', hash: '00'.repeat(32) };
    const signature = await world.cms(person, undefined, { policy }).signContent(CONTENT, SIGNED_AT);
    const judge = async (options: Omit<ValidationOptions, 'signal'>) =>
      verdict(await workers.validate({ input: { signature }, ...options }, services()));
    expect(await judge({})).toBe('INDETERMINATE SIGNATURE_POLICY_NOT_AVAILABLE');
    expect(await judge({ unknownPolicy: 'accept' })).toBe('TOTAL-PASSED');
    const algorithms = { ...DEFAULT_ALGORITHM_POLICY, hashes: { sha512: null } };
    expect(await judge({ unknownPolicy: 'accept', algorithms })).toBe('INDETERMINATE CRYPTO_CONSTRAINTS_FAILURE');
    expect(await judge({ unknownPolicy: 'accept', at: date('2024-01-01') })).toBe('TOTAL-FAILED NOT_YET_VALID');
  });

  it('follows a refusal of an authority, and the end of the refusal', async () => {
    const signature = await world.cms(person).signContent(CONTENT, SIGNED_AT);
    const [root, issuing] = [world.authority.root, world.authority.issuing].map(({ certificate }) =>
      parseCertificate(certificate),
    );
    if (root === undefined || issuing === undefined) throw new Error('There are two authorities.');
    const judge = async (refused: readonly Certificate[]) =>
      verdict(
        await workers.validate(
          { input: { signature } },
          { ...services(), trust: createTrustAnchors([root], [issuing], {}, refused) },
        ),
      );
    expect(await judge([])).toBe('TOTAL-PASSED');
    expect(await judge([issuing])).toBe('INDETERMINATE NO_CERTIFICATE_CHAIN_FOUND');
    expect(await judge([])).toBe('TOTAL-PASSED');
  });

  it('follows the marks of a root', async () => {
    const signature = await world.cms(person).signContent(CONTENT, SIGNED_AT);
    const root = parseCertificate(world.authority.root.certificate);
    const judge = async (marks: Parameters<typeof createTrustAnchors>[2]) =>
      verdict(
        await workers.validate(
          { input: { signature } },
          { ...services(), trust: createTrustAnchors([root], [], marks) },
        ),
      );
    const own = new Set([root.fingerprint]);
    expect(await judge({})).toBe('TOTAL-PASSED');
    expect(await judge({ timeStampsOnly: own })).toBe('INDETERMINATE NO_CERTIFICATE_CHAIN_FOUND');
    expect(await judge({ homologation: own })).toBe('TOTAL-PASSED');
  });

  it('rejects what is no signature, and goes on', async () => {
    const refused = workers.validate({ input: { signature: Buffer.from('not a signature') } }, services());
    await expect(refused).rejects.toMatchObject({ code: 'CMS_MALFORMED' });
    const cancelled = AbortSignal.abort();
    const signature = await world.cms(person).signContent(CONTENT, SIGNED_AT);
    const given = workers.validate({ input: { signature }, signal: cancelled }, services());
    await expect(given).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(verdict(await workers.validate({ input: { signature } }, services()))).toBe('TOTAL-PASSED');
  });
});
