/**
 * The channel from the token process to its parent: Node's channel in a process forked by Node, or the port of an
 * Electron utility process. The port is found on `process`, so that nothing of Electron is imported.
 */
import type { HostReply } from './protocol.ts';

/** The property that Electron adds to `process` in a utility process. */
interface ParentPort {
  on(event: 'message', listener: (message: { readonly data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

/** The channel in the form used by the token process. */
export interface HostChannel {
  /** Sends a reply. Replies are dropped after the parent has ended. */
  send(reply: HostReply): void;
  onMessage(listener: (message: unknown) => void): void;
  /**
   * Calls `listener` when the parent has ended. A utility process is ended by Electron instead, and by
   * `host-watchdog.ts`.
   */
  onClose(listener: () => void): void;
}

/** The channel of this process. */
export function openHostChannel(own: NodeJS.Process = process): HostChannel {
  const { parentPort } = own as { readonly parentPort?: ParentPort };
  return parentPort === undefined ? nodeChannel(own) : utilityChannel(parentPort);
}

function nodeChannel(own: NodeJS.Process): HostChannel {
  return {
    send: (reply) => {
      if (own.connected) own.send?.(reply);
    },
    onMessage: (listener) => void own.on('message', listener),
    onClose: (listener) => void own.on('disconnect', listener),
  };
}

function utilityChannel(port: ParentPort): HostChannel {
  return {
    send: (reply) => {
      port.postMessage(reply);
    },
    onMessage: (listener) => {
      port.on('message', ({ data }) => {
        listener(data);
      });
    },
    onClose: () => undefined,
  };
}
