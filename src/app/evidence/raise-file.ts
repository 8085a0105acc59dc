import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { giveResultRights, readRights } from '../../rights/file-rights.ts';
import { ServiceError } from '../../service/errors/index.ts';
import type { PdfKeys, PdfLevel, StandardWarning, TimestampDigest, WorkerPool } from '../../signing/index.ts';
import { detectFileKind, KIND_HEAD } from '../../values/file-kind.ts';
import { dropUndefined } from '../../values/drop-undefined.ts';
import type { Evidence } from './evidence.ts';

/** A file to be extended into another. */
export interface RaiseFileRequest extends PdfKeys {
  readonly path: string;
  /** Path of the result; no file may exist there. */
  readonly destination: string;
  readonly level: PdfLevel;
  /** Content of a detached signature. */
  readonly content?: string | undefined;
  readonly timestampServer?: string | undefined;
  /** Absent: the server's default. */
  readonly timestampDigest?: TimestampDigest | undefined;
}

/** An extended file. */
export interface RaisedFile {
  readonly size: number;
  /** Effects of the time stamps on the claimed standards (PDF/A, PDF/UA). */
  readonly warnings: readonly StandardWarning[];
}

/**
 * Extends the signatures of a PDF or a CMS file, or renews an evidence record. Rejects with `ServiceError` or
 * `SigningError`.
 */
export async function raiseFile(
  parts: { readonly evidence: Evidence; readonly workers: WorkerPool; readonly now: () => Date },
  { path, destination, level, content, timestampServer, timestampDigest, ...keys }: RaiseFileRequest,
): Promise<RaisedFile> {
  const { evidence, workers, now } = parts;
  const isPdf = await beginsAsPdf(path);
  const timestamper = await evidence.timestamper(dropUndefined({ server: timestampServer, digest: timestampDigest }));
  const request = {
    inputPath: path,
    outputPath: destination,
    level,
    now,
    timestamper,
    collector: evidence.collector,
    // As when signing: newer data is requested, but older data is accepted; a validation then reports the gap.
    olderEvidence: 'accept' as const,
  };
  const rights = await readRights(path);
  const cms = { ...request, ...dropUndefined({ contentPath: content, digest: timestampDigest }) };
  const { size, warnings } = isPdf
    ? await workers.raisePdf({ ...request, ...keys })
    : { ...(await workers.raiseCms(cms)), warnings: [] };
  await giveResultRights(destination, dirname(destination), rights);
  return { size, warnings };
}

async function beginsAsPdf(path: string): Promise<boolean> {
  const file = await open(path).catch((cause: unknown) => {
    throw new ServiceError('DOCUMENT_UNREADABLE', 'There is no such file, or it may not be read.', { cause });
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(KIND_HEAD), 0, KIND_HEAD, 0);
    return detectFileKind(buffer.subarray(0, bytesRead)).kind === 'pdf';
  } catch (cause) {
    throw new ServiceError('DOCUMENT_UNREADABLE', 'The file cannot be read.', { cause });
  } finally {
    await file.close();
  }
}
