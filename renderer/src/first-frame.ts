/** Longest wait in milliseconds for a hidden window, which draws no frames. */
const longestWait = 200;

let resolveFirst: () => void = () => undefined;

/**
 * Resolves after the first page has been drawn and is usable. Other work waits for the first frame: a page has a single
 * thread, so earlier work would delay the user.
 */
export const firstFrame = new Promise<void>((resolve) => {
  resolveFirst = resolve;
});

/** Call this function when the first page is in the document, before the browser draws the page. */
export function awaitFirstFrame(): void {
  // The frame with the page, then a frame in which the page accepts a click.
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolveFirst)));
  setTimeout(resolveFirst, longestWait);
}
