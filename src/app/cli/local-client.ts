import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { ServiceError, SigningError, wholeSentence } from '../../service/errors/index.ts';
import { AppError, exitCodeOf } from '../app-error.ts';
import type { ClientOptions, CoreClient } from './client.ts';
import { readConfiguration, type Configuration } from '../config/config.ts';
import { openCore, requesters, type Core } from '../compose/open-core.ts';
import { passphraseAsker } from './secret-input.ts';
import { checkCallInput } from '../../http/ui/bridge.ts';
import { buildUiCalls } from '../calls/ui-calls.ts';

/** Opens the core of a data folder in this process, with the configuration that the options of a command name. */
export async function openLocalCore(
  folder: string,
  { config }: ClientOptions,
): Promise<{ readonly core: Core; readonly configuration: Configuration }> {
  const configuration = await readConfiguration({
    dataFolder: folder,
    file: config,
    environment: process.env,
  });
  const askPassphrase = passphraseAsker(configuration.secretStore);
  return { core: await openCore({ dataFolder: folder, configuration, askPassphrase }), configuration };
}

/** Makes the calls of a command in this process, when no instance runs. */
export async function openLocalClient(folder: string, options: ClientOptions): Promise<CoreClient> {
  const { core } = await openLocalCore(folder, options);
  const handlers = buildUiCalls(core, requesters['command-line'], () => '');
  return {
    remote: false,
    call: async (name, input) => {
      const checked = checkCallInput(name, input);
      if (!checked.ok) {
        throw new AppError(exitCodeOf(checked.error.code), checked.error.message, { code: checked.error.code });
      }
      // The handler belongs to this call; the compiler cannot relate the two through the table.
      const handle = handlers[name] as (input: unknown) => Promise<never>;
      return handle(checked.value).catch(rethrowForPeople);
    },
    sendDocument: async (tcn, { path, name }, end) => {
      const incoming = { fileName: name, mediaType: undefined, content: createReadStream(path) };
      await core.transactions.upload(tcn, { endOfTransaction: end }, one(incoming)).catch(rethrowForPeople);
    },
    giveFile: async ({ path, name }) =>
      core.receivedFiles.receive(name, createReadStream(path)).catch(rethrowForPeople),
    readResult: async (tcn, documentId) => {
      const result = await core.transactions.result(tcn, documentId).catch(rethrowForPeople);
      if (result.bytes !== undefined) return Readable.from([result.bytes]);
      if (result.read === undefined) return createReadStream(result.path);
      return Readable.from(result.read({ start: 0, end: result.size - 1 }));
    },
    close: async () => core.close(),
  };
}

async function* one<Value>(value: Value): AsyncGenerator<Value> {
  yield await Promise.resolve(value);
}

function rethrowForPeople(error: unknown): never {
  const known = error instanceof ServiceError || error instanceof SigningError;
  if (!known) throw error;
  const message = error instanceof ServiceError ? wholeSentence(error) : error.message;
  throw new AppError(exitCodeOf(error.code), message, { cause: error, code: error.code });
}
