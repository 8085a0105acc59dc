import { useEffect, useState } from 'react';

/** After a question has come up by itself, a key or click meant for what was there before must not answer it. */
const guardTime = 500;

/** False for a moment after the question came up. */
export function useArmed(): boolean {
  const [armed, setArmed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setArmed(true), guardTime);
    return () => clearTimeout(timer);
  }, []);
  return armed;
}
