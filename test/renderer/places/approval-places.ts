import type { Page } from 'playwright-core';
import { askForContent, askForHashes, attributesOf, hashOf } from '../asking.ts';
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
    name: 'an approval of a hash, compared with another file',
    dialog,
    plan: prepared(async (core) =>
      askForHashes(core, { hashes: [{ hash: hashOf('contrato'), original_file_name: 'contrato.pdf' }] }),
    ),
    go: async (page, text) => {
      const buffer = Buffer.from('outro contrato');
      await page.getByRole('button', { name: text.approval.hash.choose }).waitFor();
      await page
        .getByRole('dialog')
        .locator('input[type=file]')
        .setInputFiles({ name: 'outro.pdf', mimeType: 'application/pdf', buffer });
      await page.getByText(text.approval.hash.other.replace('{{name}}', 'outro.pdf')).waitFor();
    },
  },
  {
    name: 'an approval of 300 hashes',
    dialog,
    plan: prepared(async (core) =>
      askForHashes(core, {
        hashes: Array.from({ length: 300 }, (_one, index) => ({
          hash: hashOf(`${index}`),
          original_file_name: `processo-${index + 1}.pdf`,
        })),
      }),
    ),
    go: async (page, text) => page.getByText(text.approval.hash.unknownTitle).waitFor(),
  },
  {
    name: 'an approval of a raw signature over signed attributes',
    dialog,
    plan: prepared(async (core) =>
      askForHashes(core, { type: 'RAW', hashes: [{ data_to_sign: attributesOf('contrato') }] }),
    ),
    go: async (page, text) => page.getByText(text.approval.attributes.title).waitFor(),
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
