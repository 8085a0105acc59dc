import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Stamps } from '../../src/app/compose/stamps.ts';
import type { SettingsStore } from '../../src/service/settings/index.ts';
import { WorkerPool, type AliasedKey } from '../../src/signing/index.ts';
import { MARIA_CPF, personWith } from '../pki/identities.ts';
import { makePng, showPage } from '../signing/pdf/pictures.ts';

/** Settings in memory, as JSON like the real ones. */
class FakeSettings implements SettingsStore {
  readonly kept = new Map<string, string>();
  read = (key: string): Promise<unknown> =>
    Promise.resolve((JSON.parse(this.kept.get(key) ?? 'null') as unknown) ?? undefined);
  write = (key: string, value: unknown): Promise<void> =>
    Promise.resolve(void this.kept.set(key, JSON.stringify(value)));
  remove = (key: string): Promise<void> => Promise.resolve(void this.kept.delete(key));
}

const png = makePng({ width: 8, height: 4, depth: 8, colourType: 0, pixel: () => [0] });
const [maria, renewed] = await Promise.all([personWith(), personWith()]);
const keyOf = ({ certificate }: { readonly certificate: Buffer }): AliasedKey => ({ certificate }) as AliasedKey;

describe('stamps', () => {
  const workers = new WorkerPool();
  let folder: string;
  let settings: FakeSettings;
  let stamps: Stamps;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sinete-stamps-'));
  });
  beforeEach(() => {
    settings = new FakeSettings();
    stamps = new Stamps(settings, workers, { now: () => new Date('2026-11-20T10:20:30Z') });
  });
  afterAll(async () => {
    await workers.close();
    await rm(folder, { recursive: true });
  });

  it('show in the preview the looks of a signature: a page as large as the stamp, with a frame and the picture on the left', async () => {
    const image = png.toString('base64');
    const pdf = await stamps.preview(keyOf(maria), { width: 200, height: 80, text: 'Por {name}\n{reason}', image });
    const path = join(folder, 'preview.pdf');
    await writeFile(path, pdf);
    const shown = await showPage(path);
    expect([shown.width, shown.height]).toEqual([200, 80]);
    const [left, bottom, right, top] = shown.ink()!;
    expect([left, Math.round((bottom + top) / 2)]).toEqual([0, 40]);
    expect(right).toBeGreaterThan(90);
    expect(shown.at(40, 40)).toEqual([0, 0, 0]);
  });

  it('are kept as templates, changed, and removed; undrawable pictures are refused', async () => {
    const saved = await stamps.save({ name: 'Diretoria', text: '', image: png.toString('base64') });
    await stamps.save({ id: saved.id, name: 'Presidência', text: 'x' });
    expect(await stamps.list()).toEqual([{ id: saved.id, name: 'Presidência', text: 'x', image: null }]);
    const broken = Buffer.from('no picture').toString('base64');
    await expect(stamps.save({ name: 'a', text: 'x', image: broken })).rejects.toMatchObject({
      code: 'PDF_APPEARANCE_INVALID',
    });
    await expect(stamps.save({ name: 'a', text: ' ' })).rejects.toMatchObject({ code: 'PDF_APPEARANCE_INVALID' });
    await expect(stamps.save({ id: 'gone', name: 'a', text: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await stamps.remove(saved.id);
    await expect(stamps.remove(saved.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    for (let count = 0; count < 24; count += 1) await stamps.save({ name: String(count), text: 'x' });
    await expect(stamps.save({ name: 'one more', text: 'x' })).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
  });

  it('remember the place of a person, for a renewed certificate too, and no number of the person', async () => {
    const place = { page: 'last', corner: 'top-right', x: 1, y: 2, width: 100, height: 50, template: 'usual' } as const;
    expect(await stamps.place(keyOf(maria))).toBeNull();
    await stamps.keepPlace(keyOf(maria), place);
    await stamps.keepPlace(keyOf(maria), { ...place, x: 9 });
    expect(await stamps.place(keyOf(renewed))).toEqual({ ...place, x: 9 });
    expect([...settings.kept.values()].join()).not.toContain(MARIA_CPF);
  });
});
