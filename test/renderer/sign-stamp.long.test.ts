import { describe, expect, it } from 'vitest';
import type { Locator } from 'playwright-core';
import { writeTextPdf } from '../../src/app/demo/write-text-pdf.ts';
import { buildPdf, onePage } from '../signing/pdf/build-pdf.ts';
import { makePng, showPage } from '../signing/pdf/pictures.ts';
import { pickerOf, texts } from './actions.ts';
import type { RealWindow } from './browser.ts';
import { encryptPdf } from './encrypted-pdf.ts';
import { drag, expectedInk, placeOnSheet } from './dragging.ts';
import { mariaAlias, type RealPlan } from './real-core.ts';
import { sharedStage } from './shared-stage.ts';

const text = texts['pt-BR'];
/** Drawings may arrive late; only a page staying wrong fails the test. */
const patience = { timeout: 40_000 };
const stage = sharedStage();
const { inputsOf } = stage;
let shown: RealWindow;

const stampOf = (): Locator => shown.page.getByRole('application');

/** Goes to Sign with these PDFs and asks for a stamp. */
async function designStamp(files: Readonly<Record<string, Buffer>>, plan?: RealPlan): Promise<void> {
  shown = await stage.open(plan);
  const { page } = shown;
  await page.evaluate(() => (location.hash = '#/sign'));
  const chosen = Object.entries(files).map(([name, buffer]) => ({ name, mimeType: 'application/pdf', buffer }));
  await pickerOf(page).setInputFiles(chosen);
  await page.getByLabel(text.signOptions.stamp).check();
  await stampOf()
    .or(page.getByLabel(text.stamp.password, { exact: true }))
    .first()
    .waitFor();
}

/** Presses Sign to approve the batch, and waits until all is signed. */
async function signAll(outcome: string): Promise<void> {
  await shown.page.locator('form button[type=submit]').click();
  await shown.page.getByText(outcome, { exact: true }).first().waitFor();
  expect(inputsOf('approvals.decide')).toMatchObject([{ decision: 'approve' }]);
}

const letter = writeTextPdf({ title: 'Carta', paragraphs: ['Texto.'], footer: 'x' }, new Date());
const pages = (count: number): Buffer => {
  const kids = Array.from({ length: count }, (_, index) => `${10 + index} 0 R`).join(' ');
  const own = Array.from({ length: count }, (_, index) => [10 + index, '<</Type /Page /Parent 2 0 R>>'] as const);
  return buildPdf({
    ...onePage({ 2: `<</Type /Pages /Kids [${kids}] /Count ${count} /MediaBox [0 0 300 400]>>` }),
    ...Object.fromEntries(own),
  });
};

/** How much of the drawn page is darker than grey, from 0 to 1. */
const darkShare = (): Promise<number> =>
  shown.page
    .locator('main canvas:not([role=application] canvas)')
    .first()
    .evaluate((canvas) => {
      const { width, height } = canvas as HTMLCanvasElement;
      const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })!;
      copy.drawImage(canvas as HTMLCanvasElement, 0, 0);
      const { data } = copy.getImageData(0, 0, width, height);
      let dark = 0;
      for (let at = 0; at < data.length; at += 4) if (data[at + 3]! > 128 && data[at]! < 100) dark += 1;
      return dark / (width * height);
    });

