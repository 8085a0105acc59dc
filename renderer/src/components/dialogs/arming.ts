/** The page that shows a question. */
export interface ArmingPage {
  /** True while the window is visible and receives the keyboard. */
  isOnTop(): boolean;
  /** Calls the listener when the answer of `isOnTop` may have changed; returns the function that stops listening. */
  onChange(listener: () => void): () => void;
}

/** Calls `then` after a time in milliseconds, unless the returned function is called before. */
export type StartTimer = (after: number, then: () => void) => () => void;

/**
 * Milliseconds that a question must be on top: a key or click intended for the previous content must not answer the
 * question.
 */
export const armingTime = 700;

/**
 * Reports when a question may be answered: after `armingTime` on top without interruption. The time begins again when
 * the page returns from behind another window. Returns the function that stops reporting.
 */
export function followArming(page: ArmingPage, startTimer: StartTimer, tell: (armed: boolean) => void): () => void {
  let stopTimer: (() => void) | null = null;
  const look = (): void => {
    const isOnTop = page.isOnTop();
    if (isOnTop && stopTimer !== null) return;
    stopTimer?.();
    stopTimer = isOnTop ? startTimer(armingTime, () => tell(true)) : null;
    if (!isOnTop) tell(false);
  };
  look();
  const stopListening = page.onChange(look);
  return () => {
    stopListening();
    stopTimer?.();
  };
}
