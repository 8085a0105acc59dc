/**
 * Mutants that live on, and why each is harmless. They count as not killed. `npm run mutants` fails for a row that it
 * does not meet any more when it measures the file.
 */
export interface Survivor {
  /** Relative to the repository. */
  readonly file: string;
  /** The source that is replaced, with single blanks. */
  readonly original: string;
  /** Stryker's replacement, with single blanks. */
  readonly replacement: string;
  readonly why: string;
}

const model = 'src/http/authorization/token-model.ts';
const neverCalled = "The library's types demand the method, and its token flow never calls it.";

export const survivors: readonly Survivor[] = [
  {
    file: model,
    original: '[]',
    replacement: '["Stryker was here"]',
    why: 'Only the id of the client of a code is compared: its grants are those of the client that proved itself.',
  },
  { file: model, original: '{ return Promise.resolve(undefined); }', replacement: '{}', why: neverCalled },
];
