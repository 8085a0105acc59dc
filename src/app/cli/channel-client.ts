/** Requests to the running instance of a data folder, through its local channel. Small: every command loads this file. */
import { request } from 'node:http';
import { isProvenInstance, newChallenge, proveRequest } from '../../http/peer/instance-proof.ts';
import { AppError } from '../app-error.ts';
import { checkDataFolder } from '../config/check-data-folder.ts';
import { identifyFolder, isSameFolder, isSameInode, type FolderIdentity } from '../instance/folder-identity.ts';
import { readInstanceFile, removeInstanceFile, type InstanceFile } from '../instance/instance-file.ts';

/** A running instance that has proved to be the instance of the data folder. */
export interface RunningInstance extends InstanceFile {
  readonly baseUrl: string;
}

/** Milliseconds for an instance to answer the challenge. */
const PATIENCE = 5000;

/**
 * The instance of this data folder, if an instance answers at the channel that its file names, knows the key in the
 * file, and confirms the folder. A file of an instance that has ended is removed, and so is the file in a copied folder,
 * which names the instance of the original.
 */
export async function findRunningInstance(folder: string): Promise<RunningInstance | undefined> {
  // A record that others may have written leads to their program.
  await checkDataFolder(folder);
  const file = await readInstanceFile(folder);
  if (file === undefined) return undefined;
  const identity = await identifyFolder(folder);
  if (!isSameInode(file.folder, identity)) {
    await removeInstanceFile(folder, file.instance);
    return undefined;
  }
  // A folder that was moved while its instance runs: the claim of the folder tells.
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
  readonly body: string;
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
    sent.end(body);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether nobody listens at the channel any more. */
function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ECONNREFUSED');
}
