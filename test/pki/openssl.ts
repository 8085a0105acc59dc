import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where and with what a tool runs. Passwords go through `environment`: `-passin env:NAME`. */
export interface ToolOptions {
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs a command-line tool and gives what it wrote to standard output; rejects with its standard error otherwise. */
export async function runTool(name: string, parameters: readonly string[], options: ToolOptions): Promise<string> {
  const { stdout } = await run(name, [...parameters], {
    cwd: options.folder,
    env: { ...process.env, ...options.environment },
  });
  return stdout;
}

/** Runs `openssl`. */
export const openssl = (parameters: readonly string[], options: ToolOptions): Promise<string> =>
  runTool('openssl', parameters, options);

/** PEM of DER octets: label `CERTIFICATE`, `PRIVATE KEY` and so on. */
export function pem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
