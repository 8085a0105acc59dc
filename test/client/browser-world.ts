/** A browser's globals for the client, on a clock of the test: ports, the permission, and the user's answer to a question. */
import { vi } from 'vitest';

/** What listens on a port. A `dead` port refuses after some milliseconds; `sinete` and `other` bring the question. */
export type Listening = 'sinete' | 'other' | { readonly dead: number };

export interface World {
  readonly ports: Readonly<Record<number, Listening>>;
  /** Milliseconds until a port refuses that is not in `ports`. */
  readonly deadAfter?: number;
  readonly permission?: 'granted' | 'prompt' | 'denied' | 'unknown';
  /** The user's answer to the browser's question, and the milliseconds until then. Default: no answer. */
  readonly user?: { readonly answer: 'granted' | 'denied' | 'prompt'; readonly after: number };
  readonly isSecure?: boolean;
  readonly agent?: string;
  readonly isBrave?: boolean;
  /** The frame of the page; `hidden`: the browser does not show its permission policy. Default: no frame. */
  readonly frame?: 'allowed' | 'without' | 'hidden';
  readonly isActive?: boolean;
}

/** What happened in the world. */
export interface Happened {
  /** Ports that the page asked, in order. */
  readonly asked: number[];
  /** Ports about which the browser showed its question. */
  readonly questions: number[];
  /** Addresses of opened windows. */
  readonly opened: string[];
}

const answerOf: Readonly<Record<'sinete' | 'other', unknown>> = {
  sinete: { name: 'Sinete', version: '1.0.0', instance: 'one' },
  other: { name: 'Another program' },
};

export const agents = {
  chrome: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  edge: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0',
  firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0',
  safari:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
} as const;

/** Puts the page of a world into the globals; `vi.unstubAllGlobals` takes it away. The clock is that of `vi`. */
export function enterWorld(world: World): Happened {
  const happened: Happened = { asked: [], questions: [], opened: [] };
  let permission = world.permission ?? 'prompt';
  const later = async (milliseconds: number, signal: AbortSignal | null | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        resolve();
      }, milliseconds);
      const stop = (): void => {
        clearTimeout(timer);
        reject(new DOMException('Aborted', 'AbortError'));
      };
      if (signal?.aborted === true) stop();
      signal?.addEventListener('abort', stop);
    });
  const fetch = async (address: string, { signal }: RequestInit): Promise<Response> => {
    const port = Number(new URL(address).port);
    happened.asked.push(port);
    const listening = world.ports[port] ?? { dead: world.deadAfter ?? 20 };
    if (typeof listening === 'object' || permission === 'denied') {
      await later(typeof listening === 'object' ? listening.dead : 5, signal);
      throw new TypeError('Failed to fetch');
    }
    if (permission === 'prompt') {
      happened.questions.push(port);
      await later(world.user?.after ?? 10_000_000, signal);
      permission = world.user?.answer ?? 'prompt';
      if (permission !== 'granted') throw new TypeError('Failed to fetch');
    }
    return Response.json(answerOf[listening]);
  };
  const policy = {
    features: () => ['loopback-network', 'fullscreen'],
    allowsFeature: (name: string) => name === 'loopback-network' && world.frame === 'allowed',
  };
  const top = {
    get location(): never {
      throw new DOMException('Blocked', 'SecurityError');
    },
  };
  const window = {
    open: (address: string) => {
      happened.opened.push(address);
      return null;
    },
  };
  vi.stubGlobal('isSecureContext', world.isSecure ?? true);
  vi.stubGlobal('location', new URL('https://portal.example/sign'));
  vi.stubGlobal('window', { ...window, top: world.frame === undefined ? undefined : top });
  if (world.frame === undefined) (globalThis.window as { top: unknown }).top = globalThis.window;
  vi.stubGlobal('document', {
    baseURI: 'https://portal.example/sign',
    ...(world.frame === 'hidden' || world.frame === undefined ? {} : { featurePolicy: policy }),
  });
  vi.stubGlobal('navigator', {
    userAgent: world.agent ?? agents.chrome,
    language: 'pt-BR',
    userActivation: { isActive: world.isActive ?? true },
    ...(world.isBrave === true ? { brave: {} } : {}),
    permissions: {
      query: async ({ name }: { readonly name: string }) => {
        if (permission === 'unknown' || name !== 'loopback-network') throw new TypeError('No such permission');
        return Promise.resolve({ state: permission });
      },
    },
  });
  vi.stubGlobal('fetch', fetch);
  return happened;
}
