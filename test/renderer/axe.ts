import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const axeSource = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'));

/** An accessibility finding of axe. */
export interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly targets: string;
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
  }[];
}

/** Looks for obstacles in the present pages. */
export class Axe {
  readonly #source: string;

  private constructor(source: string) {
    this.#source = source;
  }

  static async load(): Promise<Axe> {
    return new Axe(await readFile(axeSource, 'utf8'));
  }

  /** Runs all rules, or only the rules about colours. */
  async findings(page: Page, rules: 'all' | 'colours' = 'all'): Promise<readonly Finding[]> {
    if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(this.#source);
    return page.evaluate(async (about) => {
      const { axe } = globalThis as unknown as {
        readonly axe: { readonly run: (root: Document, options: object) => Promise<AxeResults> };
      };
      const colours = {
        runOnly: { type: 'tag', values: ['cat.color'] },
        // This rule belongs to level AAA. The rule is enabled by name, because its tag would enable all rules of the
        // level.
        rules: { 'color-contrast-enhanced': { enabled: false } },
      };
      const only = about === 'all' ? {} : colours;
      const { violations } = await axe.run(document, { resultTypes: ['violations'], ...only });
      return violations.map(({ id, impact, nodes }) => ({
        id,
        impact,
        targets: nodes.map((node) => `${String(node.target)} ${node.failureSummary ?? ''}`).join('; '),
      }));
    }, rules);
  }

  /**
   * Switches the page to dark colours where light and back, like the system at dusk and dawn, and answers the findings
   * then. Where the switch has changed nothing but colours, only the rules about colours can find something else than
   * before.
   */
  async findingsInOtherColours(page: Page): Promise<readonly Finding[]> {
    const before = await markup(page);
    const colorScheme = (await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches))
      ? 'light'
      : 'dark';
    await page.emulateMedia({ colorScheme });
    await page.waitForFunction(
      (wanted) => document.documentElement.dataset['mantineColorScheme'] === wanted,
      colorScheme,
    );
    await settled(page);
    return this.findings(page, (await markup(page)) === before ? 'colours' : 'all');
  }
}

/** Ends all transitions to other colours, because nobody reads by the contrasts on the way. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    // A transition may start a frame after its cause: a single quiet frame proves nothing.
    for (let quiet = 0, frames = 0; quiet < 3 && frames < 300; frames += 1) {
      await frame();
      const running = document.getAnimations().filter((one) => one instanceof CSSTransition);
      for (const one of running) one.finish();
      quiet = running.length === 0 ? quiet + 1 : 0;
    }
  });
}

const markup = (page: Page): Promise<string> => page.evaluate(() => document.body.outerHTML);
