import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { startTestServices, type TestAuthority, type TestServices } from '../../test-authority/index.ts';
import { AppError } from '../app-error.ts';

/** Facts of running test services for other programs of the same user. */
const stateSchema = z.object({ origin: z.url(), pid: z.number().int() });

const fileName = 'test-services.json';

/** Milliseconds until running services are asked again. */
const memory = 2000;

/**
 * Starts the services of the test authority on this computer, and notes the services in the data folder until their
 * end. Rejects with `AppError` for a taken port.
 */
export async function runTestServices(
  dataFolder: string,
  authority: TestAuthority,
  port: number,
): Promise<TestServices> {
  const services = await startTestServices({ authority, port }).catch((cause: unknown) => {
    const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
    throw isTaken ? new AppError(3, `Port ${port} is taken: end what uses it, or choose another with --port.`) : cause;
  });
  const path = join(dataFolder, fileName);
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, `${JSON.stringify({ origin: services.origin, pid: process.pid })}\n`, { mode: 0o600 });
  await rename(draft, path);
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

/** The origin of the noted services, if the services answer; a file left behind does not count. */
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
