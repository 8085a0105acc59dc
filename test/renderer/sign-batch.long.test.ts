import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseFiles, contentOf, dropFiles, pickerOf, texts } from './actions.ts';
import type { RealWindow } from './browser.ts';
import { createSoftHsm, type SoftHsm } from '../token/softhsm.ts';
import type { RealPlan } from './real-core.ts';
import { sharedStage } from './shared-stage.ts';

const text = texts['pt-BR'];
const stage = sharedStage();
let shown: RealWindow;

let token: SoftHsm;
beforeAll(async () => {
  token = await createSoftHsm([{ label: 'sinete', keys: [{ label: 'maria-a3', keyId: '01', kind: 'ec-p256' }] }]);
});
afterAll(() => token.remove());

/** A core with a token; its key is the default. */
const withToken = (): RealPlan => ({
  token,
  prepare: async ({ calls }) => {
    const all = await calls['certificates.list']({});
    await calls['certificates.setDefault']({ alias: all.find(({ source }) => source === 'token')?.alias ?? '' });
  },
});

/** The documents of all batches. */
const documents = async (): Promise<readonly { readonly status: string; readonly checksum: string | null }[]> =>
  (await shown.core.calls['transactions.list']({ limit: 10 })).flatMap((one) => one.documents);

const callsOf = (name: string): number => shown.core.log.filter((entry) => entry.name === name).length;

