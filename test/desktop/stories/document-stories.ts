import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { runProgram, runTool } from '../../oracles/run-program.ts';
import { writeTextPdf } from '../../../src/app/demo/write-text-pdf.ts';
import { verifyPdf } from '../../../src/signing/index.ts';
import { pickerOf } from '../../renderer/actions.ts';
import { buildPdf, onePage } from '../../signing/pdf/build-pdf.ts';
import { card, chooseOn, filled, goTo, text, type Story, type World } from './story.ts';

/** Files left by the story of Sign for the stories of Validate, in the folder of the window. */
export const signedPdf = 'contract-assinado.pdf';

/** A PDF with empty pages. */
function emptyPages(count: number): Buffer {
  const numbers = Array.from({ length: count }, (_, index) => 10 + index);
  const kids = numbers.map((number) => `${number} 0 R`).join(' ');
  return buildPdf({
    ...onePage({ 2: `<</Type /Pages /Kids [${kids}] /Count ${count} /MediaBox [0 0 300 400]>>` }),
    ...Object.fromEntries(numbers.map((number) => [number, '<</Type /Page /Parent 2 0 R>>'])),
  });
}

/** Shows the signature in the upper right corner. */
async function stampTopRight(page: Page): Promise<void> {
  await page.getByLabel(text.signOptions.stamp).check();
  await page.getByLabel(text.signOptions.corners['top-right'], { exact: true }).check();
}

interface FileToSign {
  readonly name: string;
  readonly content: Buffer;
  /** Name of the signed file. */
  readonly result: string;
  /** Sets the options. */
  readonly choose?: (page: Page) => Promise<void>;
}

/** Chooses a file on Sign, signs the file, and keeps the result in the folder of the window. */
async function sign({ host }: World, { name, content, result, choose }: FileToSign): Promise<string> {
  const { page, sinete, folder } = host;
  await goTo(page, '#/sign', text.sign.title);
  await chooseOn(page, name, content);
  await choose?.(page);
  await page.locator('form button[type=submit]').click();
  await page.getByText(result, { exact: true }).first().waitFor();
  const [transaction] = await sinete.core.transactions.recent(1);
  const [document] = transaction?.documents ?? [];
  const path = join(folder, result);
  const shown = { tcn: transaction?.tcn ?? '', documentId: document?.id ?? '', name: result };
  await writeFile(path, await host.download(shown));
  return path;
}

/** The texts of the lights on the page Validate. */
export const verdicts = {
  good: 'Todas as assinaturas são válidas.',
  bad: 'Pelo menos uma assinatura é inválida.',
} as const;

