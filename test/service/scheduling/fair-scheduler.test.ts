import { describe, expect, it } from 'vitest';
import { FairScheduler } from '../../../src/service/scheduling/index.ts';

const bounds = { overall: 10, waiting: 4, waitingPerQueue: 3 };

/** Asks for entry and notes the entry under a name. */
function ask(scheduler: FairScheduler, entered: string[], name: string, weight: number): Promise<() => void> {
  return scheduler.enter([name.charAt(0)], { weight }).then((leave) => (entered.push(name), leave));
}

/** A task ending on request. */
function controlled(name: string, started: string[]): { task: () => Promise<void>; end: () => void } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  return { task: () => (started.push(name), promise), end: () => resolve(undefined) };
}

/** Runs tasks in the order given by the scheduler; answers their names in this order. */
async function orderOf(scheduler: FairScheduler, queues: readonly (readonly string[])[]): Promise<readonly string[]> {
  const started: string[] = [];
  const tasks = queues.map((names) => ({ names, ...controlled(names.join('/'), started) }));
  const runs = tasks.map(({ names, task }) => scheduler.run(names, task));
  const waiting = [...tasks];
  for (let count = 1; count <= tasks.length; count++) {
    await expect.poll(() => started).toHaveLength(count);
    const name = started[count - 1];
    const index = waiting.findIndex(({ names }) => names.join('/') === name);
    waiting.splice(index, 1)[0]?.end();
  }
  await Promise.all(runs);
  return started;
}

