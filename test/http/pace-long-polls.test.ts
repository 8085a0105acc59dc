import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { paceLongPolls } from '../../src/http/pace-long-polls.ts';

/** A request as Node hands it over. */
function ask(url: string, { destroyed = false, method = 'GET' } = {}): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  if (destroyed) request.socket.destroy();
  return Object.assign(request, { url, method });
}

const answer = new ServerResponse(ask('/'));

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

  it.each([
    ['GET', '/health-check?wait=1'],
    ['POST', '/signature-service?wait=1'],
    ['DELETE', '/signature-service/TCN?wait=1'],
    ['GET', '/signature-service/TCN?await=1'],
  ])('do not hold up %s %s', (method, url) => {
    const taken: (string | undefined)[] = [];
    paceLongPolls((request) => taken.push(request.url))(ask(url, { method }), answer);
    expect(taken).toEqual([url]);
  });

  it('are forgotten when their callers have gone before', async () => {
    const taken: (string | undefined)[] = [];
    const take = paceLongPolls(({ url }) => taken.push(url));
    take(ask('/signature-service/gone?wait=30', { destroyed: true }), answer);
    take(ask('/signature-service/there?wait=30'), answer);
    await expect.poll(() => taken).toEqual(['/signature-service/there?wait=30']);
  });
});
