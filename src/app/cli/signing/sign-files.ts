/** The two ways of `sign`: the core opens files by their paths, or the command opens the files and uploads them. */
import { existsSync, realpathSync } from 'node:fs';
import { relative, isAbsolute } from 'node:path';
import type { CallInput, UiTransaction } from '../../../ui-contract/ui-contract.ts';
import { AppError } from '../../app-error.ts';
import { dataFolder } from '../../config/data-folder.ts';
import type { ClientOptions, CoreClient } from '../core-client.ts';
import { isSystemError, problemOfFailure } from '../file-problems.ts';
import { isOnOtherComputer } from '../given-files.ts';
import { isStream, STANDARD_OUTPUT, writeResult } from '../result-file.ts';

interface FileToSign {
  readonly path: string;
  readonly name: string;
  readonly destination: string;
  readonly isInput?: boolean;
}

/** Files of one transaction. */
export interface FilesToSign {
  readonly request: Omit<CallInput<'sign.create'>, 'files' | 'place'>;
  readonly files: readonly FileToSign[];
  readonly options: ClientOptions & { readonly force?: boolean };
  /** Called when the transaction has all of its documents: gets its approval, and waits for its end. */
  readonly follow: (created: UiTransaction) => Promise<UiTransaction>;
}

/** A followed transaction. */
export interface SignedFiles extends UiTransaction {
  /** Failures of files that the command itself reads or writes, by the path of the file. */
  readonly failures: ReadonlyMap<string, { readonly code: string; readonly detail: string }>;
}

/** Refusals of a path by the core; the command can open these files itself on behalf of the owner. */
const closedPaths: ReadonlySet<string> = new Set(['PATH_NOT_ALLOWED', 'SOURCE_NOT_ALLOWED', 'DESTINATION_NOT_ALLOWED']);

/**
 * Signs files with one transaction. Usually the core opens files and writes results by their paths. The command, which
 * runs as the owner, opens standard input, files on other computers and files outside of the configured folders. It
 * also writes standard output and results that replace a file. Rejects with `AppError`.
 */
export async function signFiles(client: CoreClient, task: FilesToSign): Promise<SignedFiles> {
  const { request, files, options, follow } = task;
  if (files.some((file) => needsBytes(client, file, options.force === true))) return signBytes(client, task);
  const paths = files.map(({ path, destination }) => ({ path, destination }));
  const created = await client.call('sign.paths', { ...request, files: paths }).catch((error: unknown) => {
    const isClosed = error instanceof AppError && closedPaths.has(error.code ?? '');
    if (isClosed && !files.some((file) => isInDataFolder(file, options))) return undefined;
    throw error;
  });
  if (created === undefined) return signBytes(client, task);
  return { ...(await follow(created)), failures: new Map() };
}

function needsBytes({ remote }: CoreClient, { path, destination, isInput }: FileToSign, force: boolean): boolean {
  if (isInput === true || destination === STANDARD_OUTPUT) return true;
  if (isStream(destination) || (force && existsSync(destination))) return true;
  return remote && (isOnOtherComputer(path) || isOnOtherComputer(destination));
}

/** The data folder is never a place for documents. */
export function isInDataFolder({ path, destination }: FileToSign, { data }: ClientOptions): boolean {
  const own = realpathSync(dataFolder(data));
  return [existsSync(path) ? realpathSync(path) : path, destination].some((one) => {
    const way = relative(own, one);
    return !way.startsWith('..') && !isAbsolute(way);
  });
}

async function signBytes(client: CoreClient, { request, files, options, follow }: FilesToSign): Promise<SignedFiles> {
  const names = files.map(({ name }) => ({ name }));
  const { tcn } = await client.call('sign.create', { ...request, files: names });
  const failures = new Map<string, { readonly code: string; readonly detail: string }>();
  try {
    for (const file of files) await unlessOfFile(failures, file, async () => client.sendDocument(tcn, file, false));
    if (failures.size === files.length) throw firstOf(failures);
    await client.call('sign.end', { tcn });
  } catch (error) {
    await client.call('sign.cancel', { tcn });
    throw error;
  }
  const followed = await follow(await client.call('transactions.read', { tcn }));
  for (const [index, { id, status }] of followed.documents.entries()) {
    const file = files[index];
    if (status !== 'SIGNED' || file === undefined) continue;
    await unlessOfFile(failures, file, async () =>
      writeResult(await client.readResult(tcn, id), file.destination, {
        force: options.force === true,
        document: file.isInput === true ? undefined : file.path,
      }),
    );
  }
  return { ...followed, failures };
}

/** Keeps the failure of one file; a failure of the instance or of its storage ends the command. */
async function unlessOfFile(
  failures: Map<string, { readonly code: string; readonly detail: string }>,
  { path }: FileToSign,
  action: () => Promise<unknown>,
): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (!isOfFile(error)) throw error;
    failures.set(path, problemOfFailure(error));
  }
}

/** True for an error of the system about a path, and for refusals of a document or of a destination. */
function isOfFile(error: unknown): boolean {
  if (error instanceof AppError) return /^(?:DOCUMENT_|DESTINATION_|PATH_|FOLDER_)/.test(error.code ?? '');
  return isSystemError(error);
}

function firstOf(failures: ReadonlyMap<string, { readonly code: string; readonly detail: string }>): AppError {
  const [{ code, detail } = { code: 'REFUSED', detail: 'No file could be read.' }] = failures.values();
  return new AppError(1, detail, { code });
}
