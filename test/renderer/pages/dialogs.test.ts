import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { places } from '../places/all-places.ts';

/** Components others make their dialogs of. */
const frames = [
  'components/dialogs/form-dialog.tsx',
  'questions/question-dialog.tsx',
  'pages/settings/entry-dialog.tsx',
];

describe('the places looked at', () => {
  it('leave no page out', async () => {
    const read = async (file: URL): Promise<string> => readFile(file, 'utf8');
    const names = /const named = \[(.*?)\]/s.exec(
      await read(new URL('../../../renderer/src/route.ts', import.meta.url)),
    );
    const routes = [...(names?.[1] ?? '').matchAll(/'([\w-]+)'/g)].map(([, name]) => name ?? '');
    expect(routes).toContain('settings');
    const folder = new URL('../places/', import.meta.url);
    const ways = (await Promise.all((await readdir(folder)).map(async (name) => read(new URL(name, folder))))).join('');
    const unseen = routes.filter((route) => !new RegExp(`'#/${route}['?]`).test(ways));
    expect(unseen, 'each page has a place in test/renderer/places').toEqual([]);
  });

  it('leave no dialog out', async () => {
    const sources = fileURLToPath(new URL('../../../renderer/src/', import.meta.url));
    const files = (await readdir(sources, { recursive: true })).filter((name) => name.endsWith('.tsx'));
    const withDialog: string[] = [];
    for (const name of files.filter((file) => !frames.includes(file))) {
      if (/<((Entry|Form|Question)?Dialog|SidePanel)\b/.test(await readFile(sources + name, 'utf8')))
        withDialog.push(name.slice(0, -4));
    }
    const shown = new Set(places.flatMap(({ dialog }) => (dialog === undefined ? [] : [dialog])));
    expect([...shown].sort(), 'each dialog has a place in test/renderer/places').toEqual(withDialog.sort());
  });
});
