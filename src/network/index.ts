/** The network: the only place for contacting other computers. */
export { createHttpClient, type ClosableHttpClient, type HttpClientOptions } from './http-client.ts';
export type { FindProxy } from './connections.ts';
export { proxyFinder } from './http-client.ts';
export { holdExchanges, type HeldExchangeLimits } from './held-exchanges.ts';
