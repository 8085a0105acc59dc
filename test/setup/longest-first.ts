import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files, slowest first: a slow file at the end of a run would leave the other workers idle. */
const longest = [
  'test/app/command-line.test.ts',
  'test/token/token-key-source.test.ts',
  'test/signing/pdf/sign-pdf.test.ts',
  'test/app/backup.test.ts',
  'test/signing/pdf/long-term-levels.test.ts',
  'test/signing/pdf/hostile-pdf.test.ts',
  'test/interface/levels.test.ts',
  'test/interface/end-to-end.test.ts',
];

function rank({ moduleId }: TestSpecification): number {
  const found = longest.findIndex((path) => moduleId.endsWith(path));
  return found === -1 ? longest.length : found;
}

/**
 * Starts the files needing a process of their own, because a worker keeps its process only as long as the next file
 * may share it; and of each kind the files known to take longest, then the others in the usual order.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    const isShared = ({ project }: TestSpecification): number => (project.config.isolate ? 0 : 1);
    return usual.toSorted((one, other) => isShared(one) - isShared(other) || rank(one) - rank(other));
  }
}
