import type { Page } from 'playwright-core';
import type { texts } from '../actions.ts';
import type { RealCore, RealPlan } from '../real-core.ts';

/** The texts of a language. */
export type Texts = (typeof texts)[keyof typeof texts];

/** A place of the GUI, and how to come there from Home. */
export interface Place {
  /** A few words, different for each place: the name of the pictures. */
  readonly name: string;
  /** The open dialog, as the path of its source without ending: `users/edit-dialog`. */
  readonly dialog?: string;
  /** Number of open panels beside the dialog. */
  readonly panels?: number;
  /** The core behind the window. Default: a core with the key file of Maria. */
  readonly plan?: () => Promise<RealPlan>;
  readonly go: (page: Page, text: Texts, core: RealCore) => Promise<void>;
}

/** A plan with a preparation of the core before the opening of the window. */
export const prepared =
  (prepare: NonNullable<RealPlan['prepare']>, plan: RealPlan = {}) =>
  async (): Promise<RealPlan> =>
    Promise.resolve({ ...plan, prepare });

/** Waits until a dialog is open. */
export const dialogOf = (page: Page): Promise<void> => page.getByRole('dialog').waitFor();

/** Goes to the page of an address. */
export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate((target) => (location.hash = target), hash);
}

/** Opens the dialog of a button. */
export async function openDialog(page: Page, hash: string, button: string): Promise<void> {
  await goTo(page, hash);
  await page.getByRole('button', { name: button }).first().click();
  await dialogOf(page);
}

/** Opens an entry of the menu of a row. */
export async function openFromMenu(page: Page, hash: string, row: string, item: string): Promise<void> {
  await goTo(page, hash);
  await page.getByRole('listitem').filter({ hasText: row }).locator('[aria-haspopup=menu]').first().click();
  await page.getByRole('menuitem', { name: item }).click();
  await dialogOf(page);
}
