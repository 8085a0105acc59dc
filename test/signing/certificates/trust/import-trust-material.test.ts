import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  GOV_BR_ROOT,
  ICP_BRASIL_ROOTS,
  SigningError,
  createTrustAnchors,
  hierarchyOf,
  importTrustMaterial,
  pinnedRoot,
  type Certificate,
} from '../../../../src/signing/index.ts';
import { derBitString, derOid, derSequence } from '../../../../src/signing/der/writer.ts';
import { runTool } from '../../../oracles/run-program.ts';
import { openssl, pem } from '../../../pki/openssl.ts';
import { makeScratchFolder } from '../../cms/scratch-folder.ts';
import { makeParty } from '../path/path-pki.ts';
import { writeZip } from './write-zip.ts';

const scratch = makeScratchFolder();
const folder = scratch.path('');
const root = makeParty({ name: 'Root' });
const authority = makeParty({ name: 'Authority', issuer: root, authority: true });
const holder = makeParty({ name: 'Holder', issuer: authority });
const stranger = makeParty({ name: 'Stranger' });
const unreadableInfo = derSequence(derSequence(derOid('1.3.6.1.4.1.44588.2.1')), derBitString(Buffer.alloc(67, 4)));
const unreadable = makeParty({ name: 'Unreadable', publicKeyInfo: unreadableInfo });
const pinned = new Set([root, unreadable].map(({ certificate }) => certificate.fingerprint));
const options = { isPinned: (fingerprint: string) => pinned.has(fingerprint) };

const der = ({ certificate }: { readonly certificate: Certificate }): Buffer => certificate.der;
const bundle = [root, authority, holder].map((party) => pem('CERTIFICATE', der(party))).join('some text\n');
const names = (certificates: readonly Certificate[]): readonly string[] =>
  certificates.map(({ commonName }) => commonName);

async function pkcs7(form: 'DER' | 'PEM'): Promise<Buffer> {
  scratch.write('bundle.pem', bundle);
  await openssl(['crl2pkcs7', '-nocrl', '-certfile', 'bundle.pem', '-outform', form, '-out', 'bundle.p7b'], { folder });
  return readFileSync(scratch.path('bundle.p7b'));
}

