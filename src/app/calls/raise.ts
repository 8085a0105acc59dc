import { lstat, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { ServiceError } from '../../service/errors/index.ts';
import { describeSize } from '../../service/space/index.ts';
import type { CallHandlers, CallInput } from '../../ui-contract/ui-contract.ts';
import type { Core } from '../compose/open-core.ts';
import { raiseFile, type RaisedFile } from '../evidence/raise-file.ts';
import { givenFile } from './given/given-file.ts';
import { readRecipient } from './given/read-recipient.ts';

/** Maximum number of bytes of a file in the answer to a call. */
const handedOver = 64 * 2 ** 20;

/** A file to be extended into another. */
interface Raise {
  readonly path: string;
  readonly destination: string;
  readonly level: CallInput<'signatures.raise'>['level'];
  /** Content of a detached signature. */
  readonly content?: string;
  readonly timestampServer?: string;
  readonly timestampDigest?: CallInput<'signatures.raise'>['timestampDigest'];
  readonly password?: string;
  readonly recipient?: CallInput<'signatures.raise'>['recipient'];
}

/** The calls about the level of existing signatures. */
export function raiseCalls(core: Core): Pick<CallHandlers, 'signatures.raise' | 'validation.raise'> {
  return {
    'signatures.raise': async (input) => {
      await expectNothingAt(input.destination);
      const { size, warnings } = await raise(core, input);
      return { size, warnings: [...warnings] };
    },
    'validation.raise': async ({ signature, content, level, password }) => {
      const [file, document] = [
        await givenFile(core, signature),
        content === undefined ? undefined : await givenFile(core, content),
      ];
      await expectShort(file.path);
      const folder = await mkdtemp(join(tmpdir(), 'sinete-raise-'));
      try {
        const destination = join(folder, 'raised');
        await raise(core, { path: file.path, destination, level, content: document?.path, password });
        const { name, ext } = parse(file.name);
        return { name: `${name}-${level}${ext}`, data: await readFile(destination, 'base64') };
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

async function raise(core: Core, { recipient: keyFile, ...request }: Raise): Promise<RaisedFile> {
  const recipient = keyFile === undefined ? undefined : await readRecipient(core.workers, keyFile);
  return raiseFile(core, { ...request, recipient });
}

/** Checked first, so that no time stamp is paid for when the file is too long for the answer. */
async function expectShort(path: string): Promise<void> {
  const { size } = await stat(path).catch((cause: unknown) => {
    throw new ServiceError('DOCUMENT_UNREADABLE', 'There is no such file, or it may not be read.', { cause });
  });
  if (size <= handedOver) return;
  const message = `Files above ${describeSize(handedOver)} are extended with the command "sinete extend".`;
  throw new ServiceError('DOCUMENT_TOO_LARGE', message);
}

/**
 * An existing file is never replaced. Checked first, so that no time stamp is paid for when the file cannot be written.
 */
async function expectNothingAt(path: string): Promise<void> {
  const present = await lstat(path).catch(() => undefined);
  if (present !== undefined) throw new ServiceError('DESTINATION_EXISTS', `${path} already exists.`);
}
