import type { Page } from 'playwright-core';
import { writeTextPdf } from '../../../src/app/demo/write-text-pdf.ts';
import { dropFiles, pickerOf } from '../actions.ts';
import { rightPin, type FakeCore } from '../fake-core.ts';
import { finishedTransaction, programTransaction } from '../fake-data.ts';
import { holding } from '../places/approval-documents.ts';
import { goTo, type Place, type Texts } from '../places/place.ts';

/** A language of the pictures. */
export type PictureLanguage = 'en' | 'pt-BR';

/** A picture of README and guide: `docs/pictures/LANGUAGE/FILE-light.webp`, and `-dark.webp`. */
export interface ReadmePicture {
  readonly file: string;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly place: Place;
}

/** The made-up documents of the pictures. */
const words = {
  en: {
    agreement: 'Service agreement.pdf',
    petition: ['Initial petition.pdf', 'Power of attorney.pdf', 'Annex 1.pdf'],
    minutes: 'Minutes of the assembly.pdf',
    report: 'Technical report.docx',
    claimed: 'Agreement to sign',
    title: 'Service agreement',
    paragraphs: [
      'The parties agree that the supplier delivers the services of annex 1, and that the customer pays for them.',
      'The agreement begins on 1 December 2026 and lasts for one year.',
    ],
    footer: 'Page 1',
    good: 'good.pdf',
    changed: 'tampered.pdf',
  },
  'pt-BR': {
    agreement: 'Contrato de serviços.pdf',
    petition: ['Petição inicial.pdf', 'Procuração.pdf', 'Anexo 1.pdf'],
    minutes: 'Ata da assembleia.pdf',
    report: 'Laudo técnico.docx',
    claimed: 'Contrato para assinar',
    title: 'Contrato de serviços',
    paragraphs: [
      'As partes combinam que a contratada presta os serviços do anexo 1, e que a contratante paga por eles.',
      'O contrato começa em 1º de dezembro de 2026 e dura um ano.',
    ],
    footer: 'Página 1',
    good: 'bom.pdf',
    changed: 'adulterado.pdf',
  },
} as const;

/** One certificate with its token, and a few signatures. */
function calmCore(core: FakeCore, language: PictureLanguage): void {
  const { agreement, petition, minutes, report } = words[language];
  core.certificates = core.certificates.slice(0, 1);
  core.transactions = [
    finishedTransaction('t1', [agreement], 4),
    finishedTransaction('t2', petition, 55),
    finishedTransaction('t3', [minutes], 320, { requester: 'Sinete' }),
    finishedTransaction('t4', [report], 1500, { type: 'CAdES-detached' }),
  ];
}

const viewport = { width: 1200, height: 860 };

/** The pictures of README and guide, without anybody's data. */
export function readmePictures(language: PictureLanguage): readonly ReadmePicture[] {
  const text = words[language];
  const core = (fake: FakeCore): void => {
    calmCore(fake, language);
  };
  const home: Place = { name: 'Home', core, go: (page) => page.getByText(text.report).waitFor() };
  const sign: Place = {
    name: 'Sign',
    core,
    go: async (page) => {
      const { title, paragraphs, footer } = text;
      const pdf = writeTextPdf({ title, paragraphs, footer }, new Date('2026-11-20T10:20:30Z'));
      const fileOf = (name: string) => ({ name, mimeType: 'application/octet-stream', buffer: pdf });
      await goTo(page, '#/sign');
      await pickerOf(page).setInputFiles([text.agreement, text.petition[2]].map(fileOf));
      await page.locator('main canvas').first().waitFor();
    },
  };
  const validate: Place = {
    name: 'Validate',
    go: async (page, texts) => {
      await goTo(page, '#/validate');
      await page.getByText(texts.validate.teachTitle).waitFor();
      await dropFiles(page, 'main', [text.good, text.changed]);
      await page.getByRole('region', { name: text.changed }).waitFor();
    },
  };
  const approval: Place = {
    name: 'an approval',
    core: (fake) => {
      calmCore(fake, language);
      const { agreement: name, claimed: claimedName, title, paragraphs, footer } = text;
      const pdf = writeTextPdf({ title, paragraphs, footer }, new Date('2026-11-20T10:20:30Z'));
      fake.transactions = [
        {
          ...programTransaction('p1', []),
          requester: 'https://portal.example',
          requesterKind: 'site',
          documents: [holding(fake, pdf, { name, claimedName })],
        },
      ];
    },
    go: async (page) => {
      await page.getByRole('dialog').locator('canvas').first().waitFor();
    },
  };
  const places = Object.entries({ home, sign, validate, approval });
  return places.map(([file, place]) => ({ file, viewport, place }));
}

/** A step of the animation, and the milliseconds that its picture stays. */
interface StoryStep {
  readonly milliseconds: number;
  readonly go: (page: Page, texts: Texts) => Promise<unknown>;
}

/** The animation of the README: `docs/pictures/LANGUAGE/FILE-light.webp`, and `-dark.webp`. */
export interface ReadmeStory {
  readonly file: string;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly core: (core: FakeCore) => void;
  readonly steps: readonly StoryStep[];
}

/** A PDF is chosen, gets a visible stamp, and is signed with the PIN of a token. */
export function signingStory(language: PictureLanguage): ReadmeStory {
  const { agreement: name, title, paragraphs, footer } = words[language];
  const buffer = writeTextPdf({ title, paragraphs, footer }, new Date('2026-11-20T10:20:30Z'));
  const pinOf = (page: Page, texts: Texts) =>
    page.getByRole('dialog').getByLabel(texts.certificates.unlockDialog.pin, { exact: true });
  return {
    file: 'signing',
    viewport: { width: 1040, height: 760 },
    core: (core) => {
      core.certificates = core.certificates
        .filter(({ locked }) => locked)
        .slice(0, 1)
        .map((one) => ({ ...one, isDefault: true }));
    },
    steps: [
      { milliseconds: 1600, go: (page, texts) => page.getByText(texts.home.drop).waitFor() },
      {
        milliseconds: 1800,
        go: async (page) => {
          await goTo(page, '#/sign');
          await pickerOf(page).setInputFiles({ name, mimeType: 'application/pdf', buffer });
          await page.locator('main canvas').first().waitFor();
        },
      },
      {
        milliseconds: 2200,
        go: async (page, texts) => {
          await page.getByLabel(texts.signOptions.stamp).check();
          await page.getByRole('application').locator('canvas').waitFor();
          await page.getByRole('application').scrollIntoViewIfNeeded();
        },
      },
      {
        milliseconds: 1200,
        go: async (page, texts) => {
          await page.locator('form button[type=submit]').click();
          await pinOf(page, texts).waitFor();
        },
      },
      { milliseconds: 1000, go: (page, texts) => pinOf(page, texts).fill(rightPin) },
      {
        milliseconds: 3000,
        go: async (page, texts) => {
          await pinOf(page, texts).press('Enter');
          await page.getByText(texts.sign.allSigned_one).first().waitFor();
          await page.getByRole('dialog').waitFor({ state: 'detached' });
        },
      },
    ],
  };
}
