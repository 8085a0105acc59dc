import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorkplace, runSinete, serve, type ServingProcess, type Workplace } from './run-sinete.ts';

let place: Workplace;
const fileOf = (name: string): string => join(place.folder, name);

beforeAll(async () => {
  place = await makeWorkplace();
  await mkdir(fileOf('archive'));
  await runSinete(place, 'certificates test-identity --name ANA --cpf 11144477735 --key p256'.split(' '));
  for (const name of ['kept.txt', 'lost.txt']) {
    await writeFile(fileOf(`archive/${name}`), name);
    const signed = await runSinete(place, ['sign', `archive/${name}`, '--detached', '-y']);
    expect(signed, signed.stderr).toMatchObject({ code: 0 });
  }
  await rm(fileOf('archive/lost.txt'));
});
afterAll(async () => place.remove());

describe.each(['without', 'with'])('the renewals %s a running instance', (how) => {
  let instance: ServingProcess | undefined;
  beforeAll(async () => {
    if (how === 'with') instance = await serve(place);
  });
  afterAll(async () => instance?.stop());

  it('are of a folder named, with dates and reasons, and tell of a missing document', async () => {
    const added = await runSinete(place, ['renewals', 'add', 'archive']);
    expect([added.code, added.stdout]).toEqual([0, `Kept valid: ${fileOf('archive')}\n`]);
    expect((await runSinete(place, ['renewals', 'folders'])).stdout).toBe(`${fileOf('archive')}\n`);

    const run = await runSinete(place, ['renewals', 'run', '--json']);
    expect([run.code, JSON.parse(run.stdout)]).toMatchObject([1, { renewed: 0, troubled: 1 }]);
    const { files } = JSON.parse((await runSinete(place, ['renewals', '--json'])).stdout) as { files: { path: string; outcome: { state: string } }[] }; // prettier-ignore
    const lost = files.find(({ path }) => path.endsWith('lost.txt.p7s'));
    expect([files.length, lost?.outcome.state]).toEqual([2, 'content-missing']);
    const listed = await runSinete(place, ['renewals']);
    expect(listed.stdout).toMatch(/lost\.txt\.p7s +content-missing/);
    expect(listed.stderr).toContain('90 days');

    const doctor = JSON.parse((await runSinete(place, ['doctor', '--json'])).stdout) as Record<string, unknown>;
    expect(JSON.stringify(doctor)).toContain('whose signed document is missing: 1');

    const removed = await runSinete(place, ['renewals', 'remove', 'archive', '--json']);
    expect(removed.code).toBe(0);
    expect((await runSinete(place, ['renewals'])).stdout).toContain('No file is kept valid yet');
  });

  it('are reported as a page, as PDF and as JSON', async () => {
    for (const [name, start] of [
      ['r.html', '<!'],
      ['r.pdf', '%PDF-'],
      ['r.json', '{'],
    ] as const) {
      const reported = await runSinete(place, ['renewals', 'report', name]);
      expect([name, reported.code]).toEqual([name, 0]);
      expect((await readFile(fileOf(name), 'latin1')).trimStart().startsWith(start)).toBe(true);
    }
    expect(await runSinete(place, ['renewals', 'report', 'r.doc'])).toMatchObject({ code: 2 });
  });

  it('never remove the draft of the job renewing a file of the same folder', async () => {
    const draft = fileOf('archive/.elsewhere.pdf.sinete-renewal');
    await writeFile(draft, 'the job is at work');
    await runSinete(place, ['extend', '--due', 'archive']);
    expect(await readFile(draft, 'utf8')).toBe('the job is at work');
    await rm(draft);
  });
});