describe('FairScheduler as admission', () => {
  it('lets in as much as there is room for, and lets queues take turns with the rest', async () => {
    const scheduler = new FairScheduler(bounds);
    const entered: string[] = [];
    const first = await ask(scheduler, entered, 'a1', 6);
    const others = ['a2', 'a3', 'b1'].map((name) => ask(scheduler, entered, name, 6));
    for (let leave: () => void = first, next = 0; next < others.length; next++) {
      leave();
      leave();
      await expect.poll(() => entered).toHaveLength(next + 2);
      leave = await (others[[0, 2, 1][next] ?? 0] as Promise<() => void>);
    }
    expect(entered).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('lets in alone a task heavier than the whole limit, and no lighter task past the heavy one', async () => {
    const scheduler = new FairScheduler(bounds);
    const entered: string[] = [];
    const first = await ask(scheduler, entered, 'a1', 1);
    const heavy = ask(scheduler, entered, 'b1', 50);
    const light = ask(scheduler, entered, 'c1', 1);
    expect(entered).toEqual(['a1']);
    first();
    (await heavy)();
    await light;
    expect(entered).toEqual(['a1', 'b1', 'c1']);
  });

  it('refuses with a time to come back a task without a place to wait, in its queue or in all', async () => {
    const scheduler = new FairScheduler(bounds);
    const leave = await scheduler.enter(['a'], { weight: 10 });
    const waiting = ['b', 'b', 'b'].map((queue) => scheduler.enter([queue]));
    await expect(scheduler.enter(['b'], { weight: 1 })).rejects.toMatchObject({ code: 'BUSY', retryAfter: 5 });
    waiting.push(scheduler.enter(['c'], { weight: 1 }));
    await expect(scheduler.enter(['d'], { weight: 1 })).rejects.toMatchObject({ code: 'BUSY' });
    leave();
    await Promise.all(waiting);
  });

  it('lets one queue have its part only, and others past its waiting tasks', async () => {
    const scheduler = new FairScheduler({ ...bounds, perQueue: [6] });
    const entered: string[] = [];
    const first = await ask(scheduler, entered, 'a1', 6);
    const second = ask(scheduler, entered, 'a2', 6);
    const others = ['b1', 'b2', 'c1'].map((name) => ask(scheduler, entered, name, 2));
    await expect.poll(() => entered).toEqual(['a1', 'b1', 'b2']);
    first();
    await expect.poll(() => entered).toEqual(['a1', 'b1', 'b2', 'a2']);
    (await second)();
    for (const other of others) (await other)();
    expect(entered.at(-1)).toBe('c1');
  });

  it('leaves a queue its whole part alone, and a small part while others are active and a second longer', async () => {
    const state = { now: 0 };
    const limits = { overall: 10, perQueue: [8], perQueueBesideOthers: 2 };
    const scheduler = new FairScheduler(limits, () => state.now);
    const running: (() => void)[] = [];
    for (let count = 1; count <= 20; count++) void scheduler.enter(['batch']).then((leave) => running.push(leave));
    const end = async (count: number): Promise<void> => {
      for (const leave of running.splice(0, count)) leave();
      // Tasks start in the same turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
    };
    await end(0);
    expect(running).toHaveLength(8);
    state.now = 5000;
    (await scheduler.enter(['other']))();
    await end(5);
    expect(running).toHaveLength(3);
    await end(2);
    expect(running).toHaveLength(2);
    state.now = 5999;
    await end(1);
    expect(running).toHaveLength(2);
    state.now = 6000;
    await end(1);
    expect(running).toHaveLength(8);
  });

  it('makes way for a queue whose task is expected, and never for a further task of the same queue', async () => {
    const scheduler = new FairScheduler({ overall: 10, perQueue: [8], perQueueBesideOthers: 2 }, () => 0);
    const enter = async (): Promise<boolean> => {
      const waiting = new AbortController();
      const entered = scheduler.enter(['batch'], { signal: waiting.signal }).then(
        () => true,
        () => false,
      );
      waiting.abort();
      return entered;
    };
    scheduler.expect('batch');
    const entries = [await enter(), await enter(), await enter()];
    scheduler.expect('other');
    expect([...entries, await enter()]).toEqual([true, true, true, false]);
  });

  it('forgets a task going away while waiting', async () => {
    const scheduler = new FairScheduler(bounds);
    const leave = await scheduler.enter(['a'], { weight: 10 });
    const left = new AbortController();
    const gone = scheduler.enter(['b'], { weight: 10, signal: left.signal });
    const next = scheduler.enter(['b'], { weight: 5 });
    left.abort();
    await expect(gone).rejects.toThrow();
    leave();
    (await next)();
    expect(await scheduler.run(['c'], () => Promise.resolve('in'), { weight: 10 })).toBe('in');
  });

  it('forgets a queue when its last request has left, running or waiting', async () => {
    const scheduler = new FairScheduler(bounds);
    const left = new AbortController();
    const leave = [await scheduler.enter(['a'], { weight: 5 }), await scheduler.enter(['b'], { weight: 5 })];
    const second = scheduler.enter(['a'], { weight: 5 });
    const gone = scheduler.enter(['c'], { weight: 5, signal: left.signal });
    expect(scheduler.size).toBe(3);
    left.abort();
    await expect(gone).rejects.toThrow();
    expect(scheduler.size).toBe(2);
    leave[1]?.();
    (await second)();
    expect(scheduler.size).toBe(1);
    leave[0]?.();
    expect(scheduler.size).toBe(0);
  });
});

describe('FairScheduler with nested queues', () => {
  it('keeps the bounds and lets queues take turns', async () => {
    const scheduler = new FairScheduler({ overall: 3, perQueue: [2] });
    const started: string[] = [];
    const tasks = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'].map((name) => ({ name, ...controlled(name, started) }));
    const runs = tasks.map(({ name, task }) => scheduler.run([name.charAt(0)], task));
    expect(started).toEqual(['a1', 'a2', 'b1']);
    tasks[0]?.end();
    await expect.poll(() => started.at(-1)).toBe('a3');
    tasks[1]?.end();
    await expect.poll(() => started.at(-1)).toBe('b2');
    for (const { end } of tasks) end();
    await Promise.all(runs);
    expect(started).toHaveLength(6);
  });

  it('lets owners take turns, and inside of each its tokens, and inside of each its transactions', async () => {
    const scheduler = new FairScheduler({ overall: 1, perQueue: [1, 1, 1] });
    const queues = ['a/1/x', 'a/1/x', 'a/1/x', 'a/1/y', 'a/2/z', 'b/1/w'].map((name) => name.split('/'));
    expect(await orderOf(scheduler, queues)).toEqual(['a/1/x', 'a/1/x', 'b/1/w', 'a/2/z', 'a/1/y', 'a/1/x']);
    expect(scheduler.held()).toBe(0);
  });

  it('forgets each queue, at every level, when its last task has ended', async () => {
    const scheduler = new FairScheduler({ overall: 3, perQueue: [] });
    const started: string[] = [];
    const tasks = ['a/1/x', 'a/1/y', 'a/2/z'].map((name) => ({ name, ...controlled(name, started) }));
    const runs = tasks.map(({ name, task }) => scheduler.run(name.split('/'), task));
    expect(scheduler.size).toBe(6);
    for (const [index, left] of [5, 3, 0].entries()) {
      tasks[index]?.end();
      await runs[index];
      await expect.poll(() => scheduler.size).toBe(left);
    }
  });

  it('starts the one document of an application in its first turn, however many another has waiting', async () => {
    const scheduler = new FairScheduler({ overall: 1, perQueue: [1, 1, 1] });
    const many = Array.from({ length: 40 }, (_, index) => ['many', '', `t${index % 4}`]);
    const order = await orderOf(scheduler, [...many, ['one', '', 'single']]);
    // The first began before the other application came, and the second had its turn.
    expect(order.indexOf('one//single')).toBe(2);
  });

  it('leaves something to others under a limit for each owner', async () => {
    const scheduler = new FairScheduler({ overall: 4, perQueue: [3, 2] });
    const started: string[] = [];
    const names = ['a/1', 'a/1', 'a/1', 'a/2', 'a/2', 'b/1', 'b/1'];
    const tasks = names.map((name) => ({ queues: name.split('/'), ...controlled(name, started) }));
    const runs = tasks.map(({ queues, task }) => scheduler.run(queues, task));
    expect(started).toEqual(['a/1', 'a/1', 'a/2', 'b/1']);
    expect([scheduler.held('a'), scheduler.held('b'), scheduler.held('c'), scheduler.held()]).toEqual([5, 2, 0, 7]);
    for (const { end } of tasks) end();
    await Promise.all(runs);
  });

  it('gives the last turn to a queue beginning to wait again', async () => {
    const scheduler = new FairScheduler({ overall: 1 });
    expect(
      await orderOf(scheduler, [
        ['a', 'x'],
        ['b', 'y'],
        ['a', 'x'],
      ]),
    ).toEqual(['a/x', 'b/y', 'a/x']);
  });

  it('counts weights at each level, and lets no lighter task of the same owner past a heavy task', async () => {
    const scheduler = new FairScheduler({ overall: 10, perQueue: [6] });
    const started: string[] = [];
    const rows = [
      ['a/1', 4],
      ['a/1', 3],
      ['a/2', 1],
      ['b/1', 2],
    ] as const;
    const tasks = rows.map(([name, weight]) => ({ weight, names: name.split('/'), ...controlled(name, started) }));
    const runs = tasks.map(({ names, task, weight }) => scheduler.run(names, task, { weight }));
    expect(started).toEqual(['a/1', 'b/1']);
    tasks[0]?.end();
    await expect.poll(() => started).toEqual(['a/1', 'b/1', 'a/1', 'a/2']);
    for (const { end } of tasks) end();
    await Promise.all(runs);
  });

  it('keeps no queue of a refused task', async () => {
    const scheduler = new FairScheduler({ overall: 1, waiting: 0 });
    const leave = await scheduler.enter(['a']);
    await expect(scheduler.enter(['b', 'x'])).rejects.toMatchObject({ code: 'BUSY' });
    expect([scheduler.size, scheduler.held()]).toEqual([1, 1]);
    leave();
  });

  it('passes a failure on and goes on with the others', async () => {
    const scheduler = new FairScheduler({ overall: 1, perQueue: [1] });
    const failing = scheduler.run(['a'], () => Promise.reject(new Error('no')));
    const next = scheduler.run(['a'], () => Promise.resolve('yes'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });
});
