/** An instance whose listener beyond loopback is reached over TLS, with applications and people of its own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRealInstance, type RealInstance } from '../interface/real-instance.ts';
import { icpBrasilPki } from '../pki/icp-brasil-pki.ts';
import { pem } from '../pki/openssl.ts';

export interface Heard {
  readonly status: number;
  /** The whole text of the answer. */
  readonly text: string;
}

export interface RemoteInstance extends RealInstance {
  /** A request from another computer. */
  ask(method: string, path: string, authorization: string, json?: object): Promise<Heard>;
  /** Registers an application, and answers its `Authorization`. */
  register(name: string): Promise<string>;
}

export async function startRemoteInstance(): Promise<RemoteInstance> {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-remote-'));
  const { server: identity } = (await icpBrasilPki()).v5;
  const tls = { certificate: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  const chain = [identity.certificate, ...identity.chain.slice(0, -1)];
  writeFileSync(tls.certificate, chain.map((der) => pem('CERTIFICATE', der)).join(''));
  writeFileSync(tls.key, pem('PRIVATE KEY', identity.privateKey), { mode: 0o600 });
  const services = ['signing', 'authorization', 'registry', 'assistant'] as const;
  const listen = [{ host: '127.0.0.1', port: 0, services, tls, remote: { publicUrl: 'https://sign.example' } }];
  const instance = await startRealInstance({ listen }, { allowRoot: true });
  const port = Number(new URL(instance.sinete.listeners[0]?.address ?? '').port);
  return {
    ...instance,
    ask: async (method, path, authorization, json) => askOver(port, { method, path, authorization, json }),
    register: async (name) => {
      const about = { name, comments: '', email: '', redirectUris: ['https://portal.example/'] };
      const { application, clientSecret } = await instance.sinete.core.applications.register(about);
      return `Sinete ${Buffer.from(`${application.clientId}:${clientSecret}`).toString('base64')}`;
    },
    stop: async () => {
      await instance.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

async function askOver(
  port: number,
  sent: { readonly method: string; readonly path: string; readonly authorization: string; readonly json?: object },
): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const { method, path, authorization, json } = sent;
    const headers = { Host: 'sign.example', Authorization: authorization, 'Content-Type': 'application/json' };
    const options = { host: '127.0.0.1', port, method, path, headers, rejectUnauthorized: false, agent: false };
    const message = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    message.on('error', reject);
    message.end(json === undefined ? undefined : JSON.stringify(json));
  });
}
