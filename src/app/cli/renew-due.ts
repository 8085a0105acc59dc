/** Renews signatures in place before their protection ends: `extend --due`. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ValidatorBody } from '../../http/signing-service/validator-schemas.ts';
import { AppError } from '../app-error.ts';
import type { CoreClient } from './core-client.ts';
import { documentBeside } from './document-beside.ts';
import { readOpening, type Opening, type OpeningOptions } from './opening-options.ts';
import { formatTable, printJson, printLine, printNote } from './print.ts';
import { withClient, type CommonOptions } from './with-client.ts';
import { dropUndefined } from '../../values/drop-undefined.ts';

export interface DueOptions extends CommonOptions, OpeningOptions {
  /** Seconds; by default 90 days. */
  readonly within?: number;
  readonly dryRun?: boolean;
  readonly report?: string;
  readonly tsa?: string;
}

/**
 * - `renewed`, `due` (with `--dry-run`), `not-due`.
 * - `content-missing`: a detached signature without its document.
 * - `not-valid`: nothing that could be protected; `no-signature`.
 * - `failed`: due, and not renewed; the file is as it was.
 */
type State = 'renewed' | 'due' | 'not-due' | 'content-missing' | 'not-valid' | 'no-signature' | 'failed';

/** What was proven when, and by whom. */
interface Proof {
  readonly role: string;
  readonly time: string;
  readonly authority: string | null;
  readonly valid: boolean;
}

interface Row {
  readonly file: string;
  readonly state: State;
  readonly detail: string;
  readonly sha256: string;
  readonly sha256_before?: string;
  readonly protected_until: string | null;
  readonly protected_until_before?: string | null;
  readonly signatures: readonly {
    readonly signer: string | null;
    readonly level_proven: string | null;
    readonly proven_time: string | null;
    readonly time_stamps: readonly Proof[];
  }[];
  readonly document_time_stamps: readonly Proof[];
}

const DAY = 24 * 60 * 60;
const DEFAULT_WITHIN = 90 * DAY;
/** Files in folders that are looked at; a file that is named is looked at in any case. */
const SIGNED = /\.(p7s|p7m|pdf)$/i;
/** A renewal on its way; a file left behind by a killed command is removed by the next one. */
const draftOf = (path: string): string => join(dirname(path), `.${basename(path)}.sinete-renewal`);
const DRAFT = /^\..+\.sinete-renewal$/;

/** Renews what is due, prints a row for each file, and writes the report. Exit code 1 when something was not renewed. */
export async function renewDue(paths: readonly string[], options: DueOptions): Promise<void> {
  if (options.report !== undefined && !/\.json$/i.test(options.report)) {
    throw new AppError(2, 'The report of --due is a .json file.');
  }
  const files = await findFiles(paths, options.dryRun === true);
  const opening = await readOpening(options);
  const begun = new Date();
  const rows = await withClient(options, async (client) => {
    const finished: Row[] = [];
    for (const file of files) finished.push(await renewOne(client, file, options, opening));
    return finished;
  });
  const within = options.within ?? DEFAULT_WITHIN;
  const report = { made_at: begun.toISOString(), within_days: Math.round(within / DAY), files: rows };
  if (options.report !== undefined) await writeReport(options.report, report);
  if (rows.some(({ state }) => state === 'failed' || state === 'content-missing')) process.exitCode = 1;
  if (options.json === true) printJson(report);
  else printRows(rows, options.report);
}

function printRows(rows: readonly Row[], report: string | undefined): void {
  const table = rows.map((row) => [row.file, row.state, row.protected_until?.slice(0, 10) ?? '', row.detail]);
  printLine(formatTable(['File', 'State', 'Protected until', ''], table));
  if (report !== undefined) printNote(`Report: ${report}`);
}

async function writeReport(path: string, report: unknown): Promise<void> {
  await writeFile(path, `${JSON.stringify(report, undefined, 2)}\n`).catch((cause: unknown) => {
    throw new AppError(2, `The report cannot be written to ${path}.`, { cause });
  });
}

async function findFiles(paths: readonly string[], dryRun: boolean): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of paths.map((one) => resolve(one))) {
    const about = await stat(path).catch(() => undefined);
    if (about === undefined) throw new AppError(2, `${path} cannot be read.`);
    if (!about.isDirectory()) {
      found.push(path);
      continue;
    }
    for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      if (!entry.isFile()) continue;
      if (DRAFT.test(entry.name) && !dryRun) await rm(file, { force: true });
      else if (SIGNED.test(entry.name)) found.push(file);
    }
  }
  return [...new Set(found)].toSorted();
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

async function validate(
  client: CoreClient,
  path: string,
  content: string | undefined,
  opening: Opening,
): Promise<ValidatorBody> {
  const { id } = await client.call('validation.run', {
    ...{ signature: { path }, language: 'en' },
    ...dropUndefined({ content: content === undefined ? undefined : { path: content } }),
    ...opening,
  });
  const { data } = await client.call('validation.report', { id, format: 'json', language: 'en' });
  return JSON.parse(Buffer.from(data, 'base64').toString('utf8')) as ValidatorBody;
}

