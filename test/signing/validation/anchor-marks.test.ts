import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createTrustAnchors,
  hierarchyOf,
  parseCertificate,
  pinnedRoot,
  readCertificates,
  validateSignature,
  type SignatureReport,
  type ValidationReport,
} from '../../../src/signing/index.ts';
import type { AnchorMarks } from '../../../src/signing/certificates/trust/trust-anchors.ts';
import { makeParty } from '../certificates/path/path-pki.ts';
import { stamped } from './verdict-rows.ts';
import { SIGNED_AT, ValidationWorld, onlySignature, verdict } from './validation-world.ts';

let world: ValidationWorld;
let signature: Buffer;
beforeAll(async () => {
  world = await ValidationWorld.open();
  signature = await stamped({ world, person: await world.person() }, SIGNED_AT);
});

async function judgeWith(marks: Partial<AnchorMarks>): Promise<ValidationReport> {
  const root = parseCertificate(world.authority.root.certificate);
  return validateSignature({ signature }, { ...world.services(), trust: createTrustAnchors([root], [], marks) });
}

const rootOf = ({ chain }: Pick<SignatureReport, 'chain'>) => chain?.entries.at(-1);

describe('a root trusted for time stamps only', () => {
  let report: ValidationReport;
  beforeAll(async () => {
    const { fingerprint } = parseCertificate(world.authority.root.certificate);
    report = await judgeWith({ timeStampsOnly: new Set([fingerprint]) });
  });

  it('proves the time of a stamp below it', () => {
    const [stamp] = onlySignature(report).timestamps;
    expect(stamp?.indication).toBe('TOTAL-PASSED');
    expect(stamp && rootOf(stamp)).toMatchObject({ isAnchor: true, isForTimestampsOnly: true });
  });

  it('does not make a person trusted, and says why', () => {
    const only = onlySignature(report);
    expect(verdict(only)).toBe('INDETERMINATE NO_CERTIFICATE_CHAIN_FOUND');
    const sentences = only.checks.map(({ sentence }) => sentence).join(' ');
    expect(sentences).toContain('is trusted for time stamps only.');
    expect(rootOf(only)).toMatchObject({ isAnchor: false });
    expect(only.chain?.hierarchy).toBeUndefined();
  });

  it('stands in the report as any other root without the mark', async () => {
    const only = onlySignature(await judgeWith({}));
    expect(only.indication).toBe('TOTAL-PASSED');
    expect(rootOf(only)).toMatchObject({ isAnchor: true });
    expect(rootOf(only)).not.toHaveProperty('isForTimestampsOnly');
  });
});

describe('the hierarchy of an anchor', () => {
  const shipped = readCertificates(
    readFileSync(new URL('../../../assets/trust/icp-brasil.pem', import.meta.url)),
  ).certificates.find(({ fingerprint }) => pinnedRoot(fingerprint) !== undefined);
  const namesake = makeParty({ name: shipped?.commonName ?? '' }).certificate;

  it('goes by the SHA-256, never by a name', () => {
    expect(shipped && hierarchyOf(shipped)).toBe('ICP-Brasil');
    expect(namesake.commonName).toBe(shipped?.commonName);
    expect(hierarchyOf(namesake)).toBe('other');
  });

  it('is that of a test for a marked root, and never for a pinned one', () => {
    const anchors = [shipped ?? namesake, namesake];
    const homologation = new Set(anchors.map(({ fingerprint }) => fingerprint));
    const trust = createTrustAnchors(anchors, [], { homologation });
    expect(anchors.map((anchor) => trust.hierarchyOf(anchor))).toEqual(['ICP-Brasil', 'test']);
    expect(createTrustAnchors(anchors).hierarchyOf(namesake)).toBe('other');
  });
});

describe('createTrustAnchors', () => {
  it('gives an anchor for time stamps only to no other purpose', () => {
    const root = parseCertificate(world.authority.root.certificate);
    const trust = createTrustAnchors([root], [], { timeStampsOnly: new Set([root.fingerprint]) });
    const purposes = ['time-stamping', 'any', 'document-signing', 'crl-signing', 'ocsp-signing'] as const;
    expect(purposes.map((purpose) => trust.anchorsFor(purpose).length)).toEqual([1, 0, 0, 0, 0]);
    expect(purposes.map((purpose) => trust.isAnchor(root, purpose))).toEqual([true, false, false, false, false]);
    expect(purposes.map((purpose) => trust.hierarchyOfPath([root], purpose))).toEqual([
      'test',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(trust.anchors).toEqual([root]);
  });
});
