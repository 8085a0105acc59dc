/**
 * The way from the token process to its parent: Node's channel where Node has forked it, and the port of a utility
 * process where Electron has. The latter is found on `process`, so that nothing of Electron is imported.
 */
import type { HostReply } from './protocol.ts';

/** What Electron puts on `process` in a utility process. */
interface ParentPort {
  on(event: 'message', listener: (message: { readonly data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

/** The channel as the token process uses it. */
export interface HostChannel {
  /** Replies to a parent that has gone are dropped. */
  send(reply: HostReply): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called when the parent has gone. A utility process is ended by Electron instead, and by `host-watchdog.ts`. */
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