/** The first end of protection among the signatures of a file. */
function endOf({ signatures }: ValidatorBody): { readonly until: string; readonly name: string } | undefined {
  return signatures
    .flatMap(({ protection }) => (protection === null ? [] : [protection]))
    .toSorted((left, right) => left.until.localeCompare(right.until))[0];
}

const proofOf = ({ role, time, authority, indication }: ValidatorBody['document_timestamps'][number]): Proof => ({
  ...{ role, time, authority },
  valid: indication === 'TOTAL-PASSED',
});

const proofs = (body: ValidatorBody): Pick<Row, 'signatures' | 'document_time_stamps'> => ({
  signatures: body.signatures.map(({ holder, level_proven, proven_time, timestamps }) => ({
    ...{ signer: holder.name, level_proven, proven_time },
    time_stamps: timestamps.map(proofOf),
  })),
  document_time_stamps: body.document_timestamps.map(proofOf),
});

/** A file that cannot be renewed does not stop the others, and stays as it is. */
async function renewOne(client: CoreClient, path: string, options: DueOptions, opening: Opening): Promise<Row> {
  const sha256 = await hashOf(path);
  const content = documentBeside(path);
  const none = { file: path, sha256, protected_until: null, signatures: [], document_time_stamps: [] };
  let body: ValidatorBody;
  try {
    body = await validate(client, path, content, opening);
  } catch (error) {
    if (!(error instanceof AppError) || error.exitCode === 3) throw error;
    return { ...none, state: 'no-signature', detail: error.message };
  }
  const end = endOf(body);
  const about = { ...none, ...proofs(body), protected_until: end?.until ?? null };
  if (body.signatures.length === 0) return { ...about, state: 'no-signature', detail: 'It has no signature.' };
  if (body.sub_indication === 'SIGNED_DATA_NOT_FOUND') {
    const detail = 'Its document is not beside it under its own name.';
    return { ...about, state: 'content-missing', detail };
  }
  if (!body.status || end === undefined) {
    const detail = body.signatures
      .flatMap(({ checks }) => checks)
      .find(({ outcome }) => outcome === 'failed' || outcome === 'unknown');
    return { ...about, state: 'not-valid', detail: detail?.detail ?? 'It is not valid.' };
  }
  const within = options.within ?? DEFAULT_WITHIN;
  const soon = new Date(Date.parse(body.validated_at) + within * 1000);
  if (new Date(end.until) > soon) return { ...about, state: 'not-due', detail: '' };
  const why = `The protection by ${end.name} ends on ${end.until.slice(0, 10)}.`;
  if (options.dryRun === true) return { ...about, state: 'due', detail: why };
  return renew(client, { path, content, about, end, why }, options, opening);
}

interface DueFile {
  readonly path: string;
  readonly content: string | undefined;
  readonly about: Omit<Row, 'state' | 'detail'>;
  readonly end: { readonly until: string };
  readonly why: string;
}

/**
 * The renewed file takes the place of the old one only when it is complete on disk, valid, and protected for longer; a
 * kill at any point leaves one of the two files whole.
 */
async function renew(
  client: CoreClient,
  { path, content, about, end, why }: DueFile,
  { tsa }: DueOptions,
  opening: Opening,
): Promise<Row> {
  const draft = draftOf(path);
  await rm(draft, { force: true });
  try {
    await client.call('signatures.raise', {
      ...{ path, destination: draft, level: 'B-LTA' },
      ...dropUndefined({ content, timestampServer: tsa }),
      ...opening,
    });
    const body = await validate(client, draft, content, opening);
    const renewed = endOf(body);
    if (!body.status || renewed === undefined || renewed.until <= end.until) {
      const until = renewed?.until.slice(0, 10) ?? 'no time';
      const detail = `${why} A new time stamp protects until ${until} only: configure another time-stamp server.`;
      return { ...about, state: 'failed', detail };
    }
    if ((await hashOf(path)) !== about.sha256)
      return { ...about, state: 'failed', detail: 'The file changed meanwhile.' };
    const sha256 = await hashOf(draft);
    await rename(draft, path);
    await flushFolder(dirname(path));
    return {
      ...{ file: path, state: 'renewed', detail: why, sha256, sha256_before: about.sha256 },
      ...{ protected_until: renewed.until, protected_until_before: about.protected_until },
      ...proofs(body),
    };
  } catch (error) {
    if (!(error instanceof AppError) || error.exitCode === 3) throw error;
    return { ...about, state: 'failed', detail: `${why} ${error.message}` };
  } finally {
    await rm(draft, { force: true });
  }
}

/** The new name is durable when its folder is; some systems do not flush folders. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder).catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
