/** The only waits of the tests: for a state, or to give a fault the time to show itself. */

/** Milliseconds after which a state is not expected any more, even on a busy machine. */
const PATIENCE = 120_000;
const BETWEEN_LOOKS = 10;

const passing = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Resolves as soon as a state is reached; rejects with its name after the time limit. */
export async function until(holds: () => boolean | Promise<boolean>, state: string): Promise<void> {
  const end = Date.now() + PATIENCE;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`This state was not reached: ${state}.`);
    await passing(BETWEEN_LOOKS);
  }
}

/** Resolves with the first defined answer. */
export async function untilDefined<T>(answer: () => T | undefined | Promise<T | undefined>, state: string): Promise<T> {
  let found = await answer();
  await until(async () => (found ??= await answer()) !== undefined, state);
  return found!;
}

/**
 * Lets time pass, for a fault to appear (a second request, a forbidden change), or for a kill or a slow peer. A correct
 * product passes whatever the time is; to wait for a state, use `until`.
 */
export const letTimePass = passing;
