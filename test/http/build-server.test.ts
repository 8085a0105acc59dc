import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { paceLongPolls } from '../../src/http/build-server.ts';

const answer = {} as ServerResponse;
const ask = (url: string, destroyed = false): IncomingMessage => ({ url, socket: { destroyed } }) as IncomingMessage;

describe('long polls that come together', () => {
  it('are taken behind every request whose caller does not wait, and none of them is lost', async () => {
    const taken: (string | undefined)[] = [];
    const take = paceLongPolls(({ url }) => taken.push(url));
    const polls = Array.from({ length: 100 }, (_, index) => `/signature-service/${index}?documents_limit=0&wait=30`);
    for (const url of polls) take(ask(url), answer);
    take(ask('/health-check?full=true'), answer);
    take(ask('/signature-service/TCN'), answer);
    expect(taken).toEqual(['/health-check?full=true', '/signature-service/TCN']);
    await expect.poll(() => taken.slice(2)).toEqual(polls);
  });

  it('are forgotten when their callers have gone before', async () => {
    const taken: (string | undefined)[] = [];
    const take = paceLongPolls(({ url }) => taken.push(url));
    take(ask('/signature-service/gone?wait=30', true), answer);
    take(ask('/signature-service/there?wait=30'), answer);
    await expect.poll(() => taken).toEqual(['/signature-service/there?wait=30']);
  });
});