/** Names of a batch with a need for both kinds of signature. */
const names = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${index} ${index % 2 === 0 ? 'contrato.pdf' : 'notas.txt'}`);

describe('a dropped folder', () => {
  it('gives its files, also from inner folders, and none hidden', async () => {
    shown = await stage.open();
    const { page } = shown;
    await page.evaluate(() => {
      const file = (name: string) => ({
        isFile: true,
        isDirectory: false,
        fullPath: `/pasta/${name}`,
        file: (take: (file: File) => void) => take(new File([`content of ${name}`], name)),
      });
      const folder = (children: readonly object[]) => ({
        isFile: false,
        isDirectory: true,
        createReader: () => {
          const left = [...children];
          return { readEntries: (take: (part: readonly object[]) => void) => take(left.splice(0, 1)) };
        },
      });
      const entry = folder([file('a.txt'), folder([file('b.txt'), file('.oculto')]), file('c.txt')]);
      const dataTransfer = { types: ['Files'], files: [], items: [{ webkitGetAsEntry: () => entry }] };
      const drop = new Event('drop', { bubbles: true, cancelable: true });
      Object.defineProperty(drop, 'dataTransfer', { value: dataTransfer });
      document.querySelector('main')?.dispatchEvent(drop);
    });
    await page.getByText('3 arquivos', { exact: false }).first().waitFor();
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await page.getByText(name, { exact: true }).waitFor();
    expect(shown.faults).toEqual([]);
  });
});

describe('the button to sign', () => {
  it.each([800, 1080, 1440])(
    'stays at its place in a window of height %i when the pages of a PDF come in late',
    async (height) => {
      shown = await stage.open({}, { viewport: { width: 1280, height } });
      const { page } = shown;
      let letPagesIn = (): void => undefined;
      const pagesMayCome = new Promise<void>((resolve) => (letPagesIn = resolve));
      await page.route('**/assets/review-desk-*.js', async (route) => {
        await pagesMayCome;
        await route.continue();
      });
      await chooseFiles(page, ['contrato.pdf']);
      const button = page.locator('form button[type=submit]:enabled');
      await button.waitFor();
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      const before = await button.boundingBox();
      letPagesIn();
      await page.getByText(text.signOptions.preview).waitFor();
      expect(await button.boundingBox()).toEqual(before);
      expect(shown.faults).toEqual([]);
    },
  );

  it('waits until the core has told where results go', async () => {
    let tell = (): void => undefined;
    const told = new Promise<void>((resolve) => (tell = resolve));
    shown = await stage.open({ prepare: async ({ waits }) => Promise.resolve(waits.set('archive.read', told)) });
    await chooseFiles(shown.page, ['notas.txt']);
    const button = shown.page.locator('form button[type=submit]');
    await shown.page.getByText(text.signOptions.destination, { exact: true }).waitFor();
    expect(await button.isEnabled()).toBe(false);
    tell();
    await shown.page.locator('form button[type=submit]:enabled').waitFor();
    expect(shown.faults).toEqual([]);
  });

  it.each([3, 60])(
    'is in sight in a small window with %i files, before anybody scrolls and at the end',
    async (count) => {
      shown = await stage.open({}, { viewport: { width: 800, height: 600 } });
      const { page } = shown;
      await chooseFiles(page, names(count));
      const isInSight = (): Promise<boolean> =>
        page.locator('form button[type=submit]').evaluate((button) => {
          const { top, bottom } = button.getBoundingClientRect();
          return top > 0 && bottom < innerHeight;
        });
      expect(await page.evaluate(() => scrollY)).toBe(0);
      expect(await isInSight()).toBe(true);
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      expect(await isInSight()).toBe(true);
      expect(shown.faults).toEqual([]);
    },
  );
});

describe('a batch under way', () => {
  it('asks for the PIN while no file has arrived, and goes on without another question', async () => {
    shown = await stage.open(withToken());
    const { page } = shown;
    let letThrough: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letThrough = resolve));
    await page.route('**/ui/documents/**', async (route) => {
      await held;
      await route.continue();
    });
    await chooseFiles(page, names(8));
    await page.locator('form button[type=submit]').click();
    const pin = page.getByLabel(text.certificates.unlockDialog.pin, { exact: true });
    await pin.fill(token.pin);
    expect((await documents()).filter(({ checksum }) => checksum !== null)).toEqual([]);
    await pin.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    letThrough();
    await page.getByText('8 documentos assinados', { exact: true }).waitFor();
    expect(callsOf('certificates.unlock')).toBe(1);
    expect(shown.faults).toEqual([]);
  });

  it('keeps the typed part of the PIN when the last file arrives', async () => {
    shown = await stage.open(withToken());
    const { page } = shown;
    let letThrough: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letThrough = resolve));
    await page.route('**/ui/documents/**', async (route) => {
      await held;
      await route.continue();
    });
    await chooseFiles(page, names(8));
    await page.locator('form button[type=submit]').click();
    const pin = page.getByLabel(text.certificates.unlockDialog.pin, { exact: true });
    await pin.fill(token.pin.slice(0, 2));
    letThrough();
    const waitsForPin = async (): Promise<number> => {
      const batches = await shown.core.calls['transactions.list']({ limit: 10 });
      return batches.filter(({ waitingFor }) => waitingFor === 'pin').length;
    };
    await expect.poll(waitsForPin, { timeout: 30_000 }).toBe(2);
    await page.getByText(text.sign.waitingPin).waitFor();
    expect(await pin.inputValue()).toBe(token.pin.slice(0, 2));
    await pin.pressSequentially(token.pin.slice(2));
    await pin.press('Enter');
    await page.getByText('8 documentos assinados', { exact: true }).waitFor();
    expect(shown.faults).toEqual([]);
  });

  it('leaves a refused file out, and signs the files sent together with the refused one', async () => {
    shown = await stage.open({ documentSize: 20_000 });
    const { page } = shown;
    await page.evaluate(() => (location.hash = '#/sign'));
    const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/pdf', buffer });
    await pickerOf(page).setInputFiles([
      ...names(6).map((name) => file(name, contentOf(name))),
      file('grande.pdf', Buffer.concat([contentOf('grande.pdf'), Buffer.alloc(30_000)])),
    ]);
    await page.locator('form button[type=submit]').click();
    await page.getByText(text.errors.DOCUMENT_TOO_LARGE).first().waitFor();
    await page.getByText(text.status.signed, { exact: true }).nth(5).waitFor();
    expect(await page.getByText(text.status.signed, { exact: true }).count()).toBe(6);
    expect(callsOf('sign.create')).toBe(2);
  });

  it('needs no approval and one PIN, is held back and goes on', async () => {
    shown = await stage.open(withToken());
    const { page, core } = shown;
    const letSign = core.holdSignatures();
    await chooseFiles(page, names(8));
    await page.locator('form button[type=submit]').click();
    const pin = page.getByLabel(text.certificates.unlockDialog.pin, { exact: true });
    await pin.fill(token.pin);
    await pin.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: text.sign.pause, exact: true }).click();
    await page.getByRole('heading', { name: text.sign.paused }).waitFor();
    // A pause is answered when the signature under way has ended.
    await expect.poll(() => callsOf('sign.pause'), { timeout: 20_000 }).toBeGreaterThan(0);
    letSign();
    await expect.poll(() => page.getByText(text.status.signing, { exact: true }).count()).toBe(0);
    expect((await documents()).filter(({ status }) => status === 'WAITING').length).toBeGreaterThan(0);
    await page.getByRole('button', { name: text.sign.resume }).click();
    await page.getByText('8 documentos assinados', { exact: true }).waitFor();
    expect([callsOf('approvals.decide'), callsOf('certificates.unlock')]).toEqual([2, 1]);
    expect(shown.faults).toEqual([]);
  });

  it('is given up: signed files stay, the rest is told as stopped, and can be tried again', async () => {
    shown = await stage.open();
    const { page, core } = shown;
    const letSign = core.holdSignatures(2);
    await chooseFiles(
      page,
      names(40).filter((name) => name.endsWith('.txt')),
    );
    await page.locator('form button[type=submit]').click();
    await page.getByText(/^[1-9]\d* de 20 documentos assinados/).waitFor();
    await page.getByRole('button', { name: text.sign.cancelBatch, exact: true }).click();
    await expect.poll(() => callsOf('sign.cancel'), { timeout: 20_000 }).toBe(1);
    letSign();
    await page.getByText(text.errors.CANCELLED).first().waitFor();
    await page.getByText(/^[1-9]\d* de 20 documentos assinados/).waitFor();
    await page.getByLabel(text.sign.onlyFailed).check();
    expect(await page.getByText(text.status.signed, { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: /^Tentar de novo/ }).click();
    await page.getByText('20 documentos assinados', { exact: true }).waitFor();
    expect(shown.faults).toEqual([]);
  });
});

describe('a drop of 500 files', () => {
  it('is drawn as far as in sight, and the page answers during the sending and signing', async () => {
    shown = await stage.open();
    const { page, faults } = shown;
    const rows = (): Promise<number> => page.locator('main li').count();
    await dropFiles(page, 'main', names(500));
    await page.getByText('500 arquivos', { exact: false }).first().waitFor();
    const drawn = await rows();
    expect(drawn).toBeGreaterThan(4);
    expect(drawn).toBeLessThan(40);
    await page.getByRole('group', { name: '500 arquivos' }).evaluate((list) => (list.scrollTop = list.scrollHeight));
    await page.getByText('499 notas.txt', { exact: true }).waitFor();
    expect(await page.locator('main li').last().getAttribute('aria-posinset')).toBe('500');
    expect(await rows()).toBeLessThan(40);

    await page.locator('form button[type=submit]').click();
    await page.getByText(/^[1-9]\d* de 500 arquivos lidos/).waitFor();
    // Each answer of the page is an input taken and drawn while files were under way.
    const menu = page.getByRole('button', { name: text.preferences.title });
    for (let times = 0; times < 2; times += 1) {
      await menu.click();
      await page.getByRole('menuitemradio', { name: text.preferences.dark }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('menuitemradio', { name: text.preferences.dark }).waitFor({ state: 'detached' });
    }
    await page.getByText('500 documentos assinados', { exact: true }).waitFor();
    expect(await rows()).toBeLessThan(40);
    // Changes are told 500 times; the changed data is read a few times.
    expect(callsOf('transactions.read')).toBeLessThan(250);
    expect(callsOf('approvals.decide')).toBe(2);
    expect(faults).toEqual([]);
  });
});
