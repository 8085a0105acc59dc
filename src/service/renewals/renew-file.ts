/** Checks a signed file, and renews it in place before its protection ends. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, realpath, rename, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  SigningError,
  TIMESTAMP_DIGESTS,
  type PdfKeys,
  type PdfLevel,
  type ProtectionEnd,
  type StandardWarning,
  type TimestampDigest,
} from '../../signing/index.ts';
import { maskNumberBehindName, maskNumbersInText } from '../certificates/index.ts';
import { ServiceError } from '../errors/index.ts';
import { keepRights, readRights } from '../../rights/file-rights.ts';
import {
  describeSigner,
  provenLevel,
  summarizeReport,
  type TimestampReport,
  type ValidationReport,
  type ValidationRequest,
} from '../validation/index.ts';
import { draftOf, removeDrafts } from './find-files.ts';
import type { Proof, RenewalCause, RenewalOptions, RenewalOutcome } from './renewal.ts';

/** A file to be extended into another. */
export interface RenewalExtension extends PdfKeys {
  readonly path: string;
  /** Absent: B-LTA. */
  readonly level?: PdfLevel;
  /** Must not exist yet. */
  readonly destination: string;
  /** The document of a detached signature. */
  readonly content?: string;
  /** The id of the time-stamp server to ask; absent: the configured servers. */
  readonly server?: string;
  /** The hash function of the stamp; absent: the server's own. */
  readonly digest?: TimestampDigest;
}

/** A time-stamp server, with the hash functions that it is asked for, in their order. */
export interface RenewalServer {
  readonly id: string;
  readonly digests: readonly TimestampDigest[];
}

/** The services that a renewal uses. */
export interface RenewalParts {
  readonly validate: (request: ValidationRequest) => Promise<ValidationReport>;
  readonly extend: (request: RenewalExtension) => Promise<{ readonly warnings: readonly StandardWarning[] }>;
  /** The path of the document that belongs to a detached signature, found by their names. */
  readonly documentBeside: (path: string) => string | undefined;
  /** The path of the evidence record that covers a signed file, found by their names. */
  readonly recordBeside: (path: string) => string | undefined;
  /**
   * The time-stamp servers whose stamps count, in the order of requests; or only the server with this id. Each comes
   * with the hash functions to try in place of `digest`; without `digest`, those of the server.
   */
  readonly servers: (only?: string, digest?: TimestampDigest) => Promise<readonly RenewalServer[]>;
}

/** Called with the SHA-256 of the renewed file, right before it takes the place of the old one. */
export type BeforeReplacement = (sha256: string) => Promise<void>;

/**
 * Checks and renews a file. A file that cannot be renewed stays unchanged, and the outcome says why. Rejects with
 * `ServiceError` only for faults of this instance.
 */
export async function renewFile(
  parts: RenewalParts,
  given: string,
  options: RenewalOptions,
  beforeReplacement: BeforeReplacement = async () => Promise.resolve(),
): Promise<RenewalOutcome> {
  const path = await realpath(given).catch(() => undefined);
  const sha256 = path === undefined ? undefined : await hashOf(path).catch(() => undefined);
  if (path === undefined || sha256 === undefined) return nothing(given, 'file-missing', 'The file cannot be read.');
  const { within, dryRun, server, ...keys } = options;
  const content = parts.documentBeside(path);
  const record = parts.recordBeside(path);
  const files = {
    contentPath: content,
    ...(record === undefined ? {} : { recordPaths: [record] }),
  };
  const look = async (signaturePath: string): Promise<ValidationReport> =>
    parts.validate({ kind: 'detect', signaturePath, ...files, ...keys });
  let report: ValidationReport;
  try {
    report = await look(path);
  } catch (error) {
    return { ...unreadable(given, error), sha256 };
  }
  const end = endOf(report);
  const about = { path: given, sha256, ...endColumns(end), ...proofs(report) };
  const isRecord = report.kind === 'evidence-record';
  if (report.signatures.length === 0 && !isRecord)
    return { ...about, state: 'no-signature', detail: 'It has no signature.' };
  if (report.subIndication === 'SIGNED_DATA_NOT_FOUND') {
    return { ...about, state: 'content-missing', detail: 'Its document is not beside it under its own name.' };
  }
  if (!summarizeReport(report).status || end === undefined) {
    return { ...about, state: 'not-valid', ...firstProblem(report) };
  }
  if (end.until.getTime() > report.validatedAt.getTime() + within) return { ...about, state: 'not-due', detail: '' };
  const why = `The protection by ${maskedName(end)} ends on ${dayOf(end.until)}.`;
  if (dryRun) return { ...about, state: 'due', detail: why };
  if (record !== undefined && isUnderRecord(report)) return { ...about, ...recordDue(why, record) };
  return renew(parts, {
    path,
    content,
    about,
    end,
    why,
    look,
    keys,
    server,
    beforeReplacement,
    digest: recordDigest(report),
  });
}

