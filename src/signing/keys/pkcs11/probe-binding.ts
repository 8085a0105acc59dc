/** Checks whether drivers can be called at all, for diagnosis. */
import type { BindingName } from './cryptoki/cryptoki.ts';
import { missingBinding, toSigningError } from './errors.ts';
import { DEFAULT_KEEPER_TIMING } from './host-keeper.ts';
import { childEnvironment, NodeHostLauncher, type HostLauncher } from './launcher.ts';
import type { MissingBinding } from './missing-binding.ts';
import { replySchema } from './protocol.ts';

/**
 * Loads the binding in a separate process, without a driver. Undefined: the binding works. Does not reject; `launcher`
 * starts the process, by default with Node.
 */
export async function probeBinding(
  binding: BindingName,
  launcher: HostLauncher = new NodeHostLauncher(),
): Promise<MissingBinding | undefined> {
  const host = launcher.launch(childEnvironment());
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve) => {
      timer = setTimeout(() => resolve(ended(binding)), DEFAULT_KEEPER_TIMING.probe);
      host.onExit(() => resolve(ended(binding)));
      host.onMessage((message) => {
        const reply = replySchema.safeParse(message).data;
        if (reply?.kind === 'done') resolve(undefined);
        if (reply?.kind === 'failed') resolve(missingBinding(toSigningError(reply.failure)) ?? ended(binding));
      });
      host.send({ version: 1, id: 1, operation: { op: 'binding', binding } });
    });
  } finally {
    clearTimeout(timer);
    host.kill();
  }
}

const ended = (binding: BindingName): MissingBinding => ({
  problem: `Tokens cannot be used: the process that loads the package ${binding} ends by itself or does not answer.`,
  remedy: 'Run "npm ci" in the folder of Sinete, or install the application again.',
});
