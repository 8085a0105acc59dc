import { Session } from 'node:inspector';

/** Calls by the name of the function. */
export type Counts = Map<string, number>;

/** Calls of the functions since the last time, as V8 counts them; the answer comes in the same turn. */
function takeCounts(session: Session): Counts {
  const counts: Counts = new Map();
  session.post('Profiler.takePreciseCoverage', (error, answer) => {
    if (error !== null) throw error;
    const scripts = answer.result.filter(({ url }) => /\/src\/(app|http|service|storage)\//.test(url));
    for (const { functionName, ranges } of scripts.flatMap((script) => script.functions)) {
      counts.set(functionName, (counts.get(functionName) ?? 0) + (ranges[0]?.count ?? 0));
    }
  });
  return counts;
}

/** How often each function of the product was called during `action`: at most in a single turn of the event loop, and in all. */
export async function countATurn(
  action: () => Promise<unknown>,
): Promise<{ readonly most: Counts; readonly all: Counts }> {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const most: Counts = new Map();
  const all: Counts = new Map();
  let next: NodeJS.Immediate | undefined;
  const count = (): void => {
    for (const [name, count] of takeCounts(session)) {
      most.set(name, Math.max(most.get(name) ?? 0, count));
      all.set(name, (all.get(name) ?? 0) + count);
    }
  };
  const look = (): void => {
    count();
    next = setImmediate(look);
  };
  try {
    look();
    await action();
    count();
    return { most, all };
  } finally {
    clearImmediate(next);
    session.disconnect();
  }
}