describe('the stamp on its page', () => {
  it('moves and grows with the arrow keys, tells its place, and is signed there', async () => {
    await designStamp({ 'carta.pdf': letter });
    const { page } = shown;
    await stampOf().focus();
    for (const key of ['ArrowRight', 'ArrowUp', 'Shift+ArrowDown', 'Control+ArrowLeft']) await page.keyboard.press(key);
    expect(await stampOf().getAttribute('aria-label')).toBe('Carimbo: 15 mm da esquerda, 253 mm do topo, 81 por 31 mm');
    await signAll(text.sign.allSigned_one);
    const place = { corner: 'bottom-left', x: 43, y: 36, width: 230, height: 88 };
    expect(inputsOf('sign.create')).toMatchObject([{ visible: { pages: [-1], ...place } }]);
    expect(inputsOf('stamps.keepPlace')).toEqual([
      { alias: mariaAlias, place: { page: 'last', ...place, template: 'usual' } },
    ]);
    expect(shown.faults).toEqual([]);
  });

  it('goes to the page picked, and says a file has too few', async () => {
    await designStamp({ 'três.pdf': pages(3), 'uma.pdf': pages(1) });
    const { page } = shown;
    await page.getByRole('button', { name: text.stamp.previous }).click();
    expect(await stampOf().count()).toBe(0);
    await page.getByRole('button', { name: text.stamp.putHere }).click();
    await page.getByText('Página 2', { exact: true }).waitFor({ state: 'attached' });
    await page.getByLabel(text.stamp.shown, { exact: true }).selectOption('uma.pdf');
    await page.getByText('Este arquivo não tem a página 2', { exact: false }).waitFor();
    await page.locator('form button[type=submit]').click();
    await page.getByText('três-assinado.pdf', { exact: true }).waitFor();
    expect(inputsOf('sign.create')).toMatchObject([{ visible: { pages: [2] } }]);
    expect(shown.faults).toEqual([]);
  });

  it('is moved onto a page smaller than its first page', async () => {
    const kept = { page: 'first', corner: 'bottom-right', x: 36, y: 36, width: 320, height: 112 } as const;
    await designStamp(
      { 'pequena.pdf': pages(1) },
      {
        prepare: async ({ calls }) =>
          calls['stamps.keepPlace']({ alias: mariaAlias, place: { ...kept, template: 'gone' } }),
      },
    );
    await expect
      .poll(() => stampOf().getAttribute('aria-label'), patience)
      .toBe('Carimbo: 0 mm da esquerda, 89 mm do topo, 106 por 40 mm');
    await signAll(text.sign.allSigned_one);
    expect(inputsOf('sign.create')).toMatchObject([{ visible: { pages: [1], x: 0, width: 300, text: /Assinado/ } }]);
    expect(shown.faults).toEqual([]);
  });
});

describe('a stamp dragged', () => {
  /** Black, three times as wide as it is high: all ink on an empty page is its own. */
  const black = makePng({ width: 30, height: 10, depth: 8, colourType: 0, pixel: () => [0] });
  it.each([
    { kind: 'a plain page', entries: '', right: 90, down: -250 },
    { kind: 'a page turned by 90 degrees', entries: '/Rotate 90', right: 60, down: -60 },
    { kind: 'a cropped page', entries: '/CropBox [60 90 480 640]', right: -30, down: -120 },
    { kind: 'a cropped page that is turned', entries: '/Rotate 270 /CropBox [60 90 480 640]', right: 40, down: -40 },
  ])('comes out at its place on $kind, in its size', async ({ entries, right, down }) => {
    const page3 = `<</Type /Page /Parent 2 0 R ${entries}>>`;
    const sheet = buildPdf(onePage({ 3: page3, 4: { dictionary: '', data: '' } }));
    await designStamp({ 'folha.pdf': sheet });
    const { page } = shown;
    await page.getByLabel(text.stamp.template, { exact: true }).selectOption('picture-only');
    const chooser = page.getByLabel(text.stamp.choosePicture).last();
    await chooser.setInputFiles({ name: 'preto.png', mimeType: 'image/png', buffer: black });
    await stampOf().locator('canvas').waitFor();
    await drag(page, stampOf().locator('> span[aria-hidden]'), 12, 9);
    await drag(page, stampOf(), right, down);
    const shares = await placeOnSheet(stampOf());
    await signAll(text.sign.allSigned_one);
    const [signed] = await shown.core.archived();
    const drawn = await showPage(signed ?? '');
    const ink = drawn.ink()!;
    for (const [side, expected] of expectedInk(shares, drawn).entries()) {
      expect(Math.abs(ink[side]! - expected), `side ${side}: ${ink[side]!} for ${expected}`).toBeLessThan(2);
    }
    expect(shown.faults).toEqual([]);
  });
});

