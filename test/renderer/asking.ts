/** Requests of programs, sites and applications to the core of a test. The window then asks a person. */
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
