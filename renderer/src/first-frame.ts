/** The longest that a window which draws no frames, because it is hidden, is waited for, in milliseconds. */
const longestWait = 200;

let resolveFirst: () => void = () => undefined;

/**
 * Resolves once the first page has been drawn and can be used. What it does not need waits for that: a page has one
 * thread, so whatever is done before keeps the user waiting.
 */
export const firstFrame = new Promise<void>((resolve) => {
  resolveFirst = resolve;
});

/** To be called when the first page is in the document, before the browser draws it. */
export function awaitFirstFrame(): void {
  // The frame that draws it, then one in which it already takes a click.
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolveFirst)));
  setTimeout(resolveFirst, longestWait);
}
