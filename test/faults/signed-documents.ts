import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { forEachAtOnce } from '../../src/storage/files/files.ts';
import { until } from '../setup/waits.ts';

/** A document with an acknowledged signature. */
export interface Acknowledged {
  readonly tcn: string;
  readonly documentId: string;
  /** Lower-case hex SHA-256 of the document. */
  readonly checksum: string;
  readonly content: Buffer;
  /** Whether the answer called the document signed; else a failure may still be told. */
  readonly isSigned: boolean;
}

/** A sent request; its answer may have been cut off. */
export interface Sent {
  readonly key: string;
  readonly body: string;
  readonly content: Buffer;
}

/** A small document, or every fourth time a document at rest in a file. */
export function newRequest(index: number): Sent {
  return requestOf(randomBytes(index % 4 === 3 ? 120_000 : 50));
}

/** A request with an answer after the signature. */
export function requestOf(content: Buffer, type: 'CAdES' | 'PAdES' = 'CAdES'): Sent {
  const mediaType = type === 'PAdES' ? 'application/pdf' : 'application/octet-stream';
  const documents = `data:${mediaType};base64,${content.toString('base64')}`;
  const format = type === 'PAdES' ? { type, policy: 'B-B' } : { type, attached: true };
  const body = JSON.stringify({ ...format, documents_source: 'DATA_URL', mode: 'sync', documents });
  return { key: randomUUID(), body, content };
}

/** Undefined when the request was refused. Rejects when the connection broke. */
export async function send(baseUrl: string, { key, body, content }: Sent): Promise<Acknowledged | undefined> {
  const response = await fetch(`${baseUrl}/signature-service`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body,
  });
  const answer = (await response.json()) as {
    readonly tcn: string;
    readonly documents: readonly { readonly id: string; readonly status: string }[];
  };
  if (response.status !== 201) return undefined;
  const checksum = sha256(content);
  const [document] = answer.documents;
  const isSigned = document?.status === 'SIGNED';
  return { tcn: answer.tcn, documentId: document?.id ?? '', checksum, content, isSigned };
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/**
 * `good`: the result is there, is whole and holds its document. `damaged`: the answer says so. `failed`: the query
 * gives the reason of a document without an acknowledged signature yet.
 */
export type Fate = 'good' | 'waiting' | 'failed' | 'gone' | 'damaged' | 'mixed-up';

/** The fate of an acknowledged document, by its query and its download. */
export async function fateOf(
  baseUrl: string,
  { tcn, documentId, checksum, content, isSigned }: Acknowledged,
): Promise<Fate> {
  const query = await fetch(`${baseUrl}/signature-service/${tcn}`);
  if (query.status === 404) return 'gone';
  const { documents } = (await query.json()) as {
    readonly documents: readonly { readonly id: string; readonly status: string; readonly checksum: string }[];
  };
  const entry = documents.find(({ id }) => id === documentId);
  if (entry?.checksum !== checksum) return 'mixed-up';
  if (entry.status === 'WAITING') return 'waiting';
  if (entry.status === 'ERROR' && !isSigned) return 'failed';
  const download = await fetch(`${baseUrl}/file-transfer/${tcn}/${documentId}`).catch(() => undefined);
  if (download === undefined || download.status === 500) return 'damaged';
  if (download.status !== 200) return 'gone';
  const bytes = Buffer.from(await download.arrayBuffer());
  const stated = /sha-256=(.*)/.exec(download.headers.get('digest') ?? '')?.[1];
  const isWhole = createHash('sha256').update(bytes).digest('base64') === stated;
  return isWhole && bytes.includes(content.subarray(0, 40)) ? 'good' : 'mixed-up';
}

/** The fate of a document after its wait. */
export async function finalFateOf(baseUrl: string, one: Acknowledged): Promise<Fate> {
  let fate = await fateOf(baseUrl, one);
  if (fate === 'waiting')
    await until(async () => (fate = await fateOf(baseUrl, one)) !== 'waiting', 'the document is final');
  return fate;
}

/** Counts of fates of acknowledged documents, each becoming final. */
export async function judge(
  baseUrl: string,
  acknowledged: readonly Acknowledged[],
): Promise<{ readonly lost: number; readonly mixedUp: number }> {
  let [lost, mixedUp] = [0, 0];
  await forEachAtOnce(acknowledged, 8, async (one) => {
    const fate = await finalFateOf(baseUrl, one);
    if (fate === 'mixed-up') mixedUp++;
    else if (fate !== 'good' && fate !== 'failed') lost++;
  });
  return { lost, mixedUp };
}

/** Whether the health check is OK, and its words. */
export async function healthOf(baseUrl: string): Promise<{ readonly ok: boolean; readonly text: string }> {
  const response = await fetch(`${baseUrl}/health-check`);
  return { ok: response.status === 200, text: await response.text() };
}
