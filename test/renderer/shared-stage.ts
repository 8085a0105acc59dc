import { afterAll, afterEach, beforeAll } from 'vitest';
import { Stage, type RealWindow, type Window } from './browser.ts';
import { FakeCore } from './fake-core.ts';

/** A stage for the tests of a single file. */
export interface SharedStage extends Pick<Stage, 'show' | 'prepare' | 'open' | 'prepareReal' | 'axe'> {
  /** The inputs of every call of a single name, in the window opened last. */
  readonly inputsOf: (name: string) => unknown[];
}

/**
 * Opens a stage before the tests of a file and closes it after them. A window is closed with the test that opened it, and
 * opened again for another one; `prepare` makes a new one for a test adding scripts to its page.
 */
export function sharedStage(): SharedStage {
  let stage: Stage;
  const windows: (Window | RealWindow)[] = [];
  beforeAll(async () => {
    stage = await Stage.open();
  });
  afterEach(async () => {
    await Promise.all(windows.splice(0).map((window) => window.close()));
  });
  afterAll(() => stage.close());
  const kept = async <Kind extends Window | RealWindow>(opening: Promise<Kind>): Promise<Kind> => {
    const window = await opening;
    windows.push(window);
    return window;
  };
  return {
    show: (core, options) => kept(stage.showAgain(core ?? new FakeCore(), options)),
    prepare: (core, options) => kept(stage.prepare(core, options)),
    open: (plan, options) => kept(stage.open(plan, options)),
    prepareReal: (plan, options) => kept(stage.prepareReal(plan, options)),
    axe: (page) => stage.axe(page),
    inputsOf: (wanted) =>
      (windows.at(-1)?.core.log ?? []).filter(({ name }) => name === wanted).map(({ input }) => input),
  };
}
