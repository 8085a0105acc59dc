import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { CheckView } from '../../../ui-contract/doctor-calls.ts';
import { AppError } from '../../app-error.ts';
import { readConfiguration } from '../../config/config.ts';
import { findRunningInstance } from '../core-client.ts';
import { dataFolder } from '../../config/data-folder.ts';
import { findDesktopRuntime } from '../desktop-runtime.ts';
import { makeDiagnostics } from '../../log/diagnostics.ts';
import { answeredAsJson, printLine, printNote } from '../print.ts';
import { rendererFolder } from '../../instance/start-sinete.ts';
import { StorageError } from '../../../storage/index.ts';
import { callCore, withClient, withCommonOptions, type CommonOptions } from '../with-client.ts';

type Check = Pick<CheckView, 'id' | 'message' | 'remedy'> & {
  readonly ok: boolean;
  /** True for information that prevents no signature. */
  readonly isAdvice?: boolean;
};

/** `doctor`: every health check with its remedy, and the state of this computer. */
export function addDoctorCommand(program: Command): void {
  withCommonOptions(program.command('doctor').description('check this installation and name remedies'))
    .option('--export <file.zip>', 'write a diagnostics file for support, without personal data')
    .action(examine);
}

interface DoctorOptions extends CommonOptions {
  readonly export?: string;
}

async function examine(options: DoctorOptions): Promise<void> {
  const running = await findRunningInstance(dataFolder(options.data));
  const checks = [...(await coreChecks(options)), ...surroundings()];
  const status = checks.every(({ ok, isAdvice }) => ok || isAdvice === true) ? 'OK' : 'ERROR';
  if (status === 'ERROR') process.exitCode = 1;
  const about = {
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    dataFolder: dataFolder(options.data),
    instance: running?.baseUrl ?? null,
    desktop: desktopState(),
  };
  if (options.export !== undefined) await exportDiagnostics(options.export, options, { checks, about });
  if (answeredAsJson(options, { status, ...about, checks })) return;
  for (const { ok, isAdvice, message, remedy } of checks) {
    printLine(`${ok ? '✔' : isAdvice === true ? '!' : '✘'} ${message}`);
    if (remedy !== null) printLine(`    → ${remedy}`);
  }
  printLine();
  printLine(`Node ${about.node} on ${about.platform}; data in ${about.dataFolder}`);
  printLine(`Running instance: ${about.instance ?? 'none'}`);
  printLine(`Desktop: ${about.desktop}`);
}

async function exportDiagnostics(
  path: string,
  options: CommonOptions,
  { checks, about }: { readonly checks: readonly Check[]; readonly about: Readonly<Record<string, string | null>> },
): Promise<void> {
  const folder = dataFolder(options.data);
  const { modules, tokens } = await withClient(options, async (client) => ({
    modules: await client.call('modules.list', {}),
    tokens: await client.call('tokens.list', {}),
  })).catch(() => ({ modules: [], tokens: [] }));
  const configuration = await readConfiguration({
    dataFolder: folder,
    environment: process.env,
    file: options.config,
  }).catch(() => undefined);
  const archive = await makeDiagnostics({
    dataFolder: folder,
    configuration,
    checks: [...checks],
    modules,
    tokens,
    about: { node: about.node ?? null, platform: about.platform ?? null, desktop: about.desktop ?? null },
  });
  await writeFile(path, archive, { flag: 'wx', mode: 0o600 }).catch((cause: unknown) => {
    throw new AppError(2, `${path} cannot be written, or already exists.`, { cause });
  });
  printNote(`${path} holds what helps others to help. It has no personal data; look into it all the same.`);
}

/** An unusable core is a finding of the Doctor, not a failure of the command. */
async function coreChecks(options: CommonOptions): Promise<readonly Check[]> {
  try {
    const { checks } = await callCore(options, 'doctor.read', {});
    return checks.map(({ id, outcome, message, remedy }) => ({
      id,
      ok: outcome === 'ok',
      message,
      remedy,
      ...(outcome === 'advice' ? { isAdvice: true } : {}),
    }));
  } catch (error) {
    if (error instanceof StorageError) {
      return [{ id: 'core', ok: false, message: error.message, remedy: error.remedy === '' ? null : error.remedy }];
    }
    if (error instanceof AppError) return [{ id: 'core', ok: false, message: error.message, remedy: null }];
    throw error;
  }
}

function surroundings(): readonly Check[] {
  const built = existsSync(join(rendererFolder, 'index.html'));
  return [
    {
      id: 'window',
      ok: built,
      message: built ? 'The window is built.' : 'The window is not built.',
      remedy: built ? null : 'Run "npm run build" once.',
    },
  ];
}

function desktopState(): string {
  const runtime = findDesktopRuntime();
  return runtime.available ? 'can run' : `cannot run, because ${runtime.reason}. ${runtime.remedy}`;
}
