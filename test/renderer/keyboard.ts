import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** More stops than any page has between two things that a person goes to. */
const MOST_STOPS = 150;

interface Stop {
  /** The element's name, or its text. */
  readonly name: string;
  /** Whether the element looks different with the focus, or something right beside the element does. */
  readonly isMarked: boolean;
  /** Whether some of it lies in the window. */
  readonly isInSight: boolean;
}

/** A window used by keys alone: there is no way to click here. Each stop of the Tab key is looked at. */
export class Keyboard {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  static async of(page: Page): Promise<Keyboard> {
    // A colour changing slowly would look the same right after the focus has left.
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('* { transition: none !important }');
      document.adoptedStyleSheets.push(sheet);
    });
    return new Keyboard(page);
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
  }

  /** Goes on with Tab until the element has the focus; with `Shift+Tab` back. */
  async to(wanted: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await wanted.waitFor({ state: 'attached' });
    for (let stops = 0; stops < MOST_STOPS; stops++) {
      if (await wanted.evaluate((element) => element === document.activeElement)) return;
      await this.press(key);
      await this.#expectMarked();
    }
    throw new Error(`The keyboard comes to no ${String(wanted)}.`);
  }

  /** Goes to the element and presses it. */
  async enter(wanted: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
    await this.to(wanted);
    await this.press(key);
  }

  /** Opens the system's dialog for files with Enter, and chooses files there. */
  async choose(button: Locator, files: Parameters<Locator['setInputFiles']>[0]): Promise<void> {
    // The browser hands its dialogs over only some time after the first question for them.
    const [chooser] = await Promise.all([this.#page.waitForEvent('filechooser'), this.enter(button)]);
    await chooser.setFiles(files);
  }

  async #expectMarked(): Promise<void> {
    const stop = await this.#page.evaluate(lookAtFocus);
    // Within the same element, or at the end of the page.
    if (stop === null) return;
    expect(stop).toEqual({ ...stop, isMarked: true, isInSight: true });
  }
}

/** Runs in the page. */
function lookAtFocus(): Stop | null {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || focused === document.body) return null;
  // The fields of a date are stops within one element.
  const seenBefore = globalThis as { lastStop?: Element };
  if (seenBefore.lastStop === focused) return null;
  seenBefore.lastStop = focused;
  const around = [focused, focused.nextElementSibling, focused.parentElement, focused.parentElement?.parentElement];
  const looks = (): string =>
    around
      .filter((element) => element instanceof Element)
      .map((element) => getComputedStyle(element))
      .map((style) => [style.outline, style.boxShadow, style.borderColor, style.backgroundColor].join())
      .join();
  const withFocus = looks();
  focused.blur();
  const without = looks();
  focused.focus({ preventScroll: true });
  const seen =
    focused.getBoundingClientRect().width < 2 ? (focused.closest('label') ?? focused.parentElement) : focused;
  const { top, left, bottom, right } = (seen ?? focused).getBoundingClientRect();
  return {
    name: focused.getAttribute('aria-label') ?? focused.textContent.slice(0, 60),
    isMarked: withFocus !== without,
    isInSight: bottom > 0 && right > 0 && top < innerHeight && left < innerWidth,
  };
}
