/** A step of the run, in the table's form. */
interface Row {
  readonly name: string;
  readonly seconds: number;
  readonly result: string;
  readonly passed: boolean;
}

/** A failed step; the message names the fault. */
export class StepError extends Error {
  /** The end of the output of the failed command. */
  readonly output: string;

  constructor(message: string, output = '') {
    super(message);
    this.name = 'StepError';
    this.output = output;
  }
}

/** Runs steps in sequence and keeps the outcome and the duration of each. */
export class StepTable {
  readonly #rows: Row[] = [];

  /** Runs a step; its answer is its result in a few words. Rethrows its error after writing the error down. */
  async step(name: string, run: () => Promise<string>): Promise<void> {
    const started = performance.now();
    const finish = (result: string, passed: boolean): void => {
      const seconds = (performance.now() - started) / 1000;
      this.#rows.push({ name, seconds, result, passed });
      console.log(`${passed ? 'ok    ' : 'FAILED'} ${name}: ${result} (${seconds.toFixed(1)} s)`);
    };
    try {
      finish(await run(), true);
    } catch (error) {
      finish(error instanceof Error ? error.message : String(error), false);
      throw error;
    }
  }

  /** The table as text, with the sum of the seconds. */
  text(): string {
    const lines = this.#rows.map(({ name, seconds, result, passed }) => [
      name,
      seconds.toFixed(1),
      `${passed ? '' : 'FAILED: '}${result.split('\n')[0] ?? ''}`,
    ]);
    const total = this.#rows.reduce((sum, { seconds }) => sum + seconds, 0);
    const all = [['step', 'seconds', 'result'], ...lines, ['all', total.toFixed(1), '']];
    const width = (column: number): number => Math.max(...all.map((line) => line[column]?.length ?? 0));
    const [first, second] = [width(0), width(1)];
    return all
      .map(([name = '', seconds = '', result = '']) =>
        `${name.padEnd(first)}  ${seconds.padStart(second)}  ${result}`.trimEnd(),
      )
      .join('\n');
  }
}
