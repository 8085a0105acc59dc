import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { buildDesktop } from '../../src/app/cli/build-renderer.ts';
import { findDesktopRuntime } from '../../src/app/cli/desktop-runtime.ts';
import { freePort } from '../app/run-sinete.ts';

const runtime = findDesktopRuntime();

/**
 * The real Electron, where its runtime is. Without Electron, the only test says so and why: the proofs by Electron
 * alone are missing then.
 */
describe('the desktop in Electron', () => {
  if (!runtime.available) {
    it(`was not tried here: ${runtime.reason}`, () => {
      console.log(`The desktop was not tried in Electron: ${runtime.reason}. ${runtime.remedy}`);
      expect(findDesktopRuntime()).toEqual(runtime);
    });
    return;
  }

  it('opens a sandboxed window of its own page, with a way to the core and nothing else', async () => {
    expect(await buildDesktop()).toBe(true);
    const folder = await mkdtemp(join(tmpdir(), 'sinete-electron-'));
    const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const app = await _electron.launch({
      executablePath: runtime.executable,
      args: [...sandbox, `--user-data-dir=${join(folder, 'user')}`, runtime.program],
      env: {
        ...(process.env as Record<string, string>),
        SINETE_DATA: join(folder, 'data'),
        SINETE_PORT: String(await freePort()),
        SINETE_SECRET_STORE_MODE: 'memory',
      },
    });
    try {
      const page = await app.firstWindow();
      await page.locator('main h1').waitFor();
      expect(page.url()).toMatch(/^app:\/\/ui\//);
      const reach = await page.evaluate(async () => ({
        require: typeof (globalThis as { require?: unknown }).require,
        process: typeof (globalThis as { process?: unknown }).process,
        fetched: await fetch('http://127.0.0.1:17171/').then(
          () => 'answered',
          () => 'refused',
        ),
        opened: window.open('https://example.com') === null,
      }));
      expect(reach).toEqual({ require: 'undefined', process: 'undefined', fetched: 'refused', opened: true });
      const preferences = await app.evaluate(({ BrowserWindow }) => {
        // Electron has this member, and keeps it out of its types.
        interface Inspectable {
          getLastWebPreferences(): object;
        }
        const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as Inspectable | undefined;
        return contents?.getLastWebPreferences();
      });
      expect(preferences).toMatchObject({ sandbox: true, contextIsolation: true, nodeIntegration: false });
    } finally {
      await app.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
