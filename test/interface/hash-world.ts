/** An instance with a person and an application, for the interfaces of other protocols. */
import { createHash, randomBytes } from 'node:crypto';
import type { TransactionView } from '../../src/service/transactions/index.ts';
import type { CallHandlers } from '../../src/ui-contract/ui-contract.ts';
import { locationOf, requestIdOf } from '../http/authorization/oauth-world.ts';
import { plainRequest, type PlainAnswer } from '../http/start-test-server.ts';
import { untilDefined } from '../setup/waits.ts';
import { startRealInstance, type Answer, type RealInstance } from './real-instance.ts';
import { ana } from './replay-client.ts';

const redirect = 'https://portal.example/back';

interface Client {
  readonly client_id: string;
  readonly client_secret: string;
}

/** Hashes that a person permits with one authorization of this instance. */
const PERMITTED = 5;

export class HashWorld {
  readonly instance: RealInstance;
  readonly client: Client;
  readonly calls: CallHandlers;
  /** Recovery codes, each good for one authentication. */
  readonly #codes: string[];

  private constructor(instance: RealInstance, client: Client, codes: string[]) {
    this.instance = instance;
    this.client = client;
    this.calls = instance.sinete.handlers['user-interface'];
    this.#codes = codes;
  }

  static async open({ perAuthorization = PERMITTED } = {}): Promise<HashWorld> {
    const hashes = { allowed: 'ask', raw: 'ask', perAuthorization } as const;
    const instance = await startRealInstance({ hashes });
    const codes = await instance.enrol('Ana Lima', ana);
    const calls = instance.sinete.handlers['user-interface'];
    await calls['certificates.makeTestIdentity']({ name: 'ANA LIMA', cpf: ana });
    return new HashWorld(instance, await addClient(instance, 'Portal'), codes);
  }

  async close(): Promise<void> {
    await this.instance.stop();
  }

  /** A window whose user approves every transaction, until the returned function is called. */
  static approveEverything(instance: RealInstance): () => void {
    const { sinete } = instance;
    const calls = sinete.handlers['user-interface'];
    const approve = async (): Promise<void> => {
      for (const { tcn, waitingFor } of await sinete.core.transactions.waiting()) {
        if (waitingFor !== 'approval') continue;
        await calls['approvals.decide']({ tcn, decision: 'approve' }).catch(() => undefined);
      }
    };
    return instance.openWindow(() => void approve());
  }

  /** Another application. */
  async addClient(name: string): Promise<Client> {
    return addClient(this.instance, name);
  }

  /** Ana's next one-time password; a new enrolment when all recovery codes are used. */
  otp(): string {
    const code = this.#codes.shift();
    if (code === undefined) throw new Error('Every recovery code was used.');
    return code;
  }

  /** The authorize page. */
  async page(scope: string, more: Readonly<Record<string, string>> = {}): Promise<PlainAnswer> {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: this.client.client_id,
      redirect_uri: redirect,
      scope,
      ...more,
    });
    const { path = '/oauth/authorize', ...sent } = { ...Object.fromEntries(query) };
    return plainRequest(
      { port: this.instance.port },
      { path: `${path}?${new URLSearchParams(sent).toString()}`, headers: this.#navigation('none') },
    );
  }

  /** The code of a person who allows in the browser. */
  async code(scope: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
    const shown = await this.page(scope, more);
    const fields = { request: requestIdOf(shown), username: ana, decision: 'allow' };
    const taken = await this.#withPassword(async (password) => {
      const body = new URLSearchParams({ ...fields, password }).toString();
      const headers = {
        ...this.#navigation('same-origin'),
        Origin: this.instance.url,
        'Content-Type': 'application/x-www-form-urlencoded',
      };
      return plainRequest({ port: this.instance.port }, { method: 'POST', path: '/oauth/authorize', headers, body });
    });
    return new URL(locationOf(taken)).searchParams.get('code') ?? '';
  }

  async #withPassword<Result>(use: (password: string) => Promise<Result>): Promise<Result> {
    if (this.#codes.length === 0) await this.#enrolAgain();
    return use(this.otp());
  }

  /** A second enrolment ends the tokens of the first one, so it happens between the tests only. */
  async #enrolAgain(): Promise<void> {
    const { accounts } = this.instance.sinete.core;
    const [account] = await accounts.list();
    if (account !== undefined) await accounts.remove(account.id);
    this.#codes.push(...(await this.instance.enrol('Ana Lima', ana)));
  }

  /** The access token of a code, with PKCE. */
  async token(scope: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
    const verifier = randomBytes(48).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const code = await this.code(scope, { code_challenge: challenge, code_challenge_method: 'S256', ...more });
    const { content } = await this.form('/v0/oauth/token', {
      grant_type: 'authorization_code',
      ...this.client,
      code,
      redirect_uri: redirect,
      code_verifier: verifier,
    });
    return String(content.access_token);
  }

  /** The access token of a one-time password. */
  async passwordToken(scope: string): Promise<string> {
    const { content } = await this.#withPassword(async (password) =>
      this.form('/v0/oauth/pwd_authorize', { grant_type: 'password', ...this.client, username: ana, password, scope }),
    );
    return String(content.access_token);
  }

  async post(path: string, json: unknown, token?: string): Promise<Answer> {
    return this.instance.send('POST', path, { json, headers: bearer(token) });
  }

  async form(path: string, fields: Readonly<Record<string, string>>, token?: string): Promise<Answer> {
    return this.instance.send('POST', path, { fields, headers: bearer(token) });
  }

  async get(path: string, token?: string): Promise<Answer> {
    return this.instance.send('GET', path, { headers: bearer(token) });
  }

  /** The transaction that waits for an approval. */
  async waiting(): Promise<TransactionView> {
    return untilDefined(async () => {
      const all = await this.instance.sinete.core.transactions.waiting();
      return all.find(({ waitingFor }) => waitingFor === 'approval');
    }, 'a transaction that waits for its approval');
  }

  async decide(tcn: string, decision: 'approve' | 'refuse'): Promise<void> {
    await this.calls['approvals.decide']({ tcn, decision });
  }

  #navigation(site: string): Record<string, string> {
    return {
      Host: `127.0.0.1:${this.instance.port}`,
      'Accept-Language': 'en',
      'Sec-Fetch-Mode': 'navigate',
      'Sec-Fetch-Dest': 'document',
      'Sec-Fetch-Site': site,
    };
  }
}

const bearer = (token: string | undefined): Readonly<Record<string, string>> =>
  token === undefined ? {} : { Authorization: `Bearer ${token}` };

async function addClient(instance: RealInstance, name: string): Promise<Client> {
  const about = { name, comments: '', email: '', redirectUris: [redirect] };
  const { application, clientSecret } = await instance.sinete.core.applications.register(about);
  return { client_id: application.clientId, client_secret: clientSecret };
}
