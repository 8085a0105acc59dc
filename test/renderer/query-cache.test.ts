import { beforeEach, describe, expect, it } from 'vitest';
import type { Bridge, BridgeEvent } from '../../renderer/src/bridge/bridge.ts';
import { QueryCache } from '../../renderer/src/data/query-cache.ts';
import { until } from '../setup/waits.ts';

/** A bridge with notes of its calls, answering each with the number of calls so far. */
class CountingBridge {
  readonly calls: string[] = [];
  send: (event: BridgeEvent) => void = () => undefined;
  fails = false;
  /** While set, answers wait for this promise. */
  gate: Promise<unknown> | undefined;

  onEvent(listener: (event: BridgeEvent) => void): () => void {
    this.send = listener;
    return () => undefined;
  }

  async call(name: string): Promise<unknown> {
    const number = this.calls.push(name);
    await this.gate;
    return this.fails ? { ok: false, error: { code: 'INTERNAL', message: 'no' } } : { ok: true, value: number };
  }
}

let bridge: CountingBridge;
let queries: QueryCache;
beforeEach(() => {
  bridge = new CountingBridge();
  queries = new QueryCache(bridge as unknown as Bridge);
});

const summary = (days: number) => ['history.summary', { days } as never] as const;

/** The answer in memory: the number of its call. */
const answerOf = (days: number): unknown => queries.state(...summary(days)).value;

/** Shows a question until the returned function is called. */
async function show(days = 1): Promise<() => void> {
  const stop = queries.subscribe(...summary(days), () => undefined);
  await until(() => answerOf(days) !== null, 'the answer');
  return stop;
}

describe('the answers of a page', () => {
  it('are asked for once, however many parts of the page show the same', async () => {
    await Promise.all([show(), show()]);
    await show();
    expect(bridge.calls).toEqual(['history.summary']);
  });

  it('are asked for again after an event of the core, while shown in a part or as soon as shown again', async () => {
    const stop = await show();
    bridge.send({ name: 'transaction-changed', tcn: 'T' });
    await until(() => answerOf(1) === 2, 'the second answer');
    bridge.send({ name: 'users-changed' });
    stop();
    bridge.send({ name: 'stream-restored' });
    expect(bridge.calls).toHaveLength(2);
    await show();
    await until(() => answerOf(1) === 3, 'the third answer');
  });

  it('are asked for once more after an event during the question', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    bridge.gate = promise;
    const shown = show();
    bridge.send({ name: 'stream-restored' });
    bridge.send({ name: 'stream-restored' });
    resolve(undefined);
    await shown;
    await until(() => answerOf(1) === 2, 'the second answer');
    expect(bridge.calls).toHaveLength(2);
  });

  it('about files are asked for whenever newly shown in a part, because other programs change files', async () => {
    const presence = ['history.presence', { tcn: 't', documentId: '0' }] as const;
    const look = async (number: number): Promise<() => void> => {
      const stop = queries.subscribe(...presence, () => undefined);
      await until(() => (queries.state(...presence).value as unknown) === number, 'the answer');
      return stop;
    };
    const stop = await look(1);
    queries.subscribe(...presence, () => undefined)();
    stop();
    await look(2);
    expect(bridge.calls).toEqual(['history.presence', 'history.presence']);
  });

  it('stay beside the error of a later question', async () => {
    await show();
    bridge.fails = true;
    queries.refresh('history.summary');
    await until(() => queries.state(...summary(1)).error !== null, 'the error');
    expect(answerOf(1)).toBe(1);
  });

  it('are forgotten, the oldest first, when nobody looks and there are many others', async () => {
    await show(0);
    (await show(1))();
    for (let days = 2; days < 103; days++) (await show(days))();
    expect(answerOf(1)).toBeNull();
    expect(answerOf(0)).toBe(1);
    expect(answerOf(102)).not.toBeNull();
  });
});
