import { EventEmitter } from 'node:events';
import { createServer } from 'node:http';
import type { Request, Response } from 'express';
import { describe, expect, it } from 'vitest';
import { noteListener } from '../../src/http/listeners/listener.ts';
import { traceRequests, type RequestTracing } from '../../src/http/trace-requests.ts';
import { noTracing, type SpanOptions } from '../../src/service/monitoring/index.ts';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** A connection of the loopback listener, or of the listener for other computers. */
function connection(isRemote: boolean): object {
  // The connections are stand-ins; only the note of the listener may see these.
  const server = createServer().removeAllListeners('connection');
  const socket = {};
  const remote = { publicUrl: 'https://sign.example' };
  noteListener(server, { services: new Set(['signing']), ...(isRemote ? { remote } : {}) }, false);
  server.emit('connection', socket);
  return socket;
}

/** The spans begun by one request. */
function spansOf(callers: RequestTracing['callers'], request: object): readonly [string, SpanOptions | undefined][] {
  const begun: [string, SpanOptions | undefined][] = [];
  const start: RequestTracing['tracer']['start'] = (name, options) => {
    begun.push([name, options]);
    return noTracing.start(name);
  };
  const response = Object.assign(new EventEmitter(), { locals: {}, statusCode: 200, writableFinished: true });
  let hasGoneOn = false;
  const complete = { path: '/signature-service', method: 'POST', headers: { traceparent }, ...request };
  void traceRequests({ tracer: { ...noTracing, start }, callers })(
    complete as unknown as Request,
    response as unknown as Response,
    () => {
      hasGoneOn = true;
    },
  );
  response.emit('close');
  expect(hasGoneOn).toBe(true);
  return begun;
}

describe('the traceparent of a request', () => {
  it.each([
    ['loopback', false, traceparent],
    ['loopback', true, undefined],
    ['all', true, traceparent],
    ['none', false, undefined],
  ] as const)(
    'with callers "%s", on a listener for other computers: %s, is taken as %s',
    (callers, isRemote, taken) => {
      const [[, options] = []] = spansOf(callers, { socket: connection(isRemote) });
      expect(options?.parent).toEqual({ from: 'caller', traceParent: taken });
    },
  );
});

describe('the span of a request', () => {
  it.each(['/live', '/ready', '/health-check', '/metrics'])('does not exist for the probe %s', (path) => {
    expect(spansOf('all', { socket: connection(false), path })).toEqual([]);
  });

  it('has no method chosen by a stranger', () => {
    const [[name, options] = []] = spansOf('all', { socket: connection(false), method: 'MARIA' });
    expect(name).toBe('HTTP');
    expect(options?.attributes).toEqual({ 'http.request.method': '_OTHER' });
  });
});
