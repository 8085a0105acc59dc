import { afterAll, afterEach, beforeAll } from 'vitest';
import { Stage, type RealWindow } from './browser.ts';

/** A stage for the tests of a file. */
export interface SharedStage extends Pick<Stage, 'prepare' | 'open' | 'axe'> {
  /** The inputs of every call of a name, in the last opened window. */
  readonly inputsOf: (name: string) => unknown[];
}

/**
 * Opens a stage before the tests of a file, and closes the stage at their end. Each test's windows are closed after the
 * test, and their pages are opened again in later tests. `prepare` makes a new page, for a test with scripts of the
 * page.
 */
export function sharedStage(): SharedStage {
  let stage: Stage;
  const windows: RealWindow[] = [];
  beforeAll(async () => {
    stage = await Stage.open();
  });
  afterEach(async () => {
    await Promise.all(windows.splice(0).map((window) => window.close()));
  });
  afterAll(() => stage.close());
  const kept = async (opening: Promise<RealWindow>): Promise<RealWindow> => {
    const window = await opening;
    windows.push(window);
    return window;
  };
  return {
    prepare: (plan, options) => kept(stage.prepare(plan, options)),
    open: (plan, options) => kept(stage.open(plan, options)),
    axe: (page) => stage.axe(page),
    inputsOf: (wanted) =>
      (windows.at(-1)?.core.log ?? []).filter(({ name }) => name === wanted).map(({ input }) => input),
  };
}
