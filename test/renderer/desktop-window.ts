import type { Page } from 'playwright-core';
import type { CallName } from '../../src/ui-contract/ui-contract.ts';
import type { Stage, Window } from './browser.ts';
import { FakeCore } from './fake-core.ts';

/** Opens the window as the desktop does: with a preload script that knows where files lie, over the same fake core. */
export async function showDesktop(
  stage: Pick<Stage, 'prepare'>,
  folder: string,
  core = new FakeCore(),
): Promise<Window> {
  const window = await stage.prepare(core);
  const { page, server } = window;
  await page.exposeFunction('askCore', (name: string, input: unknown) => {
    if (name === 'desktop.chooseFolder') return { ok: true, value: { path: folder } };
    if (name.startsWith('desktop.')) return { ok: true, value: {} };
    return core.call(name as CallName, input);
  });
  await page.exposeFunction('giveCore', (name: string) => ({ ok: true, value: core.validations.keepFile(name) }));
  await page.addInitScript(() => {
    const host = globalThis as unknown as {
      readonly askCore: (name: string, input: unknown) => Promise<never>;
      readonly giveCore: (name: string) => Promise<never>;
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
      pathOf: (file: File) => (file.name.startsWith('anexo') ? '' : `/home/maria/${file.name}`),
      giveFile: async ({ name }: { readonly name: string }) => host.giveCore(name),
    };
  });
  core.onEvent((event) => void tell(page, event));
  await page.goto(`${server.origin}/ui/`);
  await page.locator('main h1').waitFor();
  return window;
}

async function tell(page: Page, event: unknown): Promise<void> {
  await page
    .evaluate((told) => {
      (globalThis as unknown as { readonly tellWindow: (event: unknown) => void }).tellWindow(told);
    }, event)
    // The window may be gone while a signature is still on its way.
    .catch(() => undefined);
}
