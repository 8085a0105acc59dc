import { createHash } from 'node:crypto';
import { AppError } from '../app-error.ts';

/** A document to sign through the interface. */
export interface DemoDocument {
  readonly fileName: string;
  readonly mediaType: string;
  readonly content: Buffer;
}

/** How a document is signed. */
export interface DemoRequest {
  readonly type: string;
  /** SHA-256. */
  readonly certificate: string;
  /** Absent: a signature without a time stamp. */
  readonly policy?: { readonly name: string; readonly timestampServer: string };
}

/** The answers of the interface. */
export interface DemoResult {
  readonly fileName: string;
  readonly content: Buffer;
}

/** Prints the steps, and approves a transaction that waits for approval. */
export interface DemoHost {
  readonly baseUrl: string;
  readonly tell: (line: string) => void;
  readonly approve: (tcn: string) => Promise<void>;
}

/** The members of a transaction's answer that this client uses. */
interface Transaction {
  readonly tcn: string;
  readonly status: 'WAITING' | 'SIGNED' | 'ERROR';
  readonly waiting_for: 'upload' | 'approval' | 'pin' | null;
  readonly documents: readonly {
    readonly id: string;
    readonly result: string | null;
    readonly error?: { readonly detail: string };
  }[];
}

/**
 * Seconds that successive queries wait. The first queries return soon and show whether the approval is missing, because
 * a missing approval ends no wait.
 */
const waits = [0, 1, ...new Array<number>(12).fill(10)];

/** The four steps that sign a document through the interface: create, upload, query, download. */
export async function signThroughInterface(
  host: DemoHost,
  request: DemoRequest,
  document: DemoDocument,
): Promise<DemoResult> {
  const { tcn } = await create(host, request);
  await upload(host, tcn, document);
  const finished = await query(host, tcn);
  const [entry] = finished.documents;
  if (entry?.result == null) {
    throw new AppError(1, `${document.fileName} was not signed. ${entry?.error?.detail ?? ''}`.trim());
  }
  return download(host, entry.result);
}

async function create({ baseUrl, tell }: DemoHost, request: DemoRequest): Promise<Transaction> {
  const { type, certificate, policy } = request;
  const chosen = policy === undefined ? {} : { policy: policy.name, tsa_server_id: policy.timestampServer };
  tell(`1. POST ${baseUrl}/signature-service  (type ${type}${policy === undefined ? '' : `, policy ${policy.name}`})`);
  const body = { type, documents_source: 'UPLOAD_REFERENCE', certificate_alias: certificate, ...chosen };
  const transaction = await readJson<Transaction>(
    await fetch(`${baseUrl}/signature-service`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify(body),
    }),
  );
  tell(`     transaction ${shortened(transaction.tcn)} was created`);
  return transaction;
}

async function upload({ baseUrl, tell }: DemoHost, tcn: string, document: DemoDocument): Promise<void> {
  tell(`2. POST ${baseUrl}/file-transfer/${shortened(tcn)}/eot`);
  const form = new FormData();
  const file = new Blob([Uint8Array.from(document.content)], { type: document.mediaType });
  form.append('document', file, document.fileName);
  await readJson(await fetch(`${baseUrl}/file-transfer/${tcn}/eot`, { method: 'POST', body: form }));
  tell(`     ${document.fileName}, ${document.content.length} bytes`);
}

async function query(host: DemoHost, tcn: string): Promise<Transaction> {
  const { baseUrl, tell } = host;
  tell(`3. GET ${baseUrl}/signature-service/${shortened(tcn)}?wait=10`);
  for (const wait of waits) {
    const transaction = await readJson<Transaction>(await fetch(`${baseUrl}/signature-service/${tcn}?wait=${wait}`));
    if (transaction.status !== 'WAITING') {
      tell(`     ${transaction.status}`);
      return transaction;
    }
    if (transaction.waiting_for === 'approval') {
      tell('     waits for approval: given here, because you started the demonstration');
      await host.approve(tcn);
    }
  }
  throw new AppError(3, 'The document was not signed in two minutes: look at the window of Sinete.');
}

async function download({ tell }: DemoHost, result: string): Promise<DemoResult> {
  tell(`4. GET ${result.replace(/[\w-]{26}/, shortened)}`);
  const response = await fetch(result);
  if (!response.ok) throw new AppError(3, `The download was refused with status ${response.status}.`);
  const content = Buffer.from(await response.arrayBuffer());
  const digest = createHash('sha256').update(content).digest('hex');
  if (response.headers.get('ETag') !== `"${digest}"`) throw new AppError(1, 'The download is not what was announced.');
  const fileName = /filename="?([^";]+)"?/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? 'result';
  tell(`     ${fileName}, ${content.length} bytes`);
  return { fileName, content };
}

async function readJson<Body>(response: Response): Promise<Body> {
  const body = (await response.json()) as Body & { readonly detail?: string };
  if (!response.ok) throw new AppError(1, `The interface refused: ${body.detail ?? String(response.status)}`);
  return body;
}

/** A TCN permits downloads, so only its beginning appears in terminals. */
function shortened(tcn: string): string {
  return `${tcn.slice(0, 6)}…`;
}
