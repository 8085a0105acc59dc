/** The network: the only place from which this program contacts other computers on its own. */
export { createHttpClient, type ClosableHttpClient, type HttpClientOptions } from './http-client.ts';
export type { FindProxy } from './connections.ts';
export { proxyFinder } from './find-proxy.ts';
export { holdExchanges, type HeldExchangeLimits } from './held-exchanges.ts';
