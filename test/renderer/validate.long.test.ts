import type { Page } from 'playwright-core';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePort } from '../app/run-sinete.ts';
import { buildPdf, onePage } from '../signing/pdf/build-pdf.ts';
import { chooseFiles, contentOf, dropContents, dropFiles, texts } from './actions.ts';
import type { RealWindow } from './browser.ts';
import { showDesktop } from './desktop-window.ts';
import { encryptPdf } from './encrypted-pdf.ts';
import type { RealCore } from './real-core.ts';
import { sharedStage } from './shared-stage.ts';
import { annotated, ONLY_PRINTED, pageReplaced, tampered } from './changed-files.ts';
import { withTestIdentity } from './worlds.ts';

const text = texts['pt-BR'];
const stage = sharedStage();
const { inputsOf } = stage;
let shown: RealWindow;

async function validate(page: Page, contents: Readonly<Record<string, Buffer>>): Promise<void> {
  await page.evaluate(() => (location.hash = '#/validate'));
  await page.getByRole('heading', { name: text.validate.title }).waitFor();
  await dropContents(page, 'main', contents);
}

const plainPage = buildPdf(onePage());
const signPdf = async (core: RealCore): Promise<Buffer> => core.sign('contrato.pdf', plainPage);
const signText = async (core: RealCore, name: string): Promise<Buffer> =>
  core.sign(name, contentOf(name), 'CAdES-detached');

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

