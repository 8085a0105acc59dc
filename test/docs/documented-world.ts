/** An instance with everything needed by the pages for integrators, and a folder with the files named there. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Configuration } from '../../src/app/config/config.ts';
import { sampleDocuments } from '../../src/app/demo/sample-documents.ts';
import { locationOf, requestIdOf } from '../http/authorization/oauth-world.ts';
import { startRealInstance, type RealInstance } from '../interface/real-instance.ts';

/** People of the pages by CPF: Ana is selected and has the key, Maria is enrolled. */
export const ana = '11144477735';
export const maria = '52998224725';

const redirectUri = 'https://portal.example/back';
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

export class DocumentedWorld {
  readonly instance: RealInstance;
  readonly folder: string;
  /** Values of the shell variables of the pages. */
  readonly variables: Record<string, string>;
  clientSecret = '';
  webhookSecret = '';
  readonly #codes = new Map<string, string[]>();

  private constructor(instance: RealInstance, folder: string) {
    this.instance = instance;
    this.folder = folder;
    this.variables = { BASE: instance.url };
  }

  static async open(changes: Partial<Configuration>): Promise<DocumentedWorld> {
    const folder = await mkdtemp(join(tmpdir(), 'sinete-docs-'));
    const instance = await startRealInstance({ metrics: true, ...changes });
    instance.openWindow();
    const world = new DocumentedWorld(instance, folder);
    const calls = instance.sinete.handlers['user-interface'];
    await calls['certificates.makeTestIdentity']({ name: 'ANA LIMA', cpf: ana });
    world.#codes.set(ana, await instance.enrol('ANA LIMA', ana));
    world.#codes.set(maria, await instance.enrol('MARIA DA SILVA', maria));
    await calls['assistant.add']({ username: ana, code: world.codeOf(ana) });
    const { application, clientSecret, webhookSecret } = await instance.sinete.core.applications.register({
      name: 'Portal',
      comments: '',
      email: 'help@portal.example',
      redirectUris: [redirectUri],
    });
    world.clientSecret = clientSecret;
    world.webhookSecret = webhookSecret;
    world.variables['CLIENT_ID'] = application.clientId;
    await world.put('contract.pdf', sampleDocuments(new Date(0)).contract.content);
    await world.put('client_secret.txt', clientSecret);
    await world.put('code_verifier.txt', verifier);
    await world.put('application.txt', `Authorization: ${world.applicationCredentials}\n`);
    return world;
  }

  async close(): Promise<void> {
    await this.instance.stop();
    await rm(this.folder, { recursive: true });
  }

  get applicationCredentials(): string {
    return `Sinete ${Buffer.from(`${this.variables['CLIENT_ID'] ?? ''}:${this.clientSecret}`).toString('base64')}`;
  }

  /** A code of a person, for a single authentication. */
  codeOf(username: string): string {
    const code = this.#codes.get(username)?.pop();
    if (code === undefined) throw new Error(`${username} has no code left.`);
    return code;
  }

  async put(name: string, content: string | Uint8Array): Promise<void> {
    await writeFile(join(this.folder, name), content);
  }

  async read(name: string): Promise<Buffer> {
    return readFile(join(this.folder, name));
  }

  /** Ana allows the application on the authorize page; answers the address of the redirect. */
  async allow(query: URLSearchParams): Promise<string> {
    const browser = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Site': 'same-origin' };
    const shown = await this.instance.send('GET', `/oauth/authorize?${query.toString()}`, { headers: browser });
    const fields = { request: requestIdOf(shown), decision: 'allow', username: ana, password: this.codeOf(ana) };
    const headers = { ...browser, Origin: this.instance.url };
    return locationOf(await this.instance.send('POST', '/oauth/authorize', { fields, headers }));
  }

  /** A code of the authorize page, in `code.txt`. */
  async prepareCode(scope: string): Promise<void> {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: this.variables['CLIENT_ID'] ?? '',
      redirect_uri: redirectUri,
      scope,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    });
    const back = new URL(await this.allow(query));
    const code = back.searchParams.get('code');
    if (code === null) throw new Error(`The authorize page answers ${back.href}.`);
    await this.put('code.txt', code);
  }

  /** Tokens of Ana for the application: `token.txt` and `refresh_token.txt`, and `bearer.txt` with the line of a header. */
  async prepareToken(scope: string): Promise<void> {
    await this.prepareCode(scope);
    const fields = {
      grant_type: 'authorization_code',
      code: (await this.read('code.txt')).toString(),
      redirect_uri: redirectUri,
      code_verifier: verifier,
      client_id: this.variables['CLIENT_ID'] ?? '',
      client_secret: this.clientSecret,
    };
    const { content, body } = await this.instance.send('POST', '/oauth', { fields });
    const { access_token: access, refresh_token: refresh = '' } = content as Readonly<Record<string, string>>;
    if (access === undefined) throw new Error(body);
    await this.put('bearer.txt', `Authorization: Bearer ${access}\n`);
    await this.put('token.txt', access);
    await this.put('refresh_token.txt', refresh);
  }

  /** Starts a transaction without documents; `TCN` names the transaction. */
  async prepareTransaction(headers: Readonly<Record<string, string>> = {}): Promise<void> {
    const request = { type: 'PAdES', documents_source: 'UPLOAD_REFERENCE' };
    const { content } = await this.instance.send('POST', '/signature-service', { json: request, headers });
    this.variables['TCN'] = String(content['tcn']);
  }

  /** Uploads contract.pdf. */
  async upload(end: 'eot' | 'continue' = 'eot'): Promise<void> {
    const form = new FormData();
    form.set('document', new Blob([new Uint8Array(await this.read('contract.pdf'))]), 'contract.pdf');
    await fetch(`${this.instance.url}/file-transfer/${this.variables['TCN'] ?? ''}/${end}`, {
      method: 'POST',
      body: form,
    });
  }

  /** Signs a PDF: `TCN` is then a finished transaction, and contract-signed.pdf the result. */
  async prepareSigned(): Promise<void> {
    await this.prepareTransaction();
    await this.upload();
    const { url } = this.instance;
    const tcn = this.variables['TCN'] ?? '';
    await fetch(`${url}/signature-service/${tcn}?wait=60`);
    const signed = await fetch(`${url}/file-transfer/${tcn}/0`);
    await this.put('contract-signed.pdf', new Uint8Array(await signed.arrayBuffer()));
  }
}
