import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writePkcs12 } from '../../src/test-authority/index.ts';
import { personWith } from '../pki/identities.ts';
import { buildPdf, onePage, type Objects } from '../signing/pdf/build-pdf.ts';
import { makeWorkplace, runSinete, type Workplace } from './run-sinete.ts';

/** The fields placed by the author of a form, and their looks for people. */

let place: Workplace;
const fileOf = (name: string): string => join(place.folder, name);

/** A page with empty signature fields; a field without a rectangle shows nothing. */
function formWith(fields: Readonly<Record<string, string>>): Buffer {
  const names = Object.keys(fields);
  const references = names.map((_, index) => `${10 + index} 0 R`).join(' ');
  const widgets: Record<number, Objects[number]> = {};
  for (const [index, name] of names.entries()) {
    const widget = `/Type /Annot /Subtype /Widget /FT /Sig /T (${name}) /F 4 /P 3 0 R`;
    widgets[10 + index] = `<<${widget} /Rect [${fields[name] ?? ''}]>>`;
  }
  const objects = onePage({
    1: `<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [${references}]>>>>`,
    ...widgets,
  });
  const page = (objects[3] as string).replace(/>>\s*$/, ` /Annots [${references}]>>`);
  return buildPdf({ ...objects, 3: page });
}

const box = '100 100 300 160';

async function addIdentity(name: string, file: string): Promise<void> {
  await writeFile(fileOf(`${file}.p12`), await writePkcs12(await personWith({ name }), 'segredo'));
  const words = ['certificates', 'add', `${file}.p12`, '--password-file', 'password'];
  const added = await runSinete(place, words);
  expect(added.code, added.stderr).toBe(0);
}

beforeAll(async () => {
  place = await makeWorkplace();
  await writeFile(fileOf('password'), 'segredo\n', { mode: 0o600 });
  await addIdentity('ANA LIMA', 'ana');
  await addIdentity('山田太郎', 'yamada');
  await addIdentity('Ana 😀', 'smile');
}, 120_000);
afterAll(() => place.remove());

interface Row {
  readonly status: string;
  readonly result: string;
  readonly warnings?: readonly { readonly code: string; readonly detail: string }[];
  readonly error: { readonly code: string; readonly detail: string } | null;
}

let count = 0;
async function sign(pdf: Buffer, ...options: readonly string[]): Promise<Row & { readonly appended: string }> {
  count += 1;
  const name = `form-${count}.pdf`;
  await writeFile(fileOf(name), pdf);
  const words = ['sign', '-y', '--json', name, ...options];
  const { stdout, stderr } = await runSinete(
    place,
    options.includes('-c') ? words : [...words, '-c', 'ANA LIMA:52998224725'],
  );
  expect(stderr).toBe('');
  const [row] = JSON.parse(stdout) as readonly [Row];
  const appended = row.status === 'SIGNED' ? (await readFile(row.result)).subarray(pdf.length).toString('latin1') : '';
  return { ...row, appended };
}

describe('an empty signature field with a place on the page', () => {
  it.each([
    ['chosen by its name', ['--field', 'Sig14']],
    ['the only one', []],
  ])('shows its signer, %s', async (_how, options) => {
    const { status, appended } = await sign(formWith({ Sig14: box }), ...options);
    expect(status).toBe('SIGNED');
    expect(appended).toContain('/AP');
    expect(appended).toContain('/BBox [0 0 200 60]');
  });

  it('stays blank with --invisible', async () => {
    const { status, appended } = await sign(formWith({ Sig14: box }), '--field', 'Sig14', '--invisible');
    expect(status).toBe('SIGNED');
    expect(appended).not.toContain('/AP');
  });

  it('shows nothing without a place', async () => {
    const { status, appended } = await sign(formWith({ Sig14: '0 0 0 0' }), '--field', 'Sig14');
    expect(status).toBe('SIGNED');
    expect(appended).not.toContain('/BBox [0 0 200 60]');
  });
});

describe('several empty signature fields', () => {
  const two = formWith({ Outorgante: box, Advogado: '100 200 300 260' });

  it('stay empty with a warning naming each, where nobody can be asked', async () => {
    const { status, warnings = [] } = await sign(two);
    expect(status).toBe('SIGNED');
    expect(warnings).toMatchObject([{ code: 'FIELDS_LEFT_EMPTY' }]);
    expect(warnings[0]?.detail).toContain('"Outorgante", "Advogado"');
  });

  it('are an error where the request demands a choice', async () => {
    const { error } = await sign(two, '--field', '?');
    expect(error).toMatchObject({ code: 'FIELD_REQUIRED' });
    expect(error?.detail).toContain('"Outorgante", "Advogado"');
  });

  it('are no question where a field is named', async () => {
    const { status, warnings } = await sign(two, '--field', 'Advogado');
    expect([status, warnings]).toEqual(['SIGNED', undefined]);
  });
});

describe('a name on a stamp', () => {
  it('is drawn as boxes where no font has its characters, with the characters in a warning', async () => {
    const { status, warnings = [] } = await sign(buildPdf(onePage()), '--visible', '-c', 'Ana 😀:52998224725');
    expect(status).toBe('SIGNED');
    expect(warnings).toMatchObject([{ code: 'GLYPHS_MISSING' }]);
    expect(warnings[0]?.detail).toContain('😀');
  });

  it.each(['山田太郎:52998224725', 'ANA LIMA:52998224725'])(
    'brings no warning where a font has its letters: %s',
    async (name) => {
      const certificate = name.startsWith('ANA') ? [] : ['-c', name];
      expect((await sign(buildPdf(onePage()), '--visible', ...certificate)).warnings).toBeUndefined();
    },
  );
});

describe('an option of a signature', () => {
  it.each([
    ['--reason', 'x'.repeat(1001), /reason/],
    ['--field', '', /field/i],
  ])('%s is refused by its limits without a running instance too', async (option, value, named) => {
    await writeFile(fileOf('limited.pdf'), buildPdf(onePage()));
    const outcome = await runSinete(place, ['sign', fileOf('limited.pdf'), option, value]);
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toMatch(named);
  });
});