describe('a page hard to draw', () => {
  it('of an encrypted PDF asks for its password, tells a wrong password, and signs with the right password', async () => {
    await designStamp({ 'trancada.pdf': await encryptPdf(letter, 'segredo') });
    const { page } = shown;
    const password = page.getByLabel(text.stamp.password, { exact: true });
    await password.fill('errada');
    await page.getByRole('button', { name: text.stamp.open, exact: true }).click();
    await page.getByText(text.stamp.wrongPassword).waitFor();
    await password.fill('segredo');
    await password.press('Enter');
    await password.waitFor({ state: 'detached' });
    await expect.poll(darkShare, patience).toBeGreaterThan(0);
    await signAll(text.sign.allSigned_one);
    expect(inputsOf('sign.create')).toMatchObject([{ password: 'segredo' }]);
    expect(shown.faults).toEqual([]);
  });

  it('of a damaged PDF says so, and still takes the place', async () => {
    await designStamp({ 'estragado.pdf': Buffer.from('%PDF-1.7\nnada') });
    await shown.page.getByText(text.stamp.damaged).waitFor();
    await stampOf().focus();
    await shown.page.keyboard.press('ArrowRight');
    expect(await stampOf().getAttribute('aria-label')).toContain('16 mm da esquerda');
    expect(shown.faults).toEqual([]);
  });

  it('of a scan is drawn by its decoder, in a font not embedded by a font of ours', async () => {
    // ITU-T T.6: eight white rows and the end; the decode array makes the rows black.
    const scan = Buffer.from([0xff, 0x00, 0x10, 0x01]);
    const image = '/Subtype /Image /Width 8 /Height 8 /BitsPerComponent 1 /ColorSpace /DeviceGray /Decode [1 0]';
    const filter = '/Filter /CCITTFaxDecode /DecodeParms <</K -1 /Columns 8 /Rows 8>>';
    const resources = '/Resources <</XObject <</I1 6 0 R>> /Font <</F1 5 0 R>>>>';
    const content = 'q 300 0 0 300 0 500 cm /I1 Do Q BT /F1 60 Tf 20 100 Td (Texto) Tj ET';
    const scanned = onePage({
      3: `<</Type /Page /Parent 2 0 R /Contents 4 0 R ${resources}>>`,
      4: { dictionary: '', data: content },
      6: { dictionary: `/Type /XObject ${image} ${filter}`, data: scan },
    });
    await designStamp({ 'digitalizado.pdf': buildPdf(scanned) });
    const share = (300 * 300) / (595 * 842);
    await expect.poll(darkShare, patience).toBeGreaterThan(share + 0.001);
    expect(await darkShare()).toBeLessThan(share + 0.03);
    expect(shown.faults).toEqual([]);
  });
});

describe('templates of stamps', () => {
  const picture = makePng({ width: 6, height: 4, depth: 8, colourType: 6, pixel: () => [200, 0, 0, 128] });

  it('are saved with words and picture, renamed, chosen again, and removed', async () => {
    await designStamp({ 'carta.pdf': letter });
    const { page } = shown;
    await page.getByLabel(text.stamp.template, { exact: true }).selectOption('short');
    await page.getByRole('checkbox', { name: text.signOptions.variables.location, checked: false }).check();
    const chooser = page.getByLabel(text.stamp.choosePicture).last();
    await chooser.setInputFiles({ name: 'a.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') });
    await page.getByText(text.stamp.pictureHelp.kind).waitFor();
    await chooser.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: picture });
    await page.getByRole('button', { name: text.stamp.withoutPicture }).waitFor();
    await page.getByRole('button', { name: text.stamp.manage }).click();
    await page.getByLabel(text.stamp.saveAs).fill('Diretoria');
    await page.keyboard.press('Enter');
    await page.getByLabel('Nome de Diretoria').fill('Presidência');
    await page.getByRole('button', { name: 'Renomear Diretoria' }).click();
    await page.getByRole('button', { name: 'Remover Presidência' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel(text.stamp.template, { exact: true }).selectOption('usual');
    await page.getByRole('button', { name: text.stamp.withoutPicture }).waitFor({ state: 'detached' });
    await page.getByLabel(text.stamp.template, { exact: true }).selectOption({ label: 'Presidência' });
    const words = 'Assinado digitalmente por\n{name}\nData: {date}\nLocal: {location}\n{check}';
    expect(await page.getByLabel(text.signOptions.template).inputValue()).toBe(words);
    expect(await shown.core.calls['stamps.list']({})).toMatchObject([
      { name: 'Presidência', text: words, image: picture.toString('base64') },
    ]);
    await page.getByRole('button', { name: text.stamp.manage }).click();
    await page.getByRole('button', { name: 'Remover Presidência' }).click();
    await page.getByText(text.stamp.noOwn).waitFor();
    expect(inputsOf('sign.create')).toEqual([]);
    expect(shown.faults).toEqual([]);
  });
});
