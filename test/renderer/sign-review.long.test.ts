import { describe, expect, it } from 'vitest';
import type { CallInput } from '../../src/ui-contract/ui-contract.ts';
import { askPdfsig } from '../signing/pdf/oracles.ts';
import { buildPdf, emptySignatureField, onePage, withFields } from '../signing/pdf/build-pdf.ts';
import { chooseByClick, countClicks, pickerOf, texts } from './actions.ts';
import type { RealWindow } from './browser.ts';
import { drag } from './dragging.ts';
import { sharedStage } from './shared-stage.ts';

const text = texts['pt-BR'];
const stage = sharedStage();
const { inputsOf } = stage;
let shown: RealWindow;

const pages = (count: number): Buffer => {
  const numbers = Array.from({ length: count }, (_, index) => 10 + index);
  const kids = numbers.map((number) => `${number} 0 R`).join(' ');
  return buildPdf({
    ...onePage({ 2: `<</Type /Pages /Kids [${kids}] /Count ${count} /MediaBox [0 0 300 400]>>` }),
    ...Object.fromEntries(numbers.map((number) => [number, '<</Type /Page /Parent 2 0 R>>'])),
  });
};

const form = buildPdf(withFields({ 6: emptySignatureField('Assinatura') }));

async function choose(files: Readonly<Record<string, Buffer>>, viewport = { width: 1280, height: 800 }): Promise<void> {
  shown = await stage.open({}, { viewport });
  const { page } = shown;
  await page.evaluate(() => (location.hash = '#/sign'));
  const chosen = Object.entries(files).map(([name, buffer]) => ({ name, mimeType: 'application/pdf', buffer }));
  await pickerOf(page).setInputFiles(chosen);
  await page.getByRole('group', { name: text.stamp.pages }).waitFor();
}

const submit = () => shown.page.locator('form button[type=submit]');
/** The fields of the signatures in each file of the archive; pdfsig finds all valid. */
async function signaturesInArchive(): Promise<readonly (readonly string[])[]> {
  const paths = await shown.core.archived();
  const found = await Promise.all(paths.map(async (path) => (await askPdfsig(path)) ?? []));
  expect(found.flat().filter(({ valid }) => !valid)).toEqual([]);
  return found.map((signatures) => signatures.map(({ field }) => field));
}

const filesSent = (): unknown => (inputsOf('sign.create') as CallInput<'sign.create'>[])[0]?.files;

