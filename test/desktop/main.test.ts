import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as electron from './fake-electron.ts';

vi.mock('electron', async () => import('./fake-electron.ts'));

const runDesktop = vi.hoisted(() => vi.fn(async () => Promise.resolve(undefined)));
vi.mock('../../src/desktop/run-desktop.ts', () => ({ runDesktop }));

describe('the program of the desktop', () => {
  beforeEach(() => {
    electron.reset();
    runDesktop.mockClear();
  });
  afterEach(() => {
    vi.resetModules();
  });

  it("takes the lock before anything else, then prepares the settings for Electron's start", async () => {
    await import('../../src/desktop/main.ts');
    expect(electron.stage.did).toEqual(['lock', 'enableSandbox']);
    expect([...electron.registeredSchemes]).toEqual(['app']);
    expect(runDesktop).toHaveBeenCalledTimes(1);
  });

  it('ends at once when another runs', async () => {
    electron.stage.isSecond = true;
    await import('../../src/desktop/main.ts');
    expect(electron.stage.did).toEqual(['lock', 'exit 0']);
    expect(runDesktop).not.toHaveBeenCalled();
  });
});
