/** Partial revocation lists inside a signature: some reasons, or the changes since another list. */
import { describe, expect, it } from 'vitest';
import {
  createMemoryRevocationCache,
  createPathCompleter,
  createRevocationChecker,
  createTrustAnchors,
  derInteger,
  derPrimitiveContext,
  derSequence,
  validateSignature,
} from '../../../src/signing/index.ts';
import { makeParty } from '../certificates/path/path-pki.ts';
import { createFakeHttp } from '../revocation/fake-http.ts';
import { crlExtension, writeTestCrl } from '../revocation/write-crl.ts';
import { craftCms } from './craft-cms.ts';
import { onlySignature, verdict } from './validation-world.ts';

const now = new Date('2026-03-01T12:00:00Z');
const hours = (number: number): Date => new Date(now.getTime() + number * 3_600_000);
const root = makeParty({ name: 'Root' });
const person = makeParty({ name: 'Maria', issuer: root });

interface ListFields {
  readonly from?: number;
  readonly revoked?: boolean;
  readonly extensions?: readonly Buffer[];
}

const listOf = ({ from = -3, revoked = false, extensions = [] }: ListFields = {}): Buffer => {
  const { serialNumber } = person.certificate;
  const entries = revoked ? [{ serialNumber, revokedAt: hours(-48), reason: 1 }] : [];
  const fields = { issuer: root.certificate.subject, thisUpdate: hours(from), nextUpdate: hours(from + 24) };
  return writeTestCrl({ ...fields, entries, extensions }, root.key.privateKey);
};

/** onlySomeReasons of IssuingDistributionPoint, as the content of its BIT STRING in hex. */
const onlyFor = (bits: string): Buffer =>
  crlExtension('2.5.29.28', derSequence(derPrimitiveContext(3, Buffer.from(bits, 'hex'))), true);
/** keyCompromise and cACompromise; then all other reasons. */
const [KEYS, OTHERS] = ['0560', '071f80'].map(onlyFor) as [Buffer, Buffer];
const numbered = (number: number): Buffer => crlExtension('2.5.29.20', derInteger(number));
const deltaOf = (base: number): Buffer => crlExtension('2.5.29.27', derInteger(base), true);

async function verdictBy(...lists: readonly Buffer[]): Promise<string> {
  const clock = (): Date => now;
  const ways = { http: createFakeHttp({}), cache: createMemoryRevocationCache({ now: clock }), now: clock };
  const privateKey = person.key.privateKey.export({ format: 'der', type: 'pkcs8' });
  const signer = { certificate: person.certificate.der, privateKey, chain: [] };
  const services = {
    trust: createTrustAnchors([root.certificate]),
    revocation: createRevocationChecker(ways),
    completePath: createPathCompleter(ways),
    now: clock,
  };
  return verdict(
    onlySignature(await validateSignature({ signature: craftCms(signer, { revocations: lists }) }, services)),
  );
}

describe('lists for some reasons (RFC 5280 §6.3.3)', () => {
  it('say nothing good by themselves', async () => {
    expect(await verdictBy(listOf())).toBe('TOTAL-PASSED');
    for (const reasons of [KEYS, OTHERS]) {
      expect(await verdictBy(listOf({ extensions: [reasons] }))).not.toBe('TOTAL-PASSED');
    }
  });

  it('call a certificate good together', async () => {
    expect(await verdictBy(listOf({ extensions: [KEYS] }), listOf({ extensions: [OTHERS] }))).toBe('TOTAL-PASSED');
  });

  it('call a certificate revoked together, although missing in the newer list', async () => {
    const lists = [listOf({ extensions: [KEYS], revoked: true }), listOf({ extensions: [OTHERS], from: -1 })];
    expect(await verdictBy(...lists)).toBe('INDETERMINATE REVOKED_NO_POE');
  });
});

describe('a delta list (RFC 5280 §5.2.4)', () => {
  const base = listOf({ extensions: [numbered(5)] });
  const delta = (from: number): Buffer => listOf({ from, revoked: true, extensions: [numbered(6), deltaOf(5)] });

  it('tells the changes since its base', async () => {
    expect(await verdictBy(base)).toBe('TOTAL-PASSED');
    expect(await verdictBy(base, delta(-1))).toBe('INDETERMINATE REVOKED_NO_POE');
  });

  it.each([
    ['of a time that has not come', 2],
    ['older than its base', -4],
  ])('%s counts for nothing', async (_, from) => {
    expect(await verdictBy(base, delta(from))).toBe('TOTAL-PASSED');
  });
});
