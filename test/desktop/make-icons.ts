/**
 * `node test/desktop/make-icons.ts`: draws `assets/icons` from `assets/icon.svg` and the states below, with the Chromium
 * of the tests. The files are committed; run this after a change of the drawing.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { trayStates, type TrayState } from '../../src/desktop/tray-model.ts';
import { launchChromium } from '../renderer/browser.ts';

const folder = fileURLToPath(new URL('../../assets/icons', import.meta.url));
const appIcon = fileURLToPath(new URL('../../assets/icon.svg', import.meta.url));

/** Sizes of an application's icon: the sizes of the freedesktop theme, and the choices of Windows and macOS. */
const appSizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024] as const;

/** The mark in the corner of the tray's icon, to tell no state by colour alone. */
const marks: Readonly<Record<TrayState, string>> = {
  idle: '',
  waiting: '<circle cx="48" cy="48" r="15" fill="#e8590c"/><path d="M48 38v12M48 56.5v.5" class="mark"/>',
  'no-key': '<circle cx="48" cy="48" r="15" fill="#5c6770"/><path d="M41 48h14" class="mark"/>',
  paused: '<circle cx="48" cy="48" r="15" fill="#1864ab"/><path d="M44 42v12M52 42v12" class="mark"/>',
  error: '<circle cx="48" cy="48" r="15" fill="#c92a2a"/><path d="M43 43l10 10M53 43l-10 10" class="mark"/>',
};

const seal =
  'M32.0 3.8A6.6 6.6 0 0 1 44.2 6.6A6.6 6.6 0 0 1 54.0 14.4A6.6 6.6 0 0 1 59.5 25.7A6.6 6.6 0 0 1 59.5 38.3A6.6 6.6 0 0 1 54.0 49.6A6.6 6.6 0 0 1 44.2 57.4A6.6 6.6 0 0 1 32.0 60.2A6.6 6.6 0 0 1 19.8 57.4A6.6 6.6 0 0 1 10.0 49.6A6.6 6.6 0 0 1 4.5 38.3A6.6 6.6 0 0 1 4.5 25.7A6.6 6.6 0 0 1 10.0 14.4A6.6 6.6 0 0 1 19.8 6.6A6.6 6.6 0 0 1 32.0 3.8Z';
const letter =
  'M40 23.2c-1.8-2.4-4.6-3.7-8-3.7-4.8 0-8.3 2.4-8.3 6.1 0 8.4 16.9 4 16.9 12.5 0 3.8-3.7 6.3-8.6 6.3-3.8 0-6.9-1.5-8.7-4.2';

/** The tray's drawing of a state; `template` is the black drawing for macOS's own colours. */
function traySvg(state: TrayState, template: boolean): string {
  const style = '.mark{fill:none;stroke:#fff;stroke-width:5;stroke-linecap:round}';
  const body = template
    ? `<mask id="m"><rect width="64" height="64" fill="#fff"/><path d="${letter}" class="cut"/>${marks[state]
        .replaceAll(/fill="#[0-9a-f]+"/g, 'fill="#000"')
        .replaceAll('r="15"', 'r="18"')}</mask>` +
      `<path d="${seal}" mask="url(#m)"/>${marks[state].replaceAll(/fill="#[0-9a-f]+"/g, 'fill="#000"')}`
    : `<path d="${seal}" fill="#0b6e63"/><path d="${letter}" class="letter"/>${marks[state]}`;
  const letters = '.letter,.cut{fill:none;stroke-width:6;stroke-linecap:round}.letter{stroke:#fff}.cut{stroke:#000}';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><style>${style}${letters}</style>${body}</svg>\n`;
}

async function draw(page: Page, svg: string, size: number): Promise<Buffer> {
  await page.setViewportSize({ width: size, height: size });
  const data = Buffer.from(svg).toString('base64');
  await page.setContent(
    `<style>html,body{margin:0}</style><img width=${size} height=${size} src="data:image/svg+xml;base64,${data}">`,
  );
  await page.locator('img').evaluate(async (image) => (image as HTMLImageElement).decode());
  return page.screenshot({ omitBackground: true, clip: { x: 0, y: 0, width: size, height: size } });
}

/** An ICO of PNG images (Windows Vista and later). */
function ico(images: readonly { readonly size: number; readonly png: Buffer }[]): Buffer {
  const head = Buffer.alloc(6 + 16 * images.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let offset = head.length;
  for (const [index, { size, png }] of images.entries()) {
    const at = 6 + 16 * index;
    head.writeUInt8(size === 256 ? 0 : size, at);
    head.writeUInt8(size === 256 ? 0 : size, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([head, ...images.map(({ png }) => png)]);
}

/** The types of an ICNS by the size of their PNG. */
const icnsTypes = [
  ['ic07', 128],
  ['ic08', 256],
  ['ic09', 512],
  ['ic10', 1024],
  ['ic11', 32],
  ['ic12', 64],
  ['ic13', 256],
  ['ic14', 512],
] as const;

function icns(pngs: ReadonlyMap<number, Buffer>): Buffer {
  const parts = icnsTypes.map(([type, size]) => {
    const png = pngs.get(size)!;
    const head = Buffer.alloc(8);
    head.write(type, 'latin1');
    head.writeUInt32BE(8 + png.length, 4);
    return Buffer.concat([head, png]);
  });
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.write('icns', 'latin1');
  head.writeUInt32BE(8 + body.length, 4);
  return Buffer.concat([head, body]);
}

async function save(name: string, content: Buffer | string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), content);
}

async function makeAppIcons(page: Page): Promise<void> {
  const svg = await readFile(appIcon, 'utf8');
  const pngs = new Map<number, Buffer>();
  for (const size of appSizes) pngs.set(size, await draw(page, svg, size));
  for (const size of appSizes.filter((one) => one <= 512)) await save(`app/${size}.png`, pngs.get(size)!);
  await save('app/icon.ico', ico([16, 24, 32, 48, 64, 128, 256].map((size) => ({ size, png: pngs.get(size)! }))));
  await save('app/icon.icns', icns(pngs));
}

async function makeTrayIcons(page: Page): Promise<void> {
  for (const state of trayStates) {
    const svg = traySvg(state, false);
    const template = traySvg(state, true);
    await save(`tray/${state}.svg`, svg);
    await save(`tray/${state}.png`, await draw(page, svg, 24));
    await save(`tray/${state}@2x.png`, await draw(page, svg, 48));
    await save(`tray/${state}-Template.png`, await draw(page, template, 18));
    await save(`tray/${state}-Template@2x.png`, await draw(page, template, 36));
    const images = [];
    for (const size of [16, 20, 24, 32, 48]) images.push({ size, png: await draw(page, svg, size) });
    await save(`tray/${state}.ico`, ico(images));
  }
}

const browser = await launchChromium();
const page = await browser.newPage();
await makeAppIcons(page);
await makeTrayIcons(page);
await browser.close();
