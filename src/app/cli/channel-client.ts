/**
 * Requests to the running instance of a data folder, through its local channel. Small: every command loads this file.
 */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { isProvenInstance, newChallenge, proveRequest } from '../../http/peer/instance-proof.ts';
import { AppError, exitCodeOf } from '../app-error.ts';
import type { SentFile } from './client.ts';
import { checkDataFolder } from '../config/check-data-folder.ts';
import { identifyFolder, isSameFolder, isSameInode, type FolderIdentity } from '../instance/folder-identity.ts';
import { readInstanceFile, removeInstanceFile, type InstanceFile } from '../instance/instance-file.ts';

/** A running instance that has proved that it belongs to the data folder. */
export interface RunningInstance extends InstanceFile {
  readonly baseUrl: string;
}

/** Milliseconds for an instance to answer the challenge. */
const PATIENCE = 5000;

/**
 * The instance of this data folder, if it answers on the channel named in its file, knows the key in the file, and
 * confirms the folder. The file is removed if its instance has ended, or if the folder is a copy: the file then names
 * the instance of the original.
 */
export async function findRunningInstance(folder: string): Promise<RunningInstance | undefined> {
  // If others could write the instance file, it could name a channel of their program.
  await checkDataFolder(folder);
  const file = await readInstanceFile(folder);
  if (file === undefined) return undefined;
  const identity = await identifyFolder(folder);
  if (!isSameInode(file.folder, identity)) {
    await removeInstanceFile(folder, file.instance);
    return undefined;
  }
  // The folder was moved while its instance runs. The file stays, and the lock of the folder reports the conflict.
  if (!isSameFolder(file.folder, identity)) return undefined;
  try {
    await challenge(file, identity);
    return { ...file, baseUrl: `http://127.0.0.1:${file.port}` };
  } catch (error) {
    if (isGone(error)) await removeInstanceFile(folder, file.instance);
    return undefined;
  }
}

/** An answer of the instance. */
export interface ChannelAnswer {
  readonly status: number;
  /** Parsed JSON; undefined for an empty or other body. */
  readonly body: unknown;
}

/** Posts JSON to the instance after it has proved itself. Rejects with `AppError` for an instance that has ended. */
export async function postToInstance(
  running: RunningInstance,
  target: string,
  content: unknown,
): Promise<ChannelAnswer> {
  try {
    const nonce = await challenge(running, running.folder);
    const body = JSON.stringify(content);
    const about = { listener: running.channel, method: 'POST', target, body };
    return await send(running.channel, {
      ...about,
      headers: { 'Content-Type': 'application/json', 'X-Sinete-Proof': proveRequest(keyOf(running), nonce, about) },
    });
  } catch (cause) {
    throw new AppError(3, 'The running instance does not answer.', { cause });
  }
}

/** Sends a file as the body of a request, after the instance has proved itself. Rejects with `AppError`. */
export async function putToInstance(running: RunningInstance, target: string, file: SentFile): Promise<ChannelAnswer> {
  // The digest and the body are read from one open file, so that the digest of the proof matches the body.
  const opened = await open(file.path).catch((cause: unknown) => {
    throw new AppError(2, `The file ${file.path} cannot be read.`, { cause });
  });
  try {
    const { size } = await opened.stat();
    const hash = createHash('sha256');
    await pipeline(opened.createReadStream({ autoClose: false, start: 0 }), hash);
    const nonce = await challenge(running, running.folder);
    const about = { listener: running.channel, method: 'PUT', target, digest: hash.digest('base64url') };
    const headers = {
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(size),
      'X-File-Name': encodeURIComponent(file.name),
      'X-Sinete-Proof': proveRequest(keyOf(running), nonce, about),
    };
    const body = opened.createReadStream({ autoClose: false, start: 0 });
    return await send(running.channel, { ...about, body, headers });
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError(3, 'The running instance does not take the file.', { cause });
  } finally {
    await opened.close();
  }
}

/** The body of an answer of the instance as a stream. Rejects with `AppError`, with the reason of a refusal. */
export async function readFromInstance(running: RunningInstance, target: string): Promise<Readable> {
  const nonce = await challenge(running, running.folder).catch((cause: unknown) => {
    throw new AppError(3, 'The running instance does not answer.', { cause });
  });
  const about = { listener: running.channel, method: 'GET', target, body: '' };
  const headers = { 'X-Sinete-Proof': proveRequest(keyOf(running), nonce, about) };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const path = { socketPath: running.channel, path: target, headers, agent: false } as const;
    request(path, resolve).once('error', reject).end();
  });
  if (response.statusCode === 200) return response;
  const { code = '', detail = '' } = (parseJson(await text(response)) ?? {}) as Readonly<Record<string, string>>;
  throw new AppError(exitCodeOf(code), detail === '' ? 'The result cannot be read.' : detail, { code });
}

/** Asks the instance to prove that it knows the key and serves the folder; answers the nonce for one request. */
async function challenge(file: InstanceFile, folder: FolderIdentity): Promise<string> {
  const asked = { challenge: newChallenge(), listener: file.channel };
  const target = `/.well-known/sinete?challenge=${asked.challenge}`;
  const { body } = await send(file.channel, { method: 'GET', target, body: '', headers: {}, timeout: PATIENCE });
  const { proof, nonce, folder: served } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof proof !== 'string' || typeof nonce !== 'string') throw new Error('The instance answers no challenge.');
  if (!isProvenInstance(keyOf(file), asked, { proof, nonce })) throw new Error('Another program has the channel.');
  if (!isSameFolder(served as FolderIdentity, folder)) throw new Error('The instance serves another data folder.');
  return nonce;
}

function keyOf({ proofKey }: InstanceFile): Buffer {
  return Buffer.from(proofKey, 'base64url');
}

interface ChannelRequest {
  readonly method: string;
  readonly target: string;
  readonly body: string | Readable;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeout?: number;
}

async function send(
  channel: string,
  { method, target, body, headers, timeout }: ChannelRequest,
): Promise<ChannelAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath: channel, method, path: target, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        resolve({ status: response.statusCode ?? 0, body: parseJson(Buffer.concat(chunks).toString('utf8')) });
      });
    });
    sent.once('error', reject);
    if (timeout !== undefined) sent.setTimeout(timeout, () => sent.destroy(new Error('The instance does not answer.')));
    if (typeof body === 'string') sent.end(body);
    // An early answer, such as a refusal, may end the connection before the whole body was sent.
    else pipeline(body, sent).catch((error: unknown) => sent.destroy(error as Error));
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** True if the error means that no process listens on the channel any more. */
function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ECONNREFUSED');
}
