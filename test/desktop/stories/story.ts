import type { Locator, Page } from 'playwright-core';
import { pickerOf, texts } from '../../renderer/actions.ts';
import type { SoftHsm } from '../../token/softhsm.ts';
import type { Host } from '../hosts.ts';

/** The stories are told in Portuguese. */
export const text = texts['pt-BR'];

/** State shared by the stories of a single window. Each story begins with the state left by the earlier stories. */
export interface World {
  readonly host: Host;
  readonly token: SoftHsm;
}

/** A user's actions on a page, and the checks of their results. */
export interface Story {
  /** The page's address: `#/users`. */
  readonly page: string;
  /** The end of a sentence beginning with the bridge. */
  readonly does: string;
  readonly tell: (world: World) => Promise<void>;
}

/** Goes to a page and waits until it is drawn. */
export async function goTo(page: Page, hash: string, title: string): Promise<void> {
  await page.evaluate((target) => (location.hash = target), hash);
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
}

/** Gives files to the page, as its button for choosing does. */
export async function chooseOn(page: Page, name: string, buffer: Buffer): Promise<void> {
  const file = { name, mimeType: 'application/octet-stream', buffer };
  await pickerOf(page).setInputFiles(file);
}

/** The question that is on top. Yes is disabled for a moment after the question came, which a click waits for. */
export async function answer(page: Page, button: string): Promise<void> {
  // The cross of a dialog has the name of the button that puts it off.
  await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).last().click();
}

/** A card by its title. */
export const card = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

/** A text with its places filled in. */
export function filled(pattern: string, values: Readonly<Record<string, string>>): string {
  return pattern.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole);
}
