import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  ICP_BRASIL_POLICIES,
  policyOfOid,
  readPolicyFile,
  readPolicyList,
  SigningError,
} from '../../../src/signing/index.ts';
import { Chance, mutate } from '../../fuzz/mutate.ts';

/** As ICP-Brasil publishes them. */
const vector = (name: string): Buffer => readFileSync(new URL(`../../vectors/icp-brasil/${name}`, import.meta.url));
/** Every policy file here is compared with the table: a new version brings its file along. */
const policyFiles = readdirSync(new URL('../../vectors/icp-brasil', import.meta.url)).filter((name) =>
  name.startsWith('PA_'),
);
const policy = vector('PA_PAdES_AD_RA_v1_4.der');
const list = vector('LPA_PAdES.der');

/** The notBefore and notAfter of a SigningPeriod in DER (RFC 3125 §3.2). */
const encodePeriod = ({ from, to }: { readonly from: string; readonly to: string }): string =>
  [from, to].map((day) => `\x18\x0f${day.replaceAll('-', '')}000000Z`).join('');

/** The days of the SigningPeriod: the last two GeneralizedTimes of the file; certificates in the file have UTCTimes. */
const periodOf = (file: Buffer): readonly string[] =>
  [...file.toString('latin1').matchAll(/\x18\x0f(\d{4})(\d\d)(\d\d)\d{6}Z/g)]
    .slice(-2)
    .map(([, year, month, day]) => `${year}-${month}-${day}`);

describe('readPolicyFile', () => {
  it.each(policyFiles)('finds in %s the content of its row in src/signing/policies', (name) => {
    const file = vector(name);
    const { oid, hash } = readPolicyFile(file);
    const row = policyOfOid(oid);
    const [from, to] = periodOf(file);
    expect(row, `Add a row for ${oid} with the hash ${hash}, for signing from ${from} to ${to}.`).toBeDefined();
    expect({ oid, hash, name }).toEqual({ oid, hash: row?.hash, name: row?.uri.replace(/^.*\//, '') });
    expect(file.includes(encodePeriod(row!.signingPeriod)), 'the signing period of the row').toBe(true);
  });

  it('has a file of the newest version of each policy: a row cannot invent its hash', () => {
    const newest = Map.groupBy(ICP_BRASIL_POLICIES, ({ format, profile }) => `${format} ${profile}`);
    const names = [...newest.values()].map((rows) => basename(rows.at(-1)?.uri ?? ''));
    const missing = names.filter((name) => !policyFiles.includes(name));
    expect(missing, 'files that test/vectors/icp-brasil lacks').toEqual([]);
  });

  it('refuses a policy with another hash than its own statement', () => {
    const changed = Buffer.from(policy);
    const at = changed.indexOf('20250723000000Z');
    changed.write('20350723000000Z', at);
    expect(() => readPolicyFile(changed)).toThrow(expect.objectContaining({ code: 'DER_MALFORMED' }));
  });
});

describe('readPolicyList', () => {
  it('tells policies, revoked policies, and the date of the next list', () => {
    const { policies, nextUpdate } = readPolicyList(list);
    expect(nextUpdate).toEqual(new Date('2025-09-10T00:00:00Z'));
    expect(policies).toHaveLength(14);
    const byOid = new Map(policies.map((one) => [one.oid, one]));
    expect(byOid.get('2.16.76.1.7.1.14.1')?.revoked).toEqual(new Date('2016-07-15T00:00:00Z'));
    expect(byOid.get('2.16.76.1.7.1.14.1.3')?.revoked).toBeUndefined();
    expect(byOid.has('2.16.76.1.7.1.14.1.4')).toBe(false);
    expect(policies.some(({ isFile }) => isFile(policy))).toBe(false);
  });

  it.each([
    ['a policy', policy],
    ['nothing', Buffer.alloc(0)],
    ['half of it', list.subarray(0, 1000)],
  ])('refuses %s', (_, file) => {
    expect(() => readPolicyList(file)).toThrow(expect.objectContaining({ code: 'DER_MALFORMED' }));
  });
});

describe('both, fed with damaged files', () => {
  it('answer or refuse, and never fail otherwise', () => {
    const chance = new Chance(20_260_101);
    for (let round = 0; round < 400; round += 1) {
      for (const read of [
        () => readPolicyFile(mutate([policy], chance)),
        () => readPolicyList(mutate([list, policy], chance)),
      ]) {
        try {
          read();
        } catch (error) {
          expect(error).toBeInstanceOf(SigningError);
        }
      }
    }
  });
});
