/** Signatures below an authority that the owner refuses: no path, no evidence, and the reason in the report. */
import { beforeAll, describe, expect, it } from 'vitest';
import {
  WorkerPool,
  createMaterialCollector,
  createTrustAnchors,
  parseCertificate,
  validateSignature,
  type Certificate,
  type TrustAnchors,
  type ValidationReport,
} from '../../../src/signing/index.ts';
import { makeParty } from '../certificates/path/path-pki.ts';
import { craftCms } from './craft-cms.ts';
import { ValidationWorld, onlySignature, verdict } from './validation-world.ts';
import type { TestIdentity } from '../../../src/test-authority/index.ts';

let world: ValidationWorld;
let person: TestIdentity;
let root: Certificate;
let issuing: Certificate;
beforeAll(async () => {
  world = await ValidationWorld.open();
  person = await world.person();
  root = parseCertificate(world.authority.root.certificate);
  issuing = parseCertificate(world.authority.issuing.certificate);
});

const judge = (trust: TrustAnchors, identity: TestIdentity): Promise<ValidationReport> =>
  validateSignature({ signature: craftCms(identity) }, { ...world.services(), trust });

describe('a signature below a refused authority', () => {
  it.each([
    ['inside the signature', true],
    ['known here alone', false],
  ])('is not confirmed, and the report names the authority, which is %s', async (_, isInside) => {
    const identity = isInside ? person : { ...person, chain: [] };
    const accepted = onlySignature(await judge(createTrustAnchors([root], [issuing]), identity));
    expect(accepted.indication).toBe('TOTAL-PASSED');
    const only = onlySignature(await judge(createTrustAnchors([root], [issuing], {}, [issuing]), identity));
    expect(verdict(only)).toBe('INDETERMINATE NO_CERTIFICATE_CHAIN_FOUND');
    expect(only.checks).toContainEqual({
      area: 'trust',
      code: 'AUTHORITY_REFUSED',
      outcome: 'unknown',
      sentence: `The authority ${issuing.commonName} is refused here.`,
    });
  });

  it('gets no evidence from the collector', async () => {
    const { certificate, chain } = person;
    const options = { anchors: [root], intermediates: [issuing], http: world.http, now: () => world.now };
    const known = chain.map(parseCertificate);
    const collect = (refused: readonly Certificate[]) =>
      createMaterialCollector({ ...options, refused }).collect(parseCertificate(certificate), known, world.now);
    expect((await collect([])).crls).not.toEqual([]);
    await expect(collect([issuing])).rejects.toMatchObject({
      code: 'CHAIN_INCOMPLETE',
      message: expect.stringContaining('is refused here') as string,
    });
  });
});

describe('createTrustAnchors with refused authorities', () => {
  it('knows a refused authority as refused and not as one below the anchors', () => {
    const trust = createTrustAnchors([root], [issuing], {}, [issuing, issuing]);
    expect([trust.intermediates, trust.refused]).toEqual([[], [issuing]]);
  });

  it('does not count an anchor as refused', () => {
    expect(createTrustAnchors([root], [], {}, [root])).toMatchObject({ anchors: [root], refused: [] });
  });
});

describe('a worker', () => {
  it('judges each signature by the trust of its own request', async () => {
    const workers = new WorkerPool({ threads: 1 });
    const material = [world.crl('issuing'), world.crl('root')];
    const signature = craftCms(person, { revocations: material });
    const judged = async (trust: TrustAnchors): Promise<string> =>
      verdict(onlySignature(await workers.validate({ input: { signature } }, { trust, now: world.services().now })));
    const stranger = makeParty({ name: 'Stranger' }).certificate;
    const stampsOnly = { timeStampsOnly: new Set([root.fingerprint]) };
    // Each pair differs in nothing but the refused authority, or the mark.
    const accepting = createTrustAnchors([root], [], {}, [stranger]);
    const refusing = createTrustAnchors([root], [], {}, [issuing]);
    const forStamps = createTrustAnchors([root], [], stampsOnly, [stranger]);
    try {
      const good = await judged(accepting);
      const wrong = 'INDETERMINATE NO_CERTIFICATE_CHAIN_FOUND';
      expect(good).not.toBe(wrong);
      for (const other of [refusing, forStamps]) {
        expect([await judged(other), await judged(accepting)]).toEqual([wrong, good]);
      }
    } finally {
      await workers.close();
    }
  });
});
