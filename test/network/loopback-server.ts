import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A server of this computer and its address. */
export interface LoopbackServer {
  readonly port: number;
  /** `http://127.0.0.1:port`, or with `https`. */
  readonly origin: string;
  /** Requests received, as `METHOD /path`. */
  readonly arrived: readonly string[];
  close(): Promise<void>;
}

/** Starts a server on 127.0.0.1; with `tls`, an HTTPS server. */
export async function startLoopbackServer(listener: RequestListener, tls?: ServerOptions): Promise<LoopbackServer> {
  const arrived: string[] = [];
  const recording: RequestListener = (request, response) => {
    arrived.push(`${request.method ?? ''} ${request.url ?? ''}`);
    listener(request, response);
  };
  const server: Server = tls === undefined ? createServer(recording) : createSecureServer(tls, recording);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    arrived,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
