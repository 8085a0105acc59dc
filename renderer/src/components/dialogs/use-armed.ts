import { useEffect, useState } from 'react';

/** After a question has appeared by itself, a key or click meant for the earlier page must not answer the question. */
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
