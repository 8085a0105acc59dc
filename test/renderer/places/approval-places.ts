import type { Page } from 'playwright-core';
import { programTransaction } from '../fake-data.ts';
import {
  asksForBatch,
  asksForHostilePdf,
  asksForOfficeDocument,
  asksForPicture,
  asksForTurnedText,
} from './approval-documents.ts';
import { dialogOf, type Place } from './place.ts';

const dialog = 'questions/approval-dialog';

/** Waits until the drawing of a page is there. */
const drawn = (page: Page): Promise<void> => page.getByRole('dialog').locator('canvas').waitFor();

/** The approval of a signature, for each kind of document. */
export const approvalPlaces: readonly Place[] = [
  { name: 'an approval of a PDF with its path and destination', dialog, core: asksForHostilePdf, go: drawn },
  {
    name: 'an approval of a text whose name turns round',
    dialog,
    core: asksForTurnedText,
    go: async (page) => page.getByText('Pague 100 reais').waitFor(),
  },
  {
    name: 'an approval of a picture',
    dialog,
    core: asksForPicture,
    go: async (page, text) => page.getByRole('img', { name: text.approval.picture }).waitFor(),
  },
  {
    name: 'an approval of a document that cannot be shown',
    dialog,
    core: asksForOfficeDocument,
    go: async (page, text) => page.getByText(text.approval.cannotShow).waitFor(),
  },
  {
    name: 'an approval of 500 documents',
    dialog,
    core: asksForBatch,
    go: async (page, text) => {
      await drawn(page);
      await page.getByText(text.approval.concerns).waitFor();
    },
  },
  {
    name: 'an approval for a site, with signatures in advance',
    dialog,
    core: (core) => {
      const origin = 'https://portal.tribunal.jus.br';
      core.transactions = [
        { ...programTransaction('p1', ['a.pdf', 'b.pdf']), requesterKind: 'site', requester: origin },
      ];
    },
    go: async (page, text) => {
      await dialogOf(page);
      await page.getByLabel(text.approval.standing).check();
      await page.getByLabel(text.approval.standingMinutes).waitFor();
    },
  },
];
