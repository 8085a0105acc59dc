import type { Locator, Page } from 'playwright-core';
import { writeTextPdf } from '../../src/app/demo/write-text-pdf.ts';
import { en } from '../../renderer/src/i18n/en/index.ts';
import { ptBr } from '../../renderer/src/i18n/pt-br/index.ts';

/** The texts of each language, to find things by a person's words. */
export const texts = { 'pt-BR': ptBr, en } as const;

/** Content for a name: a PDF has one page, and a name ending so is empty. */
export function contentOf(name: string): Buffer {
  if (name.includes('vazio')) return Buffer.alloc(0);
  return name.endsWith('.pdf') ? pdfOf(name) : Buffer.from(`content of ${name}`);
}

/** A PDF with a text on its page, the same each time. */
export function pdfOf(title: string): Buffer {
  const paragraphs = ['Um parágrafo.'];
  return writeTextPdf({ title, paragraphs, footer: 'Página 1' }, new Date('2026-11-20T10:20:30Z'));
}

/** The file picker of Sign, Validate or Certificates, once the page is there: Home has its own picker. */
export function pickerOf(page: Page): Locator {
  return page.locator('main input[type=file]:not([data-size=fitting] *)').first();
}

/** Counts presses of the mouse from now on: a click or a drag is a press. The answer tells their number so far. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  const counter = await page.evaluateHandle(() => {
    const counted = { presses: 0 };
    addEventListener('pointerdown', ({ isTrusted }) => (counted.presses += isTrusted ? 1 : 0), true);
    return counted;
  });
  return () => counter.evaluate(({ presses }) => presses);
}

/** Clicks a button opening the system's dialog for files, and chooses files there. */
export async function chooseByClick(
  page: Page,
  button: Locator,
  files: Parameters<Locator['setInputFiles']>[0],
): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button.click()]);
  await chooser.setFiles(files);
}

/** Goes to Sign and chooses files there. */
export async function chooseFiles(page: Page, names: readonly string[]): Promise<void> {
  await page.evaluate(() => (location.hash = '#/sign'));
  const files = names.map((name) => ({ name, mimeType: 'application/octet-stream', buffer: contentOf(name) }));
  await pickerOf(page).setInputFiles(files);
  await page.locator('form button[type=submit]').waitFor();
}

/** Drops files on an element, as a file manager does. */
export async function dropFiles(page: Page, selector: string, names: readonly string[]): Promise<void> {
  await dropContents(page, selector, Object.fromEntries(names.map((name) => [name, contentOf(name)])));
}

/** Drops files with these contents, by their names. */
export async function dropContents(
  page: Page,
  selector: string,
  contents: Readonly<Record<string, Buffer>>,
): Promise<void> {
  const files = Object.entries(contents).map(([name, content]) => ({ name, content: content.toString('base64') }));
  const transfer = await page.evaluateHandle((list) => {
    const made = new DataTransfer();
    for (const { name, content } of list) {
      const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
      made.items.add(new File([bytes], name));
    }
    return made;
  }, files);
  await page.dispatchEvent(selector, 'dragover', { dataTransfer: transfer });
  await page.dispatchEvent(selector, 'drop', { dataTransfer: transfer });
}
