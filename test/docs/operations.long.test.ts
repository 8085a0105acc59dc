/** The requests of docs/reference/operations.md, with curl against a real instance, word for word. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runTool } from '../oracles/run-program.ts';
import { systemTool } from '../setup/system-packages.ts';
import { docsFolder } from './make-reference.ts';
import type { DocumentedWorld } from './documented-world.ts';
import { browserOperations, operations } from './http-requests.ts';
import { OperationWorlds } from './prepare-operations.ts';

let worlds: OperationWorlds;
let page: string;

beforeAll(async () => {
  page = await readFile(join(docsFolder, 'reference/operations.md'), 'utf8');
  worlds = await OperationWorlds.open();
});
afterAll(async () => worlds.close());

/** The commands in the section of an operation. */
function commandsOf(method: string, path: string): readonly string[] {
  const start = page.indexOf(`### \`${method} ${path}\`\n`);
  const section = page.slice(start, page.indexOf('\n### ', start + 1) >>> 0);
  return [...section.matchAll(/^```sh\n([^]*?)\n```$/gm)].map(([, command = '']) => command);
}

/** Runs a command; the status of its answer, or the answer of a refusal. Streams are left after two seconds. */
async function statusOf(command: string, { folder, variables }: DocumentedWorld, isStream: boolean): Promise<string> {
  const curl = `curl() { "${systemTool('curl')}" -S -w '\\n%{http_code}' ${isStream ? '-m 2' : ''} "$@"; }\n`;
  const script = `${curl}${command}${isStream ? ' || true' : ''}`;
  const output = await runTool('bash', ['-e', '-c', script], { folder, environment: variables });
  const status = output.slice(output.lastIndexOf('\n') + 1);
  return /^2\d\d$/.test(status) ? status : output;
}

describe('the requests of the reference', () => {
  const own = operations.filter(({ operationId }) => !browserOperations.includes(operationId));

  it('leave out the pages of a browser only', () => {
    expect(own).toHaveLength(operations.length - 3);
    expect(own.length).toBeGreaterThan(40);
  });

  it.each(own)('succeed with curl: $method $path', async ({ method, path, operationId, responses }) => {
    const commands = commandsOf(method, path);
    expect(commands.length).toBeGreaterThan(0);
    const successes = Object.keys(responses).filter((status) => status.startsWith('2'));
    for (const command of commands) {
      await worlds.prepare(operationId, command);
      const place = worlds.worldOf(operationId);
      expect(successes).toContain(await statusOf(command, place, operationId.startsWith('stream')));
    }
  });
});