/** Signing and validating, as told by the README, and the records of both. */
export const documentStories: readonly Story[] = [
  {
    page: '#/sign',
    does: 'signs the contract and the letter of the README, and pdfsig and openssl take both',
    tell: async (world) => {
      const { folder, page } = world.host;
      const pdf = writeTextPdf({ title: 'Contrato', paragraphs: ['Texto.'], footer: 'x' }, new Date());
      const wanted = { name: 'contract.pdf', content: pdf, result: signedPdf, choose: stampTopRight };
      const contract = await sign(world, wanted);
      expect((await readFile(contract)).subarray(0, pdf.length).equals(pdf)).toBe(true);
      const { signatures } = await verifyPdf(contract);
      expect(signatures.map(({ outcome, coversWholeFile }) => [outcome, coversWholeFile])).toEqual([['intact', true]]);
      expect(await runTool('pdfsig', ['-nocert', contract])).toContain('Signature is Valid');

      await page.getByRole('button', { name: text.sign.again }).click();
      await writeFile(join(folder, 'letter.txt'), 'Uma carta.');
      const content = Buffer.from('Uma carta.');
      const letter = await sign(world, { name: 'letter.txt', content, result: 'letter.txt.p7s' });
      const words = ['cms', '-verify', '-binary', '-inform', 'DER', '-in', letter, '-noverify', '-out', '/dev/null'];
      const { errors } = await runProgram('openssl', [...words, '-content', join(folder, 'letter.txt')]);
      expect(errors).toMatch(/successful/i);
    },
  },
  {
    page: '#/sign',
    does: 'leaves initials with words of their own in the chosen corner of each page without the stamp',
    tell: async (world) => {
      const { page } = world.host;
      const { stamp } = text;
      await page.getByRole('button', { name: text.sign.again }).click();
      const path = await sign(world, {
        name: 'paginas.pdf',
        content: emptyPages(3),
        result: 'paginas-assinado.pdf',
        choose: async () => {
          await stampTopRight(page);
          await page.getByLabel(stamp.initials).check();
          await page.getByLabel(stamp.initialsText).fill('Visto {initials}');
          await page.getByLabel(stamp.initialsCorner).selectOption('top-left');
        },
      });
      const marks = await runTool('pdftotext', ['-bbox', path, '-']);
      const places = marks.matchAll(/<word xMin="([\d.]+)" yMin="([\d.]+)"[^>]*>Visto</g);
      const found = [...places].map(([, left, top]) => [Number(left) < 100, Number(top) < 70]);
      // The stamp is on the last page.
      expect(found).toEqual([
        [true, true],
        [true, true],
      ]);
      expect(await runTool('pdfsig', ['-nocert', path])).toContain('Signature is Valid');
    },
  },
  {
    page: '#/sign',
    does: 'sends three files that have no path in one batch, byte by byte',
    tell: async ({ host: { page, sinete } }) => {
      await page.getByRole('button', { name: text.sign.again }).click();
      // More than one part of a parcel.
      const files = [3_000_000, 1, 70_000].map((size, index) => ({
        name: `lote-${index}.txt`,
        mimeType: 'text/plain',
        buffer: Buffer.alloc(size, `${index} linha\n`),
      }));
      await pickerOf(page).setInputFiles(files);
      await page.locator('form button[type=submit]').click();
      await page.getByText('3 documentos assinados', { exact: true }).waitFor();
      const [batch] = await sinete.core.transactions.recent(1);
      const { documents } = await sinete.core.transactions.query(batch?.tcn ?? '', { documents: { limit: 10 } });
      expect(documents.map(({ originalFileName, status, checksum }) => [originalFileName, status, checksum])).toEqual(
        files.map(({ name, buffer }) => [name, 'SIGNED', createHash('sha256').update(buffer).digest('hex')]),
      );
    },
  },
  {
    page: '#/sign',
    does: 'shows the signature that a PDF has already, with its verdict, before it is signed again',
    tell: async ({ host: { page, folder } }) => {
      await page.getByRole('button', { name: text.sign.again }).click();
      await chooseOn(page, signedPdf, await readFile(join(folder, signedPdf)));
      const list = page.getByRole('region', { name: text.stamp.signatures });
      await list.getByText('Maria da Silva Teste').waitFor();
      await list
        .getByText(/^Válida/)
        .first()
        .waitFor();
      await page.getByRole('button', { name: text.sign.clear }).click();
      await list.waitFor({ state: 'detached' });
    },
  },
  {
    page: '#/validate',
    does: 'gives the green light to what was signed, the red one after a change, and a report',
    tell: async ({ host: { page, folder } }) => {
      const signed = await readFile(join(folder, signedPdf));
      await goTo(page, '#/validate', text.validate.title);
      await chooseOn(page, signedPdf, signed);
      const good = card(page, signedPdf);
      await good.getByText(verdicts.good).waitFor();
      await good.getByText(text.validate.hierarchy.test, { exact: true }).waitFor();
      await good.getByRole('button', { name: /^Detalhes de/ }).click();
      await good.getByText(text.validate.changesNone).waitFor();
      const tampered = Buffer.from(signed);
      tampered[tampered.indexOf('Texto') + 1] = 0x45;
      await chooseOn(page, 'adulterado.pdf', tampered);
      const bad = card(page, 'adulterado.pdf');
      await bad.getByText(verdicts.bad).waitFor();
      await bad.getByRole('button', { name: /^Detalhes de/ }).click();
      await bad.getByText(text.validate.outcome.failed).first().waitFor();
      await page.getByText('Válidos: 1 · Inválidos: 1 · Indeterminados: 0').waitFor();
      const saved = page.waitForEvent('download');
      await good.getByRole('button', { name: /^Salvar relatório/ }).click();
      await page.getByRole('menuitem', { name: text.validate.formats.pdf }).click();
      expect((await readFile(await (await saved).path())).subarray(0, 5).toString()).toBe('%PDF-');
    },
  },
  {
    page: '#/history',
    does: 'finds the contract among what was signed, opens what is kept of it, and exports it',
    tell: async ({ host: { page } }) => {
      const { history } = text;
      await goTo(page, '#/history', history.title);
      await page.getByLabel(history.text, { exact: true }).fill('contract');
      await expect.poll(async () => page.getByText('letter.txt').count(), { timeout: 60_000 }).toBe(0);
      await page.getByRole('button', { name: filled(history.details, { name: 'contract.pdf' }), exact: true }).click();
      await page.getByRole('dialog').getByText(signedPdf).first().waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: history.exportCsv }).click();
      const table = await readFile(await (await saved).path(), 'utf8');
      expect(table).toContain('contract.pdf');
      expect(table).not.toContain('letter.txt');
    },
  },
];
