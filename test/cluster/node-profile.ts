/** How the main thread of a running node divides its time, by a profile of its functions over the inspector of V8. */
import { letTimePass } from '../setup/waits.ts';

/** Words for Node that open its inspector on loopback. */
export const inspectedWords: readonly string[] = ['--inspect=127.0.0.1:0'];

/**
 * A part of the program. `idle`: the thread waits for the network, the database or another thread. `outside`: no
 * JavaScript runs, because Node's own code does, or because the thread waits for a processor. `other`: code of Node that
 * no part has called.
 */
export type Part = 'HTTP' | 'service' | 'signing' | 'database' | 'files' | 'memory' | 'other' | 'outside' | 'idle';

/** Microseconds between two looks at the stack. */
const INTERVAL = 500;

/** A frame belongs to the part of its file, and else to the part of its caller. */
const places: readonly (readonly [RegExp, Part])[] = [
  [/\/src\/(http|request|text)\/|node_modules\/(express|busboy|router|body-parser|helmet|send|qs|undici)\//, 'HTTP'],
  [/node:_?(http|net|url|querystring|internal\/url|internal\/deps\/undici)/, 'HTTP'],
  [/\/src\/storage\/(sql|postgres|sqlite|nodes)\/|node_modules\/(pg|pg-[a-z]+|kysely|better-sqlite3)\//, 'database'],
  [/\/src\/(signing|test-authority)\/|node:(internal\/)?crypto/, 'signing'],
  [/\/src\/storage\/|node:(internal\/)?fs/, 'files'],
  [/\/src\/(service|app|network)\//, 'service'],
];

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

interface Profile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Answers the share of each part in the time of the main thread while an action runs. `output`: what the node printed. */
export async function profileMainThread(
  output: string,
  action: () => Promise<void>,
): Promise<Readonly<Record<Part, number>>> {
  const address = /ws:\/\/127\.0\.0\.1:\d+\/[\w-]+/.exec(output)?.[0];
  if (address === undefined) throw new Error('The node has no inspector.');
  const inspector = await Inspector.open(address);
  try {
    await inspector.ask('Profiler.enable');
    await inspector.ask('Profiler.setSamplingInterval', { interval: INTERVAL });
    await inspector.ask('Profiler.start');
    await action();
    return sharesOf(((await inspector.ask('Profiler.stop')) as { readonly profile: Profile }).profile);
  } finally {
    inspector.close();
  }
}

/** The share of each part in the time of a profile. */
export function sharesOf({ nodes, samples, timeDeltas }: Profile): Readonly<Record<Part, number>> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const partOf = new Map<number, Part>();
  const visit = (node: ProfileNode, caller: Part): void => {
    const part = ownPart(node) ?? caller;
    partOf.set(node.id, part);
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (child !== undefined) visit(child, part);
    }
  };
  if (nodes[0] !== undefined) visit(nodes[0], 'other');
  const times = { HTTP: 0, service: 0, signing: 0, database: 0, files: 0, memory: 0, other: 0, outside: 0, idle: 0 };
  samples.forEach((id, index) => (times[partOf.get(id) ?? 'other'] += timeDeltas[index] ?? 0));
  const all = Object.values(times).reduce((total, time) => total + time, 0);
  return Object.fromEntries(Object.entries(times).map(([part, time]) => [part, time / all])) as typeof times;
}

function ownPart({ callFrame: { functionName, url } }: ProfileNode): Part | undefined {
  if (functionName === '(idle)') return 'idle';
  if (functionName === '(program)') return 'outside';
  if (functionName === '(garbage collector)') return 'memory';
  return places.find(([place]) => place.test(url))?.[1];
}

/** A session of the protocol of V8's inspector. */
class Inspector {
  readonly #socket: WebSocket;
  readonly #answers = new Map<number, unknown>();
  #last = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const { id, result } = JSON.parse(String(data)) as { readonly id?: number; readonly result?: unknown };
      if (id !== undefined) this.#answers.set(id, result);
    });
  }

  static async open(address: string): Promise<Inspector> {
    const socket = new WebSocket(address);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', () => reject(new Error('The inspector of the node does not answer.')));
    });
    return new Inspector(socket);
  }

  async ask(method: string, params: object = {}): Promise<unknown> {
    const id = ++this.#last;
    this.#socket.send(JSON.stringify({ id, method, params }));
    while (!this.#answers.has(id)) {
      if (this.#socket.readyState !== WebSocket.OPEN) throw new Error('The inspector of the node has gone.');
      await letTimePass(20);
    }
    return this.#answers.get(id);
  }

  close(): void {
    this.#socket.close();
  }
}
