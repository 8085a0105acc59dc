import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TrustImport, TrustView } from '../../src/ui-contract/ui-contract.ts';
import { makeParty } from '../signing/certificates/path/path-pki.ts';
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
    // A root that is not pinned is shown with its fingerprint, and not trusted.
    expect(skipped.join(' ')).toContain(root.certificate.fingerprint);
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
      const { anchors } = JSON.parse(stdout) as TrustView;
      return anchors.find(({ fingerprint }) => fingerprint === root.certificate.fingerprint)?.timeStampsOnly;
    };
    expect(await isMarked()).toBe(true);
    expect((await runSinete(place, ['trust'])).stdout).toContain('for time stamps only');
    expect(await runSinete(place, pinned)).toMatchObject({ code: 0 });
    expect(await isMarked()).toBe(false);
  });
});
