import type { Page } from 'playwright-core';
import type { texts } from '../actions.ts';
import type { FakeCore } from '../fake-core.ts';

/** The texts of a single language. */
export type Texts = (typeof texts)[keyof typeof texts];

/** A place of the GUI, and how to come there from Home. */
export interface Place {
  /** A few words that are this place's own; pictures of it are called by them. */
  readonly name: string;
  /** The dialog that is open there, as the path of its source without ending: `users/edit-dialog`. */
  readonly dialog?: string;
  /** Panels that stay open beside the dialog. */
  readonly panels?: number;
  /** Prepares the state of the core before the window is opened. */
  readonly core?: (core: FakeCore) => void;
  readonly go: (page: Page, text: Texts) => Promise<void>;
}

/** Waits until a dialog is open. */
export const dialogOf = (page: Page): Promise<void> => page.getByRole('dialog').waitFor();

/** Goes to a page by its address. */
export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate((target) => (location.hash = target), hash);
}

/** Opens the dialog of a button. */
export async function openDialog(page: Page, hash: string, button: string): Promise<void> {
  await goTo(page, hash);
  await page.getByRole('button', { name: button }).first().click();
  await dialogOf(page);
}

/** Opens one of the things that the menu of a row leads to. */
export async function openFromMenu(page: Page, hash: string, row: string, item: string): Promise<void> {
  await goTo(page, hash);
  await page.getByRole('listitem').filter({ hasText: row }).locator('[aria-haspopup=menu]').click();
  await page.getByRole('menuitem', { name: item }).click();
  await dialogOf(page);
}
