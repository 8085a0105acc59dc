import type { Page } from 'playwright-core';
import { askForContent } from '../asking.ts';
import {
  asksForBatch,
  contract,
  asksForHostilePdf,
  asksForOfficeDocument,
  asksForPicture,
  asksForTurnedText,
} from './approval-documents.ts';
import { dialogOf, prepared, type Place } from './place.ts';

const dialog = 'questions/approval-dialog';

/** Waits until the drawing of a page is there. */
const drawn = (page: Page): Promise<void> => page.getByRole('dialog').locator('canvas').waitFor();

/** The approval of a signature, for each kind of document. */
export const approvalPlaces: readonly Place[] = [
  { name: 'an approval of a PDF with its path and destination', dialog, plan: prepared(asksForHostilePdf), go: drawn },
  {
    name: 'an approval of a text whose name turns round',
    dialog,
    plan: prepared(asksForTurnedText),
    go: async (page) => page.getByText('Pague 100 reais').waitFor(),
  },
  {
    name: 'an approval of a picture',
    dialog,
    plan: prepared(asksForPicture),
    go: async (page, text) => page.getByRole('img', { name: text.approval.picture }).waitFor(),
  },
  {
    name: 'an approval of a document that cannot be shown',
    dialog,
    plan: prepared(asksForOfficeDocument),
    go: async (page, text) => page.getByText(text.approval.cannotShow).waitFor(),
  },
  {
    name: 'an approval of 500 documents',
    dialog,
    plan: prepared(asksForBatch),
    go: async (page, text) => {
      await drawn(page);
      await page.getByText(text.approval.concerns).waitFor();
    },
  },
  {
    name: 'an approval for a site, with signatures in advance',
    dialog,
    plan: prepared(async (core) => askForContent(core, 'a.pdf', contract)),
    go: async (page, text) => {
      await dialogOf(page);
      await page.getByLabel(text.approval.standing).check();
      await page.getByLabel(text.approval.standingMinutes).waitFor();
    },
  },
];
