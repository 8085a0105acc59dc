import { useEffect, useState } from 'react';

/** The time, in milliseconds since 1970, renewed twice a minute: enough for "5 minutes ago". */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