describe('importTrustMaterial', () => {
  it.each([
    ['a PEM bundle', () => Promise.resolve(Buffer.from(bundle))],
    ['a PKCS#7 file in DER', () => pkcs7('DER')],
    ['a PKCS#7 file in PEM', () => pkcs7('PEM')],
    [
      'a ZIP archive of DER and PEM files',
      () =>
        Promise.resolve(
          writeZip([
            { name: 'readme.txt', content: Buffer.from('not a certificate') },
            { name: 'a/root.crt', content: der(root) },
            { name: 'a/', content: Buffer.alloc(0), stored: true },
            { name: 'authority.pem', content: Buffer.from(pem('CERTIFICATE', der(authority))), stored: true },
            { name: '../../holder.cer', content: der(holder) },
          ]),
        ),
    ],
  ])('finds the pinned root and the authority below the root in %s', async (_, make) => {
    const { anchors, intermediates, skipped } = importTrustMaterial(await make(), options);
    expect(names(anchors)).toEqual(['Root']);
    expect(names(intermediates)).toEqual(['Authority']);
    expect(skipped.map(({ reason }) => reason)).toEqual(['NOT_AN_AUTHORITY']);
  });

  it('reads archives made by Info-ZIP', async () => {
    scratch.write('root.crt', der(root));
    scratch.write('authority.crt', der(authority));
    await runTool('zip', ['-q', 'made.zip', 'root.crt', 'authority.crt'], { folder });
    const { anchors, intermediates } = importTrustMaterial(readFileSync(scratch.path('made.zip')), options);
    expect(names([...anchors, ...intermediates])).toEqual(['Root', 'Authority']);
  });

  it.each([
    ['a root that is not pinned', der(stranger), 'ROOT_NOT_PINNED'],
    ['a pinned root whose key is of an unknown kind', der(unreadable), 'KEY_UNREADABLE'],
    ['a person', der(holder), 'NOT_AN_AUTHORITY'],
    ['a text', Buffer.from('hello'), 'NOT_A_CERTIFICATE'],
    ['nothing', Buffer.alloc(0), 'NOT_A_CERTIFICATE'],
    ['a damaged certificate', der(root).subarray(0, 300), 'NOT_A_CERTIFICATE'],
  ])('skips %s with a note', (_, input, reason) => {
    const { anchors, intermediates, skipped } = importTrustMaterial(input, options);
    expect([...anchors, ...intermediates]).toEqual([]);
    expect(skipped.map((one) => one.reason)).toEqual([reason]);
  });

  it('trusts nobody because of a name: without a pinned fingerprint there is no anchor', () => {
    expect(importTrustMaterial(Buffer.from(bundle)).anchors).toEqual([]);
  });

  it('skips an encrypted, growing or cut-off file of an archive, and reads the rest', () => {
    const archive = writeZip([
      { name: 'secret.crt', content: der(root), flags: 1 },
      { name: 'bomb.crt', content: Buffer.alloc(5_000_000), claimedLength: 100 },
      { name: 'good.crt', content: der(root) },
    ]);
    const { anchors, skipped } = importTrustMaterial(archive, options);
    expect(names(anchors)).toEqual(['Root']);
    expect(skipped.map(({ reason, name }) => [reason, name])).toEqual([
      ['FILE_UNREADABLE', 'secret.crt'],
      ['FILE_UNREADABLE', 'bomb.crt'],
    ]);
  });

  it('refuses an archive claiming more than the limit before unpacking anything', () => {
    const files = Array.from({ length: 5 }, (_, number) => ({
      name: `${number}.crt`,
      content: Buffer.alloc(10),
      claimedLength: 16 * 2 ** 20,
    }));
    expect(() => importTrustMaterial(writeZip(files), options)).toThrow(
      expect.objectContaining({ code: 'LIMIT_EXCEEDED' }),
    );
  });

  it('throws nothing but SigningError for mutated archives and bundles', () => {
    const archive = writeZip([
      { name: 'root.crt', content: der(root) },
      { name: 'bundle.pem', content: Buffer.from(bundle), stored: true },
    ]);
    for (const good of [archive, Buffer.from(bundle)]) {
      const property = fc.property(
        fc.nat(good.length - 1),
        fc.uint8Array({ minLength: 1, maxLength: 8 }),
        (at, bytes) => {
          const mutated = Buffer.from(good);
          mutated.set(bytes.subarray(0, good.length - at), at);
          try {
            const { anchors } = importTrustMaterial(mutated, options);
            expect(names(anchors)).toEqual(anchors.length === 0 ? [] : ['Root']);
          } catch (error) {
            if (!(error instanceof SigningError)) throw error;
          }
        },
      );
      fc.assert(property, { numRuns: 400 });
    }
  });
});

describe('the pinned roots', () => {
  it('are eleven of ICP-Brasil and a root of the federal government, each with its own fingerprint', () => {
    const all = [...ICP_BRASIL_ROOTS, GOV_BR_ROOT].map(({ fingerprint }) => fingerprint);
    expect(new Set(all).size).toBe(12);
    expect(all.every((fingerprint) => /^[0-9a-f]{64}$/.test(fingerprint))).toBe(true);
    expect(ICP_BRASIL_ROOTS.map(({ version }) => version)).toEqual([
      'v0',
      'v1',
      'v2',
      'v3',
      'v5',
      'v6',
      'v7',
      'v10',
      'v11',
      'v12',
      'v13',
    ]);
    expect(pinnedRoot(GOV_BR_ROOT.fingerprint)?.hierarchy).toBe('gov.br');
  });
});

describe('createTrustAnchors', () => {
  it('tells the hierarchy of a path by the fingerprint of its end', () => {
    const trust = createTrustAnchors([root.certificate, root.certificate], [authority.certificate, root.certificate]);
    expect(trust.anchors).toHaveLength(1);
    expect(trust.intermediates).toHaveLength(1);
    expect(trust.hierarchyOfPath([holder.certificate, authority.certificate, root.certificate], 'any')).toBe('other');
    expect(trust.hierarchyOfPath([holder.certificate, authority.certificate], 'any')).toBeUndefined();
    const [v5] = ICP_BRASIL_ROOTS.filter(({ version }) => version === 'v5');
    expect(hierarchyOf({ ...root.certificate, fingerprint: v5?.fingerprint ?? '' })).toBe('ICP-Brasil');
  });
});

describe('a pinned root signed by another key', () => {
  it('is left out, and the reason is told', () => {
    const key = makeParty({ name: 'Forged' });
    const forged = makeParty({ name: 'Forged', issuer: key, authority: true });
    const { anchors, intermediates, skipped } = importTrustMaterial(der(forged), { isPinned: () => true });
    expect([anchors, intermediates]).toEqual([[], []]);
    expect(skipped).toMatchObject([{ reason: 'SIGNATURE_INVALID', name: 'Forged' }]);
  });
});
