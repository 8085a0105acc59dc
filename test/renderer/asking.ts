/** Requests of programs, sites and applications to the core of a test. The window then asks a person. */
import { createHash } from 'node:crypto';
import { requestIdOf } from '../http/authorization/oauth-world.ts';
import { plainRequest } from '../http/start-test-server.ts';
import { MARIA_CPF } from '../pki/identities.ts';
import type { RealCore } from './real-core.ts';

/** The origin of the asking site. */
export const portal = 'https://portal.tribunal.jus.br';

/** A page of the origin asks for a signature. The request ends with the question, or with `closePage`. */
export function askAsPage(core: RealCore, origin = portal): { readonly closePage: () => void } {
  const closed = new AbortController();
  core.askAsSite(origin, {}, closed.signal).catch(() => undefined);
  return {
    closePage: () => {
      closed.abort();
    },
  };
}

/** A page of a registered application asks Maria for authorization. She decides in the window. */
export async function askAsApplication(core: RealCore): Promise<{ readonly closePage: () => Promise<unknown> }> {
  await core.enrolUser('Maria da Silva Teste', MARIA_CPF);
  const about = { email: 'ti@exemplo.com.br', comments: '', redirectUris: ['https://processo.exemplo.com.br/volta'] };
  const added = await core.calls['applications.add']({ name: 'Processo', ...about, isPublic: false });
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: added.application.clientId,
    scope: 'signature_session certificate_info',
    lifetime: '7200',
  });
  const port = Number(new URL(core.origin).port);
  const Host = `127.0.0.1:${port}`;
  const navigation = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Site': 'none' };
  const path = `/oauth/authorize?${query.toString()}`;
  const request = requestIdOf(await plainRequest({ port }, { path, headers: { Host, ...navigation } }));
  const answer = async (fields: Readonly<Record<string, string>>): Promise<unknown> => {
    const body = new URLSearchParams({ request, ...fields }).toString();
    const headers = { Host, 'Content-Type': 'application/x-www-form-urlencoded' };
    return plainRequest({ port }, { method: 'POST', path: '/oauth/authorize', headers, body });
  };
  await answer({ way: 'computer' });
  return { closePage: async () => answer({ decision: 'refuse' }) };
}

/** A file in a request of a program. */
export interface AskedFile {
  readonly content: Uint8Array | string;
  /** Default: the name of the file. */
  readonly claimedName?: string;
  /** The path of the result. Default: beside the file. */
  readonly destination?: string;
}

/** A program asks for signatures of files. They are written into the folder of the core under these names. */
export async function askForFiles(
  core: RealCore,
  files: Readonly<Record<string, AskedFile | Uint8Array>>,
  request: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const documents = [];
  for (const [name, file] of Object.entries(files)) {
    const { content, claimedName, destination } = file instanceof Uint8Array ? { content: file } : file;
    documents.push({
      data: await core.put(name, content),
      ...(claimedName === undefined ? {} : { original_file_name: claimedName }),
      ...(destination === undefined ? {} : { destination_file_name: destination }),
    });
  }
  return core.ask({ type: 'PAdES', documents_source: 'FILE_PATH', documents, ...request });
}

/** A permitted site asks for the signature of a document in the body of the request. */
export async function askForContent(core: RealCore, name: string, content: Uint8Array | string): Promise<string> {
  await core.calls['sites.change']({ origin: portal, scopes: ['sign'], days: null });
  const data = `data:;base64,${Buffer.from(content).toString('base64')}`;
  const type = name.endsWith('.pdf') ? 'PAdES' : 'CAdES-detached';
  return core.askAsSite(portal, { type, documents: [{ original_file_name: name, data }] });
}

/** A permitted site asks for signatures of hashes, or of bytes to sign. */
export async function askForHashes(
  core: RealCore,
  request: Readonly<Record<string, unknown>> & { readonly hashes: readonly unknown[] },
): Promise<string> {
  await core.calls['sites.change']({ origin: portal, scopes: ['sign', 'sign_raw'], days: null });
  const without = { documents_source: undefined, documents: undefined };
  return core.askAsSite(portal, { ...without, type: 'CAdES-detached', ...request });
}

/** The SHA-256 of a content, in base64 as requests have it. */
export const hashOf = (content: string): string => createHash('sha256').update(content).digest('base64');

/** DER of the signed attributes contentType and messageDigest over a content (RFC 5652 §11.1, §11.2). */
export function attributesOf(content: string): string {
  const type = Buffer.from('301806092a864886f70d010903310b06092a864886f70d010701', 'hex');
  const digest = Buffer.concat([
    Buffer.from('302f06092a864886f70d01090431220420', 'hex'),
    createHash('sha256').update(content).digest(),
  ]);
  return Buffer.concat([Buffer.of(0x31, type.length + digest.length), type, digest]).toString('base64');
}
