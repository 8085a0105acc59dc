/**
 * The messages between a page and the bridge window. Each message is an object with the property `sinete`, whose value is
 * the version of these messages. The page sends to the exact origin of the window; the window answers to the exact
 * origin of the page, but for its greeting, which tells nothing and goes to any opener.
 */

/** Version of the messages. */
export const BRIDGE_VERSION = 1;

interface BridgeMessage {
  readonly sinete: typeof BRIDGE_VERSION;
}

/** A field of a form. */
export type FormField = readonly [name: string, value: string | File];

/** A request of the page. The verbs for hashes will be further rows of `bridgePaths`, without a change here. */
export interface BridgeRequest extends BridgeMessage {
  readonly id: number;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | readonly FormField[];
}

/** The page gives a request up, or ends its work with the window. */
export interface BridgeEnd extends BridgeMessage {
  readonly abort?: number;
  readonly end?: true;
}

/** The greeting of the window, once, when it can take requests. */
export interface BridgeHello extends BridgeMessage {
  readonly hello: { readonly version: string; readonly instance: string };
}

/** Progress, answer or failure of a request. */
export interface BridgeAnswer extends BridgeMessage {
  readonly id: number;
  readonly sent?: number;
  readonly answer?: {
    readonly status: number;
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body: Blob;
  };
  /** `refused`: the window does not forward such a request. `broken`: Sinete did not answer. */
  readonly failure?: 'refused' | 'broken' | 'cancelled';
}

/** The window is closing. */
export interface BridgeClosing extends BridgeMessage {
  readonly closing: true;
}

/** The requests that the window forwards: those of this client, and no others. */
export const bridgePaths: readonly (readonly [method: string, path: RegExp])[] = [
  ['GET', /^\/selected-user$/],
  ['GET', /^\/selected-user\/certificates$/],
  ['POST', /^\/validator-service$/],
  ['POST', /^\/signature-service$/],
  ['GET', /^\/signature-service\/[A-Za-z0-9%_-]+(\?wait=\d{1,3})?$/],
  ['DELETE', /^\/signature-service\/[A-Za-z0-9%_-]+$/],
  ['POST', /^\/file-transfer\/[A-Za-z0-9%_-]+\/(eot|continue)\/[A-Za-z0-9%._-]+$/],
  ['GET', /^\/file-transfer\/[A-Za-z0-9%_-]+\/[A-Za-z0-9%._-]+$/],
];

/** Headers of a request that the window forwards, in lower case. */
export const bridgeHeaders: readonly string[] = ['accept', 'authorization', 'content-type', 'idempotency-key'];

/** True for a message of these rules. */
export function isBridgeMessage(data: unknown): data is BridgeMessage & Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null && 'sinete' in data && data.sinete === BRIDGE_VERSION;
}
