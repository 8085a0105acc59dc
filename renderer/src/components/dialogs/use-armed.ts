import { useEffect, useState } from 'react';
import { followArming, type ArmingPage, type StartTimer } from './arming.ts';

const browserPage: ArmingPage = {
  isOnTop: () => document.visibilityState === 'visible' && document.hasFocus(),
  onChange: (listener) => {
    const stop = new AbortController();
    for (const name of ['focus', 'blur']) window.addEventListener(name, listener, { signal: stop.signal });
    document.addEventListener('visibilitychange', listener, { signal: stop.signal });
    return () => stop.abort();
  },
};

const browserTimer: StartTimer = (after, then) => {
  const timer = setTimeout(then, after);
  return () => clearTimeout(timer);
};

/** True once the question has been on top for the arming time, and as long as it stays on top. */
export function useArmed(): boolean {
  const [armed, setArmed] = useState(false);
  useEffect(() => followArming(browserPage, browserTimer, setArmed), []);
  return armed;
}
