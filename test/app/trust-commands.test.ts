import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TrustImport, TrustView } from '../../src/ui-contract/ui-contract.ts';
import { makeParty } from '../signing/certificates/path/path-pki.ts';
import { writeZip } from '../signing/certificates/trust/write-zip.ts';
import { makeWorkplace, runSinete, type Workplace } from './run-sinete.ts';

let place: Workplace;
beforeAll(async () => {
  place = await makeWorkplace();
});
afterAll(async () => place.remove());

async function folderWith(name: string, files: Readonly<Record<string, Buffer | string>>): Promise<string> {
  const folder = join(place.folder, name);
  await mkdir(folder);
  for (const [file, content] of Object.entries(files)) await writeFile(join(folder, file), content);
  return folder;
}

const root = makeParty({ name: 'AC Raiz de Homologação' });
const authority = makeParty({ name: 'AC de Homologação', issuer: root, authority: true });
const another = makeParty({ name: 'AC Outra', issuer: root, authority: true });

describe('sinete trust import', () => {
  it('reads a folder like an archive: leaves out what cannot be read, and says so once', async () => {
    const folder = await folderWith('package', {
      'a.txt': 'hashes',
      'b.crt': authority.certificate.der,
      'c.crt': root.certificate.der,
      'd.der': Buffer.from('3003020101', 'hex'),
      'e.crt': another.certificate.der,
    });
    const { code, stdout } = await runSinete(place, ['trust', 'import', folder, '--json']);
    expect(code).toBe(0);
    const results = JSON.parse(stdout) as TrustImport[];
    expect(results.map((one) => [one.anchors.length, one.intermediates])).toEqual([[0, 2]]);
    const skipped = results[0]?.skipped ?? [];
    expect(skipped.map((sentence) => sentence.split(':')[0])).toEqual(['a.txt', 'c.crt', 'd.der']);
    // An unpinned root is shown with its fingerprint, and not trusted.
    expect(skipped.join(' ')).toContain(root.certificate.fingerprint);
  });

  it('names many files left out for the same reason in a single sentence', async () => {
    const texts = Array.from({ length: 5 }, (_, index) => [`policy-${index}.xml`, '<policy/>'] as const);
    const folder = await folderWith('texts', {
      ...Object.fromEntries(texts),
      'b.crt': authority.certificate.der,
      'c.der': Buffer.from('3003020101', 'hex'),
    });
    const { code, stdout, stderr } = await runSinete(place, ['trust', 'import', folder]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('0 roots and 1 authorities were taken.')]);
    const lines = stderr.split('\n').filter((line) => line.includes('left out:'));
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/5 files \(policy-0\.xml, .*policy-4\.xml\): .*neither in DER nor in PEM/);
    expect(lines[0]).toContain('c.der: ');
  });

  it('names the files of an archive that cannot be read', async () => {
    const archive = join(place.folder, 'package.zip');
    await writeFile(
      archive,
      writeZip([
        { name: 'a.crt', content: authority.certificate.der },
        { name: 'b.crt', content: Buffer.from('3003020101', 'hex') },
      ]),
    );
    const { code, stderr } = await runSinete(place, ['trust', 'import', archive]);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/left out: b\.crt: .*damaged/)]);
  });

  it('ends with 2 for a folder without anything useful', async () => {
    const folder = await folderWith('empty', { 'a.txt': 'hashes' });
    expect(await runSinete(place, ['trust', 'import', folder])).toMatchObject({ code: 2 });
  });

  it('marks a root of the owner as one for trying out by --test, never without its SHA-256', async () => {
    const file = join(place.folder, 'root.crt');
    await writeFile(file, root.certificate.der);
    expect(await runSinete(place, ['trust', 'import', file, '--test'])).toMatchObject({ code: 2 });
    const words = ['trust', 'import', file, '--fingerprint', root.certificate.fingerprint, '--test'];
    expect(await runSinete(place, words)).toMatchObject({ code: 0 });
    const { stdout } = await runSinete(place, ['trust', '--json']);
    const own = (JSON.parse(stdout) as TrustView).anchors.find(({ name }) => name === root.certificate.commonName);
    expect(own?.hierarchy).toBe('test');
    expect(await runSinete(place, ['trust', 'remove', root.certificate.fingerprint])).toMatchObject({ code: 0 });
  });

  it('trusts a root for time stamps only by --time-stamps-only, never without its SHA-256, and says so', async () => {
    const file = join(place.folder, 'stamps.crt');
    await writeFile(file, root.certificate.der);
    expect(await runSinete(place, ['trust', 'import', file, '--time-stamps-only'])).toMatchObject({ code: 2 });
    const pinned = ['trust', 'import', file, '--fingerprint', root.certificate.fingerprint];
    const marked = await runSinete(place, [...pinned, '--time-stamps-only']);
    expect(marked).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('(other, for time stamps only)') as string,
    });
    const isMarked = async (): Promise<boolean | undefined> => {
      const { stdout } = await runSinete(place, ['trust', '--json']);
      const { anchors } = JSON.parse(stdout) as { anchors: { fingerprint: string; time_stamps_only: boolean }[] };
      return anchors.find(({ fingerprint }) => fingerprint === root.certificate.fingerprint)?.time_stamps_only;
    };
    expect(await isMarked()).toBe(true);
    expect((await runSinete(place, ['trust'])).stdout).toContain('for time stamps only');
    expect(await runSinete(place, pinned)).toMatchObject({ code: 0 });
    expect(await isMarked()).toBe(false);
  });
});

