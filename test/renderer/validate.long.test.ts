import type { Page } from 'playwright-core';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { chooseFiles, dropFiles, texts } from './actions.ts';
import type { Window } from './browser.ts';
import { showDesktop } from './desktop-window.ts';
import { rightPassword } from './fake-core.ts';
import { sharedStage } from './shared-stage.ts';

const text = texts['pt-BR'];
const stage = sharedStage();
const { inputsOf } = stage;
let shown: Window;

async function validate(page: Page, names: readonly string[]): Promise<void> {
  await page.evaluate(() => (location.hash = '#/validate'));
  await page.getByRole('heading', { name: text.validate.title }).waitFor();
  await dropFiles(page, 'main', names);
}

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

describe('the page Validate', () => {
  it('shows a light with its reason for each file, the reason in detail on demand, and where pages were changed', async () => {
    shown = await stage.show();
    const { page } = shown;
    await validate(page, ['contrato.pdf', 'adulterado.pdf', 'notas.docx', 'notas.docx.p7s']);
    await card(page, 'contrato.pdf').getByText('Todas as assinaturas são válidas.').waitFor();
    await card(page, 'notas.docx.p7s').getByText('com notas.docx').waitFor();
    await page.getByText('Válidos: 2 · Inválidos: 1 · Indeterminados: 0').waitFor();
    const broken = card(page, 'adulterado.pdf');
    await broken.getByText('Pelo menos uma assinatura é inválida.').waitFor();
    const details = broken.getByRole('button', { name: 'Detalhes de Maria da Silva Teste' });
    await details.focus();
    await page.keyboard.press('Enter');
    await broken.getByText('Página 3', { exact: true }).waitFor();
    await broken.getByText('O que fazer: Peça o documento original a quem assinou.').waitFor();
    await broken.getByText('Autoridade Certificadora Raiz').first().waitFor();
    await broken
      .getByText(/^vale até .* de \d{4}, raiz confiável$/)
      .first()
      .waitFor();
    expect(await broken.getByText('Não revogado (CRL)', { exact: true }).count()).toBeGreaterThan(0);
    expect(inputsOf('validation.run')).toHaveLength(3);
    expect(inputsOf('sign.create')).toEqual([]);

    await dropFiles(page, 'main', ['anotado.pdf']);
    const changed = card(page, 'anotado.pdf');
    await changed.getByText('Alterado depois da assinatura').waitFor();
    await changed.getByText('página 1: Foi acrescentada uma anotação que pode cobrir a página.').first().waitFor();
    await changed.getByText('Permitidas por: nenhuma certificação').waitFor();
    const signedFile = page.waitForEvent('download');
    await changed.getByRole('button', { name: 'Salvar como foi assinado por Maria da Silva Teste' }).click();
    expect((await signedFile).suggestedFilename()).toBe('revisao-assinada-1.pdf');

    expect(await broken.getByRole('button', { name: /^Elevar/ }).count()).toBe(0);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Elevar para B-LTA: notas.docx.p7s' }).click();
    expect((await saved).suggestedFilename()).toBe('notas.docx-B-LTA.p7s');
    await card(page, 'notas.docx-B-LTA.p7s').getByText('com notas.docx').waitFor();
    await card(page, 'notas.docx-B-LTA.p7s').getByText('Todas as assinaturas são válidas.').waitFor();
    expect(inputsOf('validation.raise')).toEqual([
      {
        signature: { upload: expect.any(String) as string },
        content: { upload: expect.any(String) as string },
        level: 'B-LTA',
      },
    ]);
    expect(shown.faults).toEqual([]);
  });

  it('asks for the document of a signature that came alone, and takes one that comes later or is chosen by hand', async () => {
    shown = await stage.show();
    const { page } = shown;
    await validate(page, ['carta.odt.p7s', 'outra.p7s']);
    await card(page, 'carta.odt.p7s').getByText(text.validate.missing).waitFor();
    await dropFiles(page, 'main', ['carta.odt', 'nome diferente.odt']);
    await card(page, 'carta.odt.p7s').getByText('Todas as assinaturas são válidas.').waitFor();
    await page.getByText(text.validate.restText).waitFor();
    await card(page, 'outra.p7s')
      .getByLabel(text.validate.document.replace('{{name}}', 'outra.p7s'))
      .selectOption('nome diferente.odt');
    await card(page, 'outra.p7s').getByText('com nome diferente.odt').waitFor();
    await card(page, 'outra.p7s').getByText('Todas as assinaturas são válidas.').waitFor();
    expect(await page.getByText(text.validate.restText).count()).toBe(0);
    expect(shown.faults).toEqual([]);
  });

  it('saves the report as a file, prints it whole, and words it anew in another language', async () => {
    shown = await stage.show();
    const { page } = shown;
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', 'true');
    });
    await validate(page, ['contrato.pdf']);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: /^Salvar relatório/ }).click();
    await page.getByRole('menuitem', { name: text.validate.formats.json }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe('contrato.pdf-validacao.json');
    expect(await readFile(await download.path(), 'utf8')).toBe('report 1');
    await page.getByRole('button', { name: /^Imprimir o relatório/ }).click();
    await page.locator('body[data-printed=true]').waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('#root').isVisible()).toBe(false);
    await page.getByRole('heading', { name: 'Relatório de validação de assinaturas' }).waitFor();
    expect(await page.getByText('https://validar.iti.gov.br').last().isVisible()).toBe(true);
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    await page.getByRole('button', { name: text.preferences.title }).filter({ visible: true }).click();
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    await page.getByText('All signatures are valid.').waitFor();
    expect(shown.faults).toEqual([]);
  });

  it('asks for the password of an encrypted PDF, and says of other files that they are no signatures', async () => {
    shown = await stage.show();
    const { page } = shown;
    await validate(page, ['protegido.pdf', 'lista.txt']);
    const password = page.getByLabel(text.validate.password, { exact: true });
    await password.fill('errada');
    await password.press('Enter');
    await page.getByText(text.errors.PASSWORD_INCORRECT).waitFor();
    await password.fill(rightPassword);
    await password.press('Enter');
    await card(page, 'protegido.pdf').getByText('Todas as assinaturas são válidas.').waitFor();
    await page.getByRole('button', { name: 'Validar mesmo assim: lista.txt' }).click();
    await page.getByText(text.errors.NOT_A_SIGNATURE).waitFor();
    await page.getByRole('button', { name: 'Remover lista.txt' }).click();
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    expect(shown.faults).toEqual([]);
  });

  it('still signs what is dropped on other pages', async () => {
    shown = await stage.show();
    await chooseFiles(shown.page, ['contrato.pdf']);
    expect(inputsOf('validation.run')).toEqual([]);
  });

  it('reads files of the desktop where they lie, and hands over what lies in no folder', async () => {
    shown = await showDesktop(stage, '/home/maria');
    const { page } = shown;
    await validate(page, ['contrato.pdf', 'anexo.pdf']);
    await card(page, 'contrato.pdf').getByText('Todas as assinaturas são válidas.').waitFor();
    await card(page, 'anexo.pdf').getByText('Todas as assinaturas são válidas.').waitFor();
    expect(inputsOf('validation.run')).toEqual([
      { signature: { path: '/home/maria/contrato.pdf' }, language: 'pt-BR' },
      { signature: { upload: 'upload-1' }, language: 'pt-BR' },
    ]);
    await page.getByRole('button', { name: text.validate.openOfficial }).click();
    expect(shown.faults).toEqual([]);
  });
});