describe('the page Validate', () => {
  it('shows a light with a reason for each file, the details on demand, and the changed pages', async () => {
    shown = await stage.open(withTestIdentity(await freePort()));
    const { page, core } = shown;
    const signed = await signPdf(core);
    await validate(page, {
      'contrato.pdf': signed,
      'adulterado.pdf': tampered(signed),
      'notas.docx': contentOf('notas.docx'),
      'notas.docx.p7s': await signText(core, 'notas.docx'),
    });
    await card(page, 'contrato.pdf').getByText('Todas as assinaturas são válidas.').waitFor();
    await card(page, 'notas.docx.p7s').getByText('com notas.docx').waitFor();
    await page.getByText('Válidos: 2 · Inválidos: 1 · Indeterminados: 0').waitFor();
    const broken = card(page, 'adulterado.pdf');
    await broken.getByText('Pelo menos uma assinatura é inválida.').waitFor();
    const details = broken.getByRole('button', { name: 'Detalhes de Maria da Silva Teste' });
    await details.focus();
    await page.keyboard.press('Enter');
    await broken
      .getByText(/^O que fazer: /)
      .first()
      .waitFor();
    await broken
      .getByText(/^AC Raiz de Teste/)
      .first()
      .waitFor();
    await broken
      .getByText(/^vale até .* de \d{4}, raiz confiável$/)
      .first()
      .waitFor();
    const good = card(page, 'contrato.pdf');
    await good.getByRole('button', { name: 'Detalhes de Maria da Silva Teste' }).click();
    await good.getByText('Não revogado (OCSP)', { exact: true }).first().waitFor();
    expect(inputsOf('validation.run')).toHaveLength(3);
    expect(inputsOf('sign.create')).toEqual([]);

    await dropContents(page, 'main', { 'anotado.pdf': annotated(signed) });
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

  it('compares the printed page too, where a later note is on paper only', async () => {
    shown = await stage.open(withTestIdentity(await freePort()));
    const { page, core } = shown;
    const signed = await signPdf(core);
    const compare = async (name: string, content: Buffer) => {
      await validate(page, { [name]: content });
      await card(page, name).getByRole('button', { name: /^Comparar as páginas/ }).click(); // prettier-ignore
      return page.getByRole('dialog');
    };
    const dialog = await compare('no papel.pdf', annotated(signed, ONLY_PRINTED));
    await dialog.getByText(text.validate.samePage).waitFor();
    const printed = dialog.getByRole('region', { name: text.validate.printed });
    await printed.getByText(text.validate.differentPrint).waitFor();
    expect(await printed.locator('canvas').count()).toBe(3);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const other = await compare('na tela.pdf', annotated(signed));
    await other.getByText(text.validate.differentPage).waitFor();
    expect(await other.getByRole('region', { name: text.validate.printed }).count()).toBe(0);
    expect(shown.faults).toEqual([]);
  });

  it('compares the pages of a document that was forged after its signature, and saves the signed version', async () => {
    shown = await stage.open(withTestIdentity(await freePort()));
    const { page, core } = shown;
    const signed = await signPdf(core);
    await validate(page, { 'trocado.pdf': pageReplaced(signed) });
    const forged = card(page, 'trocado.pdf');
    await forged.getByText(/^Inválida/).first().waitFor(); // prettier-ignore
    const saved = page.waitForEvent('download');
    await forged.getByRole('button', { name: 'Salvar como foi assinado por Maria da Silva Teste' }).click();
    expect(await readFile(await (await saved).path())).toEqual(signed);
    await forged.getByRole('button', { name: /^Comparar as páginas/ }).click();
    await page.getByRole('dialog').getByText(text.validate.differentPage).waitFor();
    expect(shown.faults).toEqual([]);
  });

  it('asks for the missing document of a signature, and takes a later or a chosen document', async () => {
    shown = await stage.open(withTestIdentity(await freePort()));
    const { page, core } = shown;
    const [letter, other] = [await signText(core, 'carta.odt'), await signText(core, 'nome diferente.odt')];
    await validate(page, { 'carta.odt.p7s': letter, 'outra.p7s': other });
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

  it('saves and prints the report, and words the report anew in another language', async () => {
    shown = await stage.open(withTestIdentity(await freePort()));
    const { page, core } = shown;
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', 'true');
    });
    const signed = await signPdf(core);
    await validate(page, { 'contrato.pdf': signed });
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: /^Salvar relatório/ }).click();
    await page.getByRole('menuitem', { name: text.validate.formats.json }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toMatch(/^contrato.*\.json$/);
    const report = JSON.parse(await readFile(await download.path(), 'utf8')) as unknown;
    const sha256 = createHash('sha256').update(signed).digest('hex');
    const file = { file_name: 'contrato.pdf', file_size: signed.length, file_digest: sha256 };
    expect(report).toMatchObject({ ...file, signatures: [{ indication: 'TOTAL-PASSED' }] });
    await page.getByRole('button', { name: /^Imprimir o relatório/ }).click();
    await page.locator('body[data-printed=true]').waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('#root').isVisible()).toBe(false);
    const sheet = page.getByRole('img', { name: 'Relatório de validação de assinaturas' });
    await sheet.locator('canvas').first().waitFor();
    const paper = (await page.pdf({ format: 'A4' })).toString('latin1');
    expect(paper.match(/\/Type \/Page\b/g)).toHaveLength(1);
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    await page.getByRole('button', { name: text.preferences.title }).filter({ visible: true }).click();
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    await page.getByText('All signatures are valid.').waitFor();
    expect(shown.faults).toEqual([]);
  });

  it('asks for the password of an encrypted PDF, and refuses files without a signature', async () => {
    shown = await stage.open(withTestIdentity(await freePort()));
    const { page, core } = shown;
    const locked = await encryptPdf(plainPage, 'senha certa');
    const signed = await core.sign('protegido.pdf', locked, 'PAdES', { password: 'senha certa' });
    await validate(page, { 'protegido.pdf': signed, 'lista.txt': contentOf('lista.txt') });
    const password = page.getByLabel(text.validate.password, { exact: true });
    await password.fill('errada');
    await password.press('Enter');
    await page.getByText(text.errors.PASSWORD_INCORRECT).waitFor();
    await password.fill('senha certa');
    await password.press('Enter');
    await card(page, 'protegido.pdf').getByText('Todas as assinaturas são válidas.').waitFor();
    await page.getByRole('button', { name: 'Validar mesmo assim: lista.txt' }).click();
    await page.getByText(text.errors.NOT_A_SIGNATURE).waitFor();
    await page.getByRole('button', { name: 'Remover lista.txt' }).click();
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    expect(shown.faults).toEqual([]);
  });

  it('still signs files that are dropped on other pages', async () => {
    shown = await stage.open();
    await chooseFiles(shown.page, ['contrato.pdf']);
    expect(inputsOf('validation.run')).toEqual([]);
  });

  it('reads files of the desktop by their paths, and sends files without a path', async () => {
    shown = await showDesktop(stage, 'Escolhida', withTestIdentity(await freePort()));
    const { page, core } = shown;
    const signed = await signPdf(core);
    await core.put('contrato.pdf', signed);
    await validate(page, { 'contrato.pdf': signed, 'anexo.pdf': signed });
    await card(page, 'contrato.pdf').getByText('Todas as assinaturas são válidas.').waitFor();
    await card(page, 'anexo.pdf').getByText('Todas as assinaturas são válidas.').waitFor();
    expect(inputsOf('validation.run')).toEqual([
      { signature: { path: join(core.folder, 'contrato.pdf') }, language: 'pt-BR' },
      { signature: { upload: expect.any(String) as string }, language: 'pt-BR' },
    ]);
    await page.getByRole('button', { name: text.validate.openOfficial }).click();
    expect(shown.faults).toEqual([]);
  });
});