/** Changing a file would invalidate the evidence record beside it, so the record is renewed instead. */
const isUnderRecord = ({ documentTimestamps }: ValidationReport): boolean =>
  documentTimestamps.some(({ role, indication }) => role === 'evidence-record' && indication === 'TOTAL-PASSED');

const recordDue = (why: string, record: string): Pick<RenewalOutcome, 'state' | 'detail' | 'causes'> => ({
  state: 'failed',
  detail: `${why} The evidence record ${basename(record)} protects it, and was not renewed.`,
  causes: [{ kind: 'record', name: basename(record) }],
});

interface DueFile {
  /** Without symbolic links. */
  readonly path: string;
  readonly content: string | undefined;
  readonly about: Omit<RenewalOutcome, 'state' | 'detail'> & { readonly sha256: string };
  readonly end: ProtectionEnd;
  readonly why: string;
  readonly look: (path: string) => Promise<ValidationReport>;
  readonly keys: PdfKeys;
  readonly server: string | undefined;
  /** The hash function of the evidence record that a renewal goes into; absent: the file has none. */
  readonly digest: TimestampDigest | undefined;
  readonly beforeReplacement: BeforeReplacement;
}

/**
 * Renews a due file. The renewed file replaces the old one only when it is complete on disk, valid, and protected for
 * longer; a kill at any point leaves one of the two files whole. If an authority does not answer, or its stamp does not
 * protect for longer, the next configured one is tried. A hash function near its end is replaced by one that lasts
 * longer.
 */
async function renew(parts: RenewalParts, due: DueFile): Promise<RenewalOutcome> {
  const { path, about, why, beforeReplacement } = due;
  const draft = draftOf(path);
  const failed = (problems: readonly Problem[]): RenewalOutcome => ({
    ...about,
    state: 'failed',
    detail: [why, ...problems.map(({ detail }) => detail)].join(' '),
    causes: problems.map(({ cause }) => cause),
  });
  const stamps = await stampsFor(parts, due);
  const problems: Problem[] = [];
  try {
    for (const stamp of stamps) {
      const tried = await tryStamp(parts, due, draft, stamp).catch((error: unknown) => problemOf(error, stamp.server));
      if ('cause' in tried) {
        if (problems.every(({ detail }) => detail !== tried.detail)) problems.push(tried);
        continue;
      }
      if ((await hashOf(path)) !== about.sha256) {
        return { ...about, state: 'failed', detail: 'The file changed meanwhile.', causes: [{ kind: 'changed' }] };
      }
      const { sha256, size } = await finishDraft(draft, path);
      await beforeReplacement(sha256);
      await moveDraft(draft, path);
      return {
        path: about.path,
        state: 'renewed' as const,
        detail: why,
        sha256,
        size,
        sha256Before: about.sha256,
        ...endColumns(endOf(tried.report)),
        protectedUntilBefore: due.end.until,
        ...(tried.warnings.length === 0 ? {} : { warnings: tried.warnings }),
        ...proofs(tried.report),
      };
    }
    return failed(problems);
  } catch (error) {
    return failed([problemOf(error)]);
  } finally {
    await removeDrafts(path);
  }
}

type Stamp = Pick<RenewalExtension, 'server' | 'digest'>;

/**
 * The stamps to try, in order. An evidence record keeps its hash function as long as only certificates expire, because
 * a new function needs a new chain over the document (RFC 4998 §5.2).
 */
async function stampsFor({ servers }: RenewalParts, { server, digest, end }: DueFile): Promise<readonly Stamp[]> {
  const stamps = (await servers(server, digest)).flatMap(({ id, digests }) => {
    const keepsOwn = digest !== undefined && end.cause === 'certificate';
    return (keepsOwn ? digests.toReversed() : digests).map((one): Stamp => ({ server: id, digest: one }));
  });
  return stamps.length === 0 ? [{ server, digest }] : stamps;
}

/** The hash function of the last time stamp in an evidence record of the file itself. */
function recordDigest({ kind, documentTimestamps, signatures }: ValidationReport): TimestampDigest | undefined {
  const own = kind === 'evidence-record' ? documentTimestamps : signatures.flatMap(({ timestamps }) => timestamps);
  const last = own
    .filter(({ role, time }) => role === 'evidence-record' && time !== null)
    .toSorted((left, right) => (left.time?.getTime() ?? 0) - (right.time?.getTime() ?? 0))
    .at(-1);
  return TIMESTAMP_DIGESTS.find((one) => one === last?.imprintAlgorithm);
}

/** A renewed file that is protected for longer. */
interface RenewedDraft {
  readonly report: ValidationReport;
  readonly warnings: readonly StandardWarning[];
}

