/** A live test of one driver, for a person who chooses drivers. */
import { SigningError, type SigningErrorCode } from '../../errors.ts';
import type { DriverProblem, TokenState } from '../key-source.ts';
import { driverProblemOf } from './errors.ts';
import { referenceModule, type ModuleReference } from './module-paths.ts';
import type { LibraryInformation } from './protocol.ts';
import type { SupervisorOptions } from './supervisor.ts';
import { TokenKeySource } from './token-key-source.ts';
import { dropUndefined } from '../../../values/drop-undefined.ts';

/** What the test found. */
export interface ModuleReport {
  readonly path: string;
  /** How long loading and asking took. */
  readonly milliseconds: number;
  /** Undefined when the driver could not be loaded or asked; then `failure` says why. */
  readonly library?: LibraryInformation;
  readonly tokens: readonly TokenState[];
  readonly failure?: { readonly code: SigningErrorCode; readonly problem: DriverProblem; readonly message: string };
  /** The end of what the driver printed. */
  readonly output: string;
}

const notTested = {
  code: 'MODULE_NOT_LOADABLE',
  problem: 'MODULE_NOT_LOADABLE',
  message: 'The driver cannot be tested.',
} as const;

async function reference(path: string): Promise<ModuleReference> {
  try {
    return await referenceModule(path);
  } catch (cause) {
    throw new SigningError('MODULE_NOT_LOADABLE', `There is no file ${path}.`, { cause });
  }
}

/** Loads the driver in a process of its own, asks what it is and which tokens it sees, and ends it. Does not reject. */
export async function probeModule(path: string, options: SupervisorOptions = {}): Promise<ModuleReport> {
  const startedAt = performance.now();
  const milliseconds = (): number => Math.round(performance.now() - startedAt);
  let source: TokenKeySource | undefined;
  try {
    source = new TokenKeySource({ ...options, module: await reference(path) });
    const tokens = await source.tokens();
    const { library, output } = source;
    return { path, milliseconds: milliseconds(), tokens, output, ...dropUndefined({ library }) };
  } catch (error) {
    const failure =
      error instanceof SigningError
        ? { code: error.code, problem: driverProblemOf(error), message: error.message }
        : notTested;
    return { path, milliseconds: milliseconds(), tokens: [], output: source?.output ?? '', failure };
  } finally {
    await source?.close();
  }
}
