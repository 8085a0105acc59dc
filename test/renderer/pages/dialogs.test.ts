import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { places } from '../places/all-places.ts';

/** Components that others make their dialogs of. */
const frames = [
  'components/dialogs/form-dialog.tsx',
  'questions/question-dialog.tsx',
  'pages/settings/entry-dialog.tsx',
];

describe('the places that are looked at', () => {
  it('leave no dialog out', async () => {
    const sources = fileURLToPath(new URL('../../../renderer/src/', import.meta.url));
    const files = (await readdir(sources, { recursive: true })).filter((name) => name.endsWith('.tsx'));
    const withDialog: string[] = [];
    for (const name of files.filter((file) => !frames.includes(file))) {
      if (/<((Entry|Form|Question)?Dialog|SidePanel)\b/.test(await readFile(sources + name, 'utf8')))
        withDialog.push(name.slice(0, -4));
    }
    const shown = new Set(places.flatMap(({ dialog }) => (dialog === undefined ? [] : [dialog])));
    expect([...shown].sort()).toEqual(withDialog.sort());
  });
});
