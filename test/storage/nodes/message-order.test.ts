import { beforeEach, describe, expect, it } from 'vitest';
import { MessageOrder } from '../../../src/storage/nodes/message-order.ts';

let clock: number;
let order: MessageOrder;
beforeEach(() => {
  clock = 1_000_000;
  order = new MessageOrder(() => clock);
});

describe('a message of another node', () => {
  it('is new once, and no older message of this node is new later', () => {
    const numbers = [clock, clock, clock + 2, clock + 1, clock + 3];
    expect(numbers.map((number) => order.isNew('other', number))).toEqual([true, false, true, false, true]);
    expect(order.isNew('third', clock)).toBe(true);
  });

  it('is not new after more than a minute, seen or not', () => {
    const kept = clock;
    clock += 60_000;
    expect(order.isNew('other', kept)).toBe(true);
    clock += 1;
    expect(new MessageOrder(() => clock).isNew('other', kept)).toBe(false);
    expect(order.isNew('other', clock + 60_001)).toBe(false);
  });

  it.each([undefined, null, '1000000', Number.NaN, Number.POSITIVE_INFINITY])('has a number, and not %s', (number) => {
    expect(order.isNew('other', number)).toBe(false);
  });

  it('stays known as long as another could send the message again, and older messages of other nodes are forgotten', () => {
    order.isNew('first', clock);
    clock += 59_000;
    order.isNew('second', clock);
    expect(order.isNew('first', clock - 59_000)).toBe(false);
    clock += 59_000;
    expect(order.isNew('second', clock - 59_000)).toBe(false);
  });
});

describe('the messages of this node', () => {
  it('have rising numbers, also when the clock is set back', () => {
    const numbers = [order.next(), order.next()];
    clock -= 500_000;
    numbers.push(order.next());
    clock += 900_000;
    numbers.push(order.next());
    expect(numbers).toEqual([1_000_000, 1_000_001, 1_000_002, 1_400_000]);
  });
});
