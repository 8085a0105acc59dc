import { createHttpClient, type ClosableHttpClient, type FindProxy } from '../../network/index.ts';
import { SigningError } from '../../signing/index.ts';
import { AppError } from '../app-error.ts';
import type { Configuration } from '../config/config.ts';
import { readOwn } from '../config/database-url.ts';
import type { ConfiguredTracing } from '../config/tracing.ts';

/** The receiver of traces, often a collector. */
export interface Receiver {
  readonly url: string;
  /** Lower-case names; values may be secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** A client of its own: its exchanges are not traced themselves. */
  readonly http: ClosableHttpClient;
}

/**
 * Opens the way to the receiver. Its host may be in a private network, because the configuration names it; no other
 * one. Rejects with `AppError` for a wrong file of headers or a wrong setting of the network.
 */
export async function openReceiver(
  { endpoint, headersFile }: Pick<ConfiguredTracing, 'endpoint' | 'headersFile'>,
  { allow, proxy, noProxy, certificateAuthorities }: Configuration['network'],
  findProxy?: FindProxy,
): Promise<Receiver> {
  const url = new URL(endpoint);
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  const headers = headersFile === undefined ? {} : readHeaders(headersFile, await readOwn(headersFile, secret));
  try {
    const http = createHttpClient({
      allow: [...allow, `${url.hostname}:${port}`],
      noProxy,
      certificateAuthorities,
      proxy: proxy === undefined ? undefined : new URL(proxy),
      findProxy,
    });
    return { url: endpoint, headers, http };
  } catch (cause) {
    if (!(cause instanceof SigningError)) throw cause;
    throw new AppError(2, `The configuration of the network is wrong. ${cause.message}`, { cause });
  }
}

const secret = { key: 'tracing.headers_file', content: 'headers' };
/** RFC 9110 §5.6.2, and a value of printable characters. */
const headerLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x20-\x7e]+?)[ \t]*$/;
/** Headers of the exchange itself. */
const ownHeaders = new Set(['content-type', 'content-length', 'transfer-encoding', 'host', 'connection', 'user-agent']);

/** Lines such as `Authorization: Bearer …`; empty lines, and lines that begin with `#`, are skipped. */
function readHeaders(path: string, text: string): Readonly<Record<string, string>> {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const entries = lines.map((line, index) => {
    const [, name = '', value = ''] = headerLine.exec(line) ?? [];
    const lower = name.toLowerCase();
    if (lower !== '' && !ownHeaders.has(lower)) return [lower, value] as const;
    // The line may be a secret.
    throw new AppError(2, `Header ${index + 1} in ${path} cannot be sent: write "Name: value".`);
  });
  return Object.fromEntries(entries);
}
