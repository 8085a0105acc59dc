/** An instance with everything real behind it, in this process and a data folder of its own. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOTP, URI } from 'otpauth';
import { readConfiguration, type Configuration } from '../../src/app/config/config.ts';
import { startSinete, type Sinete, type StartOptions } from '../../src/app/instance/start-sinete.ts';
import type { UiEvent } from '../../src/ui-contract/ui-contract.ts';
import { plainRequest, type PlainAnswer } from '../http/start-test-server.ts';
import { placeMigratedDatabase } from '../storage/migrated-database.ts';

export interface RealInstance {
  readonly sinete: Sinete;
  readonly url: string;
  readonly port: number;
  /** Enrols a person; answers the recovery codes, each good for one authentication. */
  enrol(name: string, username: string): Promise<string[]>;
  /** Sends a form where there are fields. */
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
  /** Opens a window: from then on somebody can be asked. */
  openWindow(listener?: (event: UiEvent) => void): () => void;
  stop(): Promise<void>;
}

export interface SendOptions {
  readonly fields?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer extends PlainAnswer {
  /** The body as JSON; empty when there is none. */
  readonly content: Readonly<Record<string, unknown>>;
}

export async function startRealInstance(
  changes: Partial<Configuration> = {},
  others: Partial<StartOptions> = {},
): Promise<RealInstance> {
  const folder = await mkdtemp(join(tmpdir(), `sinete-${randomUUID().slice(0, 8)}-`));
  const environment = { SINETE_SECRET_STORE_MODE: 'memory' };
  const configuration = await readConfiguration({ dataFolder: folder, environment });
  const options = { dataFolder: folder, configuration: { ...configuration, port: 0, ...changes }, ...others };
  if (options.configuration.database === undefined) await placeMigratedDatabase(folder);
  const sinete = await startSinete(options);
  const port = Number(new URL(sinete.baseUrl).port);
  return {
    sinete,
    port,
    url: sinete.baseUrl,
    enrol: async (name, username) => enrol(sinete, name, username),
    send: async (method, path, sent = {}) => send(port, method, path, sent),
    openWindow: (listener = () => undefined) => sinete.onEvent(listener),
    stop: async () => {
      await sinete.stop();
      await rm(folder, { recursive: true });
    },
  };
}

async function enrol({ core }: Sinete, name: string, username: string): Promise<string[]> {
  const offer = await core.accounts.begin({ name, username });
  const totp = URI.parse(offer.otpauthUri);
  if (!(totp instanceof TOTP)) throw new Error('It is not time-based.');
  const { recoveryCodes } = await core.accounts.confirm(offer.enrolment, totp.generate());
  return [...recoveryCodes];
}

async function send(port: number, method: string, path: string, sent: SendOptions): Promise<Answer> {
  const { fields, json, headers } = sent;
  const body = fields === undefined ? JSON.stringify(json) : new URLSearchParams(fields).toString();
  const contentType = fields === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
  const hasBody = fields !== undefined || json !== undefined;
  const answer = await plainRequest(
    { port },
    {
      method,
      path,
      headers: { Host: `127.0.0.1:${port}`, ...(hasBody ? { 'Content-Type': contentType } : {}), ...headers },
      ...(hasBody ? { body } : {}),
    },
  );
  const isJson = String(answer.headers['content-type']).includes('json');
  return { ...answer, content: isJson ? (JSON.parse(answer.body) as Record<string, unknown>) : {} };
}
