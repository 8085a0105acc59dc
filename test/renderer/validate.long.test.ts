import type { Page } from 'playwright-core';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePort } from '../app/run-sinete.ts';
import { MARIA_CPF } from '../pki/identities.ts';
import { appendRevision, buildPdf, onePage } from '../signing/pdf/build-pdf.ts';
import { chooseFiles, contentOf, dropContents, dropFiles, texts } from './actions.ts';
import type { RealWindow } from './browser.ts';
import { showDesktop } from './desktop-window.ts';
import { encryptPdf } from './encrypted-pdf.ts';
import type { RealCore, RealPlan } from './real-core.ts';
import { sharedStage } from './shared-stage.ts';

const text = texts['pt-BR'];
const stage = sharedStage();
const { inputsOf } = stage;
let shown: RealWindow;

async function validate(page: Page, contents: Readonly<Record<string, Buffer>>): Promise<void> {
  await page.evaluate(() => (location.hash = '#/validate'));
  await page.getByRole('heading', { name: text.validate.title }).waitFor();
  await dropContents(page, 'main', contents);
}

/** A core that trusts its own test identity, Maria, and whose test services tell about revocation. */
async function withTestIdentity(): Promise<RealPlan> {
  return {
    keys: 'none',
    configuration: { testServicesPort: await freePort() },
    prepare: async ({ calls }) => {
      await calls['testServices.run']({});
      await calls['certificates.makeTestIdentity']({ name: 'Maria da Silva Teste', cpf: MARIA_CPF });
    },
  };
}

const plainPage = buildPdf(onePage());
const signPdf = async (core: RealCore): Promise<Buffer> => core.sign('contrato.pdf', plainPage);
const signText = async (core: RealCore, name: string): Promise<Buffer> =>
  core.sign(name, contentOf(name), 'CAdES-detached');

/** The file with another letter on its page. */
function tampered(signed: Buffer): Buffer {
  const changed = Buffer.from(signed);
  changed[changed.indexOf('A document')] = 0x42;
  return changed;
}

/** The file with a white box over the text of its page, which was added after the signature. */
function annotated(signed: Buffer): Buffer {
  const pages = [...signed.toString('latin1').matchAll(/\n3 0 obj\s+<<([^]*?)>>\s*endobj/g)];
  const page = pages.at(-1)?.[1] ?? '';
  return appendRevision(signed, {
    3: `<<${page.replace('/Annots [', '/Annots [90 0 R ')}>>`,
    90: '<</Type /Annot /Subtype /Stamp /F 4 /Rect [60 700 400 760] /AP <</N 91 0 R>>>>',
    91: { dictionary: '/Type /XObject /Subtype /Form /BBox [0 0 340 60]', data: '1 1 1 rg 0 0 340 60 re f' },
  });
}

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

describe('the page Validate', () => {
  it('shows a light with its reason for each file, the reason in detail on demand, and where pages were changed', async () => {
    shown = await stage.open(await withTestIdentity());
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

  it('asks for the document of a signature that came alone, and takes one that comes later or is chosen by hand', async () => {
    shown = await stage.open(await withTestIdentity());
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

  it('saves the report as a file, prints it whole, and words it anew in another language', async () => {
    shown = await stage.open(await withTestIdentity());
    const { page, core } = shown;
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', 'true');
    });
    await validate(page, { 'contrato.pdf': await signPdf(core) });
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: /^Salvar relatório/ }).click();
    await page.getByRole('menuitem', { name: text.validate.formats.json }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toMatch(/^contrato.*\.json$/);
    const report = JSON.parse(await readFile(await download.path(), 'utf8')) as unknown;
    expect(report).toMatchObject({ signatures: [{ indication: 'TOTAL-PASSED' }] });
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

  it('asks for the password of an encrypted PDF, and says of other files they are no signatures', async () => {
    shown = await stage.open(await withTestIdentity());
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

  it('still signs what is dropped on other pages', async () => {
    shown = await stage.open();
    await chooseFiles(shown.page, ['contrato.pdf']);
    expect(inputsOf('validation.run')).toEqual([]);
  });

  it('reads files of the desktop where they lie, and hands over what lies in no folder', async () => {
    shown = await showDesktop(stage, 'Escolhida', await withTestIdentity());
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
