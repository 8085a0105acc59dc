/** The only waits of the tests: for a state, or to give a fault the time to show itself. */

/** Milliseconds after which a state will not come any more, even on a busy machine. */
const PATIENCE = 120_000;
const BETWEEN_LOOKS = 10;

const passing = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Resolves as soon as a state is reached; rejects with its name when it does not come. */
export async function until(holds: () => boolean | Promise<boolean>, state: string): Promise<void> {
  const end = Date.now() + PATIENCE;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`This state was not reached: ${state}.`);
    await passing(BETWEEN_LOOKS);
  }
}

/** Resolves with the first answer that is not undefined. */
export async function untilDefined<T>(answer: () => T | undefined | Promise<T | undefined>, state: string): Promise<T> {
  let found = await answer();
  await until(async () => (found ??= await answer()) !== undefined, state);
  return found!;
}

/**
 * Lets time pass in which a fault would show itself (a second request, a change that must not come), or which a kill or
 * a slow peer takes. A right product passes whatever the time is; a state is waited for with `until`.
 */
export const letTimePass = passing;
