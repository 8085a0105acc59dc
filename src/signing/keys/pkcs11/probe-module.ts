/** Tests a driver live, for a user who chooses drivers. */
import { SigningError, type SigningErrorCode } from '../../errors.ts';
import type { DriverProblem, TokenState } from '../key-source.ts';
import { driverProblemOf } from './errors.ts';
import { referenceModule, type ModuleReference } from './module-paths.ts';
import type { LibraryInformation } from './protocol.ts';
import type { SupervisorOptions } from './supervisor.ts';
import { TokenKeySource } from './token-key-source.ts';

/** The result of the test. */
export interface ModuleReport {
  readonly path: string;
  /** Milliseconds for loading the driver and reading its tokens. */
  readonly milliseconds: number;
  /** Undefined when loading or reading failed; `failure` then gives the reason. */
  readonly library?: LibraryInformation;
  readonly tokens: readonly TokenState[];
  readonly failure?: { readonly code: SigningErrorCode; readonly problem: DriverProblem; readonly message: string };
  /** The last part of the driver's output. */
  readonly output: string;
}

const notTested = {
  code: 'MODULE_NOT_LOADABLE',
  problem: 'MODULE_NOT_LOADABLE',
  message: 'The driver cannot be tested.',
} as const;

async function reference(path: string, parameters: string | undefined): Promise<ModuleReference> {
  try {
    return await referenceModule(path, undefined, parameters);
  } catch (cause) {
    throw new SigningError('MODULE_NOT_LOADABLE', `There is no file ${path}.`, { cause });
  }
}

/**
 * Loads the driver in a separate process, reads its information and its tokens, and ends the process. Does not reject.
 */
export async function probeModule(
  path: string,
  options: SupervisorOptions = {},
  parameters?: string,
): Promise<ModuleReport> {
  const startedAt = performance.now();
  const milliseconds = (): number => Math.round(performance.now() - startedAt);
  let source: TokenKeySource | undefined;
  try {
    source = new TokenKeySource({ ...options, module: await reference(path, parameters) });
    const tokens = await source.tokens();
    const { library, output } = source;
    return { path, milliseconds: milliseconds(), tokens, output, library };
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
