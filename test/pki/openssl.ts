import { runTool, type ProgramOptions } from '../oracles/run-program.ts';

/** Runs `openssl`. */
export const openssl = (parameters: readonly string[], options: ProgramOptions): Promise<string> =>
  runTool('openssl', parameters, options);

/** PEM of DER bytes: label `CERTIFICATE`, `PRIVATE KEY` and so on. */
export function pem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
