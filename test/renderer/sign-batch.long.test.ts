import { describe, expect, it } from 'vitest';
import { chooseFiles, dropFiles, pickerOf, texts } from './actions.ts';
import type { Window } from './browser.ts';
import { FakeCore, rightPin } from './fake-core.ts';
import { sharedStage } from './shared-stage.ts';

const text = texts['pt-BR'];
const stage = sharedStage();
let shown: Window;

const callsOf = (name: string): number => shown.core.log.filter((entry) => entry.name === name).length;

/** Names of a batch in which both kinds of signature are needed. */
const names = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${index} ${index % 2 === 0 ? 'contrato.pdf' : 'notas.txt'}`);

describe('a dropped folder', () => {
  it('gives its files, those of folders in it too, and none that are hidden', async () => {
    shown = await stage.show();
    const { page } = shown;
    await page.evaluate(() => {
      const file = (name: string) => ({
        isFile: true,
        isDirectory: false,
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
      shown = await stage.show(new FakeCore(), { viewport: { width: 1280, height } });
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
    const core = new FakeCore();
    let tell = (): void => undefined;
    core.waits.set('archive.read', new Promise((resolve) => (tell = resolve)));
    shown = await stage.show(core);
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
      shown = await stage.show(new FakeCore(), { viewport: { width: 800, height: 600 } });
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
    shown = await stage.show();
    const { page, core } = shown;
    let letThrough: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letThrough = resolve));
    await page.route('**/ui/documents/**', async (route) => {
      await held;
      await route.continue();
    });
    await chooseFiles(page, names(8));
    await page.getByLabel(text.sign.certificate, { exact: true }).selectOption('maria-a3');
    await page.locator('form button[type=submit]').click();
    const pin = page.getByLabel(text.certificates.unlockDialog.pin, { exact: true });
    await pin.fill(rightPin);
    expect(core.originals.size).toBe(0);
    await pin.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    letThrough();
    await page.getByText('8 documentos assinados').waitFor();
    expect(callsOf('certificates.unlock')).toBe(1);
    expect(shown.faults).toEqual([]);
  });

  it('keeps what is typed of the PIN when the last file arrives', async () => {
    shown = await stage.show();
    const { page, core } = shown;
    let letThrough: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letThrough = resolve));
    await page.route('**/ui/documents/**', async (route) => {
      await held;
      await route.continue();
    });
    await chooseFiles(page, names(8));
    await page.getByLabel(text.sign.certificate, { exact: true }).selectOption('maria-a3');
    await page.locator('form button[type=submit]').click();
    const pin = page.getByLabel(text.certificates.unlockDialog.pin, { exact: true });
    await pin.fill(rightPin.slice(0, 2));
    letThrough();
    await expect.poll(() => core.transactions.filter(({ waitingFor }) => waitingFor === 'pin').length).toBe(2);
    await page.getByText(text.sign.waitingPin).waitFor();
    expect(await pin.inputValue()).toBe(rightPin.slice(0, 2));
    await pin.pressSequentially(rightPin.slice(2));
    await pin.press('Enter');
    await page.getByText('8 documentos assinados').waitFor();
    expect(shown.faults).toEqual([]);
  });

  it('leaves a file out that is refused, and signs those that were sent together with it', async () => {
    shown = await stage.show();
    const { page } = shown;
    await page.evaluate(() => (location.hash = '#/sign'));
    const file = (name: string, content: string) => ({
      name,
      mimeType: 'application/pdf',
      buffer: Buffer.from(content),
    });
    await pickerOf(page).setInputFiles([
      ...names(6).map((name) => file(name, `%PDF-1.7 ${name}`)),
      file('recusado.pdf', 'a\0b'),
    ]);
    await page.locator('form button[type=submit]').click();
    await page.getByText(text.errors.DOCUMENT_NOT_A_PDF).first().waitFor();
    await page.getByText(text.status.signed, { exact: true }).nth(5).waitFor();
    expect(await page.getByText(text.status.signed, { exact: true }).count()).toBe(6);
    expect(callsOf('sign.create')).toBe(2);
    expect(shown.faults.filter((fault) => !fault.includes('status of 422'))).toEqual([]);
  });

  it('needs no approval and one PIN, is held back and goes on', async () => {
    const core = new FakeCore();
    // Long enough for a click on a busy machine.
    core.signingTime = 2500;
    shown = await stage.show(core);
    const { page } = shown;
    await chooseFiles(page, names(8));
    await page.getByLabel(text.sign.certificate, { exact: true }).selectOption('maria-a3');
    await page.locator('form button[type=submit]').click();
    const pin = page.getByLabel(text.certificates.unlockDialog.pin, { exact: true });
    await pin.fill(rightPin);
    await pin.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: text.sign.pause, exact: true }).click();
    await page.getByRole('heading', { name: text.sign.paused }).waitFor();
    await expect.poll(() => page.getByText(text.status.signing, { exact: true }).count()).toBe(0);
    await expect.poll(() => callsOf('sign.pause'), { timeout: 20_000 }).toBe(2);
    const waiting = (): number =>
      core.transactions.flatMap(({ documents }) => documents).filter(({ status }) => status === 'WAITING').length;
    expect(waiting()).toBeGreaterThan(0);
    core.signingTime = 20;
    await page.getByRole('button', { name: text.sign.resume }).click();
    await page.getByText('8 documentos assinados').waitFor();
    expect([callsOf('approvals.decide'), callsOf('certificates.unlock')]).toEqual([2, 1]);
    expect(shown.faults).toEqual([]);
  });

  it('is given up: what is signed stays, the rest is told as stopped, and can be tried again', async () => {
    const core = new FakeCore();
    // Long enough for a click on a busy machine.
    core.signingTime = 2500;
    shown = await stage.show(core);
    const { page } = shown;
    await chooseFiles(
      page,
      names(12).filter((name) => name.endsWith('.txt')),
    );
    await page.locator('form button[type=submit]').click();
    await page.getByText(/^[1-9] de 6 documentos assinados/).waitFor();
    await page.getByRole('button', { name: text.sign.cancelBatch, exact: true }).click();
    await page.getByText(/^[1-5] de 6 documentos assinados/).waitFor();
    await page.getByText(text.errors.CANCELLED).first().waitFor();
    await page.getByLabel(text.sign.onlyFailed).check();
    expect(await page.getByText(text.status.signed, { exact: true }).count()).toBe(0);
    core.signingTime = 20;
    await page.getByRole('button', { name: /^Tentar de novo/ }).click();
    await page.getByText('6 documentos assinados').waitFor();
    expect(shown.faults).toEqual([]);
  });
});

describe('a drop of 500 files', () => {
  it('is drawn as far as it is in sight, and the page answers while they are sent and signed', async () => {
    const core = new FakeCore();
    core.signingTime = 2;
    const { page, faults } = await stage.show(core);
    const rows = (): Promise<number> => page.locator('main li').count();
    const callsOf = (name: string): number => core.log.filter((entry) => entry.name === name).length;
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
    // Each answer of the page is an input that was taken and drawn while files were under way.
    const menu = page.getByRole('button', { name: text.preferences.title });
    for (let times = 0; times < 2; times += 1) {
      await menu.click();
      await page.getByRole('menuitemradio', { name: text.preferences.dark }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('menuitemradio', { name: text.preferences.dark }).waitFor({ state: 'detached' });
    }
    await page.getByText('500 documentos assinados').waitFor();
    expect(await rows()).toBeLessThan(40);
    // Changes are told 500 times; what they changed is read a few times.
    expect(callsOf('transactions.read')).toBeLessThan(250);
    expect(callsOf('approvals.decide')).toBe(2);
    expect(faults).toEqual([]);
  });
});
