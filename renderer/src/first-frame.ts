/** Maximum wait in milliseconds. A hidden window draws no frames. */
const longestWait = 200;

let resolveFirst: () => void = () => undefined;

/**
 * Resolves after the first page has been drawn and is usable. Other work waits for the first frame: a page has a single
 * thread, so earlier work would delay the user.
 */
export const firstFrame = new Promise<void>((resolve) => {
  resolveFirst = resolve;
});

/** Must be called when the first page is in the document, before the browser draws it. */
export function awaitFirstFrame(): void {
  // Waits for the frame with the page, and for the next one, in which the page accepts a click.
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolveFirst)));
  setTimeout(resolveFirst, longestWait);
}