describe('sinete trust remove', () => {
  const fingerprints = async (): Promise<readonly string[]> => {
    const { stdout } = await runSinete(place, ['trust', '--json']);
    return (JSON.parse(stdout) as TrustView).anchors.map(({ fingerprint }) => fingerprint);
  };

  it('takes the first digits of the SHA-256 of a single root', async () => {
    const [first = ''] = await fingerprints();
    const { code, stdout } = await runSinete(place, ['trust', 'remove', first.slice(0, 12).toUpperCase()]);
    expect([code, stdout.trim()]).toEqual([0, `Removed: ${first}`]);
    expect(await fingerprints()).not.toContain(first);
  });

  it.each([
    ['digits of no certificate', '00000000', /no trusted root or authority/],
    ['too few digits', '3bdb9b5', /first 8 hexadecimal digits/],
    ['a name', 'Raiz', /first 8 hexadecimal digits/],
  ])('ends with 2 for %s', async (_, text, words) => {
    const before = await fingerprints();
    const { code, stderr } = await runSinete(place, ['trust', 'remove', text]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
    expect(await fingerprints()).toEqual(before);
  });
});

describe('sinete trust remove and accept, of an authority', () => {
  const view = async (): Promise<TrustView> =>
    JSON.parse((await runSinete(place, ['trust', 'list', '--authorities', '--json'])).stdout) as TrustView;

  it('refuse the authority, show it as refused, and accept it again', async () => {
    const before = await view();
    const wanted = before.authorities?.find(({ name }) => name === 'AC SIG BRASIL');
    const fingerprint = wanted?.fingerprint ?? '';
    const digits = fingerprint.slice(0, 12);
    expect(await runSinete(place, ['trust', 'accept', digits])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no refused root or authority') as string,
    });
    const removed = await runSinete(place, ['trust', 'remove', digits]);
    expect([removed.code, removed.stdout.trim()]).toEqual([0, `Removed: ${fingerprint}`]);
    const refused = await view();
    expect(refused.refused).toContainEqual(wanted);
    expect(refused.intermediates).toBe(before.intermediates - 1);
    expect(refused.authorities).not.toContainEqual(wanted);
    const { stdout } = await runSinete(place, ['trust']);
    expect(stdout.slice(stdout.indexOf('Refused;'))).toContain(fingerprint);
    const accepted = await runSinete(place, ['trust', 'accept', digits]);
    expect([accepted.code, accepted.stdout.trim()]).toEqual([0, `Accepted: ${fingerprint}`]);
    expect((await view()).authorities).toContainEqual(wanted);
  });
});

describe('sinete trust list --authorities', () => {
  it('shows each authority that came with the product, with its issuer, its end and its SHA-256', async () => {
    const { stdout } = await runSinete(place, ['trust', 'list', '--authorities', '--json']);
    const { authorities = [], intermediates } = JSON.parse(stdout) as TrustView;
    expect(authorities).toHaveLength(intermediates);
    expect(authorities).toContainEqual({
      name: 'AC SIG BRASIL',
      issuer: 'AC VALID v5',
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      not_after: expect.stringMatching(/^2027-07-28/) as string,
    });
    const table = (await runSinete(place, ['trust', 'list', '--authorities'])).stdout;
    for (const { name, fingerprint } of authorities) {
      expect(table).toContain(name);
      expect(table).toContain(fingerprint);
    }
    expect((await runSinete(place, ['trust', 'list'])).stdout).not.toContain('AC SIG BRASIL  ');
  });
});
