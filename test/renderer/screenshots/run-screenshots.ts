/**
 * `npm run screenshots [-- FOLDER] [--only TEXT] [--size WIDTHxHEIGHT]… [--language LANGUAGE]… [--readme]`: a picture
 * of every page and dialog of the window, in light and dark, Portuguese and English, wide and narrow, from made-up
 * data. `--only` takes the places whose name contains a text, `--size` other windows in CSS pixels, and `--language`
 * one language. `--readme` makes the few pictures of README and guide instead.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { texts } from '../actions.ts';
import { Stage, type RealWindow } from '../browser.ts';
import { places } from '../places/all-places.ts';
import type { Place } from '../places/place.ts';
import { animateWebp, type Frame } from './animate-webp.ts';
import { readmePictures, signingStory } from './readme-pictures.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const languages = [
  { language: 'pt-BR', locale: 'pt-BR' },
  { language: 'en', locale: 'en-US' },
] as const;

interface Size {
  /** Part of the names of pictures. */
  readonly size: string;
  /** CSS pixels. */
  readonly viewport: { readonly width: number; readonly height: number };
}

const usualSizes: readonly Size[] = [
  { size: 'wide', viewport: { width: 1200, height: 800 } },
  { size: 'narrow', viewport: { width: 380, height: 780 } },
];

const schemes = ['light', 'dark'] as const;

type Scheme = (typeof schemes)[number];

const { values, positionals } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    size: { type: 'string', multiple: true, default: [] },
    language: { type: 'string', multiple: true, default: languages.map(({ language }) => language) },
    readme: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

/** `800x600` as a size; throws for another form. */
function readSize(text: string): Size {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(text) ?? [];
  if (width === undefined || height === undefined) throw new Error(`--size takes WIDTHxHEIGHT, and not ${text}.`);
  return { size: text, viewport: { width: Number(width), height: Number(height) } };
}

const sizes = values.size.length === 0 ? usualSizes : values.size.map(readSize);

/** A name of a place as a name of files: `the import of a key file` becomes `the-import-of-a-key-file`. */
function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

/**
 * Makes the window as tall as the page, because fixed elements would be in the middle of a picture of the whole page.
 */
async function showWhole(page: Page, { width, height }: { readonly width: number; readonly height: number }) {
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height: Math.max(height, whole) });
}

/** A page is taken whole, a dialog with the window around. */
async function take(page: Page, place: Place, path: string): Promise<void> {
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.screenshot({ path, fullPage: place.dialog === undefined, animations: 'disabled', caret: 'hide' });
}

async function open(stage: Stage, place: Place, look: Parameters<Stage['open']>[1]): Promise<RealWindow> {
  return stage.open(await place.plan?.(), look);
}

/** Takes the place in one language; the window changes its size and its colours, as a person's window does. */
async function takeInLanguage(
  stage: Stage,
  place: Place,
  { language, locale }: (typeof languages)[number],
  folder: string,
): Promise<void> {
  const [{ viewport: first } = { viewport: { width: 1200, height: 800 } }] = sizes;
  const shown = await open(stage, place, { locale, viewport: first });
  try {
    await place.go(shown.page, texts[language], shown.core);
    for (const { size, viewport } of sizes) {
      await shown.page.setViewportSize(viewport);
      if (place.dialog === undefined) await showWhole(shown.page, viewport);
      for (const colorScheme of schemes) {
        await shown.page.emulateMedia({ colorScheme });
        const name = `${slugOf(place.name)}.${language}.${size}.${colorScheme}.png`;
        await take(shown.page, place, join(folder, name));
      }
    }
  } finally {
    await shown.close();
  }
}

/** Answers whether the place could be shown. */
async function picturesOf(stage: Stage, place: Place, folder: string): Promise<boolean> {
  for (const look of languages.filter(({ language }) => values.language.includes(language))) {
    try {
      await takeInLanguage(stage, place, look, folder);
    } catch (error) {
      console.error(`${place.name} (${look.language}): ${error instanceof Error ? error.message : ''}`);
      return false;
    }
  }
  return true;
}

/** A picture of the page in each colour scheme. */
async function takeWebp(page: Page): Promise<Readonly<Record<Scheme, Buffer>>> {
  const devtools = await page.context().newCDPSession(page);
  const takeOne = async (colorScheme: Scheme): Promise<Buffer> => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Ends animations and hides the caret, in contrast to the protocol's own picture.
    await page.screenshot({ animations: 'disabled', caret: 'hide' });
    const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
    return Buffer.from(data, 'base64');
  };
  return { light: await takeOne('light'), dark: await takeOne('dark') };
}

/** Makes the animation of a signature, from one picture for each of its steps. */
async function makeStory(stage: Stage, folder: string, look: (typeof languages)[number]): Promise<void> {
  const { language, locale } = look;
  const { file, viewport, plan, steps } = signingStory(language);
  const shown = await stage.open(await plan(), { locale, viewport });
  const frames: Readonly<Record<Scheme, Frame[]>> = { light: [], dark: [] };
  for (const { milliseconds, go } of steps) {
    await go(shown.page, texts[language]);
    const pictures = await takeWebp(shown.page);
    for (const colorScheme of schemes) frames[colorScheme].push({ picture: pictures[colorScheme], milliseconds });
  }
  await shown.close();
  for (const colorScheme of schemes) {
    await writeFile(join(folder, `${file}-${colorScheme}.webp`), animateWebp(frames[colorScheme], viewport));
  }
}

/** Makes the pictures of README and guide as WebP, a third of the size of PNG. */
async function makeReadmePictures(stage: Stage): Promise<void> {
  const folder = join(root, 'docs', 'pictures');
  for (const look of languages) {
    const { language, locale } = look;
    await mkdir(join(folder, language), { recursive: true });
    for (const { file, place, viewport } of readmePictures(language)) {
      const shown = await open(stage, place, { locale, viewport });
      await place.go(shown.page, texts[language], shown.core);
      const pictures = await takeWebp(shown.page);
      for (const colorScheme of schemes) {
        await writeFile(join(folder, language, `${file}-${colorScheme}.webp`), pictures[colorScheme]);
      }
      await shown.close();
    }
    await makeStory(stage, join(folder, language), look);
  }
  console.log(`The pictures of README and guide are in ${folder}.`);
}

async function makeAll(stage: Stage): Promise<void> {
  const folder = positionals[0] ?? join(root, 'test', '.work', 'screenshots');
  await mkdir(folder, { recursive: true });
  const wanted = places.filter(({ name }) => name.includes(values.only));
  if (wanted.length === 0) throw new Error(`No place has ${values.only} in its name.`);
  let failed = 0;
  for (const [index, place] of wanted.entries()) {
    console.log(`${index + 1}/${wanted.length} ${place.name}`);
    if (!(await picturesOf(stage, place, folder))) failed += 1;
  }
  console.log(`${wanted.length - failed} of ${wanted.length} places are pictured in ${folder}.`);
  if (failed > 0) process.exitCode = 1;
}

const stage = await Stage.open();
try {
  await (values.readme ? makeReadmePictures(stage) : makeAll(stage));
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await stage.close();
}
// A paused batch waits for ever, and Node would wait for the batch.
process.exit();