describe('the review of a batch', () => {
  it('signs three PDFs with a stamp dragged in four clicks from Home', async () => {
    shown = await stage.open({}, { viewport: { width: 1280, height: 800 } });
    const { page } = shown;
    const clicks = await countClicks(page);
    const files = ['a.pdf', 'b.pdf', 'c.pdf'].map((name) => ({
      name,
      mimeType: 'application/pdf',
      buffer: pages(2),
    }));
    await chooseByClick(page, page.getByRole('button', { name: text.sign.chooseFiles }).first(), files);
    await page.getByRole('group', { name: text.stamp.pages }).waitFor();
    await page.getByLabel(text.signOptions.stamp).click();
    const stamp = page.getByRole('application');
    await stamp.locator('canvas').waitFor();
    await drag(page, stamp, 20, -60);
    await submit().click();
    await page.getByText('3 documentos assinados', { exact: true }).waitFor();
    expect(await clicks()).toBe(4);
    expect(inputsOf('sign.create')).toMatchObject([{ visible: { pages: [-1] } }]);
    expect(shown.faults).toEqual([]);
  });

  it('stamps each file at the chosen place, and puts initials on the other pages', async () => {
    await choose({ 'a.pdf': pages(3), 'b.pdf': pages(3), 'c.pdf': pages(3) });
    const { page } = shown;
    await page.getByLabel(text.signOptions.stamp).check();
    await page.getByLabel(text.stamp.initials).check();
    await page.getByLabel(text.stamp.shown, { exact: true }).selectOption('b.pdf');
    await page.getByRole('button', { name: 'Ir para a página 2' }).click();
    await page.getByRole('application', { name: /^Rubrica: / }).waitFor();
    await page.getByLabel(text.stamp.thisFile).selectOption('place');
    const stamp = page.getByRole('application', { name: /^Carimbo: / });
    await stamp.focus();
    await page.keyboard.press('ArrowRight');
    await page.getByLabel(text.stamp.shown, { exact: true }).selectOption('c.pdf');
    await page.getByLabel(text.stamp.thisFile).selectOption('none');
    await stamp.waitFor({ state: 'detached' });
    await submit().click();
    await page.getByText('3 documentos assinados', { exact: true }).waitFor();
    expect(await signaturesInArchive()).toHaveLength(3);
    const initials = { corner: 'bottom-right', x: 36, y: 36, width: 54, height: 24, text: '{initials}' };
    expect(inputsOf('sign.create')).toMatchObject([{ visible: { pages: [-1], x: 36, initials } }]);
    expect(filesSent()).toEqual([
      { name: 'a.pdf' },
      {
        name: 'b.pdf',
        stamp: { kind: 'place', pages: [2], corner: 'bottom-right', x: 26, y: 36, width: 230, height: 80 },
      },
      { name: 'c.pdf', stamp: { kind: 'none' } },
    ]);
    expect(shown.faults).toEqual([]);
  });

  it('moves the initials, changes their words, and keeps both for the next batch', async () => {
    await choose({ 'a.pdf': pages(2) });
    const { page } = shown;
    await page.getByLabel(text.signOptions.stamp).check();
    await page.getByLabel(text.stamp.initials).check();
    await page.getByLabel(text.stamp.initialsText).fill('{initials} visto');
    await page.getByLabel(text.stamp.initialsCorner).selectOption('top-left');
    await page.getByRole('button', { name: 'Ir para a página 1' }).click();
    const initials = page.getByRole('application', { name: /^Rubrica: 13 mm da esquerda, 13 mm do topo/ });
    await initials.locator('canvas').waitFor();
    await expect.poll(() => inputsOf('stamps.preview').at(-1)).toMatchObject({ text: '{initials} visto', width: 54 });
    await initials.focus();
    await page.keyboard.press('ArrowDown');
    expect(await page.getByLabel(text.stamp.initialsCorner).inputValue()).toBe('');
    await submit().click();
    await page.getByText(text.sign.allSigned_one, { exact: true }).waitFor();
    const wanted = { corner: 'top-left', x: 36, y: 44, width: 54, height: 24, text: '{initials} visto' };
    expect(inputsOf('sign.create')).toMatchObject([{ visible: { initials: wanted } }]);
    expect(inputsOf('stamps.keepPlace')).toMatchObject([{ place: { initials: wanted } }]);
    await page.reload();
    await pickerOf(page).setInputFiles([{ name: 'b.pdf', mimeType: 'application/pdf', buffer: pages(2) }]);
    await page.getByLabel(text.signOptions.stamp).click();
    await expect.poll(() => page.getByLabel(text.stamp.initialsText).inputValue()).toBe('{initials} visto');
    expect(shown.faults).toEqual([]);
  });

  it('fills the clicked field, and lets the field go again', async () => {
    await choose({ 'formulário.pdf': form });
    const { page } = shown;
    const field = page.getByRole('button', { name: 'Assinar no campo Assinatura' });
    await field.click();
    await page.getByRole('button', { name: text.stamp.leaveField }).click();
    await page.getByRole('application').waitFor();
    await field.click();
    await page.getByRole('application').waitFor({ state: 'detached' });
    expect(await field.getAttribute('aria-pressed')).toBe('true');
    await submit().click();
    await page.getByText(text.sign.allSigned_one, { exact: true }).waitFor();
    expect(filesSent()).toEqual([{ name: 'formulário.pdf', stamp: { kind: 'field', fieldName: 'Assinatura' } }]);
    expect(await signaturesInArchive()).toEqual([['Assinatura']]);
    expect(shown.faults).toEqual([]);
  });

  it('shows the signatures of a file, with their verdict, on the page and below', async () => {
    shown = await stage.open();
    const { page, core } = shown;
    const signed = await core.sign('contrato.pdf', form);
    await page.evaluate(() => (location.hash = '#/sign'));
    await pickerOf(page).setInputFiles([{ name: 'assinado.pdf', mimeType: 'application/pdf', buffer: signed }]);
    const list = page.getByRole('region', { name: text.stamp.signatures });
    await list.getByText('Maria da Silva Teste').waitFor();
    const verdict = await list.locator('li span').nth(1).textContent();
    expect(await page.getByText(verdict ?? '', { exact: true }).count()).toBe(2);
    expect(shown.faults).toEqual([]);
  });

  it.each([
    { width: 1280, height: 800 },
    { width: 800, height: 600 },
  ])('keeps the button in sight at $width by $height', async (viewport) => {
    await choose({ 'a.pdf': pages(12) }, viewport);
    const { page } = shown;
    await page.getByLabel(text.signOptions.stamp).check();
    await page.getByRole('application').waitFor();
    for (const share of [0, 0.5, 1]) {
      await page.evaluate((part) => window.scrollTo(0, part * document.documentElement.scrollHeight), share);
      const box = (await submit().boundingBox())!;
      expect(box.y + box.height).toBeLessThanOrEqual(viewport.height);
      if (share > 0) expect(box.y).toBeGreaterThan(0);
    }
    expect(await stage.axe(page)).toEqual([]);
    expect(shown.faults).toEqual([]);
  });
});
