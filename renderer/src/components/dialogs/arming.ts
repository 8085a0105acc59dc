/** The page that a question is on. */
export interface ArmingPage {
  /** True while the window is visible and receives the keyboard. */
  isOnTop(): boolean;
  /** Tells that the answer of `isOnTop` may have changed; answers the way to stop. */
  onChange(listener: () => void): () => void;
}

/** Calls `then` after a time in milliseconds, unless the answered function is called before. */
export type StartTimer = (after: number, then: () => void) => () => void;

/** Milliseconds on top: a key or click meant for what was there before must not answer the question. */
export const armingTime = 700;

/**
 * Tells when a question may be answered: after `armingTime` without interruption on top. A page that goes behind
 * another window begins again when it returns. Answers the way to stop.
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
