/** Parts of the application whose actions have spans; each is returned unchanged where traces are off. */
import { inSpan, type SpanAttributes, type Tracer } from '../../service/monitoring/index.ts';
import type { HttpClient, HttpRequest } from '../../signing/index.ts';
import type { HoldExchanges } from '../../storage/index.ts';
import { aroundStamps } from '../evidence/around-stamps.ts';
import type { Evidence } from '../evidence/evidence.ts';

/** A network client with a span for each exchange: its host and its outcome, never its path, query or headers. */
export function tracedClient(client: HttpClient, tracer: Tracer): HttpClient {
  if (!tracer.isOn) return client;
  return {
    async send(request: HttpRequest) {
      const { method, purpose } = request;
      const name = purpose === undefined ? method : `${method} ${purpose}`;
      const attributes = { 'http.request.method': method, ...hostOf(request.url) };
      return inSpan(tracer, name, { kind: 'client', attributes }, async (span) => {
        const answer = await client.send(request);
        span.note({ 'http.response.status_code': answer.status });
        if (answer.status >= 400) span.fail(String(answer.status));
        return answer;
      });
    },
  };
}

function hostOf(url: string): SpanAttributes {
  const parsed = URL.parse(url);
  if (parsed === null) return {};
  const usual = parsed.protocol === 'https:' ? 443 : 80;
  return {
    'server.address': parsed.hostname.replace(/^\[|\]$/g, ''),
    'server.port': parsed.port === '' ? usual : Number(parsed.port),
  };
}

/** Evidence services with spans for each time stamp, and for each collection of revocation data. */
export function tracedEvidence(evidence: Evidence, tracer: Tracer): Evidence {
  if (!tracer.isOn) return evidence;
  const { collector } = evidence;
  return {
    ...aroundStamps(evidence, (server, stamp) =>
      inSpan(tracer, 'time stamp', { attributes: { 'sinete.tsa': server } }, stamp),
    ),
    collector: {
      ...collector,
      collect: async (...input) => inSpan(tracer, 'evidence', {}, async () => collector.collect(...input)),
    },
  };
}

/** The actions on an object store, each with a span; a listed host is the only one that the action contacts. */
export function tracedHold(hold: HoldExchanges, tracer: Tracer): HoldExchanges {
  if (!tracer.isOn) return hold;
  return async (limits, action) => {
    const attributes: SpanAttributes = { 'server.address': limits.allow[0] };
    return inSpan(tracer, 'object store', { kind: 'client', attributes }, async () => hold(limits, action));
  };
}
