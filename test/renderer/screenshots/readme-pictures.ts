import type { Page } from 'playwright-core';
import { writeTextPdf } from '../../../src/app/demo/write-text-pdf.ts';
import { freePort } from '../../app/run-sinete.ts';
import { buildPdf, onePage } from '../../signing/pdf/build-pdf.ts';
import { dropContents, pickerOf } from '../actions.ts';
import { askForContent } from '../asking.ts';
import { tampered } from '../changed-files.ts';
import { goTo, prepared, type Place, type Texts } from '../places/place.ts';
import type { RealCore, RealPlan } from '../real-core.ts';
import { rememberRequests, signFiles, useOddToken, withTestIdentity } from '../worlds.ts';

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

/** A few signatures. */
async function signSome(core: RealCore, language: PictureLanguage): Promise<void> {
  const { agreement, petition, minutes, report } = words[language];
  const tcn = await signFiles(core, [agreement]);
  await rememberRequests(core, tcn, [
    { minutesAgo: 55, names: petition },
    { minutesAgo: 320, names: [minutes] },
    { minutesAgo: 1500, names: [report] },
  ]);
}

/** The service agreement as a PDF. */
function agreementOf(language: PictureLanguage): Buffer {
  const { title, paragraphs, footer } = words[language];
  return writeTextPdf({ title, paragraphs, footer }, new Date('2026-11-20T10:20:30Z'));
}

const viewport = { width: 1200, height: 860 };

/** The pictures of README and guide, without anybody's data. */
export function readmePictures(language: PictureLanguage): readonly ReadmePicture[] {
  const text = words[language];
  const plan = prepared(async (core) => signSome(core, language));
  const home: Place = { name: 'Home', plan, go: (page) => page.getByText(text.report).waitFor() };
  const sign: Place = {
    name: 'Sign',
    plan,
    go: async (page) => {
      const buffer = agreementOf(language);
      const fileOf = (name: string) => ({ name, mimeType: 'application/octet-stream', buffer });
      await goTo(page, '#/sign');
      await pickerOf(page).setInputFiles([text.agreement, text.petition[2]].map(fileOf));
      await page.locator('main canvas').first().waitFor();
    },
  };
  const validate: Place = {
    name: 'Validate',
    plan: async () => withTestIdentity(await freePort()),
    go: async (page, texts, core) => {
      const signed = await core.sign(text.good, buildPdf(onePage()));
      await goTo(page, '#/validate');
      await page.getByText(texts.validate.teachTitle).waitFor();
      await dropContents(page, 'main', { [text.good]: signed, [text.changed]: tampered(signed) });
      await page.getByRole('region', { name: text.changed }).waitFor();
    },
  };
  const approval: Place = {
    name: 'an approval',
    plan: prepared(async (core) => {
      await signSome(core, language);
      await askForContent(core, `${text.claimed}.pdf`, agreementOf(language));
    }),
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
  readonly plan: () => Promise<RealPlan>;
  readonly steps: readonly StoryStep[];
}

/** A PDF is chosen, gets a visible stamp, and is signed with the PIN of a token. */
export function signingStory(language: PictureLanguage): ReadmeStory {
  const { agreement: name } = words[language];
  const buffer = agreementOf(language);
  const pinOf = (page: Page, texts: Texts) =>
    page.getByRole('dialog').getByLabel(texts.certificates.unlockDialog.pin, { exact: true });
  return {
    file: 'signing',
    viewport: { width: 1040, height: 760 },
    plan: async () => ({ keys: 'none', token: (await useOddToken()).driver }),
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
      { milliseconds: 1000, go: async (page, texts) => pinOf(page, texts).fill((await useOddToken()).hsm.pin) },
      {
        milliseconds: 3000,
        go: async (page, texts) => {
          await pinOf(page, texts).press('Enter');
          await page.getByText(texts.sign.allSigned_one, { exact: true }).first().waitFor();
          await page.getByRole('dialog').waitFor({ state: 'detached' });
        },
      },
    ],
  };
}