/** The renewed draft with its report, or the reason why this stamp cannot be used. */
async function tryStamp(
  { extend }: RenewalParts,
  { path, content, end, look, keys }: DueFile,
  draft: string,
  { server, digest }: Stamp,
): Promise<RenewedDraft | Problem> {
  await removeDrafts(path);
  const { warnings } = await extend({ path, destination: draft, content, server, digest, ...keys });
  const report = await look(draft);
  const renewed = endOf(report);
  if (summarizeReport(report).status && renewed !== undefined && renewed.until > end.until) return { report, warnings };
  const until = renewed && dayOf(renewed.until);
  const who = server === undefined ? '' : ` of "${server}"`;
  const detail = `A new time stamp${who} protects until ${until ?? 'no time'} only: configure another time-stamp server.`;
  return { detail, cause: { kind: 'shorter', until, server } };
}

/** Why a renewal failed. */
interface Problem {
  /** An English sentence. */
  readonly detail: string;
  readonly cause: RenewalCause;
}

/** Describes an expected failure; every other error is a fault of this program. */
function problemOf(error: unknown, server?: string): Problem {
  if (error instanceof ServiceError || error instanceof SigningError || isSystemError(error)) {
    return { detail: error.message, cause: { kind: 'error', code: error.code ?? 'INTERNAL', server } };
  }
  throw error;
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && 'syscall' in error;

const notSignatures: ReadonlySet<ServiceError['code']> = new Set(['NOT_A_SIGNATURE', 'TYPE_NOT_SUPPORTED']);
const lockedCodes: ReadonlySet<ServiceError['code']> = new Set(['DOCUMENT_ENCRYPTED', 'PASSWORD_INCORRECT']);

function unreadable(path: string, error: unknown): RenewalOutcome {
  const { detail, cause } = problemOf(error);
  const code = error instanceof ServiceError ? error.code : undefined;
  if (code !== undefined && notSignatures.has(code)) return nothing(path, 'no-signature', detail);
  const state = code !== undefined && lockedCodes.has(code) ? 'locked' : 'not-valid';
  return { ...nothing(path, state, detail), causes: [cause] };
}

const nothing = (path: string, state: RenewalOutcome['state'], detail: string): RenewalOutcome => ({
  path,
  state,
  detail,
  sha256: null,
  protectedUntil: null,
  endsBy: null,
  signatures: [],
  documentTimestamps: [],
});

/** The earliest end of protection among the signatures of a file; for an evidence record, its own end. */
function endOf({ signatures, protection: own }: ValidationReport): ProtectionEnd | undefined {
  return [own, ...signatures.map(({ protection }) => protection)]
    .flatMap((protection) => protection ?? [])
    .toSorted((left, right) => left.until.getTime() - right.until.getTime())[0];
}

const maskedName = ({ name }: ProtectionEnd): string => maskNumberBehindName(name);
const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

const endColumns = (end: ProtectionEnd | undefined): Pick<RenewalOutcome, 'protectedUntil' | 'endsBy'> => ({
  protectedUntil: end?.until ?? null,
  endsBy: end === undefined ? null : { cause: end.cause, name: maskedName(end) },
});

/** An unreadable time stamp proves nothing. */
const proofOf = ({ role, time, authority, indication }: TimestampReport): readonly Proof[] =>
  time === null
    ? []
    : [
        {
          role,
          time,
          authority: authority === undefined ? null : maskNumbersInText(authority),
          valid: indication === 'TOTAL-PASSED',
        },
      ];

function proofs(report: ValidationReport): Pick<RenewalOutcome, 'signatures' | 'documentTimestamps'> {
  return {
    signatures: report.signatures.map((signature) => ({
      signer: describeSigner(signature).holder,
      levelProven: provenLevel(signature),
      provenTime: signature.provenTime ?? null,
      timestamps: signature.timestamps.flatMap(proofOf),
    })),
    documentTimestamps: report.documentTimestamps.flatMap(proofOf),
  };
}

function firstProblem({ signatures, documentTimestamps }: ValidationReport): Pick<RenewalOutcome, 'detail' | 'causes'> {
  const check = (signatures.length > 0 ? signatures : documentTimestamps)
    .flatMap(({ checks }) => checks)
    .find(({ outcome }) => outcome === 'failed' || outcome === 'unknown');
  if (check === undefined) return { detail: 'It is not valid.' };
  return { detail: maskNumbersInText(check.sentence), causes: [{ kind: 'check', code: check.code }] };
}

export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Gives the draft the rights of the old file, and answers its SHA-256 and length. */
export async function finishDraft(
  draft: string,
  path: string,
): Promise<{ readonly sha256: string; readonly size: number }> {
  await keepRights(draft, await readRights(path));
  await flush(draft);
  return { sha256: await hashOf(draft), size: (await stat(draft)).size };
}

/** Puts a complete, flushed draft in the place of a file. */
export async function moveDraft(draft: string, path: string): Promise<void> {
  await rename(draft, path);
  await flush(dirname(path));
}

/** Flushes a file or folder: a new name is durable once its folder is flushed. Some systems cannot flush folders. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path).catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
