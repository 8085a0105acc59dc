import { writeTextPdf } from '../../../src/app/demo/write-text-pdf.ts';
import { chooseFiles, dropFiles } from '../actions.ts';
import type { FakeCore } from '../fake-core.ts';
import { finishedTransaction, programTransaction } from '../fake-data.ts';
import { holding } from '../places/approval-documents.ts';
import { goTo, type Place } from '../places/place.ts';

/** A picture of the README: `docs/pictures/FILE-light.png`, and `-dark.png`. */
export interface ReadmePicture {
  readonly file: string;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly place: Place;
}

/** One certificate with its token, and a few signatures. */
function calmCore(core: FakeCore): void {
  core.certificates = core.certificates.slice(0, 1);
  core.transactions = [
    finishedTransaction('t1', ['Service agreement.pdf'], 4),
    finishedTransaction('t2', ['Initial petition.pdf', 'Power of attorney.pdf', 'Annex 1.pdf'], 55),
    finishedTransaction('t3', ['Minutes of the assembly.pdf'], 320, { requester: 'Sinete' }),
    finishedTransaction('t4', ['Technical report.docx'], 1500, { type: 'CAdES-detached' }),
  ];
}

const agreement = writeTextPdf(
  {
    title: 'Service agreement',
    paragraphs: [
      'The parties agree that the supplier delivers the services of annex 1, and that the customer pays for them.',
      'The agreement begins on 1 December 2026 and lasts for one year.',
    ],
    footer: 'Page 1',
  },
  new Date('2026-11-20T10:20:30Z'),
);

/** The pictures of the README, without anybody's data. */
export const readmePictures: readonly ReadmePicture[] = [
  {
    file: 'home',
    viewport: { width: 1200, height: 860 },
    place: {
      name: 'Home',
      core: calmCore,
      go: (page) => page.getByText('Technical report.docx').waitFor(),
    },
  },
  {
    file: 'sign',
    viewport: { width: 1200, height: 860 },
    place: {
      name: 'Sign',
      core: calmCore,
      go: async (page) => chooseFiles(page, ['Service agreement.pdf', 'Annex 1.pdf', 'Technical report.docx']),
    },
  },
  {
    file: 'validate',
    viewport: { width: 1200, height: 860 },
    place: {
      name: 'Validate',
      go: async (page, text) => {
        await goTo(page, '#/validate');
        await page.getByText(text.validate.teachTitle).waitFor();
        await dropFiles(page, 'main', ['bom.pdf', 'adulterado.pdf']);
        await page.getByRole('region', { name: 'adulterado.pdf' }).waitFor();
      },
    },
  },
  {
    file: 'approval',
    viewport: { width: 1200, height: 860 },
    place: {
      name: 'an approval',
      core: (core) => {
        calmCore(core);
        const name = 'Service agreement.pdf';
        core.transactions = [
          {
            ...programTransaction('p1', []),
            ...{ requester: 'https://portal.example', requesterKind: 'site' },
            documents: [holding(core, agreement, { name, claimedName: 'Agreement to sign' })],
          },
        ];
      },
      go: async (page) => {
        await page.getByRole('dialog').locator('canvas').first().waitFor();
      },
    },
  },
];
