/** Checks whether drivers can be called at all, for diagnosis. */
import { missingBinding, toSigningError } from './errors.ts';
import { DEFAULT_KEEPER_TIMING } from './host-keeper.ts';
import { childEnvironment, NodeHostLauncher, type HostLauncher } from './launcher.ts';
import type { MissingBinding } from './missing-binding.ts';
import { replySchema } from './protocol.ts';

/**
 * Loads koffi in a separate process, without a driver. Undefined: koffi works. Does not reject; `launcher` starts the
 * process, by default with Node.
 */
export async function probeBinding(
  launcher: HostLauncher = new NodeHostLauncher(),
): Promise<MissingBinding | undefined> {
  const host = launcher.launch(childEnvironment());
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve) => {
      timer = setTimeout(() => resolve(ended), DEFAULT_KEEPER_TIMING.probe);
      host.onExit(() => resolve(ended));
      host.onMessage((message) => {
        const reply = replySchema.safeParse(message).data;
        if (reply?.kind === 'done') resolve(undefined);
        if (reply?.kind === 'failed') resolve(missingBinding(toSigningError(reply.failure)) ?? ended);
      });
      host.send({ version: 1, id: 1, operation: { op: 'binding' } });
    });
  } finally {
    clearTimeout(timer);
    host.kill();
  }
}

const ended: MissingBinding = {
  problem: 'Tokens cannot be used: the process that loads the package koffi ends by itself or does not answer.',
  remedy: 'Run "npm ci" in the folder of Sinete, or install the application again.',
};
