import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { RealWindow, Stage } from './browser.ts';
import type { RealPlan } from './real-core.ts';

/**
 * Opens the window as the desktop does: with a preload script and the paths of files. Files are in the folder of the
 * core; names with `anexo` at the beginning have no path. A person always chooses the folder `chosen`.
 */
export async function showDesktop(stage: Pick<Stage, 'prepare'>, chosen: string, plan?: RealPlan): Promise<RealWindow> {
  const window = await stage.prepare(plan);
  const { page, core } = window;
  const { sinete } = core;
  await page.exposeFunction('askCore', async (name: string, input: unknown) => {
    if (name === 'desktop.chooseFolder') return { ok: true, value: { path: join(core.folder, chosen) } };
    if (name.startsWith('desktop.')) return { ok: true, value: {} };
    return sinete.callUi(name, input);
  });
  await page.exposeFunction('giveCore', async (name: string, base64: string) =>
    sinete.giveFile(name, Buffer.from(base64, 'base64')),
  );
  await page.addInitScript((folder) => {
    const host = globalThis as unknown as {
      readonly askCore: (name: string, input: unknown) => Promise<never>;
      readonly giveCore: (name: string, base64: string) => Promise<never>;
      sinete: object;
      tellWindow: (event: unknown) => void;
    };
    const listeners: ((event: unknown) => void)[] = [];
    host.tellWindow = (event) => {
      for (const listener of listeners) listener({ name: 'core', event });
    };
    host.sinete = {
      call: async (name: string, input: unknown) => host.askCore(name, input),
      onEvent: (listener: (event: unknown) => void) => {
        listeners.push(listener);
        return () => undefined;
      },
      pathOf: (file: File) => (file.name.startsWith('anexo') ? '' : `${folder}/${file.name}`),
      giveFile: async ({ name, content }: { readonly name: string; readonly content: Uint8Array }) =>
        host.giveCore(name, btoa(String.fromCharCode(...new Uint8Array(content)))),
    };
  }, core.folder);
  const stop = sinete.onEvent((event) => void tell(page, event));
  page.once('close', stop);
  await page.goto(`${core.origin}/ui/`);
  await page.locator('main h1').waitFor();
  return window;
}

async function tell(page: Page, event: unknown): Promise<void> {
  await page
    .evaluate((told) => {
      (globalThis as unknown as { readonly tellWindow: (event: unknown) => void }).tellWindow(told);
    }, event)
    // The window may be gone during a signature.
    .catch(() => undefined);
}
