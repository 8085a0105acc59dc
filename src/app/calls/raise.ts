import { lstat, open } from 'node:fs/promises';
import { ServiceError } from '../../service/index.ts';
import type { CallHandlers } from '../../ui-contract/ui-contract.ts';
import type { Core } from '../open-core.ts';

/** Octets at the start of a file among which a PDF says that it is one. */
const headerRange = 1024;

/** The call about the level of signatures that are there. */
export function raiseCalls({ evidence, workers, now }: Core): Pick<CallHandlers, 'signatures.raise'> {
  return {
    'signatures.raise': async ({ path, destination, level, content, timestampServer, password }) => {
      await expectNothingAt(destination);
      const isPdf = await beginsAsPdf(path);
      const timestamper = await evidence.timestamper(timestampServer === undefined ? {} : { server: timestampServer });
      const request = {
        ...{ inputPath: path, outputPath: destination, level, now },
        ...{ timestamper, collector: evidence.collector },
      };
      const { size } = isPdf
        ? await workers.raisePdf({ ...request, ...(password === undefined ? {} : { password }) })
        : await workers.raiseCms({ ...request, ...(content === undefined ? {} : { contentPath: content }) });
      return { size };
    },
  };
}

async function beginsAsPdf(path: string): Promise<boolean> {
  const file = await open(path).catch((cause: unknown) => {
    throw new ServiceError('DOCUMENT_UNREADABLE', 'There is no such file, or it may not be read.', { cause });
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headerRange), 0, headerRange, 0);
    return buffer.subarray(0, bytesRead).includes('%PDF-');
  } catch (cause) {
    throw new ServiceError('DOCUMENT_UNREADABLE', 'The file cannot be read.', { cause });
  } finally {
    await file.close();
  }
}

/** Nothing is replaced, and no stamp is paid for a file that cannot be written. */
async function expectNothingAt(path: string): Promise<void> {
  const present = await lstat(path).catch(() => undefined);
  if (present !== undefined) throw new ServiceError('DESTINATION_EXISTS', `${path} is there already.`);
}
