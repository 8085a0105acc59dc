/** nginx with the example of the package, without TLS, before nodes on loopback. */
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../app/run-sinete.ts';
import { systemTool } from '../setup/system-packages.ts';
import { until } from '../setup/waits.ts';

const example = join(import.meta.dirname, '../../packaging/nginx/sinete.conf');

/** A running nginx. */
export interface Proxy {
  readonly port: number;
  /** The number of the main process, whose children answer the requests. */
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts nginx before listeners at `ports`; its files lie in `folder`. */
export async function startProxy(folder: string, ports: readonly number[]): Promise<Proxy> {
  const port = await freePort();
  const servers = ports.map((one) => `server 127.0.0.1:${one} max_fails=1 fail_timeout=1s;`);
  const site = (await readFile(example, 'utf8'))
    .replace('server 127.0.0.1:8080;', servers.join('\n  '))
    .replace('listen 443 ssl http2', `listen 127.0.0.1:${port}`)
    .replace(/^.*listen \[::\]:443.*\n/m, '')
    .replaceAll(/^\s*(ssl_|add_header).*\n/gm, '');
  await writeFile(join(folder, 'sinete.conf'), site);
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((one) => `${one}_temp_path ${folder};`);
  const file = join(folder, 'nginx.conf');
  const main = `${user} daemon off; pid ${folder}/nginx.pid; error_log /dev/null; events { worker_connections 1024; }`;
  await writeFile(file, `${main}\nhttp { access_log off; ${places.join(' ')} include ${folder}/sinete.conf; }\n`);
  const child = spawn(systemTool('nginx'), ['-c', file], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('close', resolve));
  await until(
    () =>
      fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      ),
    'nginx answers',
  );
  return {
    port,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGQUIT');
      await ended;
    },
  };
}
