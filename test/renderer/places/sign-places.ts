import type { Page } from 'playwright-core';
import { writeTextPdf } from '../../../src/app/demo/write-text-pdf.ts';
import { chooseFiles, pickerOf } from '../actions.ts';
import { dialogOf, goTo, prepared, type Place, type Texts } from './place.ts';

const contract = writeTextPdf(
  {
    title: 'Contrato de prestação de serviços',
    paragraphs: ['As partes resolvem celebrar o presente contrato, que se rege pelas cláusulas seguintes.'],
    footer: 'Página',
  },
  new Date('2026-11-20T10:20:30Z'),
);

/** Sign with a PDF and its stamp, drawn. */
async function designStamp(page: Page, text: Texts): Promise<void> {
  await goTo(page, '#/sign');
  const file = { name: 'contrato.pdf', mimeType: 'application/pdf', buffer: contract };
  await pickerOf(page).setInputFiles(file);
  await page.getByLabel(text.signOptions.stamp).check();
  await page.getByRole('application').locator('canvas').waitFor();
}

async function startBatch(page: Page): Promise<void> {
  await chooseFiles(page, ['a.pdf', 'notas de uma reunião com um nome comprido.txt', 'protegido.pdf']);
  await page.locator('form button[type=submit]').click();
}

/** The page Sign with a stamp on a document, its templates, and a batch under way. */
export const signPlaces: readonly Place[] = [
  { name: 'a stamp on the page of a document', go: designStamp },
  {
    name: 'templates of stamps',
    dialog: 'pages/sign/stamp/templates-dialog',
    plan: prepared(async ({ calls }) => calls['stamps.save']({ name: 'Diretoria', text: 'Visto por {name}' })),
    go: async (page, text) => {
      await designStamp(page, text);
      await page.getByRole('button', { name: text.stamp.manage }).click();
      await dialogOf(page);
    },
  },
  {
    name: 'a batch that is held back',
    plan: prepared(async (core) => Promise.resolve(core.holdSignatures())),
    go: async (page, text) => {
      await startBatch(page);
      await page.getByRole('button', { name: text.sign.pause, exact: true }).click();
      await page.getByRole('heading', { name: text.sign.paused }).waitFor();
    },
  },
];
