import type { Request, RequestHandler } from 'express';
import { HttpError } from './http-error.ts';
import { judgeRequest, refusalDetails, type GuardClass } from './local-guard.ts';
import type { PeerUser } from './peer-user.ts';

/** Who a request comes from, as the guard found it; kept in `response.locals.caller`. */
export type Caller = 'native-program' | 'own-page' | 'site';

/** Stands before every handler: asks the guard, and lets through or refuses. */
export function guardRequest(route: GuardClass, peerUser: PeerUser): RequestHandler {
  return async (request, response, next) => {
    const { host, origin } = request.headers;
    const verdict = judgeRequest({
      peer: await peerUser.identify(request.socket),
      ownHosts: ownHosts(request.socket.localPort),
      method: request.method,
      route,
      host,
      origin,
      fetchSite: request.get('Sec-Fetch-Site'),
      fetchMode: request.get('Sec-Fetch-Mode'),
      fetchDest: request.get('Sec-Fetch-Dest'),
    });
    if (!verdict.allowed) throw new HttpError(verdict.refusal, refusalDetails[verdict.refusal]);
    if (verdict.caller === 'site') response.set('Access-Control-Allow-Origin', verdict.origin);
    response.locals.caller = verdict.caller;
    next();
  };
}

/** `http://127.0.0.1:17171`: the address by which this client called; the guard has found it to be one of ours. */
export function baseUrlOf(request: Request): string {
  return `http://${request.headers.host ?? ''}`;
}

function ownHosts(port: number | undefined): ReadonlySet<string> {
  const end = `:${port ?? 0}`;
  return new Set([`127.0.0.1${end}`, `localhost${end}`, `[::1]${end}`]);
}
