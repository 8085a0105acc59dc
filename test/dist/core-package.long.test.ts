import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestAuthority, issueTestPerson, writePkcs12 } from '../../src/test-authority/index.ts';
import { runTool } from '../oracles/run-program.ts';
import { buildPdf, onePage } from '../signing/pdf/build-pdf.ts';
import { assembleCorePackage } from './pack-core.ts';

let folder: string;
/** A project of somebody else: an empty folder with the packed core installed, and nothing else of Sinete. */
let project: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-core-'));
  project = join(folder, 'project');
  const packed = join(folder, 'package');
  await mkdir(project);
  await mkdir(packed);
  assembleCorePackage(packed);
  await npm(folder, 'pack', packed, '--pack-destination', folder);
  const archive = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? 'no archive';
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  await npm(project, 'install', '--loglevel=error', '--no-audit', '--no-fund', join(folder, archive));
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

/** Runs npm as another project would: without the settings that our own npm script passes on. */
async function npm(place: string, ...words: readonly string[]): Promise<void> {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^npm_(config_local_prefix|package_|lifecycle_)/.test(name),
  );
  const { code, output } = await collect(spawn('npm', words, { cwd: place, env: Object.fromEntries(own) }));
  if (code !== 0) throw new Error(`npm ${words.join(' ')} failed in ${place}:\n${output}`);
}

async function collect(
  child: ChildProcessWithoutNullStreams,
  input = '',
): Promise<{ readonly code: number | null; readonly output: string }> {
  child.stdin.end(input);
  const ended = once(child, 'close') as Promise<[number | null]>;
  const [[code], output, errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, output: output + errors };
}

describe('the package of the signing core', () => {
  it('holds the core and no other part of the product', async () => {
    const installed = join(project, 'node_modules/sinete-signing');
    expect((await readdir(join(installed, 'src'))).sort()).toEqual(['signing', 'text', 'values']);
    expect(existsSync(join(installed, 'src/signing/index.d.ts'))).toBe(true);
    const { dependencies } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    expect(Object.keys(dependencies)).not.toContain('express');
    expect(Object.values(dependencies).every((version) => /^\d/.test(version))).toBe(true);
  });

  it('signs a PDF in an empty folder by the first example of its README', async () => {
    const readme = await readFile(join(project, 'node_modules/sinete-signing/README.md'), 'utf8');
    const [, example = ''] = /```js\n([^]*?)```/.exec(readme) ?? [];
    const person = await issueTestPerson(await createTestAuthority(), { name: 'MARIA DE TESTE', cpf: '52998224725' });
    await writeFile(join(project, 'key.p12'), await writePkcs12(person, 'segredo'));
    await writeFile(join(project, 'contract.pdf'), buildPdf(onePage()));
    await writeFile(join(project, 'first.mjs'), example);
    const { code, output } = await collect(spawn(process.execPath, ['first.mjs'], { cwd: project }), 'segredo\n');
    expect(output).toMatch(/^contract-signed\.pdf has \d+ bytes\.\n$/);
    expect(code).toBe(0);
    const judged = await runTool('pdfsig', ['-nocert', join(project, 'contract-signed.pdf')]);
    expect(judged).toContain('Signature is Valid.');
  });
});
