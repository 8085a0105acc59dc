import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import {
  REVOCATION_REASONS,
  startTestServices,
  type TestAuthority,
  type TestRevocationReason,
  type TestRevokedCertificate,
  type TestServices,
} from '../../test-authority/index.ts';
import { AppError } from '../app-error.ts';

/** Facts of running test services for other programs of the same user. */
const stateSchema = z.object({ origin: z.url(), pid: z.number().int() });

const fileName = 'test-services.json';

/** Milliseconds for which an answer of running services is cached. */
const memory = 2000;

/** Options for test services on the command line. */
export interface TestServicesWishes {
  /** Seconds until an OCSP answer's next update. */
  readonly ocspLifetime?: number;
  /** Seconds until a list's next update. */
  readonly crlLifetime?: number;
  /** The time of the services' clock at their start; it runs on from there. */
  readonly now?: string;
  /** Years of the certificates of time-stamp authority and responders. */
  readonly years?: number;
}

const revocationsFile = 'test-revocations.json';

const reasons = Object.keys(REVOCATION_REASONS) as [TestRevocationReason, ...TestRevocationReason[]];
const revocationSchema = z.object({
  certificate: z.base64().transform((text) => Buffer.from(text, 'base64')),
  at: z.iso.datetime().transform((text) => new Date(text)),
  reason: z.enum(reasons).optional(),
});

/** The revocations noted in the data folder; none without a file. */
async function readRevocations(dataFolder: string): Promise<readonly TestRevokedCertificate[]> {
  const text = await readFile(join(dataFolder, revocationsFile), 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '[]';
    throw error;
  });
  return z
    .array(revocationSchema)
    .parse(JSON.parse(text))
    .map(({ certificate, at, reason }) => ({ certificate, at, reason }));
}

/**
 * Records the revocation of a test certificate; running services of this data folder report it from the next request
 * on.
 */
export async function revokeTestCertificate(dataFolder: string, revoked: TestRevokedCertificate): Promise<void> {
  const noted = [...(await readRevocations(dataFolder)), revoked];
  const rows = noted.map(({ certificate, at, reason }) => ({
    certificate: Buffer.from(certificate).toString('base64'),
    at: at.toISOString(),
    reason,
  }));
  await writeWhole(join(dataFolder, revocationsFile), rows);
}

async function writeWhole(path: string, content: unknown): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  await rename(draft, path);
}

const inMilliseconds = (seconds: number): number => seconds * 1000;

/**
 * Starts the services of the test authority on this computer, and records them in the data folder until they stop.
 * Rejects with `AppError` for a taken port.
 */
export async function runTestServices(
  dataFolder: string,
  authority: TestAuthority,
  port: number,
  { ocspLifetime, crlLifetime, now, years }: TestServicesWishes = {},
): Promise<TestServices> {
  const ahead = now === undefined ? 0 : new Date(now).getTime() - Date.now();
  const terms = {
    ocspLifetime: ocspLifetime === undefined ? undefined : inMilliseconds(ocspLifetime),
    crlLifetime: crlLifetime === undefined ? undefined : inMilliseconds(crlLifetime),
    years,
  };
  const services = await startTestServices({
    authority,
    port,
    terms,
    now: () => new Date(Date.now() + ahead),
    readRevocations: () => readRevocations(dataFolder),
  }).catch((cause: unknown) => {
    const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
    throw isTaken ? new AppError(3, `Port ${port} is taken: end what uses it, or choose another with --port.`) : cause;
  });
  const path = join(dataFolder, fileName);
  await writeWhole(path, { origin: services.origin, pid: process.pid });
  return {
    ...services,
    close: async () => {
      await rm(path, { force: true });
      await services.close();
    },
  };
}

/** Finds the running test services of a data folder; a found answer is kept for two seconds. */
export function testServicesFinder(dataFolder: string): () => Promise<string | undefined> {
  let found: string | undefined;
  let until = 0;
  return async () => {
    if (found !== undefined && Date.now() < until) return found;
    found = await findTestServices(dataFolder);
    until = Date.now() + memory;
    return found;
  };
}

/** The origin of the recorded services, if they answer; a file left by a crash does not count. */
async function findTestServices(dataFolder: string): Promise<string | undefined> {
  const text = await readFile(join(dataFolder, fileName), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const { origin } = stateSchema.parse(JSON.parse(text));
    if (new URL(origin).hostname !== '127.0.0.1') return undefined;
    const answer = await fetch(`${origin}/`, { signal: AbortSignal.timeout(2000), redirect: 'error' });
    await answer.body?.cancel();
    return answer.headers.get('x-legal-value') === 'none' ? origin : undefined;
  } catch {
    return undefined;
  }
}
