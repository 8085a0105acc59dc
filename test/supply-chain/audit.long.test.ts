import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { lockedFolders } from './audit.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

/** Runs the step against a registry on this computer. */
async function runAudit(registry: RequestListener): Promise<{ readonly code: number | null; readonly output: string }> {
  const server = createServer(registry);
  cleanUps.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const cache = mkdtempSync(join(tmpdir(), 'sinete-audit-'));
  cleanUps.push(() => rmSync(cache, { recursive: true }));
  const child = spawn(process.execPath, [join(root, 'test/supply-chain/audit.ts')], {
    env: {
      ...process.env,
      npm_config_registry: `http://127.0.0.1:${port}/`,
      npm_config_cache: cache,
      npm_config_proxy: '',
      npm_config_noproxy: '127.0.0.1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}

/** Answers npm's bulk request about packages and versions. Says nothing about a single package. */
function advisories(answer: (asked: Readonly<Record<string, readonly string[]>>) => object): RequestListener {
  return (request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(404).end();
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
      const asked = JSON.parse(text.toString()) as Readonly<Record<string, readonly string[]>>;
      response.setHeader('content-type', 'application/json').setHeader('content-encoding', 'gzip');
      response.end(gzipSync(JSON.stringify(answer(asked))));
    });
  };
}

describe('the check for known vulnerabilities', () => {
  it('fails and names package, severity and advisory', async () => {
    const { code, output } = await runAudit(
      advisories((asked) => {
        const [version] = asked['express'] ?? [];
        if (version === undefined) return {};
        const advisory = { id: 1, url: 'https://example.org/1', title: 'Reads any file', severity: 'high' };
        return { express: [{ ...advisory, vulnerable_versions: `<=${version}` }] };
      }),
    );
    expect(output).toContain('package-lock.json: express (high): Reads any file');
    expect(code).toBe(1);
  });

  it('passes when the registry knows of none, and asks about every lock file', async () => {
    let questions = 0;
    const { code, output } = await runAudit(
      advisories(() => {
        questions++;
        return {};
      }),
    );
    expect({ code, output }).toEqual({ code: 0, output: '' });
    expect(questions).toBe(lockedFolders().length);
  });

  it('passes and says so when the registry has no advisories', async () => {
    const { code, output } = await runAudit((_request, response) => response.writeHead(405).end());
    expect(output).toContain('package-lock.json: not checked for known vulnerabilities');
    expect(code).toBe(0);
  });
});
