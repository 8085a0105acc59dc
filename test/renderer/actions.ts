import type { Locator, Page } from 'playwright-core';
import { en } from '../../renderer/src/i18n/en/index.ts';
import { ptBr } from '../../renderer/src/i18n/pt-br/index.ts';

/** The texts of each language, to find things by what a person reads. */
export const texts = { 'pt-BR': ptBr, en } as const;

/** Content for a name: PDF files begin as such, and a name that says so is empty. */
export function contentOf(name: string): Buffer {
  if (name.includes('vazio')) return Buffer.alloc(0);
  return Buffer.from(name.endsWith('.pdf') ? `%PDF-1.7\n${name}` : `content of ${name}`);
}

/** The file picker of Sign, Validate or Certificates, once the page is there: Home has one of its own. */
export function pickerOf(page: Page): Locator {
  return page.locator('main input[type=file]:not([data-size=fitting] *)').first();
}

/** Counts presses of the mouse from now on: a click or a drag is one. The answer tells their number so far. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  const counter = await page.evaluateHandle(() => {
    const counted = { presses: 0 };
    addEventListener('pointerdown', ({ isTrusted }) => (counted.presses += isTrusted ? 1 : 0), true);
    return counted;
  });
  return () => counter.evaluate(({ presses }) => presses);
}

/** Clicks a button that opens the system's dialog for files, and chooses files there. */
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
  const files = names.map((name) => ({ name, content: contentOf(name).toString() }));
  const transfer = await page.evaluateHandle((list) => {
    const made = new DataTransfer();
    for (const { name, content } of list) made.items.add(new File([content], name));
    return made;
  }, files);
  await page.dispatchEvent(selector, 'dragover', { dataTransfer: transfer });
  await page.dispatchEvent(selector, 'drop', { dataTransfer: transfer });
}
