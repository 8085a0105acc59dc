import { createHttpClient, type ClosableHttpClient, type FindProxy } from '../../network/index.ts';
import { SigningError, type HttpClient } from '../../signing/index.ts';
import { AppError } from '../app-error.ts';
import type { Configuration } from '../config/config.ts';

/** The network client of this instance, which also reaches this computer's test services while they run. */
export interface Network extends HttpClient {
  close(): Promise<void>;
}

/**
 * Builds the only network client of this instance. `findTestServices` answers the origin of running test services: only
 * this single port of this computer is then reachable, independent of `network.allow`. Without a configured proxy
 * `findSystemProxy` decides. Throws `AppError` for a wrong setting.
 */
export function openNetwork(
  { network, testServicesPort }: Pick<Configuration, 'network' | 'testServicesPort'>,
  findTestServices: () => Promise<string | undefined>,
  findSystemProxy?: FindProxy,
): Network {
  const outside = buildClient(network, findSystemProxy);
  const inside = new Map<string, ClosableHttpClient>();
  const clientOf = (origin: string): ClosableHttpClient => {
    const known = inside.get(origin);
    if (known !== undefined) return known;
    const client = createHttpClient({ allow: [new URL(origin).host] });
    inside.set(origin, client);
    return client;
  };
  return {
    async send(request) {
      const origin = isOnThisComputer(request.url) ? await findTestServices() : undefined;
      const isTest = origin !== undefined && URL.parse(request.url)?.origin === origin;
      if (isTest) return clientOf(origin).send(request);
      return outside.send(request).catch((error: unknown) => {
        throw isTestAddress(request.url, testServicesPort) ? withTestRemedy(error) : error;
      });
    },
    async close() {
      await Promise.all([outside, ...inside.values()].map(async (client) => client.close()));
    },
  };
}

const isOnThisComputer = (url: string): boolean => URL.parse(url)?.hostname === '127.0.0.1';

/** True for an address at the port of the test services: certificates of test identities contain such addresses. */
const isTestAddress = (url: string, port: number): boolean =>
  isOnThisComputer(url) && URL.parse(url)?.port === String(port);

/**
 * Suggests starting the test services instead of extending `network.allow`, which would open this computer without
 * need.
 */
function withTestRemedy(error: unknown): unknown {
  if (!(error instanceof SigningError) || error.code !== 'NETWORK_REFUSED') return error;
  const message =
    'The test services of this computer do not run: start them with "sinete test-services", then try again.';
  return new SigningError('NETWORK_REFUSED', message, { cause: error });
}

function buildClient(
  { allow, proxy, noProxy, certificateAuthorities }: Configuration['network'],
  findProxy: FindProxy | undefined,
): ClosableHttpClient {
  try {
    return createHttpClient({
      allow,
      noProxy,
      certificateAuthorities,
      proxy: proxy === undefined ? undefined : new URL(proxy),
      findProxy,
    });
  } catch (cause) {
    const reason = cause instanceof Error ? ` ${cause.message}` : '';
    throw new AppError(2, `The configuration of the network is wrong.${reason}`, { cause });
  }
}
